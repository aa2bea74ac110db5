#include <array>
#include <catch2/catch.hpp>
#include <csignal>
#include <memory>
#include <thread>

#include "core/error.hpp"
#include "driver/campaign/manifest.hpp"
#include "tests/driver/campaign/processes.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney::campaign {

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
  std::array<int, 2> word{};
  REQUIRE(::pipe(word.data()) == 0);
  const pid_t driver = ::fork();
  if (driver == 0) {
    ::close(word[1]);
    const FolderLock lock(file);
    if (::fork() == 0) {
      // The guardian: it holds the lock while it clears away the launch, here until it is told.
      char reported = 0;
      [[maybe_unused]] const ssize_t end = ::read(word[0], &reported, 1);
      ::_exit(0);
    }
    ::raise(SIGKILL);
  }
  wait_for(driver);
  CHECK_THROWS_AS(FolderLock(file, {0}), InputError);
  std::thread teller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    ::close(word[1]);
  });
  CHECK_NOTHROW(FolderLock(file, {20}));
  teller.join();
  ::close(word[0]);
}

}  // namespace hockney::campaign
