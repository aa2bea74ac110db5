#include "components/application/analysis/time_line.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace hockney::applications {
namespace {

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
void for_each_activity(const RankTrace& rank, Add&& add) {
  double now = 0;
  for (const EventView event : rank.events.views()) {
    if (now >= rank.seconds) break;
    add(Function::count, now, rank.begin_of(event));
    add(event.function, rank.begin_of(event), rank.end_of(event));
    now = rank.end_of(event);
  }
  if (now < rank.seconds) add(Function::count, now, rank.seconds);
}

/// Parts of a rank's computing, and of its time in MPI, without a CPU.
struct LostParts {
  double computing = 0;
  double mpi = 0;
};

LostParts lost_parts(const RankTrace& rank, const NotScheduled& lost) {
  double mpi = 0;
  for (const EventView event : rank.events.views())
    mpi += rank.end_of(event) - rank.begin_of(event);
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
    const auto add = [&](Function function, double begin, double end) {
      const double part = function == Function::count ? parts.computing : parts.mpi;
      const double from = begins[place] + begin;
      const double to = begins[place] + end;
      by_function.try_emplace(function, none).first->second.add(from, to, 1 - part);
      if (part > 0) not_scheduled.add(from, to, part);
    };
    for_each_activity(rank, add);
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

}  // namespace hockney::applications
