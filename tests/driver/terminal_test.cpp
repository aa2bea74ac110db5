#include <pty.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>

#include "core/record_file.hpp"
#include "tests/driver/bad_input.hpp"
#include "tests/support/page_records.hpp"
#include "tests/support/temporary_folder.hpp"

// What programs print on a terminal alone.
namespace hockney::driver {
namespace {

/// What a command prints on a terminal.
std::string on_terminal(Arguments command, const char* no_color) {
  int terminal = -1;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
  REQUIRE(child >= 0);
  if (child == 0) {
    ::setenv("TERM", "xterm", 1);
    ::setenv("NO_COLOR", no_color, 1);
    std::vector<char*> words;
    for (std::string& word : command) words.push_back(word.data());
    words.push_back(nullptr);
    ::execv(words.front(), words.data());
    ::_exit(127);
  }
  std::string text;
  std::array<char, 4096> part{};
  for (ssize_t got = 0; (got = ::read(terminal, part.data(), part.size())) > 0;) {
    text.append(part.data(), static_cast<std::size_t>(got));
  }
  ::close(terminal);
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK(WEXITSTATUS(status) == 0);
  return text;
}

}  // namespace

TEST_CASE("verdicts have colours on a terminal, and neither in a pipe nor with NO_COLOR") {
  const TemporaryFolder folder;
  const std::string red = "\033[31mslower\033[39m";
  const Arguments compare{built("hockney"), "compare", folder.path() + "/a", folder.path() + "/b"};
  for (const double factor : {1.0, 2.0}) {
    int launch = 0;
    std::filesystem::create_directory(compare[factor > 1 ? 3 : 2]);
    for (const Record& record : ping_pongs(8, factor)) {
      save_record(record, compare[factor > 1 ? 3 : 2] + "/" + std::to_string(launch++) + ".json");
    }
  }
  CHECK_THAT(on_terminal(compare, ""), Catch::Contains(red));
  CHECK_THAT(on_terminal(compare, "1"), Catch::Contains("is slower") && !Catch::Contains("\033["));
  CHECK_THAT(run_command(compare).out, Catch::Contains("is slower") && !Catch::Contains("\033["));
}

}  // namespace hockney::driver
