#include "verdicts/guideline_times.hpp"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "core/imported.hpp"
#include "core/launch_medians.hpp"
#include "core/point.hpp"

namespace hockney::verdicts {
namespace {

class TimeGathering {
 public:
  /// Of points that are timed as by another suite, those of imported records are all there is.
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

}  // namespace

double clock_floor(const Record& record) {
  double apart = 0;
  if (record.sync) {
    apart = std::max(record.sync->bound_seconds, record.sync->end_error_seconds.value_or(0));
  }
  return record.clock.resolution_seconds + apart;
}

GuidelineTimes guideline_times(std::span<const Record> records) {
  TimeGathering gathering(false);
  for (const Record& record : records) {
    const bool counts = record.status == LaunchStatus::complete && !record.guidelines.empty();
    if (counts) gathering.add(record);
  }
  return gathering.finish();
}

GuidelineTimes imported_times(std::span<const Record> records) {
  TimeGathering gathering(true);
  for (const Record& record : records) {
    if (record.status == LaunchStatus::complete && is_imported(record)) gathering.add(record);
  }
  return gathering.finish();
}

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

}  // namespace hockney::verdicts
