#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "application/profile/calls.hpp"
#include "application/profile/part.hpp"

namespace hockney::profile {

/// A rank that stands for none, and for MPI_ANY_SOURCE and MPI_ANY_TAG.
inline constexpr int nobody = -1;
inline constexpr int any = -2;

/// One message as one of its ranks sees it.
struct Endpoint {
  int rank = nobody;  ///< world rank of the other one; `any` until it is known
  int tag = nobody;
  std::int64_t bytes = -1;  ///< -1: not known

  friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

/// A request that a call completed. Requests have numbers from 1, in the order in which the rank
/// made or started them.
struct Completed {
  std::uint64_t request = 0;
  Endpoint received;  ///< what came, if it was a receive

  friend bool operator==(const Completed&, const Completed&) = default;
};

/// One call of a rank; or several unsuccessful tests in a row.
struct Event {
  Function function = Function::count;
  std::uint32_t site = no_index;  ///< these three are rows of the part
  std::uint32_t communicator = no_index;
  std::uint32_t region = 0;  ///< 0: none, else index + 1
  std::int64_t begin = 0;    ///< ticks
  std::int64_t ticks = 0;    ///< inside MPI
  std::int64_t between = 0;  ///< ticks outside of MPI, between tests in a row
  std::int64_t repeats = 0;  ///< tests after the first, all without success

  Endpoint sent;                     ///< of collectives only the bytes that this rank hands over
  Endpoint received;                 ///< what came, or at the begin of a receive what may come
  int root = nobody;                 ///< world rank
  std::uint64_t request = 0;         ///< that it made or started; 0: none
  std::vector<Completed> completed;  ///< requests, in the order of the call's list

  [[nodiscard]] std::int64_t end() const { return begin + ticks + between; }

  friend bool operator==(const Event&, const Event&) = default;
};

/// Writes events behind each other into room that it is given, as differences from the one before
/// in as few bytes as they need: 6 to 16 for most.
class EventWriter {
 public:
  EventWriter(std::span<char> room, std::int64_t begin_ticks) : room_(room), end_(begin_ticks) {}

  /// False where there is no room left; then nothing of the event is written.
  bool write(const Event& event);

  [[nodiscard]] std::span<const char> bytes() const { return room_.first(size_); }

 private:
  bool put(std::uint64_t value);
  bool put_signed(std::int64_t value);
  bool put(const Endpoint& endpoint);
  bool put_all(const Event& event);

  std::span<char> room_;
  std::size_t size_ = 0;
  std::int64_t end_;  ///< ticks, of the event before
  std::uint32_t communicator_ = no_index;
  std::uint32_t region_ = 0;
  std::uint64_t request_ = 0;  ///< the last that was made
};

/// Reads what EventWriter wrote; InputError naming `file` for what it never writes.
class EventReader {
 public:
  /// The part must outlive it.
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

/// All events of a part, in order.
std::vector<Event> events_of(const Part& part, const std::string& file);

/// Where the events of a profile lie: beside it, "NAME.events" for "NAME.json".
std::string events_file(const std::string& profile);

}  // namespace hockney::profile
