#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "benchmarks/harness/point.hpp"
#include "core/text.hpp"

/// How files are written and read (MPI 3.1, chapter 13), from the parameters of a point.
namespace hockney::benchmarks {

/// What determines the place of a call's data in the file.
enum class FilePointer {
  individual,  ///< a pointer of each rank
  at_offset,   ///< an argument of the call
  shared       ///< one pointer of all ranks
};
constexpr auto words_of(std::type_identity<FilePointer>) {
  return std::to_array<std::string_view>({"individual", "explicit", "shared"});
}

/// Number of files.
enum class FileSharing { one, of_each_rank };
constexpr auto words_of(std::type_identity<FileSharing>) {
  return std::to_array<std::string_view>({"one", "per-rank"});
}

/// Where the data of a rank are in a shared file.
enum class FileLayout {
  blocks,  ///< the data of one rank after those of another
  strided  ///< pieces of all ranks in turn, with a file view
};
constexpr auto words_of(std::type_identity<FileLayout>) {
  return std::to_array<std::string_view>({"blocks", "strided"});
}

/// Control over caches between a call and the medium.
enum class FileCache {
  kept,    ///< none: the system may cache
  synced,  ///< the timed region includes MPI_File_sync
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

/// Prefix of file names.
inline constexpr std::string_view file_prefix = "hockney-io-";

/// The prefix with host and number of this process.
std::string own_file_prefix();

/// The file parameters of a point.
struct FileAccess {
  std::string path;
  FilePointer pointer = FilePointer::individual;
  FileSharing sharing = FileSharing::one;
  FileLayout layout = FileLayout::blocks;
  FileCache cache = FileCache::kept;
};
FileAccess file_access_of(const Point& point);

/// Where the data of ranks are in files. Each rank has `slots` places of `bytes`, which its calls
/// use in turn.
struct FileShape {
  int ranks = 1;
  std::int64_t bytes = 0;  ///< of one call of one rank [B]
  std::int64_t slots = 1;
  std::int64_t piece = 1;  ///< of strided layouts; a divisor of `bytes` [B]

  /// Bytes in all files [B].
  [[nodiscard]] std::int64_t total() const { return ranks * slots * bytes; }
};

/// Most places of one rank; fewer if the space is small.
inline constexpr std::int64_t most_file_slots = 8;

FileShape file_shape_of(const Point& point);

/// Offset in the file of byte `at` that `rank` wrote into `slot`, for individual pointers.
std::int64_t place_in_file(const FileShape& shape, const FileAccess& access, int rank,
                           std::int64_t slot, std::int64_t at);

/// Why a point of these calls cannot be measured; nullopt if it can.
std::optional<std::string> file_obstacle(const Point& point, bool is_collective, bool is_reading);

/// The file system and mount point of an absolute path without links: "ext4 on /scratch". From the
/// text of /proc/self/mountinfo (proc(5)); "unknown" if it is not listed.
std::string file_system_in(const std::string& mountinfo, const std::string& path);

/// The same for a folder of this host.
std::string file_system_of(const std::string& path);

/// Free space of a folder's file system for this user [B]; 0 if unknown.
std::int64_t free_space(const std::string& path);

/// Removes this process's files from a folder after it has ended, in whichever way: a second
/// process waits for that.
class FileJanitor {
 public:
  FileJanitor() = default;
  FileJanitor(const FileJanitor&) = delete;
  FileJanitor& operator=(const FileJanitor&) = delete;
  FileJanitor(FileJanitor&&) = delete;
  FileJanitor& operator=(FileJanitor&&) = delete;
  /// Returns when the files are removed.
  ~FileJanitor();

  /// Starts the process that removes this process's files in the folder, whose names begin with
  /// `prefix`. Call it once, before MPI_Init. RunError if the process cannot be started.
  void watch(const std::string& folder, const std::string& prefix);

 private:
  int lifeline_ = -1;  ///< closed when this process ends
  int process_ = -1;
};

/// The file, or the files, of one group of ranks, created at construction and removed at
/// destruction. Their content is also written and read without MPI, by another rank than the data's
/// owner.
class MeasuredFile {
 public:
  /// Chooses a name; opens nothing. Collective, like all functions that are not const.
  MeasuredFile(const Context& context, const Point& point);
  MeasuredFile(const MeasuredFile&) = delete;
  MeasuredFile& operator=(const MeasuredFile&) = delete;
  MeasuredFile(MeasuredFile&&) = delete;
  MeasuredFile& operator=(MeasuredFile&&) = delete;
  ~MeasuredFile();

  /// Opens the file with this rank's view. RunError if that fails.
  void open();
  /// Returns when all ranks have finished with the file's content.
  void gather();
  /// Passes written data to the system, on all ranks.
  void settle();
  /// Moves this rank's next call to this slot.
  void seek(std::int64_t slot);

  [[nodiscard]] MPI_File handle() const { return file_.get(); }
  [[nodiscard]] MPI_Comm comm() const { return comm_; }
  /// For calls with explicit offsets.
  [[nodiscard]] MPI_Offset offset(std::int64_t slot) const { return slot * shape_.bytes; }
  [[nodiscard]] const FileShape& shape() const { return shape_; }
  [[nodiscard]] const FileAccess& access() const { return access_; }
  [[nodiscard]] std::string own_name() const { return name_of(rank_); }
  [[nodiscard]] int rank() const { return rank_; }
  /// The rank whose data this rank writes and reads without MPI.
  [[nodiscard]] int next_rank() const { return (rank_ + 1) % shape_.ranks; }

  /// Read and write the slot of `rank` without MPI. A read returns an empty list if the file is too
  /// short.
  [[nodiscard]] std::vector<std::byte> read_slot(int rank, std::int64_t slot) const;
  void write_slot(int rank, std::int64_t slot, std::span<const std::byte> data) const;

 private:
  [[nodiscard]] std::string name_of(int rank) const;
  [[nodiscard]] bool is_own() const { return access_.sharing == FileSharing::of_each_rank; }
  void set_view();

  MPI_Comm comm_;
  int rank_;
  FileAccess access_;
  FileShape shape_;
  std::string name_;
  UniqueDatatype view_;
  UniqueFile file_;
};

/// Why this library, with ROMIO's hints, does not open files in a folder with O_DIRECT; empty if it
/// does. Not collective: for this process alone.
std::string direct_obstacle(const std::string& path);

}  // namespace hockney::benchmarks
