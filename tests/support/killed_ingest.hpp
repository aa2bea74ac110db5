#pragma once

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>

#include "tests/support/nightly_site.hpp"
#include "tests/support/run_command.hpp"

namespace hockney {

/// What is left of ingests that were killed.
struct KillStudy {
  int nights = 0;         ///< that an undisturbed ingest takes in
  int killed = 0;         ///< the others had ended before
  int fewest_nights = 0;  ///< in a history whose ingest was killed
  int most_nights = 0;
  int damaged = 0;    ///< histories that could not be read
  int different = 0;  ///< from an undisturbed one, after ingesting again
};

namespace detail {

/// Starts the program and kills it after `delay`; whether it was still running.
inline bool start_and_kill(const std::vector<std::string>& command,
                           std::chrono::microseconds delay) {
  CapturePipe out;
  CapturePipe err;
  const pid_t pid = start_captured(command, out, err);
  std::this_thread::sleep_for(delay);
  ::kill(pid, SIGKILL);
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WIFSIGNALED(status);
}

}  // namespace detail

/// Ingests the same nights into a new history each time, kills it with signal 9 at moments spread
/// evenly over the time that an undisturbed one takes, lists its values after ingesting again.
inline KillStudy study_kills(const std::string& hockney, int kills, int nights = 40) {
  KillStudy study{.nights = nights, .fewest_nights = nights};
  NightlySite site;
  for (int night = 0; night < nights; ++night) site.add_night(20'000 + night, 1);
  const auto ingest = [&](const std::string& history) {
    return std::vector<std::string>{hockney,        "health",    "ingest",
                                    site.records(), "--history", site.at(history)};
  };
  const auto listed = [&](const std::string& history) {
    return run_command({hockney, "health", "list", "values", "--history", site.at(history)});
  };
  const auto begin = std::chrono::steady_clock::now();
  run_command(ingest("undisturbed"));
  const auto whole = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::steady_clock::now() - begin);
  const std::string expected = listed("undisturbed").out;
  for (int kill = 1; kill <= kills; ++kill) {
    const std::string history = "killed-" + std::to_string(kill);
    if (!detail::start_and_kill(ingest(history), whole * kill / (kills + 1))) continue;
    ++study.killed;
    if (std::filesystem::exists(site.at(history))) {
      const CommandResult left =
          run_command({hockney, "health", "list", "--history", site.at(history)});
      const auto lines = std::count(left.out.begin(), left.out.end(), '\n');
      // A file that was just being made has no version yet; ingesting again makes it whole.
      if (left.exit_code == 0) {
        study.fewest_nights = std::min(study.fewest_nights, static_cast<int>(lines) - 1);
        study.most_nights = std::max(study.most_nights, static_cast<int>(lines) - 1);
      }
    }
    if (run_command(ingest(history)).exit_code != 0) ++study.damaged;
    if (listed(history).out != expected) ++study.different;
  }
  return study;
}

}  // namespace hockney
