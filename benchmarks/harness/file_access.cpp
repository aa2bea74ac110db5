#include "benchmarks/harness/file_access.hpp"

#include <fcntl.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/datatypes.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "core/atomic_file.hpp"
#include "core/environment.hpp"
#include "core/error.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"

namespace hockney::benchmarks {
namespace {

/// The largest power of two that divides `bytes` and is no larger than a page.
std::int64_t piece_of(std::int64_t bytes) {
  constexpr std::int64_t page = 4096;
  std::int64_t piece = 1;
  while (piece < page && bytes % (2 * piece) == 0) piece *= 2;
  return piece;
}

/// Why separate files of ranks cannot have the point's parameters; nullopt if they can.
std::optional<std::string> sharing_obstacle(const FileAccess& access, bool is_collective) {
  if (access.sharing == FileSharing::one) return std::nullopt;
  if (is_collective) return "a file of one rank is no matter of all ranks";
  if (access.pointer == FilePointer::shared) return "a file of one rank is not shared";
  if (access.layout == FileLayout::strided) return "a file of one rank has no strides";
  return std::nullopt;
}

/// Bytes of the first call of all ranks together [B].
std::int64_t least_file_space(const Point& point) { return point.ranks * point.bytes.value; }

/// Replaces "\040" and similar escapes by their characters.
std::string unescaped(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    constexpr int octal = 8;
    constexpr std::size_t digits = 3;
    const std::string number = text.substr(i + 1, digits);
    const bool is_octal = number.find_first_not_of("01234567") == std::string::npos;
    if (text[i] != '\\' || number.size() < digits || !is_octal) {
      plain += text[i];
      continue;
    }
    plain += static_cast<char>(std::stoi(number, nullptr, octal));
    i += digits;
  }
  return plain;
}

bool is_above(const std::string& mount, const std::string& path) {
  return mount == "/" || path == mount || path.starts_with(mount + "/");
}

void remove_all_of(const std::string& folder, const std::string& prefix) {
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
    // Libraries keep shared pointers in hidden files whose names contain the file's.
    if (entry.path().filename().string().find(prefix) == std::string::npos) continue;
    std::filesystem::remove(entry.path(), none);
  }
}

/// The process that waits for the end of the other one. It leaves the launcher's session, and
/// closes all descriptors, on which other processes might wait.
[[noreturn]] void clean_afterwards(int lifeline, const std::string& folder,
                                   const std::string& prefix) {
  constexpr int most_descriptors = 4096;
  ::setsid();
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2}) std::signal(signal, SIG_IGN);
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int descriptor = 0; descriptor < 3; ++descriptor) ::dup2(nothing, descriptor);
  for (int descriptor = 3; descriptor < most_descriptors; ++descriptor) {
    if (descriptor != lifeline) ::close(descriptor);
  }
  char byte = 0;
  while (::read(lifeline, &byte, 1) < 0 && errno == EINTR) {
  }
  remove_all_of(folder, prefix);
  ::_exit(0);
}

FileDescriptor open_file(const std::string& name, int flags) {
  FileDescriptor file(::open(name.c_str(), flags, 0600));
  if (file.is_open()) return file;
  throw RunError({fmt::format("cannot open '{}'", name), std::strerror(errno),
                  "check the folder, and that all nodes see it"});
}

/// A name that no other process uses, and this one only once.
std::string fresh_name() {
  static int number = 0;
  return fmt::format("{}{}", own_file_prefix(), ++number);
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

/// Offset of byte `at` of a slot. With a shared pointer the ranks' blocks follow each other.
std::int64_t place_of(const FileShape& shape, const FileAccess& access, int rank, std::int64_t slot,
                      std::int64_t at) {
  if (access.pointer == FilePointer::shared) {
    return (slot * shape.ranks + rank) * shape.bytes + at;
  }
  return place_in_file(shape, access, rank, slot, at);
}

/// Whether this process has a file of that name open with O_DIRECT, from Linux's /proc.
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

}  // namespace

std::string own_file_prefix() {
  return fmt::format("{}{}-{}-", file_prefix, own_host(), ::getpid());
}

FileAccess file_access_of(const Point& point) {
  return {.path = point.parameters[file_path_parameter],
          .pointer = point.parameters[file_pointer_parameter],
          .sharing = point.parameters[file_sharing_parameter],
          .layout = point.parameters[file_layout_parameter],
          .cache = point.parameters[file_cache_parameter]};
}

FileShape file_shape_of(const Point& point) {
  const std::int64_t least = std::max<std::int64_t>(1, least_file_space(point));
  return {.ranks = point.ranks,
          .bytes = point.bytes.value,
          .slots = std::clamp<std::int64_t>(point.parameters[file_space_parameter] / least, 1,
                                            most_file_slots),
          .piece = piece_of(point.bytes.value)};
}

std::int64_t place_in_file(const FileShape& shape, const FileAccess& access, int rank,
                           std::int64_t slot, std::int64_t at) {
  const std::int64_t own = slot * shape.bytes + at;  // offset in the rank's view of the file
  if (access.sharing == FileSharing::of_each_rank) return own;
  if (access.layout == FileLayout::blocks) return rank * shape.slots * shape.bytes + own;
  const std::int64_t row = own / shape.piece;
  return (row * shape.ranks + rank) * shape.piece + own % shape.piece;
}

std::optional<std::string> file_obstacle(const Point& point, bool is_collective, bool is_reading) {
  const FileAccess access = file_access_of(point);
  if (is_simulated()) return "a simulator has no files";
  if (access.path.empty()) return "it needs a folder: hockney-io --path";
  if (point.parameters[cadence_parameter] == Cadence::streaming)
    return "calls on files are timed one by one";
  if (has_rotating_buffers(point)) return "calls on files have buffers of their own";
  const Datatype& type = datatype_of(point);
  if (type.extent != type.size) return "elements with gaps have none of them in files";
  if (auto reason = sharing_obstacle(access, is_collective)) return reason;
  if (access.pointer == FilePointer::shared && access.layout == FileLayout::strided) {
    return "ranks that share a pointer see the same of the file";
  }
  if (is_reading && access.cache == FileCache::synced) return "reading leaves nothing to be synced";
  if (least_file_space(point) <= point.parameters[file_space_parameter]) return std::nullopt;
  return fmt::format("it takes {} in files, more than --space",
                     format_bytes({least_file_space(point)}));
}

std::string file_system_in(const std::string& mountinfo, const std::string& path) {
  std::istringstream lines(mountinfo);
  std::string best;
  std::string found = "unknown";
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word;
    std::string mount;
    constexpr int words_before = 4;
    for (int i = 0; i < words_before; ++i) words >> word;
    words >> mount;
    mount = unescaped(mount);
    while (words >> word && word != "-") {
    }
    std::string type;
    // If two are mounted at one place, the later one hides the other.
    if (!(words >> type) || !is_above(mount, path) || mount.size() < best.size()) continue;
    best = mount;
    found = fmt::format("{} on {}", type, mount);
  }
  return found;
}

std::string file_system_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream("/proc/self/mountinfo").rdbuf();
  std::error_code none;
  return file_system_in(text.str(), std::filesystem::weakly_canonical(path, none).string());
}

std::int64_t free_space(const std::string& path) {
  struct statvfs facts {};
  if (::statvfs(path.c_str(), &facts) != 0) return 0;
  return static_cast<std::int64_t>(facts.f_bavail) * static_cast<std::int64_t>(facts.f_frsize);
}

void FileJanitor::watch(const std::string& folder, const std::string& prefix) {
  std::array<int, 2> ends{-1, -1};
  const bool has_pipe = ::pipe2(ends.data(), O_CLOEXEC) == 0;
  process_ = has_pipe ? ::fork() : -1;
  if (process_ < 0) {
    throw RunError({"no process can be started that removes the files", std::strerror(errno),
                    "end other programs, or raise the limit of processes"});
  }
  if (process_ == 0) {
    ::close(ends[1]);
    clean_afterwards(ends[0], folder, prefix);
  }
  ::close(ends[0]);
  lifeline_ = ends[1];
}

FileJanitor::~FileJanitor() {
  if (lifeline_ < 0) return;
  ::close(lifeline_);
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

MeasuredFile::MeasuredFile(const Context& context, const Point& point)
    : comm_(context.comm),
      rank_(context.rank),
      access_(file_access_of(point)),
      shape_(file_shape_of(point)),
      name_(fmt::format("{}/{}", access_.path, broadcast_text(comm_, fresh_name()))) {}

MeasuredFile::~MeasuredFile() {
  file_ = UniqueFile();
  MPI_Barrier(comm_);
  if (is_own() || rank_ == 0) ::unlink(name_of(rank_).c_str());
}

std::string MeasuredFile::name_of(int rank) const {
  return is_own() ? fmt::format("{}.{}", name_, rank) : name_;
}

void MeasuredFile::open() {
  file_ = UniqueFile();
  const std::string name = name_of(rank_);
  mpi_check(MPI_File_open(is_own() ? MPI_COMM_SELF : comm_, name.c_str(), open_mode,
                          hints_of(access_.cache).get(), file_.out()));
  take_mpi_errors(file_.get());
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
    gather();  // ranks still in the last call must not use the new place
    mpi_check(MPI_File_seek_shared(file_.get(), shape_.ranks * offset(slot), MPI_SEEK_SET));
  }
}

std::vector<std::byte> MeasuredFile::read_slot(int rank, std::int64_t slot) const {
  const FileDescriptor file = open_file(name_of(rank), O_RDONLY | O_CLOEXEC);
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
  const FileDescriptor file = open_file(name_of(rank), O_WRONLY | O_CREAT | O_CLOEXEC);
  const bool is_whole = access_.layout == FileLayout::blocks;
  const std::int64_t step = is_whole ? shape_.bytes : shape_.piece;
  int error = 0;
  for (std::int64_t at = 0; at < shape_.bytes && error == 0; at += step) {
    const auto put = ::pwrite(file.get(), data.data() + at, static_cast<std::size_t>(step),
                              place_of(shape_, access_, rank, slot, at));
    if (put != step) error = put < 0 ? errno : ENOSPC;  // a part was written: no errno
  }
  if (error == 0 && ::fsync(file.get()) != 0) error = errno;
  if (error == 0) return;
  throw RunError({fmt::format("cannot write '{}'", name_of(rank)), std::strerror(error),
                  "check the free space, or use a smaller --space"});
}

std::string direct_obstacle(const std::string& path) {
  if (is_simulated()) return "a simulator has no files";
  const std::string name = fmt::format("{}/{}", path, fresh_name());
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
