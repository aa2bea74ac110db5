#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "components/application/profile/part.hpp"
#include "components/application/profile/profile.hpp"

namespace hockney::profile {

/// Values of a rank or tag: none; MPI_ANY_SOURCE or MPI_ANY_TAG.
inline constexpr int no_rank = -1;
inline constexpr int any = -2;

/// One end of a message.
struct Endpoint {
  int rank = no_rank;  ///< world rank at the other end; `any` until it is known
  int tag = no_rank;
  std::int64_t bytes = -1;  ///< -1: not known

  friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

/// A request that a call completed. A rank numbers requests from 1, in the order in which it makes
/// or starts them.
struct Completed {
  std::uint64_t request = 0;
  Endpoint received;  ///< the received message, for a receive

  friend bool operator==(const Completed&, const Completed&) = default;
};

/// One call of a rank, or several unsuccessful tests in a row.
struct Event {
  Function function = Function::count;
  std::uint32_t site = no_index;  ///< index into the rows of the part, like the next two
  std::uint32_t communicator = no_index;
  std::uint32_t region = 0;  ///< 0: none, else index + 1
  std::int64_t begin = 0;    ///< ticks
  std::int64_t ticks = 0;    ///< inside MPI
  std::int64_t between = 0;  ///< ticks outside of MPI, between consecutive tests
  std::int64_t repeats = 0;  ///< tests after the first, all unsuccessful

  Endpoint sent;                     ///< for collectives only the bytes that this rank contributes
  Endpoint received;                 ///< received message; for a posted receive, what matches it
  int root = no_rank;                ///< world rank
  std::uint64_t request = 0;         ///< number of the request that it made or started; 0: none
  std::vector<Completed> completed;  ///< requests, in the order of the call's list

  [[nodiscard]] std::int64_t end() const { return begin + ticks + between; }

  friend bool operator==(const Event&, const Event&) = default;
};

/// Writes events one after the other into a given buffer. Each is stored as its difference from the
/// one before, in variable-length numbers: most take 6 to 16 bytes.
class EventWriter {
 public:
  EventWriter(std::span<char> room, std::int64_t begin_ticks) : room_(room), end_(begin_ticks) {}

  /// False if the buffer is full; then the event is not written.
  bool write(const Event& event);

  [[nodiscard]] std::span<const char> bytes() const { return room_.first(size_); }

 private:
  bool put(std::uint64_t value);
  bool put_signed(std::int64_t value);
  bool put(const Endpoint& endpoint);
  bool put_all(const Event& event);

  std::span<char> room_;
  std::size_t size_ = 0;
  std::int64_t end_;  ///< of the previous event [ticks]
  std::uint32_t communicator_ = no_index;
  std::uint32_t region_ = 0;
  std::uint64_t request_ = 0;  ///< last request that was made
};

/// Reads the output of EventWriter. InputError with the name of `file` if the bytes are damaged.
class EventReader {
 public:
  /// `part` must outlive the reader.
  EventReader(const Part& part, std::string file);

  /// False at the end.
  bool read(Event& event);

 private:
  std::uint64_t take();
  std::uint64_t take_below(std::uint64_t limit);
  std::int64_t take_signed();
  Endpoint take_endpoint();
  void take_places(Event& event, std::uint64_t has);
  void take_messages(Event& event, std::uint64_t has);
  void take_completed(Event& event);
  void advance(const Event& event);
  [[noreturn]] void refuse(const std::string& why) const;

  const Part& part_;
  std::string file_;
  std::string_view rest_;
  std::int64_t end_;
  std::uint32_t communicator_ = no_index;
  std::uint32_t region_ = 0;
  std::uint64_t request_ = 0;
};

/// Path of the events of a profile: "NAME.events" beside "NAME.json".
std::string events_file(const std::string& profile);

// File names of a run. A run is one `hockney profile`, or one program with the library preloaded by
// hand. It may have several worlds: each MPI_COMM_WORLD writes its own profile.

/// Environment variable with the id of the run, for the library.
inline constexpr const char* run_variable = "HOCKNEY_PROFILE_RUN";

/// 16 random hexadecimal digits.
std::string new_run_id();

/// Whether a text is a valid run id: at most 32 letters, digits and underscores.
bool is_run_id(std::string_view text);

/// The identity of a world: "RUN-WORLD".
std::string world_identity(const std::string& run, const std::string& world);

/// Whether a world belongs to a run.
bool is_of_run(std::string_view identity, const std::string& run);

/// The profile of the world with this number: NAME.json, NAME.world2.json, NAME.world3.json, ...
std::string world_file(const std::string& profile, int number);

/// Name of the part of a rank that ends without MPI_Finalize. While it is written, and while rank 0
/// runs, its name ends with ".new".
std::string part_file(const std::string& profile, int rank);
inline constexpr std::string_view unfinished_suffix = ".new";

enum class FileKind { profile, events, part, unfinished_part };

/// A file that belongs to a profile's name.
struct RunFile {
  int world = 1;
  FileKind kind = FileKind::profile;
  std::filesystem::path path;

  friend auto operator<=>(const RunFile&, const RunFile&) = default;
};

/// The existing files of a profile's name, of all worlds, in order.
std::vector<RunFile> files_of(const std::string& profile);

}  // namespace hockney::profile
