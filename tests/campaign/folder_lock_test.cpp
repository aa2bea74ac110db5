#include "campaign/folder_lock.hpp"

#include <catch2/catch.hpp>
#include <csignal>
#include <memory>

#include "core/error.hpp"
#include "tests/campaign/processes.hpp"
#include "tests/campaign/temporary_folder.hpp"

using namespace hockney;

TEST_CASE("a folder has one driver at a time") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/lock";
  auto first = std::make_unique<FolderLock>(file);
  CHECK_THROWS_WITH(FolderLock(file), Catch::Contains("process " + std::to_string(::getpid())));
  CHECK_THROWS_AS(FolderLock(file), InputError);
  first.reset();
  CHECK_NOTHROW(FolderLock(file));
}

TEST_CASE("the lock ends with its holder, however that ends") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/lock";
  const pid_t holder = ::fork();
  if (holder == 0) {
    const FolderLock lock(file);
    ::raise(SIGKILL);
  }
  CHECK(wait_for(holder) == -SIGKILL);
  CHECK_NOTHROW(FolderLock(file));
}

TEST_CASE("what a dead driver left running is waited for") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/lock";
  const pid_t driver = ::fork();
  if (driver == 0) {
    const FolderLock lock(file);
    if (::fork() == 0) {
      // The guardian: it still holds the lock while it clears away the launch.
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
      ::_exit(0);
    }
    ::raise(SIGKILL);
  }
  wait_for(driver);
  CHECK_THROWS_AS(FolderLock(file, {0}), InputError);
  CHECK_NOTHROW(FolderLock(file, {20}));
}
