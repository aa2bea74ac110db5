#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "campaign/config.hpp"
#include "campaign/launch_command.hpp"
#include "campaign/request.hpp"

namespace hockney::campaign {

/// What `<command> --version` prints.
using VersionProbe = std::function<std::string(const std::string& command)>;

/// Where things lie on this machine: the folders of PATH and of LD_LIBRARY_PATH, in order.
struct SearchFolders {
  std::vector<std::string> commands;
  std::vector<std::string> libraries;
};

/// The folders of this process's environment.
SearchFolders search_folders();

/// Where the program's MPI library comes from, best first: the folders of `libraries` that hold it,
/// for the dynamic linker looks there before it looks where DT_RUNPATH says, then the program's
/// own.
ElfNeeds with_library_path(const ElfNeeds& needs, const std::vector<std::string>& libraries);

/// Commands that may start programs of this dialect, best first: beside the MPI library the program
/// is linked with, then by the names that say which MPI they belong to, then by the common names.
std::vector<std::string> launcher_candidates(Dialect dialect, const ElfNeeds& needs);

/// The launcher for `program`: of the config's dialect, or of the MPI library it needs; the
/// config's command, or the first candidate found in `folders`. Every command must say by its
/// version that it belongs to the program's MPI, or else N ranks would be N jobs of one rank. An
/// unknown version is believed only of a command the user named. InputError naming both sides
/// otherwise.
Launcher find_launcher(const LauncherConfig& config, const std::string& program,
                       const SearchFolders& folders, const VersionProbe& version_of);

/// Asks the command itself; it has ten seconds.
std::string probe_version(const std::string& command);

/// Asks the MPI library of a campaign's program, at most once: hockney-settings, beside the
/// program, is launched as the program would be, on as many ranks (components that a job does not
/// need show no variables). What Intel MPI does not show there is looked up with the impi_info
/// beside its launcher. InputError for a variable there is not; RunError when the library cannot be
/// asked.
class LibraryQuery {
 public:
  /// `request` must outlive the query.
  explicit LibraryQuery(const Request& request) : request_(&request) {}

  ControlVariable operator()(const std::string& variable);

  /// How long asking takes: what a launch does beside measuring. nullopt where no hockney-settings
  /// lies beside the program, or it fails.
  std::optional<Seconds> duration();

 private:
  void ask();

  const Request* request_;
  std::optional<std::vector<ControlVariable>> variables_;
  Seconds duration_{};
};

/// Gives the request's config its settings: those of the campaign that is resumed, whose library
/// was asked when it began and whose combinations were drawn, or fresh ones. A seed that draws them
/// and was not given is drawn now, but for a dry run. Where there is a budget and nothing to
/// resume, what a launch costs is found out, too.
void settle_request(Request& request, bool dry_run);

}  // namespace hockney::campaign
