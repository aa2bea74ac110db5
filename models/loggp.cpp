#include "models/loggp.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "core/node_records.hpp"
#include "core/samples.hpp"
#include "models/curves.hpp"

namespace hockney::models {
namespace {

/// Medians [s] over sizes [B] of one operation in one launch.
using Times = std::map<std::int64_t, double>;

/// One launch between the ranks of one pair.
struct PairLaunch {
  Times send;
  Times receive;
  Times gap;
  Times message;  ///< half of a round trip
};

/// The parameters of one launch.
struct LaunchParameters {
  double send = 0;
  double receive = 0;
  double latency = 0;
  double gap = 0;
  std::optional<double> gap_per_byte;
  std::optional<double> largest_error;
};

using Key =
    std::tuple<std::string, std::string, std::string, std::optional<std::string>, std::vector<int>>;

Times* times_for(PairLaunch& times, const std::string& operation) {
  if (operation == "send-overhead") return &times.send;
  if (operation == "receive-overhead") return &times.receive;
  if (operation == "gap") return &times.gap;
  return operation == "half-round-trip" ? &times.message : nullptr;
}

/// By launch.
std::map<Key, std::map<std::size_t, PairLaunch>> times_of(std::span<const Record> records) {
  std::map<Key, std::map<std::size_t, PairLaunch>> pairs;
  for (const TimedSeries& timed : timed_series(records).series) {
    const Point& point = timed.series->point;
    const Key key{timed.setting(), timed.record->provenance.mpi.library, host_of(point), point.hop,
                  point.pair};
    Times* const own = times_for(pairs[key][timed.launch], point.operation);
    if (own != nullptr) (*own)[point.bytes.value] = timed.seconds;
  }
  return pairs;
}

std::optional<double> slope(const Times& times) {
  std::vector<TimedSize> points;
  for (const auto& [bytes, seconds] : times) {
    points.push_back({static_cast<double>(bytes), seconds, seconds});
  }
  const auto line = fit_line(points);
  return line ? std::optional(line->beta_seconds_per_byte) : std::nullopt;
}

double largest_error(const PairLaunch& times, std::int64_t smallest, double latency,
                     double gap_per_byte) {
  double largest = 0;
  for (const auto& [bytes, measured] : times.message) {
    if (!times.send.contains(bytes) || !times.receive.contains(bytes)) continue;
    const auto more = static_cast<double>(bytes - smallest);
    const double predicted =
        times.send.at(smallest) + latency + more * gap_per_byte + times.receive.at(smallest);
    largest = std::max(largest, std::abs(predicted - measured) / measured);
  }
  return largest;
}

/// nullopt unless all four were measured at the smallest size.
std::optional<LaunchParameters> parameters_of(const PairLaunch& times) {
  if (times.send.empty()) return std::nullopt;
  const std::int64_t smallest = times.send.begin()->first;
  const auto is_there = [&](const Times& other) { return other.contains(smallest); };
  if (!is_there(times.receive) || !is_there(times.gap) || !is_there(times.message)) {
    return std::nullopt;
  }
  LaunchParameters found{.send = times.send.at(smallest),
                         .receive = times.receive.at(smallest),
                         .gap = times.gap.at(smallest),
                         .gap_per_byte = slope(times.gap)};
  found.latency = times.message.at(smallest) - found.send - found.receive;
  if (const auto& gap = found.gap_per_byte) {
    found.largest_error = largest_error(times, smallest, found.latency, *gap);
  }
  return found;
}

LogGpParameter over_launches(const std::vector<double>& values) {
  return {.value = median(values).value_or(0), .interval = quantile_interval(values)};
}

template <class Member>
LogGpParameter over_launches(const std::vector<LaunchParameters>& launches, Member member) {
  std::vector<double> values;
  for (const LaunchParameters& launch : launches) values.push_back(launch.*member);
  return over_launches(values);
}

/// Those that have it; nullopt when none has.
std::optional<LogGpParameter> over_known(const std::vector<LaunchParameters>& launches,
                                         std::optional<double> LaunchParameters::*member) {
  std::vector<double> values;
  for (const LaunchParameters& launch : launches) {
    if (const auto& value = launch.*member) values.push_back(*value);
  }
  return values.empty() ? std::nullopt : std::optional(over_launches(values));
}

/// Whether one is certainly smaller: by its interval, or without one by its value.
bool is_below(const LogGpParameter& parameter, double bound) {
  return (parameter.interval ? parameter.interval->high : parameter.value) < bound;
}

double low_end(const LogGpParameter& parameter) {
  return parameter.interval ? parameter.interval->low : parameter.value;
}

std::vector<LogGpWarning> judge(const LogGp& model) {
  std::vector<LogGpWarning> warnings;
  if (is_below(model.latency_seconds, 0)) warnings.push_back(LogGpWarning::negative_latency);
  if (is_below(model.gap_seconds, low_end(model.send_overhead_seconds))) {
    warnings.push_back(LogGpWarning::gap_below_send);
  }
  if (is_below(model.gap_seconds, low_end(model.receive_overhead_seconds))) {
    warnings.push_back(LogGpWarning::gap_below_receive);
  }
  return warnings;
}

/// The model of one pair under one setting; `bytes` is the smallest size.
LogGp model_of(const Key& key, const std::vector<LaunchParameters>& launches, std::int64_t bytes) {
  LogGp model{.setting = std::get<0>(key),
              .mpi_library = std::get<1>(key),
              .host = std::get<2>(key),
              .hop = std::get<3>(key),
              .pair = std::get<4>(key),
              .launches = launches.size(),
              .bytes = bytes,
              .send_overhead_seconds = over_launches(launches, &LaunchParameters::send),
              .receive_overhead_seconds = over_launches(launches, &LaunchParameters::receive),
              .latency_seconds = over_launches(launches, &LaunchParameters::latency),
              .gap_seconds = over_launches(launches, &LaunchParameters::gap),
              .gap_seconds_per_byte = over_known(launches, &LaunchParameters::gap_per_byte)};
  if (const auto error = over_known(launches, &LaunchParameters::largest_error)) {
    model.largest_error = error->value;
  }
  model.warnings = judge(model);
  return model;
}

}  // namespace

std::vector<LogGp> fit_loggp(std::span<const Record> records) {
  std::vector<LogGp> models;
  for (const auto& [key, launches] : times_of(records)) {
    std::int64_t bytes = 0;
    std::vector<LaunchParameters> found;
    for (const auto& [launch, times] : launches) {
      const auto parameters = parameters_of(times);
      if (!parameters) continue;
      bytes = times.send.begin()->first;
      found.push_back(*parameters);
    }
    if (!found.empty()) models.push_back(model_of(key, found, bytes));
  }
  return models;
}

}  // namespace hockney::models
