#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "components/health/report/health_report.hpp"
#include "report/exports.hpp"

namespace hockney::health {

inline constexpr std::string_view health_schema = "hockney.health/1";

/// The document of `hockney health check --json`. Changes, effects and noise are fractions of 1;
/// unknown values are null. `nodes` and `links` are the named ones; `fleet` has all.
nlohmann::json to_json(const Report& report);

/// Writes one line for each series measured on the judged day, for a file that grows every night.
void write_health_lines(std::ostream& out, const Report& report);

/// One case for the state of the night, and one for each series, node and slow link. Regressions
/// and named nodes and links fail, with their evidence. Undecided ones are skipped, with the
/// reason.
std::vector<report::JUnitSuite> health_junit(const Report& report);

struct OpenMetricsSample {
  std::map<std::string, std::string> labels;
  double value = 0;
};

/// Gauges with one name.
struct OpenMetricsFamily {
  std::string name;  ///< ends in _unit, if it has a unit
  std::string unit;  ///< "seconds"; empty: none
  std::string help;
  std::vector<OpenMetricsSample> samples;
};

/// Writes the families as OpenMetrics text of gauges without timestamps, which node_exporter's
/// textfile collector reads as well. Families without samples are left out.
void write_openmetrics(std::ostream& out, const std::vector<OpenMetricsFamily>& families);

/// The gauges of `hockney health check --openmetrics`. Names and labels are the same every night;
/// their number grows only with series, nodes and named links.
std::vector<OpenMetricsFamily> health_metrics(const Report& report);

/// Writes the report in the line protocol of InfluxDB. Each line has the time of its night, so past
/// nights can be added later.
void write_influx(std::ostream& out, const Report& report);

}  // namespace hockney::health
