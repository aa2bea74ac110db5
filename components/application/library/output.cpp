#include "components/application/library/output.hpp"

#include <fcntl.h>
#include <mpi.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "components/application/library/real.hpp"
#include "components/application/library/recorder.hpp"
#include "components/application/profile/event_log.hpp"
#include "components/application/profile/merge.hpp"
#include "components/application/profile/profile_file.hpp"
#include "core/atomic_file.hpp"
#include "core/cpu_set.hpp"
#include "core/environment.hpp"
#include "core/error.hpp"
#include "core/quantities.hpp"

namespace hockney::profile {
namespace {

// How rank 0 receives the records of all ranks. Collective over `comm`. The messages do not depend
// on failures at rank 0, so that no rank waits for a message that is never sent.

/// Largest message between ranks [B].
constexpr std::size_t piece = std::size_t{1} << 17U;
using MessageBuffer = std::array<char, piece>;
constexpr int tag = 7;

/// What is needed again at the end. The buffer is there from the begin on: a program may limit its
/// memory, after which its stack does not grow (RLIMIT_AS).
struct OutputOfJob {
  std::string file;  ///< follows from the first rank's clock
  std::unique_ptr<MessageBuffer> buffer;
};
OutputOfJob output_of_job;  // NOLINT(*-avoid-non-const-global-variables): of a process

/// The bytes of a part, in file order.
class PartBytes {
 public:
  PartBytes(const Recorder& recorder, bool with_log)
      : header_(recorder.whole_header()), pieces_(recorder.pieces()) {
    if (!with_log) pieces_.log = {};
    pieces_.count_in(header_);
  }

  template <class Take>
  void for_each(Take&& take) const {
    take(std::as_bytes(std::span(&header_, 1)));
    for (const auto bytes : pieces_.bytes()) take(bytes);
  }

  [[nodiscard]] std::uint64_t size() const {
    std::uint64_t size = 0;
    for_each([&](std::span<const std::byte> bytes) { size += bytes.size(); });
    return size;
  }

 private:
  PartHeader header_;
  PartPieces pieces_;
};

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void send_letters(std::string_view letters, int to, MPI_Comm comm) {
  real::Send(letters.data(), static_cast<int>(letters.size()), handles().byte, to, tag, comm);
}

void send_size(std::uint64_t size, int to, MPI_Comm comm) {
  real::Send(&size, int{sizeof size}, handles().byte, to, tag, comm);
}

/// Sends the size, then the bytes in as few messages as possible.
void send(const PartBytes& part, int to, MPI_Comm comm) {
  MessageBuffer& buffer = *output_of_job.buffer;
  std::size_t filled = 0;
  send_size(part.size(), to, comm);
  part.for_each([&](std::span<const std::byte> bytes) {
    for (std::string_view rest = text_of(bytes); !rest.empty();) {
      const std::size_t now = rest.copy(buffer.data() + filled, piece - filled);
      rest.remove_prefix(now);
      filled += now;
      if (filled < piece) continue;
      send_letters({buffer.data(), piece}, to, comm);
      filled = 0;
    }
  });
  if (filled > 0) send_letters({buffer.data(), filled}, to, comm);
}

std::uint64_t receive_size(int from, MPI_Comm comm) {
  std::uint64_t size = 0;
  MPI_Status status;
  real::Recv(&size, int{sizeof size}, handles().byte, from, tag, comm, &status);
  return size;
}

/// Receives the pieces of a part and passes each to `take`.
template <class Take>
void receive(std::uint64_t size, int from, MPI_Comm comm, Take&& take) {
  MessageBuffer& buffer = *output_of_job.buffer;
  while (size > 0) {
    const std::size_t now = std::min<std::uint64_t>(piece, size);
    MPI_Status status;
    real::Recv(buffer.data(), static_cast<int>(now), handles().byte, from, tag, comm, &status);
    take(std::string_view(buffer.data(), now));
    size -= now;
  }
}

/// The bytes of a received part, if there is memory for it.
class HeldPart {
 public:
  /// Clears it for a part of `size` bytes.
  void begin(std::uint64_t size) {
    bytes_.clear();
    try {
      bytes_.reserve(size);
      is_held_ = true;
    } catch (const std::exception&) {
      is_held_ = false;
    }
  }
  void add(std::string_view bytes) {
    if (is_held_) bytes_ += bytes;  // memory is reserved
  }
  [[nodiscard]] std::optional<std::string_view> bytes() const {
    return is_held_ ? std::optional<std::string_view>(bytes_) : std::nullopt;
  }

 private:
  std::string bytes_;
  bool is_held_ = false;
};

void receive_part(int from, MPI_Comm comm, HeldPart& part) {
  const std::uint64_t size = receive_size(from, comm);
  part.begin(size);
  receive(size, from, comm, [&](std::string_view bytes) { part.add(bytes); });
}

void forward_part(int from, int to, MPI_Comm comm) {
  const std::uint64_t size = receive_size(from, comm);
  send_size(size, to, comm);
  receive(size, from, comm, [&](std::string_view bytes) { send_letters(bytes, to, comm); });
}

/// A file being written. Errors are kept until the end, since other ranks still send.
class EventsFile {
 public:
  explicit EventsFile(const std::string& file) {
    attempt([&] { output_.emplace(file); });
  }
  void write(std::string_view bytes) {
    attempt(
        [&] { output_->stream().write(bytes.data(), static_cast<std::streamsize>(bytes.size())); });
  }
  void keep() {
    attempt([&] { output_->keep(); });
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  template <class Step>
  void attempt(Step&& step) {
    if (failure_) return;
    try {
      step();
    } catch (...) {
      failure_ = std::current_exception();
    }
  }

  std::optional<OutputFile> output_;
  std::exception_ptr failure_;
};

/// Passes each part, without its log of events, to `take` on rank 0, in the order of the ranks.
/// Parts travel along a binomial tree; inner ranks forward them in pieces. No rank stores more than
/// one part of another. `take` gets nullopt if there is no memory for a part.
void gather_parts(const Recorder& recorder, MPI_Comm comm,
                  const std::function<void(std::optional<std::string_view>)>& take) {
  const int rank = recorder.header.rank;
  const int size = recorder.header.world_ranks;
  const int parent = rank & (rank - 1);
  HeldPart part;
  const PartBytes own(recorder, false);
  if (rank == 0) {
    part.begin(own.size());
    own.for_each([&](auto bytes) { part.add(text_of(bytes)); });
    take(part.bytes());
  } else {
    send(own, parent, comm);
  }
  // The subtree of the rank at a distance has `distance` ranks, or fewer at the end.
  for (int distance = 1; (rank & distance) == 0 && rank + distance < size; distance *= 2) {
    const int from = rank + distance;
    for (int parts = std::min(distance, size - from); parts > 0; --parts) {
      if (rank != 0) {
        forward_part(from, parent, comm);
      } else {
        receive_part(from, comm, part);
        take(part.bytes());
      }
    }
  }
}

/// Writes the complete parts of the ranks that log events into a file on rank 0. Rank 0 receives
/// them one after the other, in pieces, and stores at most one piece. `logging`: those ranks,
/// ascending, on rank 0; other ranks send nothing. RunError on rank 0 if the file cannot be
/// written.
void gather_events(const Recorder& recorder, MPI_Comm comm, const std::vector<int>& logging,
                   const std::string& file) {
  const int rank = recorder.header.rank;
  std::vector<char> sends(rank == 0 ? static_cast<std::size_t>(recorder.header.world_ranks) : 0);
  for (const int one : logging) sends[static_cast<std::size_t>(one)] = 1;
  char is_to_send = 0;
  real::Scatter(sends.data(), 1, handles().byte, &is_to_send, 1, handles().byte, 0, comm);
  const PartBytes own(recorder, true);
  if (rank != 0) {
    if (is_to_send != 0) send(own, 0, comm);
    return;
  }
  if (logging.empty()) return;
  EventsFile events(file);
  for (const int from : logging) {
    if (from == 0) {
      own.for_each([&](auto bytes) { events.write(text_of(bytes)); });
    } else {
      receive(receive_size(from, comm), from, comm,
              [&](std::string_view bytes) { events.write(bytes); });
    }
  }
  events.keep();
}

std::vector<int> allowed_cpus() {
  const CpuSet set;
  if (sched_getaffinity(0, CpuSet::bytes(), set.get()) != 0) return {};
  return set.members();
}

std::string processor_name() {
  static constinit Real<decltype(PMPI_Get_processor_name)> name("PMPI_Get_processor_name");
  std::array<char, MPI_MAX_PROCESSOR_NAME + 1> text{};
  int length = 0;
  name(text.data(), &length);
  return text.data();
}

std::string cpu_model() {
  std::string text;
  try {
    text = read_file("/proc/cpuinfo");
  } catch (const std::exception&) {
    return "";
  }
  const std::size_t line = text.find("model name");
  const std::size_t begin = text.find(": ", line);
  if (line == std::string::npos || begin == std::string::npos) return "";
  return text.substr(begin + 2, text.find('\n', begin) - begin - 2);
}

std::string standard() {
  int version = 0;
  int subversion = 0;
  real::Get_version(&version, &subversion);
  return std::to_string(version) + "." + std::to_string(subversion);
}

/// Claims a profile's name: creates the unfinished part of rank 0. False if a profile or a part has
/// the name, or a log that this run would replace.
bool claim(const std::string& file) {
  const std::string claimed = part_file(file, 0) + std::string(unfinished_suffix);
  const int made = ::open(claimed.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC,
                          S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH);
  if (made < 0) return errno != EEXIST;  // a folder that is not writable fails at the end
  ::close(made);
  const bool is_taken = std::ranges::any_of(files_of(file), [&](const RunFile& found) {
    const bool is_in_the_way = found.kind != FileKind::events || is_log_requested();
    const bool is_own = found.path.filename() == std::filesystem::path(claimed).filename();
    return found.world == 1 && !is_own && is_in_the_way;
  });
  if (is_taken) ::unlink(claimed.c_str());
  return !is_taken;
}

/// The first name that no other world or run has claimed.
template <class NameOf>
std::string claimed_name(NameOf&& name_of) {
  constexpr int most = 1 << 16;
  int number = 1;
  while (number < most && !claim(name_of(number))) ++number;
  return name_of(number);
}

/// Prints the path of the profile if it differs from the requested one. `hockney profile` prints it
/// itself.
std::string claimed_output(const std::string& folder) {
  const char* requested = std::getenv("HOCKNEY_PROFILE_OUT");
  if (requested == nullptr || *requested == '\0') {
    const std::string stem = folder + "/hockney-profile-" + utc_stamp();
    return claimed_name([&](int number) {
      return stem + (number == 1 ? "" : "-" + std::to_string(number)) + ".json";
    });
  }
  const std::string first = (std::filesystem::path(folder) / requested).string();
  std::string file = claimed_name([&](int number) { return world_file(first, number); });
  if (file != first && std::getenv(run_variable) == nullptr) {
    std::fprintf(stderr,
                 "hockney-profile: the profile goes to '%s' (another run or world has '%s')\n",
                 file.c_str(), first.c_str());
  }
  return file;
}

std::string new_identity() {
  const char* run = std::getenv(run_variable);
  const bool is_given = run != nullptr && is_run_id(run);
  return world_identity(is_given ? run : new_run_id(), new_run_id());
}

/// Runs a step; if it fails, prints the loss on stderr. The program continues.
template <class Step>
void attempt(const char* what, Step&& step) {
  try {
    step();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "hockney-profile: the %s lost: %s\n", what, error.what());
  }
}

/// The profile of a job; its parts arrive one by one.
class ProfileUnderWay {
 public:
  void take(std::optional<std::string_view> bytes, const std::string& file) {
    if (failure_) return;
    try {
      if (!bytes) throw std::bad_alloc();
      for (const Part& part : read_parts(*bytes, file)) add(part);
    } catch (const InputError& error) {
      notes_.emplace_back(error.what());
    } catch (...) {
      failure_ = std::current_exception();
    }
  }

  /// Returns the complete profile. Rethrows an earlier failure.
  Profile finish(const std::string& events) {
    if (failure_) std::rethrow_exception(failure_);
    Profile profile = merger_.take();
    profile.notes.insert(profile.notes.end(), notes_.begin(), notes_.end());
    profile.provenance.build = build_of_this();
    if (profile.log) profile.log->file = std::filesystem::path(events).filename().string();
    return profile;
  }

  /// Ranks that log events, ascending.
  [[nodiscard]] const std::vector<int>& logging() const { return logging_; }

 private:
  void add(const Part& part) {
    merger_.add(part);
    if (part.header.logging != static_cast<std::uint32_t>(Logging::done)) return;
    logging_.push_back(part.header.rank);
  }

  Merger merger_;
  std::vector<int> logging_;
  std::vector<std::string> notes_;  ///< parts that cannot be read
  std::exception_ptr failure_;
};

}  // namespace

std::string library_version() {
  std::array<char, 8192 + 1> text{};  // MPI_MAX_LIBRARY_VERSION_STRING of every library
  int length = 0;
  real::Get_library_version(text.data(), &length);
  return text.data();
}

bool is_log_requested() {
  const char* text = std::getenv("HOCKNEY_PROFILE_LOG");
  return text != nullptr && *text != '\0' && std::string_view(text) != "0";
}

WorldOutput agree_on_output() {
  int rank = 0;
  real::Comm_rank(handles().world, &rank);
  std::array<char, 4096> file{};
  std::array<char, 128> identity{};
  std::array<char, 32> begun{};
  const auto agree = [&](auto& letters, const std::string& text) {
    std::copy_n(text.begin(), std::min(text.size(), letters.size() - 1), letters.begin());
    real::Bcast(letters.data(), static_cast<int>(letters.size()), handles().byte, 0,
                handles().world);
    return std::string(letters.data());
  };
  std::error_code error;
  const std::string folder = std::filesystem::current_path(error).string();
  const bool is_first = rank == 0;
  output_of_job.buffer = std::make_unique<MessageBuffer>();
  output_of_job.file = agree(file, is_first ? claimed_output(error ? "." : folder) : "");
  return {.file = output_of_job.file,
          .identity = agree(identity, is_first ? new_identity() : ""),
          .begun_utc = agree(begun, is_first ? utc_now() : "")};
}

void describe(Recorder& recorder, const WorldOutput& output) {
  PartHeader& header = recorder.header;
  real::Comm_rank(handles().world, &header.rank);
  real::Comm_size(handles().world, &header.world_ranks);
  int level = MPI_THREAD_SINGLE;
  real::Query_thread(&level);
  recorder.many_threads = level == MPI_THREAD_MULTIPLE;
  header.thread_level = level == MPI_THREAD_SINGLE       ? 0
                        : level == MPI_THREAD_FUNNELED   ? 1
                        : level == MPI_THREAD_SERIALIZED ? 2
                                                         : 3;
  const std::string library = library_version();
  const Facts facts{.host = read_host(processor_name(), "", cpu_model()),
                    .cpus = allowed_cpus(),
                    .command_line = command_line(),
                    .environment = steering_environment(),
                    .library = library.substr(0, library.find('\n')),
                    .standard = standard(),
                    .identity = output.identity,
                    .begun_utc = output.begun_utc};
  recorder.facts = facts_text(facts);
}

bool write_profile(Recorder& recorder) {
  MPI_Comm comm{};
  real::Comm_dup(handles().world, &comm);
  ProfileUnderWay profile;
  gather_parts(recorder, comm, [&](auto bytes) { profile.take(bytes, output_of_job.file); });
  std::vector<int> logging;  // empty without a profile: events alone are useless
  const std::string& file = output_of_job.file;
  const std::string events = events_file(file);
  char has_memory = 1;
  if (recorder.header.rank == 0) {
    attempt("profile is", [&] {
      try {
        write_atomically(file, profile_text(profile.finish(events)));
        logging = profile.logging();
      } catch (const std::bad_alloc&) {
        has_memory = 0;
      }
    });
  }
  attempt("events are", [&] { gather_events(recorder, comm, logging, events); });
  real::Barrier(comm);  // a rank killed before this point saves a part
  real::Bcast(&has_memory, 1, handles().byte, 0, comm);
  real::Comm_free(&comm);
  return has_memory != 0;
}

}  // namespace hockney::profile
