#include "verdicts/guideline_cells.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

#include "core/error.hpp"
#include "core/imported.hpp"
#include "core/text.hpp"
#include "verdicts/guideline_times.hpp"
#include "verdicts/imported_guidelines.hpp"

namespace hockney::verdicts {
namespace {

std::map<std::string, Guideline> stated_guidelines(std::span<const Record> records) {
  std::map<std::string, Guideline> all;
  for (const Record& record : records) {
    for (const Guideline& guideline : record.guidelines) {
      const auto [known, is_new] = all.try_emplace(guideline.name, guideline);
      if (is_new || known->second == guideline) continue;
      throw InputError({"two guidelines are called '" + guideline.name + "'",
                        "launches of different versions of hockney state them",
                        "judge them one by one"});
    }
  }
  return all;
}

/// Guidelines, and the times of their sides.
struct Judged {
  std::map<std::string, Guideline> guidelines;
  GuidelineTimes times;
};

/// Those that records of hockney-guidelines state. Imported records state none, and are held
/// against those whose sides other suites measure.
Judged judged_of(std::span<const Record> records) {
  Judged judged{.guidelines = stated_guidelines(records), .times = {}};
  const bool has_imported = std::ranges::any_of(records, is_imported);
  if (judged.guidelines.empty() && !has_imported) {
    throw InputError({"no guideline is stated in " + std::to_string(records.size()) + " records",
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

/// The cells of one guideline under way.
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
        case SideMap::same:
          same(*left);
          break;
        case SideMap::next_size:
          next_size(*left);
          break;
        case SideMap::parts:
          parts(*left);
          break;
        case SideMap::more_ranks:
          more_ranks(*left);
          break;
        case SideMap::threads_as_ranks:
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
    // A variant of the call, measured for another guideline, is none of this one's.
    const bool is_variant = std::ranges::any_of(right_, [&](const TimedPoint* right) {
      return right->place == left.place && right->point.bytes == left.point.bytes &&
             right->point.ranks == left.point.ranks;
    });
    if (!is_variant) leave_out(left, guideline_.right.operation + " was not planned");
  }

  /// The nearest size among the points of the same curve of which `is_wanted`, on its `side`.
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

  /// Teams of different size have no hop in common, and lie in different launches.
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
        return leave_out(left, "several settings have " + std::to_string(found->point.ranks) +
                                   " ranks, and none is the one to compare with");
      }
      found = other;
    }
    if (found != nullptr) add(left, *found, guideline_.factor);
  }

  /// Ranks of one launch that have the cores of the threads; that of one thread is the right side.
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
    leave_out(left, std::to_string(left.point.ranks * threads) +
                        " ranks with one thread each were not planned");
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
      return leave_out(left, side->point.operation + ": " +
                                 (side->reason.empty() ? "no time was measured" : side->reason));
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

GuidelineCells guideline_cells(std::span<const Record> records) {
  const Judged judged = judged_of(records);
  GuidelineCells result;
  for (const Record& record : records) {
    ++(record.status == LaunchStatus::complete ? result.launches : result.launches_left_out);
  }
  for (const auto& [name, guideline] : judged.guidelines) {
    Collecting(guideline, judged.times, result).collect();
  }
  return result;
}

}  // namespace hockney::verdicts
