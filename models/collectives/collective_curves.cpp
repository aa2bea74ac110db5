#include "models/collectives/collective_curves.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "core/algorithm_use.hpp"
#include "core/launch_medians.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"
#include "models/schedules/schedule.hpp"

namespace hockney::collectives {
namespace {

/// Points that share no curve differ in one of these.
using Key = std::tuple<std::string, std::string, std::string, std::string, std::string,
                       std::map<std::string, std::string>, Bytes, int>;
using WorkKey = std::pair<int, Bytes>;

struct Gathered {
  Curve curve;
  std::map<WorkKey, PointLaunches> times;
  schedules::Workload companions;  ///< segment and fan-out
};

/// A value of the point itself, or of the campaign's axis of that name.
std::optional<std::string> stated(const Series& series, const Record& record,
                                  const std::string& name) {
  const auto own = series.point.parameters.find(name);
  if (own != series.point.parameters.end()) return own->second;
  if (!record.campaign) return std::nullopt;
  const auto axis = record.campaign->axes.find(name);
  if (axis == record.campaign->axes.end()) return std::nullopt;
  return axis->second;
}

/// nullopt for texts such as "default".
std::optional<std::int64_t> number(const std::optional<std::string>& text) {
  const bool is_number = text && !text->empty() &&
                         std::ranges::all_of(*text, [](char c) { return c >= '0' && c <= '9'; });
  return is_number ? as_number<std::int64_t>(*text) : std::nullopt;
}

std::string operation_of(const Series& series) {
  std::string name = series.point.operation;
  std::ranges::replace(name, '-', '_');
  return name;
}

/// What the setting asked of the library, "default" where it left the choice to it; nullopt where
/// nothing says.
std::optional<std::string> asked_algorithm(const Series& series, const Record& record) {
  const AlgorithmUse* use = use_of(series.point, record.algorithms);
  const auto requested =
      use != nullptr ? std::optional(use->requested) : stated(series, record, "algorithm");
  if (!requested || *requested == library_choice) return requested;
  return schedules::canonical_algorithm(operation_of(series), *requested);
}

Gathered identity(const Series& series, const Record& record) {
  Gathered gathered;
  Curve& curve = gathered.curve;
  curve.operation = operation_of(series);
  curve.proven = series.point.algorithm.has_value();
  curve.requested = asked_algorithm(series, record);
  if (curve.requested != library_choice) curve.algorithm = curve.requested;
  if (curve.proven) {
    curve.algorithm = schedules::canonical_algorithm(curve.operation, *series.point.algorithm);
  }
  if (record.campaign) curve.setting = setting_without_ranks(*record.campaign);
  curve.mpi_library = record.provenance.mpi.library;
  gathered.companions.segment = {number(stated(series, record, "segment")).value_or(0)};
  gathered.companions.fanout =
      static_cast<int>(number(stated(series, record, "fanout")).value_or(0));
  return gathered;
}

Key key_of(const Gathered& gathered, const Series& series) {
  const Curve& curve = gathered.curve;
  return {curve.operation,
          curve.algorithm.value_or(""),
          curve.requested.value_or(""),
          curve.setting,
          curve.mpi_library,
          series.point.parameters,
          gathered.companions.segment,
          gathered.companions.fanout};
}

Curve assemble(Gathered gathered) {
  Curve curve = std::move(gathered.curve);
  for (const auto& [work, launches] : gathered.times) {
    schedules::Workload load = gathered.companions;
    load.ranks = work.first;
    load.bytes = work.second;
    curve.works.push_back(load);
    curve.medians_seconds.push_back(launches.seconds());
  }
  return curve;
}

bool is_collective(const Series& series) {
  const std::vector<std::string> known = schedules::scheduled_operations();
  return std::ranges::find(known, operation_of(series)) != known.end();
}

/// The times of all launches, by what was measured.
class Gatherer {
 public:
  void add(const TimedSeries& timed) {
    Gathered found = identity(*timed.series, *timed.record);
    add(found, timed);
    if (found.curve.requested != library_choice || !found.curve.proven) return;
    // The library may run another algorithm at the next size: its choice is a curve of its own.
    found.curve.algorithm.reset();
    found.curve.proven = false;
    add(found, timed);
  }

  [[nodiscard]] std::vector<Curve> curves() && {
    std::vector<Curve> curves;
    curves.reserve(all_.size());
    for (Gathered& gathered : all_) curves.push_back(assemble(std::move(gathered)));
    return curves;
  }

 private:
  void add(const Gathered& found, const TimedSeries& timed) {
    const Point& point = timed.series->point;
    const auto [place, added] = index_.try_emplace(key_of(found, *timed.series), all_.size());
    if (added) all_.push_back(found);
    Gathered& gathered = all_[place->second];
    gathered.curve.proven = gathered.curve.proven && found.curve.proven;
    gathered.times[{point.ranks, point.bytes}].add(timed.launch, timed.seconds);
  }

  std::vector<Gathered> all_;
  std::map<Key, std::size_t> index_;
};

}  // namespace

std::string setting_without_ranks(const CampaignPlace& place) {
  std::map<std::string, std::string> axes = place.axes;
  if (axes.erase("ranks") == 0) return place.setting;
  std::string setting;
  for (const auto& [name, value] : axes) {
    setting += (setting.empty() ? "" : ",") + name + "=" + value;
  }
  return setting.empty() ? std::string(library_choice) : setting;
}

std::size_t Curve::launches() const {
  std::size_t least = medians_seconds.empty() ? 0 : medians_seconds.front().size();
  for (const auto& times : medians_seconds) least = std::min(least, times.size());
  return least;
}

std::vector<int> Curve::ranks() const {
  std::set<int> distinct;
  for (const schedules::Workload& work : works) distinct.insert(work.ranks);
  return {distinct.begin(), distinct.end()};
}

std::vector<Curve> collect_collectives(std::span<const Record> records) {
  Gatherer gatherer;
  for (const TimedSeries& timed : timed_series(records).series) {
    if (is_collective(*timed.series)) gatherer.add(timed);
  }
  return std::move(gatherer).curves();
}

}  // namespace hockney::collectives
