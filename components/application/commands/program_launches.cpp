#include "components/application/commands/program_launches.hpp"

#include <fmt/format.h>
#include <filesystem>
#include <utility>

#include "components/application/commands/profile_run.hpp"
#include "components/application/profile/collect.hpp"
#include "components/application/profile/event_log.hpp"
#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "driver/campaign/failure_cause.hpp"
#include "driver/campaign/launch_command.hpp"
#include "driver/campaign/preload.hpp"

namespace hockney::driver {

namespace fs = std::filesystem;

std::vector<std::string> with_path(std::vector<std::string> words) {
  const auto path = campaign::find_executable(words.front(), campaign::path_folders());
  if (!path) {
    throw InputError({fmt::format("no program '{}'", words.front()), "it is not in PATH",
                      "check its name and PATH"});
  }
  words.front() = *path;
  return words;
}

std::string unused_folder(const std::string& prefix) {
  const std::string stamped = fmt::format("{}-{}", prefix, utc_stamp());
  std::string name = stamped;
  for (int again = 2; fs::exists(name); ++again) name = fmt::format("{}-{}", stamped, again);
  return name;
}

ProgramLaunches::ProgramLaunches(const std::string& folder, const std::vector<std::string>& words)
    : folder_(fs::absolute(folder).string()),
      library_(
          campaign::profile_library(campaign::abi_of_command(words, campaign::probe_version))) {
  if (fs::exists(folder)) {
    throw InputError({fmt::format("'{}' is there already", folder),
                      "launches of several studies are not mixed", "name another with --out"});
  }
  check_writable_folder(folder);
  fs::create_directories(folder);
}

std::string ProgramLaunches::file(const std::string& name) const {
  return fmt::format("{}/{}", folder_, name);
}

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
  if (outcome.succeeded() && !collected.worlds.empty())
    return std::move(collected.worlds.front().profile);
  const std::string cause = campaign::failure_cause_in_file(log);
  throw RunError({fmt::format("the launch {} failed", name),
                  cause.empty() ? "it said nothing" : cause, "its words are in " + log});
}

}  // namespace hockney::driver
