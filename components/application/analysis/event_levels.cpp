#include "components/application/analysis/event_levels.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <ranges>
#include <tuple>
#include <utility>

namespace hockney::applications {
namespace {

using models::CollectiveWaits;
using profile::Function;
using profile::Kind;

Doing doing_of(Function function) {
  switch (profile::describe(function).kind) {
    case Kind::one_sided:
    case Kind::synchronise:
    case Kind::file:
    case Kind::forget_request:
    case Kind::forget_communicator:
    case Kind::window:
    case Kind::other:
      return Doing::other;
    case Kind::collective:
    case Kind::plan_collective:
    case Kind::communicator:
      return Doing::collectives;
    default:
      return Doing::messages;
  }
}

/// Numbers of 7 bits in a byte.
class NumberRow {
 public:
  NumberRow& put(std::uint64_t value) {
    for (; value >= 128; value >>= 7U) bytes_.push_back(static_cast<char>(128U | (value & 127U)));
    bytes_.push_back(static_cast<char>(value));
    return *this;
  }
  NumberRow& put(std::int64_t value) { return put(static_cast<std::uint64_t>(value)); }
  NumberRow& put_signed(std::int64_t value) {
    const auto bits = static_cast<std::uint64_t>(value) << 1U;
    return put(value < 0 ? ~bits : bits);
  }
  void append(const std::string& bytes) { bytes_ += bytes; }
  [[nodiscard]] std::size_t size() const { return bytes_.size(); }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// The wait of a call, and the call of another rank that ends it.
struct WaitByClock {
  float seconds = 0;
  Call cause;
};

/// Waits by the hosts' clocks: for a late sender or receiver, and for the last rank of a
/// collective.
class WaitsByClock {
 public:
  WaitsByClock(const TraceAnalysis& run, const std::vector<double>& begins)
      : trace_(run.trace()), begins_(begins), waits_(trace_.ranks.size()) {
    for (const MatchedMessage& message : run.matching().messages) {
      add(message.arrival, message.send);
      // A sender that left before the receive was posted did not wait for it.
      if (left(message.departure) > entered(message.post)) add(message.departure, message.post);
    }
    for (const MatchedCollective& one : run.matching().collectives) add(one);
  }

  [[nodiscard]] WaitByClock of(std::size_t rank, std::size_t event) const {
    return waits_[rank].empty() ? WaitByClock() : waits_[rank][event];
  }

 private:
  [[nodiscard]] double entered(const Call& call) const {
    const RankTrace& rank = trace_.ranks[call.rank];
    return begins_[call.rank] + rank.begin_of(rank.events[call.event]);
  }
  [[nodiscard]] double left(const Call& call) const {
    const RankTrace& rank = trace_.ranks[call.rank];
    return begins_[call.rank] + rank.end_of(rank.events[call.event]);
  }

  void add(const Call& call, const Call& cause) {
    const auto seconds = static_cast<float>(std::min(entered(cause), left(call)) - entered(call));
    if (!(seconds > 0)) return;
    std::vector<WaitByClock>& waits = waits_[call.rank];
    if (waits.empty()) waits.resize(trace_.ranks[call.rank].events.size());
    if (seconds > waits[call.event].seconds) waits[call.event] = {seconds, cause};
  }

  void add(const MatchedCollective& collective) {
    const CollectiveWaits waits = waits_of(trace_, collective);
    Call last = collective.calls.front();
    std::optional<Call> root;
    const auto is_root = [&](const Call& call) {
      const RankTrace& rank = trace_.ranks[call.rank];
      return rank.events[call.event].root == rank.rank;
    };
    for (const Call& call : collective.calls) {
      // The completion of a nonblocking collective waits.
      if (trace_.ranks[call.rank].events[call.event].request != 0) return;
      if (entered(call) > entered(last)) last = call;
      if (is_root(call)) root = call;
    }
    for (const Call& call : collective.calls) {
      if (waits == CollectiveWaits::for_all ||
          (waits == CollectiveWaits::root_for_all && is_root(call))) {
        add(call, last);
      } else if (waits == CollectiveWaits::for_root && root) {
        add(call, *root);
      }
    }
  }

  const Trace& trace_;
  const std::vector<double>& begins_;
  std::vector<std::vector<WaitByClock>> waits_;  ///< of each event of ranks that wait
};

/// A call on the axis of the run [ns].
struct TimedCall {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t wait = 0;  ///< from its begin
};

std::int64_t rounded_ns(double seconds) { return std::llround(1e9 * seconds); }

/// What differs between calls, without times.
using CallArguments =
    std::tuple<Function, std::uint32_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t>;

/// None, or the signed difference of two ranks.
std::int64_t peer_number(int peer, int own) {
  if (peer < 0) return 0;
  const std::int64_t difference = std::int64_t{peer} - own;
  return 1 + (difference < 0 ? -2 * difference - 1 : 2 * difference);
}

class LevelWriter {
 public:
  LevelWriter(const TraceAnalysis& run, const LevelLimits& limits)
      : run_(run), trace_(run.trace()), begins_(rank_begins(run)), waits_(run, begins_) {
    for (std::size_t place = 0; place < trace_.ranks.size(); ++place) {
      const RankTrace& rank = trace_.ranks[place];
      levels_.ranks.push_back(rank.rank);
      levels_.hosts.push_back(rank.host);
      levels_.nanoseconds = std::max(levels_.nanoseconds, begin_of_rank(place) + life_of(place));
      levels_.calls += static_cast<std::int64_t>(rank.events.size());
    }
    constexpr std::size_t bytes_of_slot = 4;
    const std::size_t most = 2 * limits.bytes / 3 / bytes_of_slot / trace_.ranks.size();
    levels_.slots = std::clamp(std::bit_floor(most), std::size_t{64}, limits.most_slots);
    const auto slots = static_cast<std::int64_t>(levels_.slots);
    const std::int64_t units = slots * levels_.slot_units;
    levels_.unit = std::max<std::int64_t>(1, (levels_.nanoseconds + units - 1) / units);
  }

  EventLevels write(const Iterations& iterations, const LevelLimits& limits) {
    NumberRow slots;
    for (std::size_t place = 0; place < trace_.ranks.size(); ++place) add_slots(slots, place);
    add_message_counts(slots);
    const std::size_t used = row_.size() + slots.size();
    if (iterations.count() > 0) {
      levels_.typical = window_of(iterations.all[iterations.typical]);
      levels_.slowest = window_of(iterations.all[iterations.slowest]);
    }
    choose_windows(iterations, limits.bytes > used ? limits.bytes - used : 0);
    NumberRow calls;
    for (const CallWindow& window : levels_.windows) add_calls(calls, window);
    for (const CallWindow& window : levels_.windows) add_messages(calls, window);
    row_.append(slots.take());
    add_arguments();
    row_.append(calls.take());
    levels_.bytes = row_.take();
    return std::move(levels_);
  }

 private:
  using Events = std::pair<std::size_t, std::size_t>;  // the first, and one behind the last

  [[nodiscard]] std::int64_t begin_of_rank(std::size_t place) const {
    return rounded_ns(begins_[place]);
  }
  [[nodiscard]] std::int64_t life_of(std::size_t place) const {
    return rounded_ns(begins_[place] + trace_.ranks[place].seconds) - begin_of_rank(place);
  }
  [[nodiscard]] TimedCall timed(std::size_t place, std::size_t event) const {
    const RankTrace& rank = trace_.ranks[place];
    const EventView view = rank.events[event];
    const std::int64_t begin = rounded_ns(begins_[place] + rank.begin_of(view));
    const std::int64_t end = rounded_ns(begins_[place] + rank.end_of(view));
    const std::int64_t wait = rounded_ns(double{waits_.of(place, event).seconds});
    return {begin, end, std::min(wait, end - begin)};
  }

  [[nodiscard]] std::int64_t slot_length() const { return levels_.unit * levels_.slot_units; }
  [[nodiscard]] std::int64_t slot_at(std::int64_t time) const {
    return std::clamp<std::int64_t>(time / slot_length(), 0,
                                    static_cast<std::int64_t>(levels_.slots) - 1);
  }

  void add_slots(NumberRow& row, std::size_t place) {
    using Times = std::array<std::int64_t, doings_in_mpi>;
    std::vector<Times> slots(levels_.slots);
    Times sums{};
    const auto add = [&](Doing doing, std::int64_t begin, std::int64_t end) {
      const std::size_t which = static_cast<std::size_t>(doing) - 1;
      sums[which] += end - begin;
      while (begin < end) {
        const auto slot = static_cast<std::size_t>(slot_at(begin));
        const bool is_last = slot + 1 == levels_.slots;
        const std::int64_t next = (static_cast<std::int64_t>(slot) + 1) * slot_length();
        const std::int64_t until = is_last ? end : std::min(end, next);
        slots[slot][which] += until - begin;
        begin = until;
      }
    };
    const EventList& events = trace_.ranks[place].events;
    for (std::size_t i = 0; i < events.size(); ++i) {
      const TimedCall call = timed(place, i);
      add(Doing::waiting, call.begin, call.begin + call.wait);
      add(doing_of(events[i].function), call.begin + call.wait, call.end);
    }
    row_.put(begin_of_rank(place)).put(life_of(place));
    for (const std::int64_t sum : sums) row_.put(sum);
    Times before{};  // [ns]
    for (const Times& slot : slots) add_slot(row, slot, before);
  }

  void add_slot(NumberRow& row, const std::array<std::int64_t, doings_in_mpi>& slot,
                std::array<std::int64_t, doings_in_mpi>& before) const {
    const auto units = [&](std::int64_t time) { return (time + levels_.unit / 2) / levels_.unit; };
    std::array<std::int64_t, doings_in_mpi> values{};
    std::uint64_t mask = 0;
    for (std::size_t i = 0; i < doings_in_mpi; ++i) {
      values[i] = units(before[i] + slot[i]) - units(before[i]);
      before[i] += slot[i];
      if (values[i] > 0) mask |= std::uint64_t{1} << i;
    }
    row.put(mask);
    for (const std::int64_t value : values) {
      if (value > 0) row.put(value);
    }
  }

  void add_message_counts(NumberRow& row) const {
    std::vector<std::int64_t> counts(levels_.slots);
    for (const MatchedMessage& message : run_.matching().messages) {
      const std::int64_t sent = timed(message.send.rank, message.send.event).begin;
      ++counts[static_cast<std::size_t>(slot_at(sent))];
    }
    for (const std::int64_t count : counts) row.put(count);
  }

  /// Calls of a rank that begin before the end of a window and end behind its begin.
  [[nodiscard]] Events events_in(std::size_t place, const CallWindow& window) const {
    const EventList& events = trace_.ranks[place].events;
    const auto places = std::views::iota(std::size_t{0}, events.size());
    const auto first = std::ranges::partition_point(
        places, [&](std::size_t i) { return timed(place, i).end <= window.begin; });
    const auto last = std::ranges::partition_point(
        places, [&](std::size_t i) { return timed(place, i).begin < window.end; });
    const auto begin = static_cast<std::size_t>(first - places.begin());
    return {begin, std::max(begin, static_cast<std::size_t>(last - places.begin()))};
  }

  [[nodiscard]] std::size_t calls_in(const CallWindow& window) const {
    std::size_t calls = 0;
    for (std::size_t place = 0; place < trace_.ranks.size(); ++place) {
      const Events events = events_in(place, window);
      calls += events.second - events.first;
    }
    return calls;
  }

  static CallWindow window_of(const Iteration& one) {
    return {rounded_ns(one.begin_seconds), rounded_ns(one.end_seconds)};
  }

  /// Windows that people want to see, those of most interest first.
  [[nodiscard]] std::vector<CallWindow> candidates(const Iterations& iterations) const {
    constexpr std::size_t most = 32;
    std::vector<CallWindow> found;
    const std::size_t count = iterations.count();
    const auto add = [&](std::size_t number) {
      found.push_back(window_of(iterations.all[number]));
    };
    if (count > 0) {
      for (const std::size_t number : {iterations.slowest, iterations.typical}) add(number);
      for (const std::size_t number : {iterations.slowest, iterations.typical}) {
        if (number + 1 < count) add(number + 1);
        if (number > 0) add(number - 1);
      }
      for (std::size_t i = 0; i < most; ++i) add(i * (count - 1) / (most - 1));
      return found;
    }
    constexpr std::int64_t calls_of_rank = 30;
    const auto ranks = static_cast<std::int64_t>(trace_.ranks.size());
    const std::int64_t parts = std::max<std::int64_t>(most, levels_.calls / ranks / calls_of_rank);
    for (std::size_t i = 0; i < most; ++i) {
      const auto begin = static_cast<std::int64_t>(i) * levels_.nanoseconds / std::int64_t{most};
      found.push_back({begin, begin + levels_.nanoseconds / parts});
    }
    return found;
  }

  void choose_windows(const Iterations& iterations, std::size_t bytes) {
    constexpr std::size_t bytes_of_call = 11;  // with its part of the messages
    std::size_t left = bytes / bytes_of_call;
    if (static_cast<std::size_t>(levels_.calls) <= left) {
      levels_.windows = {{0, levels_.nanoseconds + 1}};
      return;
    }
    std::vector<CallWindow> chosen;
    for (const CallWindow& window : candidates(iterations)) {
      const std::size_t calls = calls_in(window);
      if (calls > left) continue;
      left -= calls;
      chosen.push_back(window);
    }
    std::ranges::sort(chosen, {}, &CallWindow::begin);
    for (const CallWindow& window : chosen) {
      const bool overlaps = !levels_.windows.empty() && window.begin <= levels_.windows.back().end;
      if (!overlaps) levels_.windows.push_back(window);
      levels_.windows.back().end = std::max(levels_.windows.back().end, window.end);
    }
  }

  void add_calls(NumberRow& row, const CallWindow& window) {
    for (std::size_t place = 0; place < trace_.ranks.size(); ++place) {
      const auto [first, last] = events_in(place, window);
      row.put(first).put(last - first);
      std::int64_t now = window.begin;
      for (std::size_t i = first; i < last; ++i) {
        const TimedCall call = timed(place, i);
        row.put_signed(call.begin - now).put(call.end - call.begin);
        now = call.end;
        const std::uint64_t arguments = place_of(arguments_of(place, i));
        row.put(2 * arguments + (call.wait > 0 ? 1 : 0));
        if (call.wait <= 0) continue;
        const Call& cause = waits_.of(place, i).cause;
        row.put(call.wait).put_signed(std::int64_t{cause.rank} - static_cast<std::int64_t>(place));
        row.put_signed(std::int64_t{cause.event} - static_cast<std::int64_t>(i));
      }
    }
  }

  [[nodiscard]] CallArguments arguments_of(std::size_t place, std::size_t event) const {
    const RankTrace& rank = trace_.ranks[place];
    const EventView view = rank.events[event];
    const std::uint32_t site = view.site == profile::no_index ? 0 : view.site + 1;
    return {view.function,
            site,
            peer_number(view.sent.rank, rank.rank),
            peer_number(view.received.rank, rank.rank),
            std::max<std::int64_t>(view.sent.bytes, -1) + 1,
            std::max<std::int64_t>(view.received.bytes, -1) + 1};
  }

  std::uint64_t place_of(const CallArguments& arguments) {
    return places_.try_emplace(arguments, places_.size()).first->second;
  }

  void add_arguments() {
    std::vector<CallArguments> all(places_.size());
    for (const auto& [arguments, place] : places_) all[place] = arguments;
    std::map<Function, std::uint64_t> functions;
    row_.put(all.size());
    for (const auto& [function, site, to, from, sent, received] : all) {
      const auto [found, is_new] = functions.try_emplace(function, functions.size());
      if (is_new) {
        levels_.functions.push_back("MPI_" + std::string(profile::describe(function).name));
        levels_.doings.push_back(doing_of(function));
      }
      row_.put(found->second).put(std::uint64_t{site}).put(to).put(from).put(sent).put(received);
    }
  }

  void add_messages(NumberRow& row, const CallWindow& window) const {
    std::vector<Events> events;
    for (std::size_t i = 0; i < trace_.ranks.size(); ++i) events.push_back(events_in(i, window));
    const auto is_in = [&](const Call& call) {
      return call.event >= events[call.rank].first && call.event < events[call.rank].second;
    };
    NumberRow found;
    std::size_t count = 0;
    Call before;
    for (const MatchedMessage& message : run_.matching().messages) {  // in order of their sends
      if (!is_in(message.send) || !is_in(message.arrival)) continue;
      ++count;
      const Call& send = message.send;
      const auto place = [&](const Call& call) { return call.event - events[call.rank].first; };
      const bool is_same = count > 1 && send.rank == before.rank;
      found.put(std::uint64_t{send.rank} - (count > 1 ? before.rank : 0));
      found.put(place(send) - (is_same ? place(before) : 0));
      found.put_signed(std::int64_t{message.arrival.rank} - std::int64_t{send.rank});
      found.put(place(message.arrival));
      before = send;
    }
    row.put(count).append(found.take());
  }

  const TraceAnalysis& run_;
  const Trace& trace_;
  std::vector<double> begins_;
  WaitsByClock waits_;
  EventLevels levels_;
  NumberRow row_;
  std::map<CallArguments, std::uint64_t> places_;
};

}  // namespace

EventLevels event_levels(const TraceAnalysis& run, const Iterations& iterations,
                         const LevelLimits& limits) {
  return LevelWriter(run, limits).write(iterations, limits);
}

}  // namespace hockney::applications
