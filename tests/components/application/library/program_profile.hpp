#pragma once

#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "components/application/profile/profile_file.hpp"
#include "core/text.hpp"
#include "tests/support/run_command.hpp"

namespace hockney::profile {

/// Counts and bytes by name.
using Sums = std::map<std::string, std::pair<std::int64_t, std::int64_t>>;

inline Sums calls_of(const Profile& profile) {
  Sums sums;
  for (const Calls& calls : profile.calls) {
    sums[calls.call].first += calls.count;
    sums[calls.call].second += calls.bytes;
  }
  return sums;
}

/// "0 > 1": messages and bytes.
inline Sums messages_of(const Profile& profile) {
  Sums sums;
  for (const Messages& row : profile.messages) {
    if (row.carrier != Carrier::message) continue;
    auto& sum = sums[std::to_string(row.from) + " > " + std::to_string(row.to.value_or(-1))];
    sum.first += row.messages;
    sum.second += row.bytes;
  }
  return sums;
}

/// What the ranks' ledgers (tests/components/application/library/ledger.hpp) say together.
inline std::pair<Sums, Sums> ledgers(const std::string& folder, int ranks) {
  Sums calls;
  Sums messages;
  for (int rank = 0; rank < ranks; ++rank) {
    std::ifstream in(folder + "/ledger." + std::to_string(rank));
    const auto ledger = nlohmann::json::parse(in);
    for (const auto& [name, sum] : ledger.at("calls").items()) {
      calls[name].first += sum.at(0).get<std::int64_t>();
      calls[name].second += sum.at(1).get<std::int64_t>();
    }
    for (const auto& [to, sum] : ledger.at("messages").items()) {
      messages[std::to_string(rank) + " > " + to] = {sum.at(0), sum.at(1)};
    }
  }
  return {calls, messages};
}

/// What is tried: of this build, or of the MPI library that the environment names (tests/stacks).
inline std::string tried(const char* variable, const char* of_this_build) {
  const char* text = std::getenv(variable);
  return text == nullptr ? of_this_build : text;
}

/// The launcher as people call it, for so many ranks.
inline std::vector<std::string> launcher(int ranks) {
  std::vector<std::string> words{tried("HOCKNEY_TRIED_LAUNCHER", HOCKNEY_MPIEXEC), "-n",
                                 std::to_string(ranks)};
  for (const std::string& flag : split(tried("HOCKNEY_TRIED_FLAGS", HOCKNEY_LAUNCHER_FLAGS), '|')) {
    if (!flag.empty()) words.push_back(flag);
  }
  return words;
}

/// Runs a command in the environment that this MPI library needs here (as root, say).
inline CommandResult run_in_mpi_environment(const std::vector<std::string>& command,
                                            std::chrono::seconds timeout) {
  std::vector<std::string> words{"env"};
  for (const std::string& variable : split(HOCKNEY_MPI_ENVIRONMENT, '|')) words.push_back(variable);
  words.insert(words.end(), command.begin(), command.end());
  return run_command(words, timeout);
}

/// `hockney profile -o FILE [options] -- mpirun -n RANKS program...`
inline std::vector<std::string> profiled(const std::string& file, int ranks,
                                         const std::vector<std::string>& program,
                                         const std::vector<std::string>& options = {}) {
  std::vector<std::string> words{HOCKNEY_DRIVER, "profile", "-o", file};
  words.insert(words.end(), options.begin(), options.end());
  words.emplace_back("--");
  for (const std::string& word : launcher(ranks)) words.push_back(word);
  words.insert(words.end(), program.begin(), program.end());
  return words;
}

inline CommandResult run_profiled(const std::string& file, int ranks,
                                  const std::vector<std::string>& program,
                                  const std::vector<std::string>& options = {}) {
  return run_in_mpi_environment(profiled(file, ranks, program, options), std::chrono::seconds(100));
}

/// Part of a report's run in which its ranks were starved of their CPUs; 0 if that is no cause.
inline double starved(const nlohmann::json& report) {
  for (const nlohmann::json& one : report.at("findings")) {
    if (one.at("kind") == "starved_cpu") return one.at("fraction").get<double>();
  }
  return 0;
}

/// The first run that has what is looked for, or the last of five. Where other processes take the
/// cores, a program's cause may not be the longest wait (tests/programs/causes counts how often).
/// If that was so in all five runs, the result has no value, and a warning says it.
template <class Make, class Has>
auto first_run_with(Make&& make, Has&& has) -> std::optional<decltype(make())> {
  constexpr double little = 0.05;
  bool is_quiet = false;
  for (int left = 4;; --left) {
    auto run = make();
    is_quiet = is_quiet || starved(run.report) < little;
    if (has(run) || (left == 0 && is_quiet)) return run;
    if (left == 0) break;
  }
  WARN("not judged: other processes took the cores of all runs");
  return std::nullopt;
}

}  // namespace hockney::profile
