#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "components/application/analysis/trace.hpp"

// Clocks of different rates, from the order of calls alone: a message arrives after it was sent,
// and no rank leaves a synchronising collective before all have entered. Each gives a point above
// or below the line that maps the times of one clock to those of another (Duda, Harrus, Haddad,
// Bernard 1987).
namespace hockney::applications {
namespace {

/// Whether a collective holds every rank until all have entered.
bool holds_all(const Trace& trace, const MatchedCollective& collective) {
  return std::ranges::all_of(collective.calls, [&](const Call& call) {
    return synchronises(trace.ranks[call.rank].events[call.event]);
  });
}

/// The last begin and the first end on each host.
std::map<std::string, std::pair<double, double>> times_by_host(
    const Trace& trace, const MatchedCollective& collective) {
  std::map<std::string, std::pair<double, double>> by_host;
  for (const Call& call : collective.calls) {
    const double in = begin_of_call(trace, call);
    const double out = end_of_call(trace, call);
    auto& times = by_host.try_emplace(trace.ranks[call.rank].host, in, out).first->second;
    times = {std::max(times.first, in), std::min(times.second, out)};
  }
  return by_host;
}

/// Whether any message or collective contradicts clocks that differ by a constant for each host.
bool contradicts(const Trace& trace, const Matching& matching) {
  std::map<std::pair<std::string, std::string>, double> leads;
  bool is_within_host = false;
  const auto add = [&](const std::string& ahead, const std::string& behind, double seconds) {
    if (ahead == behind) {
      is_within_host = is_within_host || seconds > clock_tolerance;
      return;
    }
    const auto [found, is_new] = leads.try_emplace({ahead, behind}, seconds);
    found->second = std::max(found->second, seconds);
  };
  for (const MatchedMessage& message : matching.messages) {
    add(trace.ranks[message.send.rank].host, trace.ranks[message.arrival.rank].host,
        begin_of_call(trace, message.send) - end_of_call(trace, message.arrival));
  }
  for (const MatchedCollective& collective : matching.collectives) {
    if (!holds_all(trace, collective)) continue;
    const auto by_host = times_by_host(trace, collective);
    for (const auto& [host, times] : by_host) {
      for (const auto& [other, others] : by_host) add(host, other, times.first - others.second);
    }
  }
  return is_within_host || std::ranges::any_of(leads, [&](const auto& lead) {
           const auto back = leads.find({lead.first.second, lead.first.first});
           return back != leads.end() && lead.second + back->second > clock_tolerance;
         });
}

/// A line from the times of a rank since its begin to those of the first rank's clock.
struct ClockLine {
  double offset = 0;
  double slope = 0;  ///< change of the rate
};

/// Points that the line of a rank passes above or below: the tightest in each part of the run.
class LineBounds {
 public:
  explicit LineBounds(double seconds) : seconds_(std::max(seconds, 1e-9)) {}

  void is_above(double own, double other) { raise(low_, own, other - own, std::greater<>()); }
  void is_below(double own, double other) { raise(high_, own, other - own, std::less<>()); }

  /// A line between the points: with slope 0 if there is one, else with the slope in the middle of
  /// those possible. nullopt if no line passes between the points, or if they bound none.
  [[nodiscard]] std::optional<ClockLine> line(double steepest) const {
    if (!std::isfinite(gap(0))) return std::nullopt;
    if (gap(0) >= 0) return with_slope(0);
    const double widest = widest_slope(steepest);
    if (gap(widest) < -clock_tolerance) return std::nullopt;
    if (gap(widest) <= 0) return with_slope(widest);
    const double near = last_possible(widest, 0);
    const double end = widest > 0 ? steepest : -steepest;
    // Few points leave any slope possible: then the least is the likeliest.
    if (gap(end) >= 0) return with_slope(near);
    return with_slope((near + last_possible(widest, end)) / 2);
  }

 private:
  struct Point {
    double own = 0;
    double offset = 0;
  };
  static constexpr std::size_t parts = 64;
  using Points = std::array<std::optional<Point>, parts>;

  template <class IsTighter>
  void raise(Points& points, double own, double offset, IsTighter is_tighter) const {
    const double part = std::clamp(own / seconds_, 0.0, 1.0) * (parts - 1);
    auto& point = points[static_cast<std::size_t>(part)];
    if (!point || is_tighter(offset, point->offset)) point = Point{own, offset};
  }

  static constexpr int halvings = 100;

  [[nodiscard]] ClockLine with_slope(double slope) const {
    return {lowest(slope) + gap(slope) / 2, slope};
  }

  /// The slope with the widest gap, which is concave in it.
  [[nodiscard]] double widest_slope(double steepest) const {
    double from = -steepest;
    double to = steepest;
    for (int i = 0; i < 2 * halvings; ++i) {
      const double near = from + (to - from) / 3;
      const double far = to - (to - from) / 3;
      if (gap(near) < gap(far)) {
        from = near;
      } else {
        to = far;
      }
    }
    return (from + to) / 2;
  }

  /// The last slope with a gap on the way from one with a gap to one without.
  [[nodiscard]] double last_possible(double with, double without) const {
    for (int i = 0; i < halvings; ++i) {
      const double middle = (with + without) / 2;
      if (gap(middle) >= 0) {
        with = middle;
      } else {
        without = middle;
      }
    }
    return with;
  }

  /// Least offset of a line with this slope above all lower points.
  [[nodiscard]] double lowest(double slope) const {
    double offset = -std::numeric_limits<double>::infinity();
    for (const auto& point : low_) {
      if (point) offset = std::max(offset, point->offset - slope * point->own);
    }
    return offset;
  }
  [[nodiscard]] double gap(double slope) const {
    double offset = std::numeric_limits<double>::infinity();
    for (const auto& point : high_) {
      if (point) offset = std::min(offset, point->offset - slope * point->own);
    }
    return offset - lowest(slope);
  }

  double seconds_;
  Points low_;
  Points high_;
};

/// Corrects the ranks one after the other, each by those that are corrected already.
class ClockCorrection {
 public:
  ClockCorrection(Trace& trace, const Matching& matching)
      : trace_(trace), matching_(matching), is_done_(trace.ranks.size(), false) {
    for (RankTrace& rank : trace_.ranks) {
      rank.own_clock = fmt::format("{} rank {}", rank.host, rank.rank);
    }
    is_done_.front() = true;
  }

  /// `steepest`: most that a rate may change.
  double run(double steepest) {
    while (correct_neighbours(steepest)) {
    }
    return most_;
  }

 private:
  /// Corrects the ranks that are bounded by corrected ones. False if there are no more.
  bool correct_neighbours(double steepest) {
    bounds_.clear();
    for (const RankTrace& rank : trace_.ranks) bounds_.emplace_back(rank.seconds);
    for (const MatchedMessage& message : matching_.messages) add(message);
    for (const MatchedCollective& collective : matching_.collectives) add(collective);
    bool is_changed = false;
    for (std::size_t rank = 0; rank < bounds_.size(); ++rank) {
      if (is_done_[rank]) continue;
      const auto line = bounds_[rank].line(steepest);
      if (!line) continue;
      correct(trace_.ranks[rank], *line);
      is_done_[rank] = true;
      is_changed = true;
    }
    return is_changed;
  }

  void correct(RankTrace& rank, const ClockLine& line) {
    rank.begin_seconds = line.offset;
    rank.seconds *= 1 + line.slope;
    rank.seconds_per_tick *= 1 + line.slope;
    most_ = std::max(most_, std::abs(line.slope));
  }

  [[nodiscard]] double own_begin(const Call& call) const {
    const RankTrace& rank = trace_.ranks[call.rank];
    return rank.begin_of(rank.events[call.event]);
  }
  [[nodiscard]] double own_end(const Call& call) const {
    const RankTrace& rank = trace_.ranks[call.rank];
    return rank.end_of(rank.events[call.event]);
  }

  void add(const MatchedMessage& message) {
    const std::size_t from = message.send.rank;
    const std::size_t to = message.arrival.rank;
    if (is_done_[from] == is_done_[to]) return;
    if (is_done_[from]) {
      bounds_[to].is_above(own_end(message.arrival), begin_of_call(trace_, message.send));
    } else {
      bounds_[from].is_below(own_begin(message.send), end_of_call(trace_, message.arrival));
    }
  }

  void add(const MatchedCollective& collective) {
    if (!holds_all(trace_, collective)) return;
    double last_begin = -std::numeric_limits<double>::infinity();
    double first_end = std::numeric_limits<double>::infinity();
    for (const Call& call : collective.calls) {
      if (!is_done_[call.rank]) continue;
      last_begin = std::max(last_begin, begin_of_call(trace_, call));
      first_end = std::min(first_end, end_of_call(trace_, call));
    }
    if (!std::isfinite(last_begin)) return;
    for (const Call& call : collective.calls) {
      if (is_done_[call.rank]) continue;
      bounds_[call.rank].is_above(own_end(call), last_begin);
      bounds_[call.rank].is_below(own_begin(call), first_end);
    }
  }

  Trace& trace_;
  const Matching& matching_;
  std::vector<bool> is_done_;
  std::vector<LineBounds> bounds_;
  double most_ = 0;
};

}  // namespace

double correct_clock_rates(Trace& trace, const Matching& matching) {
  if (trace.ranks.size() < 2 || !contradicts(trace, matching)) return 0;
  // The second pass finds the tightest points of each part of the run more exactly.
  constexpr std::array steepest{0.1, 0.01};
  double most = 0;
  for (const double limit : steepest) {
    most = std::max(most, ClockCorrection(trace, matching).run(limit));
  }
  return most;
}

}  // namespace hockney::applications
