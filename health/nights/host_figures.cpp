#include "health/nights/host_figures.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "core/faults.hpp"
#include "core/point.hpp"
#include "core/record_file.hpp"
#include "core/samples.hpp"
#include "core/suite_names.hpp"
#include "core/text.hpp"
#include "health/detection/node_reference.hpp"
#include "health/nights/figures.hpp"

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

using HostAndSeries = std::pair<std::string, std::string>;  ///< name without the host

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

/// The values of one series of one host, by launch.
struct HostSeries {
  SeriesKind kind;
  std::map<std::size_t, std::vector<double>> by_launch;
};

void set_half_digit(NightFigure& figure, double half_digit) {
  figure.value.half_digit = half_digit;
}

class HostValues {
 public:
  explicit HostValues(std::string setting) : setting_(std::move(setting)) {}

  void add(std::size_t launch, const Record& record) {
    const RankHosts hosts(record);
    for (const Series& series : record.series) add_series(launch, record, hosts, series);
    for (const MachineProbe& probe : record.machine) add_probe(launch, hosts, probe);
  }

  /// With one value for each launch.
  [[nodiscard]] std::vector<NightFigure> figures(
      const std::map<std::string, std::string>& environments, bool imported) const {
    std::map<std::string, double> digits;
    if (imported) digits = printed_digits();
    std::vector<NightFigure> figures;
    for (const auto& [place, series] : series_) {
      add_figure(figures, series.kind, over_launches(launch_medians(series)));
      const bool is_added = !figures.empty() && figures.back().series.name == series.kind.name;
      if (!is_added) continue;
      const auto known = environments.find(place.first);
      if (known != environments.end()) figures.back().value.environment = known->second;
      const auto digit = digits.find(place.second);
      const bool is_printed = digit != digits.end() && digit->second > 0;
      if (is_printed) set_half_digit(figures.back(), digit->second / 2);
    }
    return figures;
  }

 private:
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

  void add_value(std::size_t launch, const std::string& host, const SeriesName& name,
                 SeriesKind kind, double value) {
    if (host.empty() || !(value > 0)) return;
    HostSeries& series = series_[{host, name.text()}];
    if (series.by_launch.empty()) {
      kind.name = with_host(name, host);
      series.kind = std::move(kind);
    }
    series.by_launch[launch].push_back(value);
  }

  static std::vector<double> launch_medians(const HostSeries& series) {
    std::vector<double> medians;
    medians.reserve(series.by_launch.size());
    for (const auto& [launch, values] : series.by_launch) medians.push_back(median_of_some(values));
    return medians;
  }

  /// The last printed digit of each series, over all hosts; 0 without one.
  [[nodiscard]] std::map<std::string, double> printed_digits() const {
    std::map<std::string, std::vector<double>> times;
    std::map<std::string, std::vector<double>> rates;
    for (const auto& one : series_) {
      auto& of_unit = one.second.kind.unit == "seconds" ? times : rates;
      std::vector<double>& values = of_unit[one.first.second];
      for (const auto& launch : one.second.by_launch) {
        values.insert(values.end(), launch.second.begin(), launch.second.end());
      }
    }
    constexpr double microsecond_digit = 1e-8;
    constexpr double bandwidth_digit = 1e4;
    std::map<std::string, double> digits;
    add_digits(digits, times, microsecond_digit);
    add_digits(digits, rates, bandwidth_digit);
    return digits;
  }

  static void add_digits(std::map<std::string, double>& digits,
                         const std::map<std::string, std::vector<double>>& values, double usual) {
    for (const auto& one : values) {
      digits.emplace(one.first, printed_digit(one.second, usual).value_or(0));
    }
  }

  std::string setting_;
  std::map<HostAndSeries, HostSeries> series_;
};

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

Environment environment_of(const Host& host) {
  std::map<std::string, std::string> facts = host_facts(host);
  std::string digest = content_digest(nlohmann::json(facts).dump());
  return {.digest = std::move(digest), .facts = std::move(facts)};
}

std::set<std::string> hosts_of(std::span<const Record> launches) {
  std::set<std::string> hosts;
  for (const Record& record : launches) {
    for (const RankPlace& place : record.ranks) hosts.insert(place.host);
    for (const Host& host : record.provenance.hosts) hosts.insert(host.name);
  }
  return hosts;
}

/// Reasons of planned points of one host, by series.
void add_host_reasons(std::map<std::string, std::string>& reasons, const Record& record,
                      const std::string& setting) {
  const RankHosts hosts(record);
  for (const PlannedPoint& planned : record.points) {
    const std::string host = planned.reason.empty() ? "" : hosts.of(planned.point);
    if (host.empty()) continue;
    const bool is_window = planned.point.parameters.contains("window");
    const SeriesName name =
        series_of(planned.point, setting, is_window ? "bytes_per_second" : "seconds");
    reasons.try_emplace(with_host(name, host), planned.reason);
  }
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

HostNight host_night(std::span<const Record> launches, const std::string& setting) {
  return hosts_of(launches).size() < 2 ? HostNight() : figures_of_hosts(launches, setting);
}

HostNight figures_of_hosts(std::span<const Record> launches, const std::string& setting) {
  HostNight night;
  HostValues values(setting);
  std::map<std::string, std::string> digests;
  std::set<std::string> known;
  std::map<std::string, std::string> reasons;
  for (std::size_t launch = 0; launch < launches.size(); ++launch) {
    values.add(launch, launches[launch]);
    add_host_reasons(reasons, launches[launch], setting);
    for (const Host& host : launches[launch].provenance.hosts) {
      Environment environment = environment_of(host);
      digests[host.name] = environment.digest;
      if (known.insert(environment.digest).second) {
        night.environments.push_back(std::move(environment));
      }
    }
  }
  night.figures = values.figures(digests, is_imported(launches.front()));
  for (const NightFigure& figure : night.figures) reasons.erase(figure.series.name);
  for (const auto& [series, reason] : reasons) night.absences.push_back({series, reason});
  return night;
}

}  // namespace hockney::health
