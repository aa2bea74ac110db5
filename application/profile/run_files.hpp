#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace hockney::profile {

// Which files a run of a program leaves, and whose they are. A run is one `hockney profile`, or one
// program where the library is preloaded by hand. It may have several worlds: each MPI_COMM_WORLD
// writes a profile of its own.

/// Tells the library which run it belongs to.
inline constexpr const char* run_variable = "HOCKNEY_PROFILE_RUN";

/// 16 random hexadecimal digits.
std::string new_run_id();

/// Whether a text may be the id of a run: at most 32 letters, digits and underscores.
bool is_run_id(std::string_view text);

/// The identity of a world: "RUN-WORLD".
std::string world_identity(const std::string& run, const std::string& world);

/// Whether a world belongs to a run.
bool is_of_run(std::string_view identity, const std::string& run);

/// The profile of the world with this number: NAME.json, NAME.world2.json, NAME.world3.json, ...
std::string world_file(const std::string& profile, int number);

/// What a rank leaves when it ends without MPI_Finalize. While it is written, and as long as rank 0
/// runs, ".new" is added to it.
std::string part_file(const std::string& profile, int rank);
inline constexpr std::string_view unfinished_suffix = ".new";

enum class FileKind { profile, events, part, unfinished_part };

/// A file of a profile's name.
struct RunFile {
  int world = 1;
  FileKind kind = FileKind::profile;
  std::filesystem::path path;

  friend auto operator<=>(const RunFile&, const RunFile&) = default;
};

/// The files that there are of a profile's name, of all worlds, in order.
std::vector<RunFile> files_of(const std::string& profile);

}  // namespace hockney::profile
