#include <unistd.h>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/file_access.hpp"
#include "benchmarks/harness/file_operations.hpp"
#include "benchmarks/harness/measured_file.hpp"

/// Opening and closing of files, and reading and writing: by each rank alone or by all together,
/// waiting in the call or not.
namespace hockney::benchmarks {
namespace {

/// All ranks open the file, or each its own, and close it.
class OpenClose {
 public:
  static constexpr Descriptor descriptor{
      .name = "file-open-close",
      .summary = "MPI_File_open and MPI_File_close by all ranks, until the last one is through",
      .counts = "nothing, it carries no data",
      .shape = GroupShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .sized = false,
      .sizes = "nothing: there is one size, 0",
      .files = true};
  static Volume volume(const Point&) { return {.operations = 1}; }
  static std::optional<std::string> obstacle(const Point& point) {
    return file_obstacle(point, false, false);
  }

  OpenClose(const Context& context, const Point& point)
      : file_(context, point),
        comm_(file_.access().sharing == FileSharing::one ? context.comm : MPI_COMM_SELF),
        name_(file_.own_name()) {}

  void run() {
    MPI_File file = MPI_FILE_NULL;
    opened_ =
        MPI_File_open(comm_, name_.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    closed_ = MPI_File_close(&file);
  }

  /// There is no file before the first call.
  void refill(std::uint64_t) {
    file_.gather();
    ::unlink(name_.c_str());
    file_.gather();
    opened_ = closed_ = MPI_ERR_PENDING;
  }

  [[nodiscard]] bool verify(std::uint64_t) const {
    return opened_ == MPI_SUCCESS && closed_ == MPI_SUCCESS && ::access(name_.c_str(), W_OK) == 0;
  }

 private:
  MeasuredFile file_;
  MPI_Comm comm_;
  std::string name_;
  int opened_ = MPI_ERR_PENDING;
  int closed_ = MPI_ERR_PENDING;
};

const Registration<OpenClose> file_open_close;

/// Calls that wait, one for each kind of pointer.
template <auto at_pointer, auto at_place, auto at_shared>
struct WaitingCalls {
  static int individual(const FileTransfer& transfer) {
    return at_pointer(transfer.file, transfer.data, transfer.count, transfer.type,
                      MPI_STATUS_IGNORE);
  }

  static int at_offset(const FileTransfer& transfer) {
    return at_place(transfer.file, transfer.offset, transfer.data, transfer.count, transfer.type,
                    MPI_STATUS_IGNORE);
  }

  static int shared(const FileTransfer& transfer) {
    return at_shared(transfer.file, transfer.data, transfer.count, transfer.type,
                     MPI_STATUS_IGNORE);
  }
};

/// Calls that do not, and MPI_Wait.
template <auto at_pointer, auto at_place>
struct ImmediatePlaces {
  static int individual(const FileTransfer& transfer) {
    MPI_Request request = MPI_REQUEST_NULL;
    const int code =
        at_pointer(transfer.file, transfer.data, transfer.count, transfer.type, &request);
    return wait_for(code, request);
  }

  static int at_offset(const FileTransfer& transfer) {
    MPI_Request request = MPI_REQUEST_NULL;
    const int code = at_place(transfer.file, transfer.offset, transfer.data, transfer.count,
                              transfer.type, &request);
    return wait_for(code, request);
  }
};

template <auto at_pointer, auto at_place, auto at_shared>
struct ImmediateCalls : ImmediatePlaces<at_pointer, at_place> {
  static int shared(const FileTransfer& transfer) {
    return ImmediatePlaces<at_shared, at_place>::individual(transfer);
  }
};

/// MPI has no immediate call of all ranks with a shared pointer, but one in two parts.
template <auto at_pointer, auto at_place, auto begin, auto end>
struct ImmediateCallsOfAll : ImmediatePlaces<at_pointer, at_place> {
  static int shared(const FileTransfer& transfer) {
    const int code = begin(transfer.file, transfer.data, transfer.count, transfer.type);
    return code == MPI_SUCCESS ? end(transfer.file, transfer.data, MPI_STATUS_IGNORE) : code;
  }
};

constexpr FileWords by_each(std::string_view name, std::string_view function) {
  return {.name = name, .function = function, .is_collective = false, .is_ordered = false};
}

constexpr FileWords by_all(std::string_view name, std::string_view function) {
  return {.name = name, .function = function, .is_collective = true, .is_ordered = true};
}

struct Write : WaitingCalls<MPI_File_write, MPI_File_write_at, MPI_File_write_shared> {
  static constexpr FileWords words = by_each("file-write", "MPI_File_write, _at or _shared");
};

struct WriteAll : WaitingCalls<MPI_File_write_all, MPI_File_write_at_all, MPI_File_write_ordered> {
  static constexpr FileWords words =
      by_all("file-write-all", "MPI_File_write_all, _at_all or _ordered");
};

struct ImmediateWrite
    : ImmediateCalls<MPI_File_iwrite, MPI_File_iwrite_at, MPI_File_iwrite_shared> {
  static constexpr FileWords words =
      by_each("file-iwrite", "MPI_File_iwrite, _at or _shared, and MPI_Wait");
};

struct ImmediateWriteAll
    : ImmediateCallsOfAll<MPI_File_iwrite_all, MPI_File_iwrite_at_all, MPI_File_write_ordered_begin,
                          MPI_File_write_ordered_end> {
  static constexpr FileWords words = by_all(
      "file-iwrite-all",
      "MPI_File_iwrite_all or _at_all and MPI_Wait, or MPI_File_write_ordered_begin and _end");
};

struct Read : WaitingCalls<MPI_File_read, MPI_File_read_at, MPI_File_read_shared> {
  static constexpr FileWords words = by_each("file-read", "MPI_File_read, _at or _shared");
};

struct ReadAll : WaitingCalls<MPI_File_read_all, MPI_File_read_at_all, MPI_File_read_ordered> {
  static constexpr FileWords words =
      by_all("file-read-all", "MPI_File_read_all, _at_all or _ordered");
};

struct ImmediateRead : ImmediateCalls<MPI_File_iread, MPI_File_iread_at, MPI_File_iread_shared> {
  static constexpr FileWords words =
      by_each("file-iread", "MPI_File_iread, _at or _shared, and MPI_Wait");
};

struct ImmediateReadAll
    : ImmediateCallsOfAll<MPI_File_iread_all, MPI_File_iread_at_all, MPI_File_read_ordered_begin,
                          MPI_File_read_ordered_end> {
  static constexpr FileWords words =
      by_all("file-iread-all",
             "MPI_File_iread_all or _at_all and MPI_Wait, or MPI_File_read_ordered_begin and _end");
};

const Registration<FileWriting<Write>> file_write;
const Registration<FileWriting<WriteAll>> file_write_all;
const Registration<FileWriting<ImmediateWrite>> file_iwrite;
const Registration<FileWriting<ImmediateWriteAll>> file_iwrite_all;
const Registration<FileReading<Read>> file_read;
const Registration<FileReading<ReadAll>> file_read_all;
const Registration<FileReading<ImmediateRead>> file_iread;
const Registration<FileReading<ImmediateReadAll>> file_iread_all;

}  // namespace
}  // namespace hockney::benchmarks
