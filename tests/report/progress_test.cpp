#include <catch2/catch.hpp>
#include <sstream>

#include "report/progress.hpp"

namespace hockney::report {
namespace {

/// Two launches, one of which fails.
std::string shown(ProgressStyle style) {
  std::ostringstream out;
  Progress progress(out, style);
  progress.begin(1, 2, "default-001", std::nullopt);
  progress.end(1, 2, "default-001", StepEnd::done, {2}, "");
  progress.begin(2, 2, "default-002", Seconds{65});
  progress.end(2, 2, "default-002", StepEnd::failed, {0.5}, "exit code 7");
  progress.finish();
  return out.str();
}

}  // namespace

TEST_CASE("a file gets one line for each launch that has ended") {
  CHECK(shown(ProgressStyle::lines) ==
        "launch 1/2 default-001 done in 2 s\n"
        "launch 2/2 default-002 failed after 0.5 s (exit code 7)\n");
}

TEST_CASE("a terminal shows the launch under way, and keeps what went wrong") {
  const std::string clear = "\r\033[K";
  CHECK(shown(ProgressStyle::terminal) ==
        clear + "launch 1/2 default-001" + clear + "launch 2/2 default-002, 1 min 05 s left" +
            clear + "launch 2/2 default-002 failed after 0.5 s (exit code 7)\n" + clear);
}

TEST_CASE("a remark is shown though all went well, and a stop is no failure") {
  std::ostringstream out;
  Progress progress(out, ProgressStyle::terminal);
  progress.end(1, 9, "a-001", StepEnd::done, {1}, "exit code 9, though the record is complete");
  CHECK(out.str() ==
        "\r\033[Klaunch 1/9 a-001 done in 1 s (exit code 9, though the record is complete)\n");
  std::ostringstream lines;
  Progress(lines, ProgressStyle::lines).end(1, 9, "a-001", StepEnd::stopped, {1}, "");
  CHECK(lines.str() == "launch 1/9 a-001 stopped after 1 s\n");
}

TEST_CASE("a terminal shows how long a launch runs, other places get a line a minute") {
  std::ostringstream terminal;
  Progress(terminal, ProgressStyle::terminal).within(3, 12, "a-002", Seconds{7}, 31, Seconds{41});
  CHECK(terminal.str() == "\r\033[Klaunch 3/12 a-002 for 7 s, 31 blocks, 41 s left");
  std::ostringstream lines;
  Progress(lines, ProgressStyle::lines).within(3, 12, "a-002", Seconds{7}, 31, Seconds{41});
  CHECK(lines.str().empty());
}

TEST_CASE("launches under way tell how narrow the intervals are so far") {
  std::ostringstream out;
  Progress progress(out, ProgressStyle::terminal);
  progress.know("widest interval 6.2 %");
  progress.within(3, 12, "a-002", Seconds{7}, 31, Seconds{41});
  CHECK(out.str() ==
        "\r\033[Klaunch 3/12 a-002 for 7 s, 31 blocks, 41 s left, widest interval 6.2 %");
}

}  // namespace hockney::report
