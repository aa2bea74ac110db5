#include "models/collectives/collective_curves.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "algorithms/schedule.hpp"
#include "core/counted.hpp"
#include "core/sizes.hpp"
#include "core/statistics.hpp"

namespace hockney {
namespace {

/// Points that share no curve differ in one of these.
using Key = std::tuple<std::string, std::string, std::string, std::string,
                       std::map<std::string, std::string>, Bytes, int>;
using WorkKey = std::pair<int, Bytes>;

struct Gathered {
  CollectiveCurve curve;
  std::map<WorkKey, std::vector<double>> times;
  Workload companions;  ///< segment and fan-out
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
  return is_number ? std::optional<std::int64_t>(std::stoll(*text)) : std::nullopt;
}

std::string operation_of(const Series& series) {
  std::string name = series.point.operation;
  std::ranges::replace(name, '-', '_');
  return name;
}

Gathered identity(const Series& series, const Record& record) {
  Gathered gathered;
  CollectiveCurve& curve = gathered.curve;
  curve.operation = operation_of(series);
  curve.proven = series.point.algorithm.has_value();
  const auto asked = curve.proven ? series.point.algorithm : stated(series, record, "algorithm");
  if (asked && *asked != "default") curve.algorithm = canonical_algorithm(curve.operation, *asked);
  if (record.campaign) curve.setting = record.campaign->setting;
  curve.mpi_library = record.provenance.mpi.library;
  gathered.companions.segment = {number(stated(series, record, "segment")).value_or(0)};
  gathered.companions.fanout =
      static_cast<int>(number(stated(series, record, "fanout")).value_or(0));
  return gathered;
}

Key key_of(const Gathered& gathered, const Series& series) {
  const CollectiveCurve& curve = gathered.curve;
  return {curve.operation,           curve.algorithm.value_or(""), curve.setting,
          curve.mpi_library,         series.point.parameters,      gathered.companions.segment,
          gathered.companions.fanout};
}

CollectiveCurve assemble(Gathered gathered) {
  CollectiveCurve curve = std::move(gathered.curve);
  for (auto& [work, times] : gathered.times) {
    Workload load = gathered.companions;
    load.ranks = work.first;
    load.bytes = work.second;
    curve.works.push_back(load);
    curve.medians_seconds.push_back(std::move(times));
  }
  return curve;
}

bool is_collective(const Series& series) {
  const std::vector<std::string> known = scheduled_operations();
  return std::ranges::find(known, operation_of(series)) != known.end();
}

/// The times of all launches, by what was measured.
class Gatherer {
 public:
  void add(const Series& series, const Record& record) {
    const std::optional<double> time = counted(series).median_seconds;
    if (!time || *time <= 0) return;
    Gathered found = identity(series, record);
    const auto [place, added] = index_.try_emplace(key_of(found, series), all_.size());
    if (added) all_.push_back(std::move(found));
    Gathered& gathered = all_[place->second];
    gathered.curve.proven = gathered.curve.proven && series.point.algorithm.has_value();
    gathered.times[{series.point.ranks, series.point.bytes}].push_back(*time);
  }

  [[nodiscard]] std::vector<CollectiveCurve> curves() && {
    std::vector<CollectiveCurve> curves;
    curves.reserve(all_.size());
    for (Gathered& gathered : all_) curves.push_back(assemble(std::move(gathered)));
    return curves;
  }

 private:
  std::vector<Gathered> all_;
  std::map<Key, std::size_t> index_;
};

}  // namespace

std::size_t CollectiveCurve::launches() const {
  std::size_t least = medians_seconds.empty() ? 0 : medians_seconds.front().size();
  for (const auto& times : medians_seconds) least = std::min(least, times.size());
  return least;
}

std::vector<int> CollectiveCurve::ranks() const {
  std::set<int> distinct;
  for (const Workload& work : works) distinct.insert(work.ranks);
  return {distinct.begin(), distinct.end()};
}

std::vector<CollectiveCurve> collect_collectives(std::span<const Record> records) {
  Gatherer gatherer;
  for (const Record& record : records) {
    if (record.status != LaunchStatus::complete) continue;
    for (const Series& series : record.series) {
      if (is_collective(series)) gatherer.add(series, record);
    }
  }
  return std::move(gatherer).curves();
}

}  // namespace hockney
