#include "application/commands/program_launches.hpp"

#include <filesystem>
#include <numeric>

#include "application/commands/profile_run.hpp"
#include "campaign/executables.hpp"
#include "campaign/failure_cause.hpp"
#include "campaign/preload.hpp"
#include "campaign/subprocess.hpp"
#include "core/atomic_file.hpp"
#include "core/shuffle.hpp"
#include "core/text.hpp"
#include "core/time.hpp"
#include "application/profile/collect.hpp"
#include "application/profile/run_files.hpp"

namespace hockney::apps {

namespace fs = std::filesystem;

std::vector<std::string> with_path(std::vector<std::string> words) {
  const auto path = campaign::find_executable(words.front(), campaign::path_folders());
  if (!path) {
    throw InputError({"no program '" + words.front() + "'", "it is not in PATH",
                      "give the command as it is run without hockney"});
  }
  words.front() = *path;
  return words;
}

std::string unused_folder(const std::string& prefix) {
  const std::string stamped = prefix + "-" + utc_stamp();
  std::string name = stamped;
  for (int again = 2; fs::exists(name); ++again) name = stamped + "-" + std::to_string(again);
  return name;
}

ProgramLaunches::ProgramLaunches(const std::string& folder, const std::vector<std::string>& words)
    : folder_(fs::absolute(folder).string()),
      library_(
          campaign::profile_library(campaign::abi_of_command(words, campaign::probe_version))) {
  if (fs::exists(folder)) {
    throw InputError({"'" + folder + "' is there already",
                      "launches of several studies are not mixed", "name another with --out"});
  }
  check_writable_folder(folder);
  fs::create_directories(folder);
}

std::string ProgramLaunches::file(const std::string& name) const { return folder_ + "/" + name; }

std::optional<profile::Profile> ProgramLaunches::launch(
    const std::string& name, const std::vector<std::string>& words,
    const std::map<std::string, std::string>& variables, Seconds limit) {
  const std::string out = file(name + ".json");
  const std::string log = file(name + ".log");
  const std::string id = profile::new_run_id();
  campaign::Command command = campaign::preloaded(
      words, library_, {{profile_out_variable, out}, {profile::run_variable, id}},
      campaign::probe_version);
  command.environment.insert(variables.begin(), variables.end());
  const campaign::ProcessOutcome outcome =
      campaign::run_process({.command = command, .log_file = log, .limit = limit}, signals_);
  if (outcome.end == campaign::ProcessEnd::interrupted) return std::nullopt;
  profile::Collected collected = profile::collect(out, id);
  const bool is_good = outcome.end == campaign::ProcessEnd::exited && outcome.exit_code == 0;
  if (is_good && !collected.worlds.empty()) return std::move(collected.worlds.front().profile);
  const std::string cause = campaign::failure_cause_in_file(log);
  throw RunError({"the launch " + name + " failed", cause.empty() ? "it said nothing" : cause,
                  "its words are in " + log});
}

std::vector<std::size_t> random_order(std::size_t count, std::mt19937_64& random) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  shuffle(order, random);
  return order;
}

}  // namespace hockney::apps
