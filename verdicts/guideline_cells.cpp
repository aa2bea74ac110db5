#include "verdicts/guideline_cells.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/error.hpp"
#include "core/node_records.hpp"
#include "core/point.hpp"
#include "core/record.hpp"
#include "core/samples.hpp"
#include "core/suite_names.hpp"
#include "core/text.hpp"

namespace hockney::verdicts {
namespace {

/// Clock resolution of a launch plus the possible offset between its ranks' clocks [s].
double clock_floor(const Record& record) {
  double apart = 0;
  if (record.sync) {
    apart = std::max(record.sync->bound_seconds, record.sync->end_error_seconds.value_or(0));
  }
  return record.clock.resolution_seconds + apart;
}

class TimeGathering {
 public:
  /// `of_suites`: gather the points timed as other suites time them; imported records have no
  /// others.
  explicit TimeGathering(bool of_suites) : of_suites_(of_suites) {}

  void add(const Record& record) {
    const LaunchGroup group = record.campaign
                                  ? LaunchGroup{record.campaign->name, record.campaign->setting}
                                  : LaunchGroup{};
    const int launch = record.campaign ? record.campaign->launch : unnumbered_++;
    for (const PlannedPoint& planned : record.points) {
      if (is_of_other_suite(planned.point) != of_suites_) continue;
      TimedPoint& timed = find(group, planned.point);
      if (timed.reason.empty()) timed.reason = planned.reason;
    }
    for (const Series& series : record.series) {
      if (is_of_other_suite(series.point) != of_suites_) continue;
      if (const auto seconds = launch_median(record, series)) {
        find(group, series.point).launches[launch] = {*seconds, clock_floor(record)};
      }
    }
  }

  [[nodiscard]] GuidelineTimes finish() {
    GuidelineTimes times;
    for (auto& [key, timed] : points_) times.points.push_back(std::move(timed));
    return times;
  }

 private:
  using Key = std::tuple<LaunchGroup, std::size_t, Bytes>;

  TimedPoint& find(const LaunchGroup& group, Point point) {
    point.path.reset();
    point.algorithm.reset();
    const auto curve = curves_.try_emplace(curve_name(point), curves_.size()).first->second;
    const auto [place, is_new] = points_.try_emplace(Key{group, curve, point.bytes});
    if (is_new) {
      place->second.place = group;
      place->second.point = std::move(point);
    }
    return place->second;
  }

  bool of_suites_ = false;
  int unnumbered_ = 0;
  std::map<std::string, std::size_t> curves_;
  std::map<Key, TimedPoint> points_;
};

/// Every planned point of the records that state guidelines, without the points timed as other
/// suites time them. Launches without a number are numbered in their order. Only complete launches
/// count.
GuidelineTimes guideline_times(std::span<const Record> records) {
  TimeGathering gathering(false);
  for (const Record& record : records) {
    const bool counts = record.status == LaunchStatus::complete && !record.guidelines.empty();
    if (counts) gathering.add(record);
  }
  return gathering.finish();
}

/// Every point of the imported records, numbered in the same way.
GuidelineTimes imported_times(std::span<const Record> records) {
  TimeGathering gathering(true);
  for (const Record& record : records) {
    if (record.status == LaunchStatus::complete && is_imported(record)) gathering.add(record);
  }
  return gathering.finish();
}

/// Size of a call in a sum, relative to the left side's size.
enum class PartSize { same, all_blocks, block, smallest };

struct SumPart {
  std::string_view operation;
  PartSize size = PartSize::same;
};

/// A right side that does the work of the left one (docs/explanation/verdicts-and-error-rates.md).
/// It is several calls, or calls of other sizes.
struct CallSum {
  std::string_view guideline;
  std::string_view left;
  std::string_view right;
  SumPart first;
  SumPart second{};
};

constexpr std::array<CallSum, 11> call_sums{
    {{"gather <= reduce", "gather", "reduce of all blocks", {"reduce", PartSize::all_blocks}},
     {"scatter <= bcast", "scatter", "bcast of all blocks", {"bcast", PartSize::all_blocks}},
     {"allgather <= allreduce",
      "allgather",
      "allreduce of all blocks",
      {"allreduce", PartSize::all_blocks}},
     {"allgather <= gather + bcast",
      "allgather",
      "gather + bcast",
      {"gather"},
      {"bcast", PartSize::all_blocks}},
     {"allreduce <= reduce + bcast", "allreduce", "reduce + bcast", {"reduce"}, {"bcast"}},
     {"allreduce <= reduce-scatter-block + allgather",
      "allreduce",
      "reduce-scatter-block + allgather",
      {"reduce-scatter-block", PartSize::block},
      {"allgather", PartSize::block}},
     {"allreduce <= reduce-scatter + allgather",
      "allreduce",
      "reduce-scatter + allgather",
      {"reduce-scatter"},
      {"allgather", PartSize::block}},
     {"bcast <= scatter + allgather",
      "bcast",
      "scatter + allgather",
      {"scatter", PartSize::block},
      {"allgather", PartSize::block}},
     {"reduce <= reduce-scatter + gather",
      "reduce",
      "reduce-scatter + gather",
      {"reduce-scatter"},
      {"gather", PartSize::block}},
     {"reduce-scatter-block <= reduce-scatter",
      "reduce-scatter-block",
      "reduce-scatter of all blocks",
      {"reduce-scatter", PartSize::all_blocks}},
     {"barrier <= allreduce of one element",
      "barrier",
      "allreduce of one element",
      {"allreduce", PartSize::smallest}}}};

/// Calls that do more than the left one at the same size.
constexpr std::array<std::pair<const char*, const char*>, 4> larger_calls{
    {{"gather", "allgather"},
     {"allgather", "alltoall"},
     {"reduce", "allreduce"},
     {"reduce-scatter", "allreduce"}}};

Guideline stated_between(const std::string& name, std::string_view left, std::string_view right) {
  Guideline made{.name = name, .left = {}, .right = {}};
  made.left.operation = left;
  made.right.operation = right;
  return made;
}

/// One element has up to this number of bytes.
constexpr std::int64_t element = 8;

bool has_size(const Point& part, const Point& left, PartSize size) {
  switch (size) {
    case PartSize::same:
      return part.bytes == left.bytes;
    case PartSize::all_blocks:
      return part.bytes.value == left.bytes.value * left.ranks;
    case PartSize::block:
      return left.bytes.value > 0 && part.bytes.value * left.ranks == left.bytes.value;
    case PartSize::smallest:
      return part.bytes.value > 0 && part.bytes.value <= element;
  }
  return false;
}

/// Whether the parameters are equal. Those of reductions count only if both calls have them.
bool have_like_parameters(const Point& a, const Point& b) {
  auto own = other_parameters(a, {});
  auto other = other_parameters(b, {});
  for (const char* key : {"datatype", "operator"}) {
    if (own.contains(key) == other.contains(key)) continue;
    own.erase(key);
    other.erase(key);
  }
  return own == other;
}

const TimedPoint* find_part(const std::vector<TimedPoint>& points, const TimedPoint& left,
                            const SumPart& part) {
  const TimedPoint* found = nullptr;
  for (const TimedPoint& timed : points) {
    const bool fits = timed.point.operation == part.operation && timed.place == left.place &&
                      timed.point.ranks == left.point.ranks && timed.point.hop == left.point.hop &&
                      timed.point.pair == left.point.pair &&
                      has_size(timed.point, left.point, part.size) &&
                      have_like_parameters(timed.point, left.point);
    if (fits && (found == nullptr || timed.point.bytes < found->point.bytes)) found = &timed;
  }
  return found;
}

std::optional<TimedPoint> timed_sum(const std::vector<TimedPoint>& points, const TimedPoint& left,
                                    const CallSum& sum) {
  const TimedPoint* first = find_part(points, left, sum.first);
  if (first == nullptr) return std::nullopt;
  TimedPoint made{
      .place = left.place, .point = left.point, .launches = first->launches, .reason = {}};
  made.point.operation = std::string(sum.right);
  if (sum.second.operation.empty()) return made;
  const TimedPoint* second = find_part(points, left, sum.second);
  if (second == nullptr) return std::nullopt;
  std::erase_if(made.launches,
                [&](const auto& launch) { return !second->launches.contains(launch.first); });
  for (auto& [launch, time] : made.launches) {
    const GuidelineTime& other = second->launches.at(launch);
    time.seconds += other.seconds;
    time.clock_seconds += other.clock_seconds;
  }
  return made;
}

/// The guidelines that apply to imported records. Other suites measure no mock-ups, so each right
/// side is another call or the sum of several calls' times.
std::vector<Guideline> imported_guidelines() {
  std::vector<Guideline> all = guidelines_between_calls();
  for (const auto& [left, right] : larger_calls) {
    all.push_back(stated_between(fmt::format("{} <= {}", left, right), left, right));
  }
  for (const CallSum& sum : call_sums) {
    all.push_back(stated_between(std::string(sum.guideline), sum.left, sum.right));
  }
  for (const char* operation : {"allgather", "allreduce", "alltoall", "bcast", "gather", "reduce",
                                "reduce-scatter", "reduce-scatter-block", "scatter", "barrier"}) {
    for (Guideline& guideline : unary_guidelines(operation, true)) {
      all.push_back(std::move(guideline));
    }
  }
  return all;
}

/// Adds right sides that are sums, such as "reduce + bcast", for every size at which all calls were
/// measured. A sum adds the times of one launch. Some calls need other sizes: a block of each rank,
/// or the blocks of all ranks. These sizes must have been measured.
void add_sums(GuidelineTimes& times) {
  std::vector<TimedPoint> sums;
  for (const TimedPoint& left : times.points) {
    for (const CallSum& sum : call_sums) {
      if (sum.left != left.point.operation) continue;
      if (auto made = timed_sum(times.points, left, sum)) sums.push_back(std::move(*made));
    }
  }
  std::ranges::move(sums, std::back_inserter(times.points));
}

std::map<std::string, Guideline> stated_guidelines(std::span<const Record> records) {
  std::map<std::string, Guideline> all;
  for (const Record& record : records) {
    for (const Guideline& guideline : record.guidelines) {
      const auto [known, is_new] = all.try_emplace(guideline.name, guideline);
      if (is_new || known->second == guideline) continue;
      throw InputError({fmt::format("two guidelines are called '{}'", guideline.name),
                        "launches of different versions of hockney state them",
                        "judge them one by one"});
    }
  }
  return all;
}

/// Guidelines, and the times of both their sides.
struct Judged {
  std::map<std::string, Guideline> guidelines;
  GuidelineTimes times;
};

/// Records of hockney-guidelines state their guidelines. Imported records state none; they are
/// judged by the guidelines whose sides other suites measure.
Judged judged_of(std::span<const Record> records) {
  Judged judged{.guidelines = stated_guidelines(records), .times = {}};
  const bool has_imported = std::ranges::any_of(records, is_imported);
  if (judged.guidelines.empty() && !has_imported) {
    throw InputError({fmt::format("no guideline is stated in {} records", records.size()),
                      "hockney-guidelines and imported results alone have both sides of guidelines",
                      "run configs/guidelines.json"});
  }
  if (!has_imported) {
    judged.times = guideline_times(records);
    return judged;
  }
  if (!judged.guidelines.empty()) {
    throw InputError({"imported records beside those of hockney-guidelines",
                      "both are held against guidelines, of different right sides",
                      "judge them one by one"});
  }
  judged.times = imported_times(records);
  add_sums(judged.times);
  const auto is_there = [&](const GuidelineSide& side) {
    return std::ranges::any_of(judged.times.points,
                               [&](const TimedPoint& timed) { return is_of(timed.point, side); });
  };
  for (Guideline& guideline : imported_guidelines()) {
    if (!is_there(guideline.left) || !is_there(guideline.right)) continue;
    judged.guidelines.emplace(guideline.name, std::move(guideline));
  }
  return judged;
}

/// The cells of one guideline, while they are collected.
class Collecting {
 public:
  Collecting(const Guideline& guideline, const GuidelineTimes& times, GuidelineCells& result)
      : guideline_(guideline), result_(result) {
    for (const TimedPoint& timed : times.points) {
      if (is_of(timed.point, guideline.left)) left_.push_back(&timed);
      if (is_of(timed.point, guideline.right)) right_.push_back(&timed);
    }
  }

  void collect() {
    for (const TimedPoint* left : left_) {
      switch (guideline_.map) {
        case SizeRelation::same:
          same(*left);
          break;
        case SizeRelation::next_size:
          next_size(*left);
          break;
        case SizeRelation::parts:
          parts(*left);
          break;
        case SizeRelation::more_ranks:
          more_ranks(*left);
          break;
        case SizeRelation::threads_as_ranks:
          threads_as_ranks(*left);
          break;
      }
    }
  }

 private:
  [[nodiscard]] bool are_alike(const TimedPoint& left, const TimedPoint& right) const {
    return left.place == right.place && left.point.ranks == right.point.ranks &&
           left.point.hop == right.point.hop && left.point.pair == right.point.pair &&
           other_parameters(left.point, guideline_.left) ==
               other_parameters(right.point, guideline_.right);
  }

  void same(const TimedPoint& left) {
    for (const TimedPoint* right : right_) {
      if (right->point.bytes == left.point.bytes && are_alike(left, *right)) {
        return add(left, *right, guideline_.factor);
      }
    }
    // Skips a variant of the call that was measured for another guideline.
    const bool is_variant = std::ranges::any_of(right_, [&](const TimedPoint* right) {
      return right->place == left.place && right->point.bytes == left.point.bytes &&
             right->point.ranks == left.point.ranks;
    });
    if (!is_variant) leave_out(left, guideline_.right.operation + " was not planned");
  }

  /// The nearest size that satisfies `is_wanted`, among the right side's points of the same curve.
  template <class Wanted>
  const TimedPoint* nearest(const TimedPoint& from, Wanted is_wanted) const {
    const TimedPoint* found = nullptr;
    const auto distance = [&](const TimedPoint& to) {
      return std::abs(to.point.bytes.value - from.point.bytes.value);
    };
    for (const TimedPoint* other : right_) {
      const bool fits =
          other->is_measured() && are_alike(from, *other) && is_wanted(other->point.bytes.value);
      if (fits && (found == nullptr || distance(*other) < distance(*found))) found = other;
    }
    return found;
  }

  void next_size(const TimedPoint& left) {
    const std::int64_t own = left.point.bytes.value;
    const TimedPoint* right = nearest(left, [&](std::int64_t bytes) { return bytes > own; });
    if (right != nullptr && left.is_measured()) add(left, *right, guideline_.factor);
  }

  void parts(const TimedPoint& left) {
    const std::int64_t own = left.point.bytes.value;
    const TimedPoint* right = nearest(
        left, [&](std::int64_t bytes) { return bytes > 0 && bytes < own && own % bytes == 0; });
    if (right == nullptr || !left.is_measured()) return;
    const std::int64_t k = own / right->point.bytes.value;
    add(left, *right, guideline_.factor * static_cast<double>(k));
  }

  /// Runs with different numbers of ranks are different launches, and have no common hop class.
  void more_ranks(const TimedPoint& left) {
    const TimedPoint* found = nullptr;
    for (const TimedPoint* other : right_) {
      const bool fits = left.is_measured() && other->is_measured() &&
                        other->point.bytes == left.point.bytes &&
                        other->point.ranks > left.point.ranks &&
                        other_parameters(other->point, guideline_.right) ==
                            other_parameters(left.point, guideline_.left);
      if (!fits || (found != nullptr && found->point.ranks < other->point.ranks)) continue;
      if (found != nullptr && found->point.ranks == other->point.ranks) {
        return leave_out(
            left, fmt::format("several settings have {} ranks, and none is the one to compare with",
                              found->point.ranks));
      }
      found = other;
    }
    if (found != nullptr) add(left, *found, guideline_.factor);
  }

  /// The right side has one thread per rank, and as many ranks as the left side has threads in all.
  void threads_as_ranks(const TimedPoint& left) {
    constexpr const char* key = "threads";
    const auto own = left.point.parameters.find(key);
    const int threads =
        own == left.point.parameters.end() ? 1 : as_number<int>(own->second).value_or(1);
    if (threads == 1) return;
    auto others = other_parameters(left.point, guideline_.left);
    others.erase(key);
    for (const TimedPoint* right : right_) {
      if (right->place == left.place && right->point.bytes == left.point.bytes &&
          right->point.ranks == left.point.ranks * threads &&
          other_parameters(right->point, guideline_.right) == others) {
        return add(left, *right, guideline_.factor);
      }
    }
    leave_out(left, fmt::format("{} ranks with one thread each were not planned",
                                left.point.ranks * threads));
  }

  void add(const TimedPoint& left, const TimedPoint& right, double factor) {
    GuidelineCell cell{.guideline = guideline_,
                       .campaign = left.place.campaign,
                       .setting = left.place.setting,
                       .left = left.point,
                       .right = right.point,
                       .factor = factor,
                       .pairs = {}};
    for (const auto& [launch, time] : left.launches) {
      const auto match = right.launches.find(launch);
      if (match == right.launches.end()) continue;
      cell.pairs.push_back(
          {.launch = launch,
           .left_seconds = time.seconds,
           .right_seconds = match->second.seconds,
           .clock_seconds = std::max(time.clock_seconds, match->second.clock_seconds)});
    }
    if (!cell.pairs.empty()) return result_.cells.push_back(std::move(cell));
    for (const TimedPoint* side : {&left, &right}) {
      if (!side->launches.empty()) continue;
      return leave_out(left,
                       fmt::format("{}: {}", side->point.operation,
                                   side->reason.empty() ? "no time was measured" : side->reason));
    }
    leave_out(left, "no launch measured both sides");
  }

  void leave_out(const TimedPoint& left, const std::string& reason) {
    result_.unmeasured.push_back({guideline_.name, left.point, reason});
  }

  const Guideline& guideline_;
  GuidelineCells& result_;
  std::vector<const TimedPoint*> left_;
  std::vector<const TimedPoint*> right_;
};

}  // namespace

bool is_of(const Point& point, const GuidelineSide& side) {
  if (point.operation != side.operation) return false;
  return std::ranges::all_of(side.parameters, [&](const auto& wanted) {
    const auto own = point.parameters.find(wanted.first);
    if (own == point.parameters.end()) return is_plain_value(wanted.first, wanted.second);
    return own->second == wanted.second;
  });
}

std::map<std::string, std::string> other_parameters(const Point& point, const GuidelineSide& side) {
  std::map<std::string, std::string> others;
  for (const auto& [key, value] : point.parameters) {
    if (!side.parameters.contains(key) && !is_plain_value(key, value)) others[key] = value;
  }
  return others;
}

GuidelineCells guideline_cells(std::span<const Record> records) {
  const Judged judged = judged_of(records);
  GuidelineCells result;
  const LaunchCount count = count_launches(records);
  result.launches = count.launches;
  result.nodes = count.nodes;
  for (const Record& record : records) {
    if (record.status != LaunchStatus::complete) ++result.launches_left_out;
  }
  for (const auto& [name, guideline] : judged.guidelines) {
    Collecting(guideline, judged.times, result).collect();
  }
  return result;
}

}  // namespace hockney::verdicts
