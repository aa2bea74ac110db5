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

/// The file system of an absolute path without links, and where it is mounted, by the text of
/// /proc/self/mountinfo (proc(5)): "ext4 on /scratch". "unknown" where it does not say.
std::string file_system_in(const std::string& mountinfo, const std::string& path);

/// The same of a folder of this host.
std::string file_system_of(const std::string& path);

/// Free space of a folder's file system that this user may take [B]; 0 where nobody says.
std::int64_t free_space(const std::string& path);

/// Removes the files of hockney-io that processes which have ended left in a folder: when this
/// process ends, in whatever way, by another one that watches it.
class FileJanitor {
 public:
  FileJanitor() = default;
  FileJanitor(const FileJanitor&) = delete;
  FileJanitor& operator=(const FileJanitor&) = delete;
  FileJanitor(FileJanitor&&) = delete;
  FileJanitor& operator=(FileJanitor&&) = delete;
  /// Returns when the files are gone.
  ~FileJanitor();

  /// Begins to watch over this process's files in the folder, whose names begin with `prefix`. To
  /// be called once, before MPI. RunError where no process can be started.
  void watch(const std::string& folder, const std::string& prefix);

 private:
  int lifeline_ = -1;  ///< closed when this process is through
  int process_ = -1;
};

/// The file, or the files, of one group of ranks: made here, removed at the end. What is in them is
/// written and read without MPI, too, by another rank than the one whose data they are.
class MeasuredFile {
 public:
  /// Draws a name; nothing is opened. Collective, as all is that is not const.
  MeasuredFile(const Context& context, const Point& point);
  MeasuredFile(const MeasuredFile&) = delete;
  MeasuredFile& operator=(const MeasuredFile&) = delete;
  MeasuredFile(MeasuredFile&&) = delete;
  MeasuredFile& operator=(MeasuredFile&&) = delete;
  ~MeasuredFile();

  /// Opens it, with this rank's view. RunError when it cannot be had.
  void open();
  /// Returns when all ranks are through with what is in it.
  void gather();
  /// Hands over to the system what was written, on all ranks.
  void settle();
  /// The next call of this rank is to begin at this slot.
  void seek(std::int64_t slot);

  [[nodiscard]] MPI_File handle() const { return file_.get(); }
  [[nodiscard]] MPI_Comm comm() const { return comm_; }
  /// Of explicit offsets.
  [[nodiscard]] MPI_Offset offset(std::int64_t slot) const { return slot * shape_.bytes; }
  [[nodiscard]] const FileShape& shape() const { return shape_; }
  [[nodiscard]] const FileAccess& access() const { return access_; }
  [[nodiscard]] std::string own_name() const { return name_of(rank_); }
  [[nodiscard]] int rank() const { return rank_; }
  /// The rank whose data this one writes and reads without MPI.
  [[nodiscard]] int next_rank() const { return (rank_ + 1) % shape_.ranks; }

  /// Without MPI: what `rank` has in a slot, empty where the file is too short; and puts it there.
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

/// Whether this process has a file of that name open with O_DIRECT, as Linux tells it.
bool is_open_directly(const std::string& name);

/// Why this library does not open files in a folder with O_DIRECT when it is asked to, by the hints
/// that ROMIO has; empty where it does. Of this process alone.
std::string direct_obstacle(const std::string& path);

}  // namespace hockney::benchmarks
