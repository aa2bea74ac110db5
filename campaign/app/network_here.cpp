#include "campaign/app/network_here.hpp"

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "campaign/executables.hpp"
#include "campaign/subprocess.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace hockney::campaign {
namespace {

/// A fabric of thousands of nodes takes seconds.
constexpr Seconds longest_answer{30};

std::optional<std::string> answer_of(const std::vector<std::string>& command) {
  const auto program = find_executable(command.front(), path_folders());
  if (!program) return std::nullopt;
  std::vector<std::string> arguments = command;
  arguments.front() = *program;
  const ScratchFolder folder;
  const std::string log = folder.file("log");
  SignalWatch signals;
  const ProcessOutcome outcome =
      run_process({.command = Command{.arguments = arguments, .environment = {}},
                   .log_file = log,
                   .limit = longest_answer},
                  signals);
  const bool is_answered = outcome.end == ProcessEnd::exited && outcome.exit_code == 0;
  return is_answered ? std::optional(log_text(log)) : std::nullopt;
}

/// What was left out of a network is on the screen of the campaign too.
SiteFile with_notes_shown(placement::FoundNetwork network) {
  for (const std::string& note : network.notes) std::cerr << "network: " << inert(note) << '\n';
  return std::move(network.sites);
}

}  // namespace

placement::Machine this_machine() {
  return {.output_of = answer_of, .is_in_job = std::getenv("SLURM_JOB_ID") != nullptr, .root = {}};
}

std::optional<SiteFile> network_for(const std::string& sites, const Request& request) {
  if (sites == "none") return std::nullopt;
  if (!sites.empty()) return with_notes_shown(placement::read_network(sites));
  const std::string kept = campaign_folder(request.folder).network();
  if (request.resume && std::filesystem::exists(kept)) return load_sites(kept);
  if (request.launcher.kind == LauncherKind::simgrid) return std::nullopt;
  std::vector<placement::UnusedSource> unused;
  auto found = ask_machine(this_machine(), unused);
  return found ? std::optional(with_notes_shown(*std::move(found))) : std::nullopt;
}

}  // namespace hockney::campaign
