#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "driver/campaign/config.hpp"
#include "driver/campaign/launch_command.hpp"
#include "driver/campaign/request.hpp"

namespace hockney::campaign {

/// Returns the output of `<command> --version`.
using VersionProbe = std::function<std::string(const std::string& command)>;

/// The folders of PATH and of LD_LIBRARY_PATH, in order.
struct SearchFolders {
  std::vector<std::string> commands;
  std::vector<std::string> libraries;
};

/// The folders of this process's environment.
SearchFolders search_folders();

/// The program's needs with all folders of its MPI library, best first. The folders of `libraries`
/// that have the library precede the program's own: the dynamic linker searches them before
/// DT_RUNPATH.
ElfNeeds with_library_path(const ElfNeeds& needs, const std::vector<std::string>& libraries);

/// Launcher commands to try for this dialect, best first. First those next to the program's MPI
/// library, then names that include the MPI, then the common names.
std::vector<std::string> launcher_candidates(Dialect dialect, const ElfNeeds& needs);

/// The launcher for `program`: the config's command, or the first candidate found in `folders`. The
/// dialect is the config's, or that of the program's MPI library. The version of every command must
/// belong to the program's MPI, or else N ranks would be N jobs of one rank. An unknown version is
/// accepted only from a command that the user named. Otherwise InputError with launcher and
/// library.
Launcher find_launcher(const LauncherConfig& config, const std::string& program,
                       const SearchFolders& folders, const VersionProbe& version_of);

/// Runs `<command> --version` for at most 10 s.
std::string probe_version(const std::string& command);

/// What is wrong if the campaign is for another MPI library than the launcher's, without a
/// suggestion: "'tuned-intel' needs Intel MPI (this is Open MPI)"; else nullopt.
std::optional<Message> other_library(const Config& config, const Launcher& launcher);

/// Reads the control variables of the MPI library of a campaign's program, at most once. It
/// launches hockney-settings from the program's folder, in the same way and on as many ranks:
/// components that a job does not need show no variables. For Intel MPI's missing variables it runs
/// impi_info from the launcher's folder.
/// InputError if a variable does not exist; RunError if the query fails.
class LibraryQuery {
 public:
  /// `request` must outlive the query.
  explicit LibraryQuery(const Request& request) : request_(&request) {}

  ControlVariable operator()(const std::string& variable);

  /// All variables; nullptr if hockney-settings is missing or fails.
  const std::vector<ControlVariable>* variables();

  /// Duration of the query, which approximates the start-up of a launch. nullopt if
  /// hockney-settings is missing or fails.
  std::optional<Seconds> duration();

 private:
  const std::vector<ControlVariable>& query();  ///< once

  const Request* request_;
  std::optional<std::vector<ControlVariable>> variables_;
  Seconds duration_{};
};

/// Expands the axes of the request's config. A resumed campaign keeps its settings: its library was
/// queried and its combinations were drawn at its start. Draws the seed of a random sweep if none
/// was given; a dry run uses 0. With a budget and nothing to resume, it measures the start-up of a
/// launch, unless the budget is small and a single launch can tell.
void settle_request(Request& request, bool dry_run);

}  // namespace hockney::campaign
