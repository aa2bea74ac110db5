#include "models/collectives/measured_network.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "core/algorithm_use.hpp"
#include "core/quantities.hpp"
#include "core/samples.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"
#include "models/collectives/replay.hpp"
#include "models/schedules/schedule.hpp"

namespace hockney::collectives {
namespace {

/// Points that share no curve differ in one of these.
using Key = std::tuple<std::string, std::string, std::string, std::string, std::string,
                       std::map<std::string, std::string>, Bytes, int>;
using WorkKey = std::pair<int, Bytes>;

struct MeasuredCurve {
  Curve curve;
  std::map<WorkKey, PointLaunches> times;
  std::map<WorkKey, PointLaunches> oversubscribed_times;
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

/// The algorithm that the setting requested, "default" if the library could choose; nullopt if
/// unknown.
std::optional<std::string> requested_algorithm(const Series& series, const Record& record) {
  const AlgorithmUse* use = use_of(series.point, record.algorithms);
  const auto requested =
      use != nullptr ? std::optional(use->requested) : stated(series, record, "algorithm");
  if (!requested || *requested == library_choice) return requested;
  return schedules::canonical_algorithm(series.point.operation, *requested);
}

/// Bytes of one element, which algorithms never divide; 1 for a datatype not listed.
std::int64_t element_bytes_of(const Point& point) {
  static const std::map<std::string, std::int64_t> sizes{{"double", 8}, {"float", 4}, {"int", 4},
                                                         {"int32", 4},  {"int64", 8}, {"long", 8}};
  const auto datatype = point.parameters.find("datatype");
  if (datatype == point.parameters.end()) return 1;
  const auto known = sizes.find(datatype->second);
  return known == sizes.end() ? 1 : known->second;
}

/// The campaign's setting, without the number of ranks that a sweep varies: a model is over ranks.
std::string setting_without_ranks(const CampaignPlace& place) {
  std::map<std::string, std::string> axes = place.axes;
  if (axes.erase("ranks") == 0) return place.setting;
  return axes.empty() ? std::string(library_choice) : join_assignments(axes);
}

MeasuredCurve identity(const Series& series, const Record& record) {
  MeasuredCurve gathered;
  Curve& curve = gathered.curve;
  curve.operation = series.point.operation;
  curve.proven = series.point.algorithm.has_value();
  curve.requested = requested_algorithm(series, record);
  if (curve.requested != library_choice) curve.algorithm = curve.requested;
  if (curve.proven) {
    curve.algorithm = schedules::canonical_algorithm(curve.operation, *series.point.algorithm);
  }
  if (record.campaign) curve.setting = setting_without_ranks(*record.campaign);
  curve.mpi_library = record.provenance.mpi.library;
  gathered.companions.segment = {number(stated(series, record, "segment")).value_or(0)};
  gathered.companions.element_bytes = element_bytes_of(series.point);
  gathered.companions.fanout =
      static_cast<int>(number(stated(series, record, "fanout")).value_or(0));
  return gathered;
}

Key key_of(const MeasuredCurve& gathered, const Series& series) {
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

Curve assemble(MeasuredCurve gathered) {
  Curve curve = std::move(gathered.curve);
  const bool has_own_cpus =
      std::ranges::any_of(gathered.times, [](const auto& each) { return each.first.first > 1; });
  std::set<int> left_out;
  for (auto& [work, launches] : gathered.oversubscribed_times) {
    if (has_own_cpus) {
      left_out.insert(work.first);
    } else {
      gathered.times.try_emplace(work, std::move(launches));
    }
  }
  curve.oversubscribed_ranks.assign(left_out.begin(), left_out.end());
  curve.shares_cpus = !has_own_cpus && !gathered.oversubscribed_times.empty();
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
  return schedules::scheduled_operation(series.point.operation).has_value();
}

/// The times of all launches, by what was measured.
class Gatherer {
 public:
  void add(const TimedSeries& timed) {
    MeasuredCurve found = identity(*timed.series, *timed.record);
    add(found, timed);
    if (found.curve.requested != library_choice || !found.curve.proven) return;
    // The library may run another algorithm at the next size: its choice is a separate curve.
    found.curve.algorithm.reset();
    found.curve.proven = false;
    add(found, timed);
  }

  [[nodiscard]] std::vector<Curve> curves() && {
    std::vector<Curve> curves;
    curves.reserve(all_.size());
    for (MeasuredCurve& gathered : all_) curves.push_back(assemble(std::move(gathered)));
    return curves;
  }

 private:
  void add(const MeasuredCurve& found, const TimedSeries& timed) {
    const Point& point = timed.series->point;
    const auto [place, added] = index_.try_emplace(key_of(found, *timed.series), all_.size());
    if (added) all_.push_back(found);
    MeasuredCurve& gathered = all_[place->second];
    gathered.curve.proven = gathered.curve.proven && found.curve.proven;
    const auto& flags = timed.record->flags;
    const bool shares_cpus = std::ranges::find(flags, oversubscribed_flag) != flags.end();
    auto& times = shares_cpus ? gathered.oversubscribed_times : gathered.times;
    times[{point.ranks, point.bytes}].add(timed.launch, timed.seconds);
  }

  std::vector<MeasuredCurve> all_;
  std::map<Key, std::size_t> index_;
};

/// Channels of 1 to 32 links in parallel, then steps around the best.
constexpr std::array fractions{1.0,     1 / 2.0,  1 / 3.0,  1 / 4.0,  1 / 6.0,
                               1 / 8.0, 1 / 12.0, 1 / 16.0, 1 / 24.0, 1 / 32.0};
constexpr std::array refinements{1.2, 1 / 1.2, 1.1, 1 / 1.1, 1.03, 1 / 1.03};
constexpr int passes = 2;
constexpr double least_share = 0.05;
constexpr double least_gain = 0.001;

struct Replayed {
  schedules::Schedule schedule;
  RankNetwork* network = nullptr;
  double seconds = 0;
};

/// The curves that can be replayed, and the error of their replays.
class ReplayableCurves {
 public:
  ReplayableCurves(const std::vector<Curve>& curves, const NetworkOfRanks& network) {
    for (const Curve& curve : curves) add(curve, network);
  }

  [[nodiscard]] bool empty() const { return curves_.empty(); }
  [[nodiscard]] const std::vector<HopCost>& costs() const {
    return networks_.begin()->second.costs();
  }

  /// Mean over the times of |log(time/replay) - median of its curve|.
  double error(const std::vector<Channel>& channels) {
    for (auto& [ranks, network] : networks_) share_channels(network, channels);
    double sum = 0;
    std::size_t count = 0;
    for (const auto& curve : curves_) {
      std::vector<double> stretches;
      stretches.reserve(curve.size());
      for (const Replayed& each : curve) {
        stretches.push_back(std::log(each.seconds / replay(each.schedule, *each.network)));
      }
      const double usual = median_of_some(stretches);
      for (const double stretch : stretches) sum += std::abs(stretch - usual);
      count += stretches.size();
    }
    return sum / static_cast<double>(count);
  }

 private:
  void add(const Curve& curve, const NetworkOfRanks& network) {
    const std::string algorithm = curve.algorithm.value_or("");
    if (!schedules::has_algorithm(curve.operation, algorithm)) return;
    std::vector<Replayed> all;
    for (std::size_t i = 0; i < curve.works.size(); ++i) {
      const schedules::Workload& work = curve.works[i];
      const bool is_apart = work.ranks > 1 && !unfit(curve.operation, algorithm, work);
      RankNetwork* const ranks = is_apart ? on(work.ranks, network) : nullptr;
      if (ranks == nullptr) continue;
      all.push_back({schedule_of(curve.operation, algorithm, work), ranks,
                     median_of_some(curve.medians_seconds[i])});
    }
    if (!all.empty()) curves_.push_back(std::move(all));
  }

  /// nullptr where the network is not known.
  RankNetwork* on(int ranks, const NetworkOfRanks& network) {
    const auto found = networks_.find(ranks);
    if (found != networks_.end()) return &found->second;
    auto made = network(ranks);
    if (!made) return nullptr;
    return &networks_.emplace(ranks, std::move(*made)).first->second;
  }

  std::map<int, RankNetwork> networks_;
  std::vector<std::vector<Replayed>> curves_;
};

/// Improves one channel; the error afterwards.
double improve(ReplayableCurves& times, std::vector<Channel>& channels, std::size_t which,
               double beta, double error) {
  Channel& channel = channels[which];
  double best = channel.seconds_per_byte;
  const auto attempt = [&](double seconds_per_byte) {
    channel.seconds_per_byte = seconds_per_byte;
    const double found = times.error(channels);
    if (found < error) {
      error = found;
      best = seconds_per_byte;
    }
  };
  for (const double fraction : fractions) attempt(beta * fraction);
  for (const double step : refinements) attempt(best * step);
  channel.seconds_per_byte = best;
  return error;
}

/// Drops a channel without which replays are as good.
void judge(ReplayableCurves& times, std::vector<Channel>& channels, std::size_t which) {
  Channel& channel = channels[which];
  channel.error_with = times.error(channels);
  const double found = std::exchange(channel.seconds_per_byte, 0);
  channel.error_without = times.error(channels);
  const double gain = channel.error_without - channel.error_with;
  const bool counts = gain > least_gain && gain > least_share * channel.error_without;
  if (counts) channel.seconds_per_byte = found;
}

constexpr std::string_view same_node = "same-node";

HopCost cost_of(const std::string& name, const models::Fit& fit) {
  HopCost cost{.name = name, .segments = {}, .factors = fit.factors};
  for (const models::Segment& segment : fit.segments) {
    cost.segments.push_back(
        {segment.to.value, segment.line.alpha_seconds, segment.line.beta_seconds_per_byte});
  }
  return cost;
}

/// The place of each host at each level, as numbers; the first level is the host itself.
std::vector<std::vector<int>> numbered(const SiteFile& file,
                                       const std::vector<std::string>& hosts) {
  std::vector<std::vector<int>> sites(file.levels.size() + 1);
  std::vector<std::map<std::string, int>> numbers(sites.size());
  for (const std::string& host : hosts) {
    std::vector<std::string> names{host};
    if (!file.levels.empty()) {
      const std::vector<std::string>& where = sites_of(file, host);
      names.insert(names.end(), where.begin(), where.end());
    }
    for (std::size_t level = 0; level < sites.size(); ++level) {
      const auto next = static_cast<int>(numbers[level].size());
      sites[level].push_back(numbers[level].try_emplace(names[level], next).first->second);
    }
  }
  return sites;
}

/// ReplayableCurves between each pair of hosts.
using PairTimes = std::map<std::pair<std::string, std::string>, PointLaunches>;

/// By size.
std::map<Bytes, PairTimes> pair_times(std::span<const Record> records) {
  std::vector<std::vector<std::string>> hosts;  // of ranks, by launch
  for (const Record& record : records) hosts.push_back(hosts_of(record));
  std::map<Bytes, PairTimes> times;
  for (const TimedSeries& timed : timed_series(records).series) {
    const Point& point = timed.series->point;
    if (point.operation != "pingpong" || point.pair.size() != 2) continue;
    const auto known = static_cast<int>(hosts[timed.launch].size());
    if (point.pair[0] >= known || point.pair[1] >= known) continue;
    const auto host = [&](std::size_t end) {
      return hosts[timed.launch][static_cast<std::size_t>(point.pair[end])];
    };
    times[point.bytes][{host(0), host(1)}].add(timed.launch, timed.seconds);
  }
  return times;
}

}  // namespace

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

std::optional<double> GammaTable::at(int ranks, std::int64_t bytes) const {
  if (ranks == 2) return 1;
  const auto row = ratios_.find(ranks);
  if (row == ratios_.end()) return std::nullopt;
  const auto above = row->second.lower_bound(bytes);
  if (above == row->second.end()) return row->second.rbegin()->second;
  if (above == row->second.begin() || above->first == bytes) return above->second;
  const auto below = std::prev(above);
  const double share =
      static_cast<double>(bytes - below->first) / static_cast<double>(above->first - below->first);
  return below->second + share * (above->second - below->second);
}

GammaTable measure_gammas(std::span<const Curve> curves, const std::string& mpi_library) {
  GammaTable table;
  for (const Curve& curve : curves) {
    const bool is_linear = curve.operation == "bcast" && curve.algorithm == "basic_linear" &&
                           curve.mpi_library == mpi_library;
    if (!is_linear) continue;
    std::map<Bytes, double> one;
    for (std::size_t i = 0; i < curve.works.size(); ++i) {
      const auto time = median(curve.medians_seconds[i]);
      if (time && curve.works[i].ranks == 2) one[curve.works[i].bytes] = *time;
    }
    for (std::size_t i = 0; i < curve.works.size(); ++i) {
      const auto unit = one.find(curve.works[i].bytes);
      const auto time = median(curve.medians_seconds[i]);
      if (!time || unit == one.end() || curve.works[i].ranks < 3) continue;
      table.set(curve.works[i].ranks, curve.works[i].bytes.value, *time / unit->second);
    }
  }
  return table;
}

std::vector<Channel> fit_channels(const std::vector<Curve>& curves, const NetworkOfRanks& network) {
  ReplayableCurves times(curves, network);
  if (times.empty()) return {};
  const std::vector<HopCost> costs = times.costs();
  std::vector<Channel> channels;
  for (std::size_t hop = 1; hop < costs.size(); ++hop) channels.push_back({.hop = costs[hop].name});
  double error = times.error(channels);
  for (int pass = 0; pass < passes; ++pass) {
    for (std::size_t i = 0; i < channels.size(); ++i) {
      const double beta = costs[i + 1].segments.back().beta_seconds_per_byte;
      error = improve(times, channels, i, beta, error);
    }
  }
  for (std::size_t i = 0; i < channels.size(); ++i) judge(times, channels, i);
  return channels;
}

void share_channels(RankNetwork& network, const std::vector<Channel>& channels) {
  for (HopCost& cost : network.costs()) {
    const auto found = std::ranges::find(channels, cost.name, &Channel::hop);
    if (found != channels.end()) cost.channel_seconds_per_byte = found->seconds_per_byte;
  }
}

std::vector<std::string> hosts_of(const Record& record) {
  std::vector<std::string> hosts(record.ranks.size());
  for (const RankPlace& rank : record.ranks) {
    const auto place = static_cast<std::size_t>(rank.rank);
    if (place < hosts.size()) hosts[place] = rank.host;
  }
  return hosts;
}

MeasuredNetwork::MeasuredNetwork(SiteFile sites, std::span<const Record> records,
                                 const models::FitSet& fits)
    : sites_(std::move(sites)) {
  for (const models::Fit& fit : fits.fits) {
    const bool is_plain = fit.point.operation == "pingpong" && fit.point.hop;
    if (is_plain) classes_.try_emplace(*fit.point.hop, cost_of(*fit.point.hop, fit));
  }
  if (sites_.levels.empty()) return;
  const auto times = pair_times(records);
  if (times.empty()) return;
  const auto bytes = times.begin()->first.value;
  std::map<std::pair<std::string, std::string>, std::vector<double>> found;
  for (const auto& pair : times.begin()->second) {
    const auto& [from, to] = pair.first;
    const auto known = classes_.find(network_hop(sites_, from, to));
    if (known == classes_.end()) continue;
    const HopSegment line = known->second.segment(bytes);
    const double usual =
        line.alpha_seconds + line.beta_seconds_per_byte * static_cast<double>(bytes);
    found[{sites_of(sites_, from).front(), sites_of(sites_, to).front()}].push_back(
        median_of_some(pair.second.seconds()) - usual);
  }
  for (const auto& each : found) offsets_[each.first] = median_of_some(each.second);
}

std::vector<std::string> MeasuredNetwork::missing(const std::vector<std::string>& hosts) const {
  std::set<std::string> needed;
  for (const std::string& host : hosts) {
    for (const std::string& other : hosts) {
      if (host != other) needed.insert(network_hop(sites_, host, other));
    }
  }
  if (std::set<std::string>(hosts.begin(), hosts.end()).size() < hosts.size()) {
    needed.insert(std::string(same_node));
  }
  std::erase_if(needed, [&](const std::string& name) { return classes_.contains(name); });
  return {needed.begin(), needed.end()};
}

/// A class that does not occur and was not measured gets the cost of any other class.
std::vector<HopCost> MeasuredNetwork::costs() const {
  std::vector<std::string> names{std::string(same_node)};
  for (const std::string& hop : network_hops(sites_)) names.push_back(hop);
  std::vector<HopCost> costs;
  for (const std::string& name : names) {
    const auto known = classes_.find(name);
    costs.push_back(known == classes_.end() ? classes_.begin()->second : known->second);
  }
  return costs;
}

std::optional<RankNetwork> MeasuredNetwork::on(const std::vector<std::string>& hosts) const {
  if (classes_.empty() || !missing(hosts).empty()) return std::nullopt;
  RankNetwork network(numbered(sites_, hosts), costs());
  if (offsets_.empty()) return network;
  std::map<std::string, int> numbers;  // of the sites of the first level, as numbered() counts
  for (const std::string& host : hosts) {
    numbers.try_emplace(sites_of(sites_, host).front(), static_cast<int>(numbers.size()));
  }
  for (const auto& [pair, offset] : offsets_) {
    const auto from = numbers.find(pair.first);
    const auto to = numbers.find(pair.second);
    if (from == numbers.end() || to == numbers.end()) continue;
    network.set_offset(from->second, to->second, offset);
    network.set_offset(to->second, from->second, offset);
  }
  return network;
}

}  // namespace hockney::collectives
