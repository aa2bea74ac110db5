#pragma once

#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "health/report/health_report.hpp"

namespace hockney {

struct OpenMetricsSample {
  std::map<std::string, std::string> labels;
  double value = 0;
};

/// Gauges of one name.
struct OpenMetricsFamily {
  std::string name;  ///< ends in _unit where there is one
  std::string unit;  ///< "seconds"; empty: none
  std::string help;
  std::vector<OpenMetricsSample> samples;
};

/// The families as an OpenMetrics text of gauges without timestamps, which node_exporter's textfile
/// collector takes too; families without samples are left out.
void write_openmetrics(std::ostream& out, const std::vector<OpenMetricsFamily>& families);

/// The gauges of `hockney health check --openmetrics`: names and labels stay the same from night to
/// night, and there are as many samples as series, nodes and named links.
std::vector<OpenMetricsFamily> health_metrics(const HealthReport& report);

/// The report in the line protocol of InfluxDB, each line with the time of its night, so that
/// nights of the past can be filled in.
void write_influx(std::ostream& out, const HealthReport& report);

}  // namespace hockney
