#include "benchmarks/harness/measured_file.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/gather.hpp"
#include "benchmarks/harness/mpi_error.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace hockney::benchmarks {
namespace {

/// A descriptor, closed at the end.
class OpenedFile {
 public:
  OpenedFile(const std::string& name, int flags) : descriptor_(::open(name.c_str(), flags, 0600)) {
    if (descriptor_ >= 0) return;
    throw RunError({"cannot open '" + name + "'", std::strerror(errno),
                    "check the folder, and that all nodes see it"});
  }
  OpenedFile(const OpenedFile&) = delete;
  OpenedFile& operator=(const OpenedFile&) = delete;
  OpenedFile(OpenedFile&&) = delete;
  OpenedFile& operator=(OpenedFile&&) = delete;
  ~OpenedFile() { ::close(descriptor_); }

  [[nodiscard]] int get() const { return descriptor_; }

 private:
  int descriptor_;
};

/// A name that no other process makes, nor this one again.
std::string fresh_name() {
  static int number = 0;
  return own_file_prefix() + std::to_string(++number);
}

UniqueInfo hints_of(FileCache cache) {
  UniqueInfo info;
  mpi_check(MPI_Info_create(info.out()));
  if (cache == FileCache::direct) {
    for (const char* hint : {"direct_read", "direct_write"}) {
      mpi_check(MPI_Info_set(info.get(), hint, "true"));
    }
  }
  return info;
}

constexpr int open_mode = MPI_MODE_CREATE | MPI_MODE_RDWR;

}  // namespace

MeasuredFile::MeasuredFile(const Context& context, const Point& point)
    : comm_(context.comm),
      rank_(context.rank),
      access_(file_access_of(point)),
      shape_(file_shape_of(point)),
      name_(access_.path + "/" + broadcast_text(comm_, fresh_name())) {}

MeasuredFile::~MeasuredFile() {
  file_ = UniqueFile();
  MPI_Barrier(comm_);
  if (is_own() || rank_ == 0) ::unlink(name_of(rank_).c_str());
}

std::string MeasuredFile::name_of(int rank) const {
  return is_own() ? name_ + "." + std::to_string(rank) : name_;
}

void MeasuredFile::open() {
  file_ = UniqueFile();
  const std::string name = name_of(rank_);
  mpi_check(MPI_File_open(is_own() ? MPI_COMM_SELF : comm_, name.c_str(), open_mode,
                          hints_of(access_.cache).get(), file_.out()));
  set_view();
}

void MeasuredFile::set_view() {
  if (is_own() || access_.pointer == FilePointer::shared) return;
  MPI_Offset begin = rank_ * shape_.slots * shape_.bytes;
  MPI_Datatype pieces = MPI_BYTE;
  if (access_.layout == FileLayout::strided) {
    begin = rank_ * shape_.piece;
    UniqueDatatype piece;
    mpi_check(MPI_Type_contiguous(static_cast<int>(shape_.piece), MPI_BYTE, piece.out()));
    mpi_check(MPI_Type_create_resized(piece.get(), 0, shape_.ranks * shape_.piece, view_.out()));
    MPI_Datatype made = view_.get();
    mpi_check(MPI_Type_commit(&made));
    pieces = made;
  }
  char native[] = "native";  // NOLINT(modernize-avoid-c-arrays): older mpi.h have no const here
  mpi_check(MPI_File_set_view(file_.get(), begin, MPI_BYTE, pieces, &native[0], MPI_INFO_NULL));
}

void MeasuredFile::gather() { mpi_check(MPI_Barrier(comm_)); }

void MeasuredFile::settle() {
  mpi_check(MPI_File_sync(file_.get()));
  gather();
}

void MeasuredFile::seek(std::int64_t slot) {
  if (access_.pointer == FilePointer::individual) {
    mpi_check(MPI_File_seek(file_.get(), offset(slot), MPI_SEEK_SET));
  } else if (access_.pointer == FilePointer::shared) {
    gather();  // who is still in the last call must not meet the new place
    mpi_check(MPI_File_seek_shared(file_.get(), shape_.ranks * offset(slot), MPI_SEEK_SET));
  }
}

namespace {

/// Where the pieces of a slot are: of pointers that are shared, the ranks' blocks one after
/// another.
std::int64_t place_of(const FileShape& shape, const FileAccess& access, int rank, std::int64_t slot,
                      std::int64_t at) {
  if (access.pointer == FilePointer::shared) {
    return (slot * shape.ranks + rank) * shape.bytes + at;
  }
  return place_in_file(shape, access, rank, slot, at);
}

}  // namespace

std::vector<std::byte> MeasuredFile::read_slot(int rank, std::int64_t slot) const {
  const OpenedFile file(name_of(rank), O_RDONLY | O_CLOEXEC);
  const bool is_whole = access_.layout == FileLayout::blocks;
  const std::int64_t step = is_whole ? shape_.bytes : shape_.piece;
  std::vector<std::byte> data(static_cast<std::size_t>(shape_.bytes));
  for (std::int64_t at = 0; at < shape_.bytes; at += step) {
    const auto got = ::pread(file.get(), data.data() + at, static_cast<std::size_t>(step),
                             place_of(shape_, access_, rank, slot, at));
    if (got != step) return {};
  }
  return data;
}

void MeasuredFile::write_slot(int rank, std::int64_t slot, std::span<const std::byte> data) const {
  const OpenedFile file(name_of(rank), O_WRONLY | O_CREAT | O_CLOEXEC);
  const bool is_whole = access_.layout == FileLayout::blocks;
  const std::int64_t step = is_whole ? shape_.bytes : shape_.piece;
  bool is_good = true;
  for (std::int64_t at = 0; at < shape_.bytes && is_good; at += step) {
    const auto put = ::pwrite(file.get(), data.data() + at, static_cast<std::size_t>(step),
                              place_of(shape_, access_, rank, slot, at));
    is_good = put == step;
  }
  if (is_good && ::fsync(file.get()) == 0) return;
  throw RunError({"cannot write '" + name_of(rank) + "'", std::strerror(errno),
                  "check the free space, or use a smaller --space"});
}

bool is_open_directly(const std::string& name) {
  std::error_code none;
  const std::filesystem::path wanted = std::filesystem::weakly_canonical(name, none);
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", none)) {
    if (std::filesystem::read_symlink(entry.path(), none) != wanted) continue;
    const auto descriptor = as_number<int>(entry.path().filename().string());
    const int flags = descriptor ? ::fcntl(*descriptor, F_GETFL) : -1;
    if (flags >= 0 && (flags & O_DIRECT) != 0) return true;
  }
  return false;
}

std::string direct_obstacle(const std::string& path) {
  if (is_simulated()) return "a simulator has no files";
  const std::string name = path + "/" + fresh_name();
  UniqueFile file;
  const int code = MPI_File_open(MPI_COMM_SELF, name.c_str(), open_mode,
                                 hints_of(FileCache::direct).get(), file.out());
  const bool is_direct = code == MPI_SUCCESS && is_open_directly(name);
  file = UniqueFile();
  ::unlink(name.c_str());
  if (code != MPI_SUCCESS) return "this file system refuses O_DIRECT";
  return is_direct ? "" : "this library opens files there without O_DIRECT, whatever its hints say";
}

}  // namespace hockney::benchmarks
