#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "tests/support/run_command.hpp"

namespace hockney::driver {

using Arguments = std::vector<std::string>;

inline constexpr int verdict_failed = static_cast<int>(ExitCode::verdict_failed);
inline constexpr int bad_input = static_cast<int>(ExitCode::bad_input);
inline constexpr int run_failed = static_cast<int>(ExitCode::run_failed);
inline constexpr int no_verdict = static_cast<int>(ExitCode::no_verdict);

/// All of both.
inline Arguments with(Arguments some, const Arguments& more) {
  some.insert(some.end(), more.begin(), more.end());
  return some;
}

/// Arguments that a program must refuse, and a part of the line it must say.
struct BadInput {
  Arguments arguments;
  std::string words;
  int exit_code = bad_input;
};

/// "<problem> (<why>)" or "<problem> (<why>) <suggestion>", with all parts that are there told.
inline bool is_message(const std::string& line) {
  const std::size_t why = line.find(" (");
  const std::size_t end = line.rfind(')');
  const bool ordered = why != std::string::npos && end != std::string::npos && why > 0;
  return ordered && end > why + 2 && !line.ends_with(' ');
}

/// The program must have ended by itself with the exit code and one line, on stderr alone.
inline void check_refused(const Arguments& command, const BadInput& bad,
                          const CommandResult& result) {
  std::string shown;
  for (const std::string& word : command) shown += "[" + word + "] ";
  INFO(shown << "\nstdout: " << result.out << "\nstderr: " << result.err);
  CHECK_FALSE(result.timed_out);
  CHECK(result.exit_code == bad.exit_code);
  CHECK(result.out.empty());
  CHECK_THAT(result.err, Catch::Contains(bad.words));
  CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
  REQUIRE(result.err.ends_with('\n'));
  CHECK(is_message(result.err.substr(0, result.err.size() - 1)));
}

inline void check_refusal(const Arguments& program, const BadInput& bad) {
  const Arguments command = with(program, bad.arguments);
  check_refused(command, bad, run_command(command));
}

inline void check_refusals(const Arguments& program, const std::vector<BadInput>& table) {
  for (const BadInput& bad : table) check_refusal(program, bad);
}

/// build/bin/<name> of this build.
inline std::string built(const std::string& name) {
  return std::string(HOCKNEY_BINARY_DIR "/bin/") + name;
}

/// What a command of hockney prints that must end well.
inline std::string output_of(const Arguments& arguments) {
  const CommandResult result = run_command(with({built("hockney")}, arguments));
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  return result.out;
}

/// A launcher that takes Open MPI's options and needs no MPI.
inline Arguments mock_launcher() {
  return {"--launcher", "openmpi", "--launcher-command",
          HOCKNEY_SOURCE_DIR "/tests/driver/campaign/mock_mpirun.sh"};
}

}  // namespace hockney::driver
