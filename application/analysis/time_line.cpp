#include "application/analysis/time_line.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace hockney::applications {
namespace {

using profile::Event;
using profile::Function;
using profile::Kind;

/// Begin and end of the run [s].
struct Span {
  double begin = 0;
  double end = 0;
};

Span span_of(const Trace& trace, const std::vector<double>& begins) {
  Span span{begins.front(), begins.front()};
  for (std::size_t place = 0; place < begins.size(); ++place) {
    span.begin = std::min(span.begin, begins[place]);
    span.end = std::max(span.end, begins[place] + trace.ranks[place].seconds);
  }
  return span;
}

/// Time in bins of equal length.
class Bins {
 public:
  Bins(Span span, std::size_t count)
      : begin_(span.begin),
        length_((span.end - span.begin) / static_cast<double>(count)),
        seconds_(count) {}

  void add(double begin, double end, double weight) {
    if (!(length_ > 0) || !(end > begin)) return;
    const auto place = [&](double time) {
      const double last = static_cast<double>(seconds_.size()) - 1;
      return static_cast<std::size_t>(std::clamp(std::floor((time - begin_) / length_), 0.0, last));
    };
    const std::size_t last = place(end);
    for (std::size_t bin = place(begin); bin <= last; ++bin) {
      const double from = begin_ + static_cast<double>(bin) * length_;
      seconds_[bin] +=
          weight * std::max(0.0, std::min(end, from + length_) - std::max(begin, from));
    }
  }
  void add(const Bins& other) {
    for (std::size_t i = 0; i < seconds_.size(); ++i) seconds_[i] += other.seconds_[i];
  }

  [[nodiscard]] double length() const { return length_; }
  [[nodiscard]] double sum() const {
    return std::accumulate(seconds_.begin(), seconds_.end(), 0.0);
  }
  [[nodiscard]] std::vector<double> ranks() const {
    std::vector<double> ranks = seconds_;
    for (double& one : ranks) one = length_ > 0 ? one / length_ : 0;
    return ranks;
  }

 private:
  double begin_;
  double length_;
  std::vector<double> seconds_;
};

/// Calls `add(function, begin, end)` for what a rank does one after the other; Function::count is
/// computing. Times since its MPI_Init.
template <class Add>
void for_each_activity(const RankTrace& rank, std::size_t first, double until, Add&& add) {
  double now = first == 0 ? 0 : rank.end_of(rank.events[first - 1]);
  for (std::size_t i = first; i < rank.events.size() && now < until; ++i) {
    const Event& event = rank.events[i];
    add(Function::count, i, now, rank.begin_of(event));
    add(event.function, i, rank.begin_of(event), rank.end_of(event));
    now = rank.end_of(event);
  }
  if (now < until) add(Function::count, rank.events.size(), now, rank.seconds);
}

/// Parts of a rank's computing, and of its time in MPI, without a CPU.
struct LostParts {
  double computing = 0;
  double mpi = 0;
};

LostParts lost_parts(const RankTrace& rank, const NotScheduled& lost) {
  double mpi = 0;
  for (const Event& event : rank.events) mpi += rank.end_of(event) - rank.begin_of(event);
  const double computing = rank.seconds - mpi;
  const auto part = [](double seconds, double whole) {
    return whole > 0 ? std::clamp(seconds / whole, 0.0, 1.0) : 0;
  };
  return {part(lost.computing_seconds, computing), part(lost.mpi_seconds, mpi)};
}

}  // namespace

ActivityLine activity_line(const TraceAnalysis& run, std::span<const NotScheduled> lost,
                           std::size_t bins, std::size_t most_functions) {
  const Trace& trace = run.trace();
  const std::vector<double> begins = rank_begins(run);
  const Span span = span_of(trace, begins);
  const Bins none(span, bins);
  std::map<Function, Bins> by_function{{Function::count, none}};
  Bins not_scheduled = none;
  for (std::size_t place = 0; place < trace.ranks.size(); ++place) {
    const RankTrace& rank = trace.ranks[place];
    const LostParts parts = lost.empty() ? LostParts{} : lost_parts(rank, lost[place]);
    const auto add = [&](Function function, std::size_t, double begin, double end) {
      const double part = function == Function::count ? parts.computing : parts.mpi;
      const double from = begins[place] + begin;
      const double to = begins[place] + end;
      by_function.try_emplace(function, none).first->second.add(from, to, 1 - part);
      if (part > 0) not_scheduled.add(from, to, part);
    };
    for_each_activity(rank, 0, rank.seconds, add);
  }
  ActivityLine line{.begin_seconds = span.begin, .bin_seconds = none.length(), .activities = {}};
  line.activities.push_back({"computing", by_function.at(Function::count).ranks()});
  by_function.erase(Function::count);
  std::vector<std::pair<Function, Bins>> functions(by_function.begin(), by_function.end());
  std::ranges::stable_sort(functions, std::greater<>(),
                           [](const auto& one) { return one.second.sum(); });
  Bins others = none;
  for (std::size_t i = 0; i < functions.size(); ++i) {
    const auto& [function, time] = functions[i];
    if (i < most_functions) {
      line.activities.push_back(
          {"MPI_" + std::string(profile::describe(function).name), time.ranks()});
    } else {
      others.add(time);
    }
  }
  if (others.sum() > 0) line.activities.push_back({"other MPI", others.ranks()});
  if (not_scheduled.sum() > 0) line.activities.push_back({"not scheduled", not_scheduled.ranks()});
  return line;
}

namespace {

/// Whether a call belongs to messages, collectives or the rest.
Doing doing_of(const Event& event) {
  switch (profile::describe(event.function).kind) {
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

/// The rows: all ranks, or some at even distances and those of `named`.
std::vector<std::size_t> rows_of(const Trace& trace, std::size_t most,
                                 const std::optional<int>& named) {
  const std::size_t all = trace.ranks.size();
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < std::min(all, most); ++i) {
    rows.push_back(all <= most ? i : i * all / most);
  }
  const auto found =
      named ? std::ranges::find(trace.ranks, *named, &RankTrace::rank) : trace.ranks.end();
  if (found == trace.ranks.end()) return rows;
  const auto place = static_cast<std::size_t>(found - trace.ranks.begin());
  const auto next = std::ranges::lower_bound(rows, place);
  if (next != rows.end() && *next == place) return rows;
  *(next == rows.end() ? next - 1 : next) = place;  // in the place of its neighbour
  return rows;
}

/// Begins and lengths of the windows.
class WindowChoice {
 public:
  WindowChoice(Span span, std::size_t calls_of_rank, const Iterations& iterations,
               std::size_t most) {
    line_.windows.push_back({.begin_seconds = span.begin, .seconds = span.end - span.begin});
    if (iterations.count() > 0) {
      choose_iterations(iterations, most - 1);
    } else {
      choose_parts(span, calls_of_rank, most - 1);
    }
  }
  EventLine take() { return std::move(line_); }

 private:
  void choose_iterations(const Iterations& iterations, std::size_t most) {
    const std::size_t count = iterations.count();
    std::vector<std::size_t> chosen{iterations.typical, iterations.slowest};
    const std::size_t others = std::min(count, most - 2);
    for (std::size_t i = 0; i < others; ++i) {
      chosen.push_back(others > 1 ? i * (count - 1) / (others - 1) : 0);
    }
    std::ranges::sort(chosen);
    const auto repeated = std::ranges::unique(chosen);
    chosen.erase(repeated.begin(), repeated.end());
    for (const std::size_t number : chosen) {
      if (number == iterations.typical) line_.opening = line_.windows.size();
      if (number == iterations.slowest) line_.slowest = line_.windows.size();
      const Iteration& one = iterations.all[number];
      line_.windows.push_back({.iteration = number,
                               .begin_seconds = one.begin_seconds,
                               .seconds = one.end_seconds - one.begin_seconds});
    }
  }

  /// Parts in which a rank makes some tens of calls.
  void choose_parts(Span span, std::size_t calls_of_rank, std::size_t most) {
    constexpr double calls = 30;
    const double whole = span.end - span.begin;
    const auto number = static_cast<double>(most);
    const double parts = std::max(number, static_cast<double>(calls_of_rank) / calls);
    for (std::size_t i = 0; i < most; ++i) {
      const double begin = static_cast<double>(i) / number * whole;
      line_.windows.push_back({.begin_seconds = span.begin + begin, .seconds = whole / parts});
    }
    line_.opening = 1 + most / 2;
  }

  EventLine line_;
};

/// Bars of what takes most of each slot of a window. Equal slots in a row make one bar.
class Slots {
 public:
  Slots(double window_seconds, std::size_t count)
      : length_(window_seconds / static_cast<double>(count)), count_(count) {}

  /// In order: by row, then by time.
  void add(const LineBar& bar) {
    if (bar.row != row_) {
      close();
      row_ = bar.row;
      slot_ = 0;
    }
    for (double begin = bar.begin_seconds; begin < bar.end_seconds;) {
      const double end_of_slot = static_cast<double>(slot_ + 1) * length_;
      const bool is_last = slot_ + 1 >= count_;
      if (begin >= end_of_slot && !is_last) {
        close();
        ++slot_;
        continue;
      }
      const double end = is_last ? bar.end_seconds : std::min(bar.end_seconds, end_of_slot);
      seconds_[{bar.doing, bar.function}] += end - begin;
      begin = end;
    }
  }

  std::vector<LineBar> take() {
    close();
    return std::move(bars_);
  }

 private:
  void close() {
    if (seconds_.empty()) return;
    const auto [doing, function] =
        std::ranges::max_element(seconds_, {}, [](const auto& one) { return one.second; })->first;
    seconds_.clear();
    const double begin = static_cast<double>(slot_) * length_;
    if (!bars_.empty()) {
      LineBar& last = bars_.back();
      const bool is_next = last.row == row_ && last.end_seconds > begin - length_ / 2;
      if (is_next && last.doing == doing && last.function == function) {
        last.end_seconds = begin + length_;
        return;
      }
    }
    bars_.push_back({row_, doing, function, begin, begin + length_});
  }

  double length_;
  std::size_t count_;
  std::size_t row_ = 0;
  std::size_t slot_ = 0;
  std::map<std::pair<Doing, Function>, double> seconds_;  ///< in the slot
  std::vector<LineBar> bars_;
};

/// Fills the windows with bars and messages.
class Drawing {
 public:
  Drawing(const TraceAnalysis& run, EventLine& line, std::vector<std::size_t> rows,
          const LineLimits& limits)
      : run_(run),
        trace_(run.trace()),
        begins_(rank_begins(run)),
        line_(line),
        rows_(std::move(rows)),
        limits_(limits),
        row_of_rank_(trace_.ranks.size(), no_row) {
    for (std::size_t row = 0; row < rows_.size(); ++row) row_of_rank_[rows_[row]] = row;
    waits_.resize(trace_.ranks.size());
  }

  void draw() {
    find_waits();
    for (LineWindow& window : line_.windows) draw_bars(window);
    for (const MatchedMessage& message : run_.matching().messages) add_message(message);
    for (LineWindow& window : line_.windows) thin_out(window);
  }

 private:
  static constexpr std::size_t no_row = static_cast<std::size_t>(-1);

  [[nodiscard]] double entered(const Call& call) const {
    const RankTrace& rank = trace_.ranks[call.rank];
    return begins_[call.rank] + rank.begin_of(rank.events[call.event]);
  }
  [[nodiscard]] double left(const Call& call) const {
    const RankTrace& rank = trace_.ranks[call.rank];
    return begins_[call.rank] + rank.end_of(rank.events[call.event]);
  }

  /// A call waits until this time, if that is behind its begin.
  void waits_until(const Call& call, double time) {
    if (row_of_rank_[call.rank] == no_row) return;
    const double seconds = std::min(time, left(call)) - entered(call);
    if (!(seconds > 0)) return;
    std::vector<float>& waits = waits_[call.rank];
    if (waits.empty()) waits.resize(trace_.ranks[call.rank].events.size());
    waits[call.event] = std::max(waits[call.event], static_cast<float>(seconds));
  }

  /// Waits by the clocks: for a late sender or receiver, and for the last rank of a collective.
  void find_waits() {
    for (const MatchedMessage& message : run_.matching().messages) {
      waits_until(message.arrival, entered(message.send));
      // A sender that left before the receive was posted did not wait for it.
      if (left(message.departure) > entered(message.post)) {
        waits_until(message.departure, entered(message.post));
      }
    }
    for (const MatchedCollective& collective : run_.matching().collectives) {
      find_waits(collective);
    }
  }

  void find_waits(const MatchedCollective& collective) {
    const Waits waits = waits_of(trace_, collective);
    const auto event_of = [&](const Call& call) -> const Event& {
      return trace_.ranks[call.rank].events[call.event];
    };
    double last = 0;
    std::optional<double> root;
    for (const Call& call : collective.calls) {
      if (event_of(call).request != 0) return;  // nonblocking: its completion waits
      last = std::max(last, entered(call));
      if (event_of(call).root == trace_.ranks[call.rank].rank) root = entered(call);
    }
    for (const Call& call : collective.calls) {
      const bool is_root = event_of(call).root == trace_.ranks[call.rank].rank;
      if (waits == Waits::for_all || (waits == Waits::root_for_all && is_root)) {
        waits_until(call, last);
      } else if (waits == Waits::for_root && root) {
        waits_until(call, *root);
      }
    }
  }

  void draw_bars(LineWindow& window) {
    constexpr std::size_t most_exact = 100'000;  // of the whole run there may be millions
    constexpr std::size_t finest = 512;
    std::vector<LineBar> bars;
    Slots slots(window.seconds, finest);
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      add_bars(window, row, [&](const LineBar& bar) {
        if (bars.size() <= most_exact) bars.push_back(bar);
        slots.add(bar);
      });
    }
    if (bars.size() > most_exact) bars = slots.take();
    window.bars = bars;
    for (std::size_t count = finest; window.bars.size() > limits_.bars && count > 0; count /= 2) {
      Slots fewer(window.seconds, count);
      for (const LineBar& bar : bars) fewer.add(bar);
      window.bars = fewer.take();
      window.slot_seconds = window.seconds / static_cast<double>(count);
    }
  }

  /// Calls `add` for each bar of a row in a window, in order.
  template <class Add>
  void add_bars(const LineWindow& window, std::size_t row, Add&& add) const {
    const std::size_t place = rows_[row];
    const RankTrace& rank = trace_.ranks[place];
    const double offset = begins_[place] - window.begin_seconds;
    const auto first = std::ranges::partition_point(
        rank.events, [&](const Event& event) { return rank.end_of(event) + offset <= 0; });
    const auto put = [&](Doing doing, Function function, double begin, double end) {
      const LineBar bar{row, doing, function, std::clamp(begin + offset, 0.0, window.seconds),
                        std::clamp(end + offset, 0.0, window.seconds)};
      if (bar.end_seconds > bar.begin_seconds) add(bar);
    };
    for_each_activity(
        rank, static_cast<std::size_t>(first - rank.events.begin()), window.seconds - offset,
        [&](Function function, std::size_t event, double begin, double end) {
          if (function == Function::count) return put(Doing::computing, function, begin, end);
          const double waits = waits_[place].empty() ? 0 : double{waits_[place][event]};
          if (waits > 0) put(Doing::waiting, function, begin, begin + waits);
          put(doing_of(rank.events[event]), function, begin + waits, end);
        });
  }

  /// Adds a message to the windows in which it is under way.
  void add_message(const MatchedMessage& message) {
    const std::size_t from = row_of_rank_[message.send.rank];
    const std::size_t to = row_of_rank_[message.arrival.rank];
    if (from == no_row || to == no_row || from == to) return;
    const double sent = entered(message.send);
    const double received = left(message.arrival);
    const auto put = [&](LineWindow& window) {
      if (sent < window.begin_seconds || received > window.begin_seconds + window.seconds) return;
      if (++window.messages_left_out > 4 * limits_.messages) return;  // too many to show any
      window.messages.push_back(
          {from, to, sent - window.begin_seconds, received - window.begin_seconds, message.bytes});
    };
    // Windows behind the first are in order, and neighbours may overlap.
    auto window = std::partition_point(
        line_.windows.begin() + 1, line_.windows.end(),
        [&](const LineWindow& one) { return one.begin_seconds + one.seconds < received; });
    for (; window != line_.windows.end() && window->begin_seconds <= sent; ++window) put(*window);
    put(line_.windows.front());
  }

  /// A window with too many messages shows none: some of them would mislead.
  void thin_out(LineWindow& window) const {
    if (window.messages_left_out > limits_.messages) {
      window.messages.clear();
    } else {
      window.messages_left_out = 0;
    }
  }

  const TraceAnalysis& run_;
  const Trace& trace_;
  std::vector<double> begins_;
  EventLine& line_;
  std::vector<std::size_t> rows_;
  LineLimits limits_;
  std::vector<std::size_t> row_of_rank_;
  std::vector<std::vector<float>> waits_;  ///< of each event of the shown ranks [s]
};

}  // namespace

EventLine event_line(const TraceAnalysis& run, const Iterations& iterations,
                     const LineLimits& limits) {
  const Trace& trace = run.trace();
  const Span span = span_of(trace, rank_begins(run));
  std::size_t calls = 0;
  for (const RankTrace& rank : trace.ranks) calls = std::max(calls, rank.events.size());
  EventLine line = WindowChoice(span, calls, iterations, limits.windows).take();
  const bool has_culprit = iterations.why_slowest.cause != SlowIteration::Cause::not_known;
  const std::vector<std::size_t> rows = rows_of(
      trace, limits.rows, has_culprit ? std::optional(iterations.why_slowest.rank) : std::nullopt);
  for (const std::size_t row : rows) line.ranks.push_back(trace.ranks[row].rank);
  Drawing(run, line, rows, limits).draw();
  return line;
}

}  // namespace hockney::applications
