#include "verdicts/disturbance.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "core/point.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"

namespace hockney::verdicts {
namespace {

std::string hosts_of(const Record& record) {
  std::vector<std::string> names;
  for (const Host& host : record.provenance.hosts) names.push_back(host.name);
  return join(names, " ");
}

/// Shortest noise probe of a series after warm-up [s]; nullopt without any.
std::optional<double> shortest_probe(const Series& series) {
  const std::vector<double>& probes = series.noise_probes_seconds;
  const auto warm_up = static_cast<std::ptrdiff_t>(
      std::min(probes.size(), static_cast<std::size_t>(series.warm_up_blocks)));
  const auto first = probes.begin() + warm_up;
  if (first == probes.end()) return std::nullopt;
  return *std::min_element(first, probes.end());
}

/// Launches that are compared at one point: campaign, setting, hosts, curve, pair, bytes.
using PointKey =
    std::tuple<std::string, std::string, std::string, std::string, std::string, std::int64_t>;

PointKey key_of(const Record& record, const Point& point) {
  const CampaignPlace place = record.campaign.value_or(CampaignPlace{});
  return {place.name,
          place.setting,
          hosts_of(record),
          curve_name(point),
          join_numbers(point.pair, "-"),
          point.bytes.value};
}

/// Shortest noise probes of the launches at one point [s].
struct PointProbes {
  std::map<std::size_t, double> shortest;  ///< by record
  std::vector<std::pair<std::size_t, const Series*>> series;

  /// The second shortest, since one wrong reading of a clock can shorten the first. nullopt for
  /// few launches, or if most are slower than that: then it is usual here.
  [[nodiscard]] std::optional<double> quiet() const {
    constexpr std::size_t fewest = 4;
    if (shortest.size() < fewest) return std::nullopt;
    std::vector<double> sorted;
    for (const auto& [record, seconds] : shortest) sorted.push_back(seconds);
    std::ranges::sort(sorted);
    const auto quiet_launches = std::ranges::count_if(
        sorted, [&](double seconds) { return seconds <= busy_limit * sorted[1]; });
    return 2 * quiet_launches > std::ssize(sorted) ? std::optional(sorted[1]) : std::nullopt;
  }
};

class Comparing {
 public:
  void add(std::size_t index, const Record& record) {
    if (record.status != LaunchStatus::complete) return;
    for (const Series& series : record.series) {
      const auto probe = shortest_probe(series);
      if (!probe || *probe <= 0) continue;
      PointProbes& probes = points_[key_of(record, series.point)];
      const auto [known, is_new] = probes.shortest.try_emplace(index, *probe);
      known->second = std::min(known->second, *probe);
      if (is_new) ++probed_points_[index];
      probes.series.emplace_back(index, &series);
    }
  }

  void finish() {
    std::map<std::size_t, Times> busy;
    for (const auto& [key, probes] : points_) add_busy(probes, busy);
    for (const auto& [record, times] : busy) {
      found_.push_back({.record = record,
                        .points = times.probes.size(),
                        .all_points = probed_points_[record],
                        .probe_seconds = median_of_some(times.probes),
                        .quiet_seconds = median_of_some(times.quiet)});
    }
  }

  [[nodiscard]] const std::vector<BusyLaunch>& found() const { return found_; }

  /// The campaign's shortest noise probe [s], if no block of the series came near it.
  [[nodiscard]] std::optional<double> quiet_probe(const Series& series) const {
    const auto quiet = quiet_.find(&series);
    return quiet == quiet_.end() ? std::nullopt : std::optional(quiet->second);
  }

 private:
  struct Times {
    std::vector<double> probes;
    std::vector<double> quiet;
  };

  void add_busy(const PointProbes& probes, std::map<std::size_t, Times>& busy) {
    const std::optional<double> quiet = probes.quiet();
    if (!quiet) return;
    const auto is_busy = [&](double seconds) { return seconds > busy_limit * *quiet; };
    for (const auto& [record, seconds] : probes.shortest) {
      if (!is_busy(seconds)) continue;
      busy[record].probes.push_back(seconds);
      busy[record].quiet.push_back(*quiet);
    }
    for (const auto& [record, series] : probes.series) {
      if (is_busy(probes.shortest.at(record))) quiet_[series] = *quiet;
    }
  }

  std::map<PointKey, PointProbes> points_;
  std::map<std::size_t, std::size_t> probed_points_;
  std::map<const Series*, double> quiet_;
  std::vector<BusyLaunch> found_;
};

}  // namespace

std::vector<BusyLaunch> busy_launches(std::span<const Record> records) {
  Comparing comparing;
  for (std::size_t i = 0; i < records.size(); ++i) comparing.add(i, records[i]);
  comparing.finish();
  return comparing.found();
}

std::vector<BusyLaunch> judge_launches(std::span<Record* const> records) {
  Comparing comparing;
  for (std::size_t i = 0; i < records.size(); ++i) comparing.add(i, *records[i]);
  comparing.finish();
  for (Record* const record : records) {
    for (Series& series : record->series) {
      series.judgement = {.quiet_probe_seconds = comparing.quiet_probe(series)};
    }
  }
  return comparing.found();
}

std::vector<BusyLaunch> judge_launches(std::vector<Record>& records) {
  std::vector<Record*> pointers;
  for (Record& record : records) pointers.push_back(&record);
  return judge_launches(pointers);
}

}  // namespace hockney::verdicts
