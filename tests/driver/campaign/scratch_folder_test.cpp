#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "core/error.hpp"
#include "driver/campaign/scratch_folder.hpp"
#include "tests/driver/campaign/processes.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney::campaign {

TEST_CASE("a scratch folder goes away with its owner, however that ends") {
  const TemporaryFolder folder;
  {
    const ScratchFolder scratch(folder.path());
    const ScratchFolder other(folder.path());
    std::ofstream(scratch.file("a")) << "a";
    CHECK(std::filesystem::path(scratch.path()).parent_path() == folder.path());
    CHECK(scratch.path() != other.path());
  }
  CHECK(std::filesystem::is_empty(folder.path()));
  std::array<int, 2> ready{};
  REQUIRE(::pipe2(ready.data(), O_CLOEXEC) == 0);
  const pid_t owner = ::fork();
  if (owner == 0) {
    const ScratchFolder scratch(folder.path());
    std::ofstream(scratch.file("a")) << "a";
    static_cast<void>(::write(ready[1], "\n", 1));
    while (true) ::pause();
  }
  char line = 0;
  CHECK(::read(ready[0], &line, 1) == 1);
  CHECK_FALSE(std::filesystem::is_empty(folder.path()));
  ::kill(owner, SIGKILL);
  CHECK(wait_for(owner) == -SIGKILL);
  CHECK(comes_true([&] { return std::filesystem::is_empty(folder.path()); }));
  ::close(ready[0]);
  ::close(ready[1]);
  CHECK_THROWS_AS(ScratchFolder(folder.path() + "/none"), RunError);
}

}  // namespace hockney::campaign
