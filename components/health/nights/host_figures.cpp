#include "components/health/nights/host_figures.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "components/health/detection/node_reference.hpp"
#include "components/health/nights/figures.hpp"
#include "core/faults.hpp"
#include "core/point.hpp"
#include "core/record_file.hpp"
#include "core/samples.hpp"
#include "core/suite_names.hpp"
#include "core/text.hpp"

namespace hockney::health {

RankHosts::RankHosts(const Record& record) {
  std::set<std::string> hosts;
  for (const RankPlace& place : record.ranks) {
    if (place.rank < 0) continue;
    const auto rank = static_cast<std::size_t>(place.rank);
    if (by_rank_.size() <= rank) by_rank_.resize(rank + 1);
    by_rank_[rank] = place.host;
    hosts.insert(place.host);
  }
  if (hosts.empty()) {
    for (const Host& host : record.provenance.hosts) hosts.insert(host.name);
  }
  if (hosts.size() == 1) only_ = *hosts.begin();
}

std::string RankHosts::of(std::span<const int> ranks) const {
  if (!only_.empty()) return only_;
  std::string host;
  for (const int rank : ranks) {
    const bool is_known = rank >= 0 && static_cast<std::size_t>(rank) < by_rank_.size();
    const std::string& one = is_known ? by_rank_[static_cast<std::size_t>(rank)] : "";
    if (one.empty() || (!host.empty() && one != host)) return "";
    host = one;
  }
  return host;
}

std::string RankHosts::of(const Point& point) const { return of(point.pair); }

namespace {

std::string with_host(const SeriesName& name, const std::string& host) {
  SeriesName of_host = name;
  of_host.keys["host"] = host;
  return of_host.text();
}

/// The series of a point, without its host.
SeriesName series_of(const Point& point, const std::string& setting, const std::string& figure) {
  Point pooled = point;
  if (pooled.hop) pooled.pair.clear();
  pooled.algorithm.reset();
  SeriesName name{.operation = pooled.operation, .keys = series_keys(pooled), .figure = figure};
  name.keys["bytes"] = std::to_string(point.bytes.value);
  if (!setting.empty()) name.keys["setting"] = setting;
  return name;
}

/// One series, without its host.
struct NamedKind {
  SeriesName name;
  SeriesKind kind;  ///< its name is unused
};

/// A value in a launch. A launch may have several, such as those of repetitions.
using LaunchValue = std::pair<std::size_t, double>;

/// One value for each launch: the median of its values.
std::vector<double> launch_medians(std::vector<LaunchValue> values) {
  std::ranges::stable_sort(values, {}, &LaunchValue::first);
  std::vector<double> medians;
  for (auto first = values.begin(); first != values.end();) {
    std::vector<double> of_launch;
    const std::size_t launch = first->first;
    for (; first != values.end() && first->first == launch; ++first) {
      of_launch.push_back(first->second);
    }
    medians.push_back(median_of_some(of_launch));
  }
  return medians;
}

/// Memory modules have sizes of a power of two, and a machine has up to 32 of the same size.
std::string installed_memory(std::int64_t bytes) {
  constexpr std::uint64_t parts = 16;
  const auto usable = static_cast<std::uint64_t>(bytes);
  const std::uint64_t module = std::max<std::uint64_t>(1, std::bit_floor(usable) / parts);
  const std::uint64_t installed = (usable + module - 1) / module * module;
  constexpr double gibibyte = 1U << 30U;
  return fmt::format("{:.4g} GiB", static_cast<double>(installed) / gibibyte);
}

/// "8 x NVIDIA 10de:2335 + ...": without the model of the driver, which may not be loaded.
std::string gpus_text(const std::vector<std::string>& gpus) {
  std::map<std::string, int> counts;
  for (const std::string& gpu : gpus) {
    const std::size_t id = gpu.rfind('[');
    const std::string maker = gpu.substr(0, gpu.find(' '));
    const bool has_id = id != std::string::npos && gpu.ends_with(']');
    ++counts[has_id ? maker + " " + gpu.substr(id + 1, gpu.size() - id - 2) : gpu];
  }
  std::vector<std::string> parts;
  for (const auto& [name, count] : counts) parts.push_back(fmt::format("{} x {}", count, name));
  return join(parts, " + ");
}

Environment environment_of(const std::map<std::string, std::string>& facts) {
  return {.digest = content_digest(nlohmann::json(facts).dump()), .facts = facts};
}

/// The series of an Absence that stands for all of a host: "*/host=n3 setting=nightly/*".
std::string every_series_of(const std::string& host, const std::string& setting) {
  SeriesName name{.operation = every_series, .keys = {{"host", host}}, .figure = every_series};
  if (!setting.empty()) name.keys["setting"] = setting;
  return name.text();
}

/// Launches in which a host has no figures.
struct MissingLaunches {
  std::set<std::size_t> launches;
  std::string reason;  ///< of the last one
};

HostLaunches host_launches(std::span<const Record> launches, const std::string& setting) {
  HostLaunches hosts(setting);
  for (std::size_t i = 0; i < launches.size(); ++i) hosts.add(std::to_string(i), launches[i]);
  return hosts;
}

}  // namespace

std::map<std::string, std::string> host_facts(const Host& host) {
  std::map<std::string, std::string> facts{
      {"host.cpu_model", host.cpu_model},
      {"host.kernel", host.kernel},
      {"host.governor", host.governor.empty() ? "none" : host.governor},
      {"host.clocksource", host.clocksource},
      {"host.topology", host.topology_digest}};
  if (host.memory_bytes && *host.memory_bytes > 0) {
    facts[memory_fact] = installed_memory(*host.memory_bytes);
  }
  if (!host.gpus.empty()) facts[gpu_fact] = gpus_text(host.gpus);
  if (!host.serial.empty()) facts["host.serial"] = host.serial;
  return facts;
}

class HostLaunches::Values {
 public:
  explicit Values(std::string setting) : setting_(std::move(setting)) {}

  void add(const std::string& name, const Record& record) {
    const std::size_t launch = number_of(name);
    const RankHosts hosts(record);
    for (const Series& series : record.series) add_series(launch, record, hosts, series);
    for (const MachineProbe& probe : record.machine) add_probe(launch, hosts, probe);
    add_reasons(record, hosts);
    for (const Host& host : record.provenance.hosts) {
      add_environment(host);
      if (!host.name.empty()) hosts_.insert(host.name);
    }
    for (const RankPlace& place : record.ranks) {
      if (!place.host.empty()) hosts_.insert(place.host);
    }
    is_imported_ = is_imported_ || is_imported(record);
    names_hosts_ = names_hosts_ || is_imported_ || is_of_each_node(record);
  }

  void add_missing(const std::string& name, const MissingNode& node) {
    MissingLaunches& missing = missing_[node.host];
    missing.launches.insert(number_of(name));
    missing.reason = node.reason;
    hosts_.insert(node.host);
    names_hosts_ = true;
  }

  [[nodiscard]] HostNight night() const {
    const bool are_known = hosts_.size() > 1 || (names_hosts_ && !hosts_.empty());
    return are_known ? all() : HostNight();
  }

  [[nodiscard]] HostNight all() const {
    HostNight night;
    night.environments = environments_;
    night.figures = figures();
    std::map<std::string, std::string> reasons = reasons_;
    for (const NightFigure& figure : night.figures) reasons.erase(figure.series.name);
    for (const auto& [host, missing] : missing_) {
      reasons.insert_or_assign(every_series_of(host, setting_), reason_of(missing));
    }
    for (const auto& [series, reason] : reasons) night.absences.push_back({series, reason});
    return night;
  }

 private:
  using HostAndKind = std::pair<std::string, std::size_t>;

  std::size_t number_of(const std::string& launch) {
    return launches_.try_emplace(launch, launches_.size()).first->second;
  }

  /// "it hung", "no figures in 1 of 12 launches: it hung".
  [[nodiscard]] std::string reason_of(const MissingLaunches& missing) const {
    if (missing.launches.size() == launches_.size()) return missing.reason;
    return fmt::format("no figures in {} of {} launches: {}", missing.launches.size(),
                       launches_.size(), missing.reason);
  }

  [[nodiscard]] std::vector<NightFigure> figures() const {
    std::vector<double> digits(kinds_.size());
    if (is_imported_) digits = printed_digits();
    std::vector<NightFigure> figures;
    for (const auto& [place, values] : values_) {
      const auto& [host, index] = place;
      SeriesKind kind = kinds_[index].kind;
      kind.name = with_host(kinds_[index].name, host);
      const std::size_t before = figures.size();
      add_figure(figures, std::move(kind), over_launches(launch_medians(values)));
      if (figures.size() == before) continue;
      NightlyValue& value = figures.back().value;
      const auto known = host_environments_.find(host);
      if (known != host_environments_.end())
        value.environment = environments_[known->second].digest;
      if (digits[index] > 0) value.half_digit = digits[index] / 2;
    }
    return figures;
  }

  void add_environment(const Host& host) {
    const auto [known, is_new] = facts_.try_emplace(host_facts(host), environments_.size());
    if (is_new) environments_.push_back(environment_of(known->first));
    host_environments_.insert_or_assign(host.name, known->second);
  }

  /// Reasons of planned points of a host.
  void add_reasons(const Record& record, const RankHosts& hosts) {
    for (const PlannedPoint& planned : record.points) {
      const std::string host = planned.reason.empty() ? "" : hosts.of(planned.point);
      if (host.empty()) continue;
      const bool is_window = planned.point.parameters.contains("window");
      const SeriesName name =
          series_of(planned.point, setting_, is_window ? "bytes_per_second" : "seconds");
      reasons_.try_emplace(with_host(name, host), planned.reason);
    }
  }

  void add_series(std::size_t launch, const Record& record, const RankHosts& hosts,
                  const Series& series) {
    const std::string host = hosts.of(series.point);
    const auto seconds = launch_median(record, series);
    if (host.empty() || !seconds || fault_of(record, series)) return;
    const bool is_window =
        series.point.parameters.contains("window") && series.bytes_per_sample > 0;
    const double value =
        is_window ? static_cast<double>(series.bytes_per_sample) / *seconds : *seconds;
    const std::string unit = is_window ? "bytes_per_second" : "seconds";
    add_value(launch, host, series_of(series.point, setting_, unit),
              {.unit = unit,
               .role = is_floor(series.point.operation) ? SeriesRole::control : SeriesRole::subject,
               .worse = is_window ? WorseWhen::smaller : WorseWhen::larger},
              value);
  }

  void add_probe(std::size_t launch, const RankHosts& hosts, const MachineProbe& probe) {
    const auto named = [&](const char* operation, const char* figure) {
      SeriesName name{.operation = operation, .keys = {}, .figure = figure};
      if (!setting_.empty()) name.keys["setting"] = setting_;
      return name;
    };
    for (const LineProbe& line : probe.lines) {
      add_value(launch, hosts.of(line.pair), named("cache-line", "seconds"),
                {.unit = "seconds", .role = SeriesRole::control}, line.seconds);
    }
    for (const RankProbe& rank : probe.ranks) {
      const std::string host = hosts.of(std::span(&rank.rank, 1));
      add_value(launch, host, named("spin", "shortest_seconds"),
                {.unit = "seconds", .role = SeriesRole::control}, rank.noise_probe_seconds);
      if (!rank.copy_bytes_per_second) continue;
      add_value(
          launch, host, named("copy", "bytes_per_second"),
          {.unit = "bytes_per_second", .role = SeriesRole::control, .worse = WorseWhen::smaller},
          *rank.copy_bytes_per_second);
    }
    add_node(launch, hosts, probe);
  }

  /// Bandwidths of memory and of GPUs.
  void add_node(std::size_t launch, const RankHosts& hosts, const MachineProbe& probe) {
    const auto add_rate = [&](int rank, const char* operation, const char* key, int value,
                              double rate) {
      SeriesName name{.operation = operation,
                      .keys = {{key, std::to_string(value)}},
                      .figure = "bytes_per_second"};
      if (!setting_.empty()) name.keys["setting"] = setting_;
      add_value(launch, hosts.of(std::span(&rank, 1)), name,
                {.unit = "bytes_per_second", .worse = WorseWhen::smaller}, rate);
    };
    for (const MemoryProbe& memory : probe.memory) {
      add_rate(memory.rank, memory_figure, "cores", memory.cores, memory.bytes_per_second);
    }
    for (const DeviceProbe& device : probe.devices) {
      add_rate(device.rank, to_device_figure, "device", device.device,
               device.to_device_bytes_per_second);
      add_rate(device.rank, from_device_figure, "device", device.device,
               device.from_device_bytes_per_second);
    }
  }

  void add_value(std::size_t launch, const std::string& host, SeriesName name, SeriesKind kind,
                 double value) {
    if (host.empty() || !(value > 0)) return;
    const auto [place, is_new] = places_.try_emplace(name.text(), kinds_.size());
    if (is_new) kinds_.push_back({.name = std::move(name), .kind = std::move(kind)});
    values_[{host, place->second}].emplace_back(launch, value);
  }

  /// The last printed digit of each series, over all hosts; 0 without one.
  [[nodiscard]] std::vector<double> printed_digits() const {
    std::vector<std::vector<double>> all(kinds_.size());
    for (const auto& [place, values] : values_) {
      for (const LaunchValue& value : values) all[place.second].push_back(value.second);
    }
    constexpr double microsecond_digit = 1e-8;
    constexpr double bandwidth_digit = 1e4;
    std::vector<double> digits;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const double usual = kinds_[i].kind.unit == "seconds" ? microsecond_digit : bandwidth_digit;
      digits.push_back(printed_digit(all[i], usual).value_or(0));
    }
    return digits;
  }

  std::string setting_;
  std::map<std::string, std::size_t> launches_;  ///< numbers by name
  std::map<std::string, std::size_t> places_;    ///< in kinds_, by name
  std::vector<NamedKind> kinds_;
  std::map<HostAndKind, std::vector<LaunchValue>> values_;
  std::set<std::string> hosts_;
  std::vector<Environment> environments_;
  std::map<std::map<std::string, std::string>, std::size_t> facts_;  ///< places in environments_
  std::map<std::string, std::size_t> host_environments_;             ///< places in environments_
  std::map<std::string, std::string> reasons_;                       ///< of points, by series
  std::map<std::string, MissingLaunches> missing_;                   ///< by host
  bool is_imported_ = false;
  bool names_hosts_ = false;
};

HostLaunches::HostLaunches(std::string setting)
    : values_(std::make_unique<Values>(std::move(setting))) {}
HostLaunches::HostLaunches(HostLaunches&&) noexcept = default;
HostLaunches& HostLaunches::operator=(HostLaunches&&) noexcept = default;
HostLaunches::~HostLaunches() = default;

void HostLaunches::add(const std::string& launch, const Record& record) {
  values_->add(launch, record);
}

void HostLaunches::add_missing(const std::string& launch, const MissingNode& node) {
  values_->add_missing(launch, node);
}

HostNight HostLaunches::night() const { return values_->night(); }

HostNight HostLaunches::all() const { return values_->all(); }

HostNight host_night(std::span<const Record> launches, const std::string& setting) {
  return host_launches(launches, setting).night();
}

HostNight figures_of_hosts(std::span<const Record> launches, const std::string& setting) {
  return host_launches(launches, setting).all();
}

}  // namespace hockney::health
