#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/harness/buffer_memory.hpp"
#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/datatypes.hpp"
#include "benchmarks/harness/file_access.hpp"

/// Writing and reading of files by all ranks, one call of each at a time. A way to do it is a
/// struct with
/// - `words`: its descriptions;
/// - `individual`, `at_offset`, `shared`: the call for each kind of pointer; they return its return
///   code.
namespace hockney::benchmarks {
namespace {

/// Descriptions of a way of calling.
struct FileWords {
  std::string_view name;
  std::string_view function;  ///< of MPI, abbreviated
  bool is_collective = false;
  bool is_ordered = false;  ///< with a shared pointer, ranks access the file in order
};

/// The arguments of a call.
struct FileTransfer {
  MPI_File file;
  MPI_Offset offset;
  void* data;
  int count;
  MPI_Datatype type;
};

using FileCall = int (*)(const FileTransfer&);

/// The return code of a nonblocking call after its completion.
int wait_for(int code, MPI_Request& request) {
  return code == MPI_SUCCESS ? MPI_Wait(&request, MPI_STATUS_IGNORE) : code;
}

namespace files {

template <FileCall call>
int synced(const FileTransfer& transfer) {
  const int code = call(transfer);
  const int synced_code = MPI_File_sync(transfer.file);
  return code == MPI_SUCCESS ? synced_code : code;
}

template <class Way>
FileCall call_of(const FileAccess& access) {
  const bool syncs = access.cache == FileCache::synced;
  switch (access.pointer) {
    case FilePointer::individual:
      return syncs ? &synced<&Way::individual> : &Way::individual;
    case FilePointer::at_offset:
      return syncs ? &synced<&Way::at_offset> : &Way::at_offset;
    default:
      return syncs ? &synced<&Way::shared> : &Way::shared;
  }
}

constexpr Descriptor describe(const FixedText& name, const FixedText& summary) {
  return {.name = name.view(),
          .summary = summary.view(),
          .counts = "the data of all ranks once (IMB-IO: the same)",
          .shape = GroupShape::everybody,
          .timing = Timing::last_rank,
          .single = true,
          .sizes = "what one call of one rank moves",
          .needs_ready = true,
          .files = true};
}

}  // namespace files

/// The common part of writing and reading: the file, a buffer and the next slot.
template <class Way>
class FileCalls {
 public:
  static Volume volume(const Point& point) {
    return {.operations = 1, .bytes = point.bytes * point.ranks};
  }

  FileCalls(const Context& context, const Point& point)
      : file_(context, point),
        message_(message_of(point)),
        memory_(map_memory(std::max<std::size_t>(1, message_.extent()), Pages::touched_now)),
        call_(files::call_of<Way>(file_.access())) {}

  void run() { result_ = call_(transfer_); }

 protected:
  [[nodiscard]] std::span<std::byte> data() const { return {memory_.get(), message_.extent()}; }
  [[nodiscard]] bool has_run() const { return result_ == MPI_SUCCESS; }
  void forget() { result_ = MPI_ERR_PENDING; }
  [[nodiscard]] bool is_shared() const { return file_.access().pointer == FilePointer::shared; }

  /// Moves the next call to this slot.
  void aim(std::int64_t slot) {
    file_.seek(slot);
    transfer_ = {file_.handle(), file_.offset(slot), memory_.get(), message_.count,
                 message_.type->handle};
  }

  /// Whether data are those of `rank` in a slot, in the lap with this seed.
  [[nodiscard]] bool is_of(std::span<const std::byte> found, std::uint64_t seed, int rank) const {
    return found.size() == message_.extent() &&
           holds_message(found, *message_.type, pattern_seed(seed, rank));
  }

  MeasuredFile file_;

 private:
  MessageShape message_;
  MappedMemory memory_;
  FileCall call_;
  FileTransfer transfer_{};
  int result_ = MPI_ERR_PENDING;
};

/// Every rank writes. When all slots are written, and at the end, another rank reads them without
/// MPI, untimed. Then they are written again with other data.
template <class Way>
class FileWriting : public FileCalls<Way> {
  static constexpr FixedText name{Way::words.name};
  static constexpr FixedText summary{Way::words.function,
                                     " by all ranks, until the last one is through"};

 public:
  static constexpr Descriptor descriptor = files::describe(name, summary);
  static std::optional<std::string> obstacle(const Point& point) {
    return file_obstacle(point, Way::words.is_collective, false);
  }

  FileWriting(const Context& context, const Point& point) : FileCalls<Way>(context, point) {
    this->file_.open();
  }

  void refill(std::uint64_t seed) {
    this->file_.gather();
    seed_ = seed;
    lap_ = 0;
    written_ = 0;
    is_good_ = true;
    this->forget();
    begin_lap();
    this->aim(0);
  }

  void ready() {
    if (written_ == this->file_.shape().slots) {
      this->file_.settle();
      is_good_ = holds_all() && is_good_;
      this->file_.gather();
      ++lap_;
      written_ = 0;
      begin_lap();
    }
    this->aim(written_++);
  }

  void settle() { this->file_.settle(); }

  [[nodiscard]] bool verify(std::uint64_t) const {
    return this->has_run() && is_good_ && holds_all();
  }

 private:
  [[nodiscard]] std::uint64_t lap_seed() const { return seed_ + (lap_ << 40U); }
  void begin_lap() { fill_pattern(this->data(), pattern_seed(lap_seed(), this->file_.rank())); }

  /// Whether the file has the next rank's data of this lap.
  [[nodiscard]] bool holds_all() const {
    for (std::int64_t slot = 0; slot < std::max<std::int64_t>(1, written_); ++slot) {
      if (!holds(slot)) return false;
    }
    return true;
  }
  [[nodiscard]] bool holds(std::int64_t slot) const {
    const int rank = this->file_.next_rank();
    if (!this->is_shared() || Way::words.is_ordered) {
      return this->is_of(this->file_.read_slot(rank, slot), lap_seed(), rank);
    }
    int found = 0;
    for (int place = 0; place < this->file_.shape().ranks; ++place) {
      if (this->is_of(this->file_.read_slot(place, slot), lap_seed(), rank)) ++found;
    }
    return found == 1;
  }

  std::uint64_t seed_ = 0;
  std::uint64_t lap_ = 0;
  std::int64_t written_ = 0;  ///< slots written in this lap
  bool is_good_ = true;       ///< the slots were right before they were overwritten
};

/// Every rank reads what another one has written without MPI. Every read is checked before the next
/// one, untimed.
template <class Way>
class FileReading : public FileCalls<Way> {
  static constexpr FixedText name{Way::words.name};
  static constexpr FixedText summary{Way::words.function,
                                     " by all ranks, until the last one has its data"};

 public:
  static constexpr Descriptor descriptor = files::describe(name, summary);
  static std::optional<std::string> obstacle(const Point& point) {
    return file_obstacle(point, Way::words.is_collective, true);
  }

  using FileCalls<Way>::FileCalls;

  /// Opens the file when its content is complete, so that no rank has an older state.
  void refill(std::uint64_t seed) {
    this->file_.gather();
    seed_ = seed;
    is_good_ = true;
    slot_ = 0;
    next_ = 0;
    const int rank = this->file_.next_rank();
    for (std::int64_t slot = 0; slot < this->file_.shape().slots; ++slot) {
      fill_pattern(this->data(), pattern_seed(slot_seed(slot), rank));
      this->file_.write_slot(rank, slot, this->data());
    }
    this->file_.gather();
    this->file_.open();
    poison();
    this->aim(0);
  }

  void ready() {
    if (this->has_run()) look();
    slot_ = next_;
    next_ = (next_ + 1) % this->file_.shape().slots;
    poison();
    this->aim(slot_);
  }

  void settle() {
    if (this->has_run()) look();
  }

  [[nodiscard]] bool verify(std::uint64_t) const { return this->has_run() && is_good_; }

 private:
  [[nodiscard]] std::uint64_t slot_seed(std::int64_t slot) const {
    return seed_ + (static_cast<std::uint64_t>(slot) << 40U);
  }
  void poison() {
    fill_wrong_pattern(this->data(), pattern_seed(slot_seed(slot_), this->file_.rank()));
    this->forget();
  }

  /// The rank whose data were read; with a shared pointer the order is arbitrary.
  [[nodiscard]] int owner() const {
    for (int rank = 0; rank < this->file_.shape().ranks; ++rank) {
      if (this->is_of(this->data(), slot_seed(slot_), rank)) return rank;
    }
    return -1;
  }

  void look() {
    if (!this->is_shared() || Way::words.is_ordered) {
      is_good_ = this->is_of(this->data(), slot_seed(slot_), this->file_.rank()) && is_good_;
      return;
    }
    const int own = owner();
    std::vector<int> owners(static_cast<std::size_t>(this->file_.shape().ranks));
    MPI_Allgather(&own, 1, MPI_INT, owners.data(), 1, MPI_INT, this->file_.comm());
    std::ranges::sort(owners);
    for (int rank = 0; rank < static_cast<int>(owners.size()); ++rank) {
      is_good_ = is_good_ && owners[static_cast<std::size_t>(rank)] == rank;
    }
  }

  std::uint64_t seed_ = 0;
  std::int64_t slot_ = 0;  ///< slot of the last call
  std::int64_t next_ = 0;
  bool is_good_ = true;
};

}  // namespace

}  // namespace hockney::benchmarks

/// Opening and closing of files, and reading and writing: by each rank alone or by all together,
/// with blocking or nonblocking calls.
namespace hockney::benchmarks {
namespace {

/// All ranks open one file, or each its own, and close it.
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

  /// Before the first call the file does not exist.
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

/// Blocking calls, one for each kind of pointer.
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

/// Nonblocking calls, completed by MPI_Wait.
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

/// MPI has no nonblocking collective call with a shared pointer, only one in two parts.
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
