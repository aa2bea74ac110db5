#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "benchmarks/harness/point.hpp"
#include "core/words.hpp"

/// How files are written and read (MPI 3.1, chapter 13), as the parameters of a point say it.
namespace hockney::benchmarks {

/// What says where in the file a call begins.
enum class FilePointer {
  individual,  ///< a pointer of each rank
  at_offset,   ///< an argument of the call
  shared       ///< one pointer of all ranks
};
constexpr auto words_of(std::type_identity<FilePointer>) {
  return std::to_array<std::string_view>({"individual", "explicit", "shared"});
}

/// How many files there are.
enum class FileSharing { one, of_each_rank };
constexpr auto words_of(std::type_identity<FileSharing>) {
  return std::to_array<std::string_view>({"one", "per-rank"});
}

/// Where the data of a rank are in the file of all.
enum class FileLayout {
  blocks,  ///< one rank's after another's
  strided  ///< pieces of all ranks in turn, by a file view
};
constexpr auto words_of(std::type_identity<FileLayout>) {
  return std::to_array<std::string_view>({"blocks", "strided"});
}

/// What is known of the caches between a call and the medium.
enum class FileCache {
  kept,    ///< nothing: they are the system's to use
  synced,  ///< MPI_File_sync is inside what is timed
  direct   ///< the library opened the file with O_DIRECT
};
constexpr auto words_of(std::type_identity<FileCache>) {
  return std::to_array<std::string_view>({"kept", "synced", "direct"});
}

inline constexpr std::int64_t usual_file_space = std::int64_t{1} << 30;  ///< [B]

inline const Parameter<std::string> file_path_parameter{"path"};  ///< the folder of the files
inline const Parameter<std::string> file_system_parameter{"file-system"};  ///< "ext4 on /scratch"
inline constexpr Parameter<FilePointer> file_pointer_parameter{"pointer"};
inline constexpr Parameter<FileSharing> file_sharing_parameter{"files"};
inline constexpr Parameter<FileLayout> file_layout_parameter{"layout"};
inline constexpr Parameter<FileCache> file_cache_parameter{"file-cache"};
inline constexpr Parameter<std::int64_t> file_space_parameter{"space", usual_file_space};  ///< [B]

/// Names of files begin so.
inline constexpr std::string_view file_prefix = "hockney-io-";

/// The same with host and number of this process.
std::string own_file_prefix();

/// What a point says.
struct FileAccess {
  std::string path;
  FilePointer pointer = FilePointer::individual;
  FileSharing sharing = FileSharing::one;
  FileLayout layout = FileLayout::blocks;
  FileCache cache = FileCache::kept;
};
FileAccess file_access_of(const Point& point);

/// Where the data of ranks lie in files. Each rank has `slots` places for `bytes` each, which calls
/// use one after the other.
struct FileShape {
  int ranks = 1;
  std::int64_t bytes = 0;  ///< of one call of one rank [B]
  std::int64_t slots = 1;
  std::int64_t piece = 1;  ///< of strided layouts; a divisor of `bytes` [B]

  /// Of all files [B].
  [[nodiscard]] std::int64_t total() const { return ranks * slots * bytes; }
};

/// Places of one rank, where the space has room for so many.
inline constexpr std::int64_t most_file_slots = 8;

FileShape file_shape_of(const Point& point);

/// What the first call of every rank takes [B].
std::int64_t least_file_space(const Point& point);

/// Where in the file byte `at` of what `rank` wrote into `slot` is, for pointers of one rank.
std::int64_t place_in_file(const FileShape& shape, const FileAccess& access, int rank,
                           std::int64_t slot, std::int64_t at);

/// Why a point of these calls cannot be measured; nullopt when it can.
std::optional<std::string> file_obstacle(const Point& point, bool is_collective, bool is_reading);

}  // namespace hockney::benchmarks
