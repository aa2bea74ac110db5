#pragma once

#include <map>
#include <ostream>
#include <string>
#include <vector>

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

}  // namespace hockney
