#pragma once

#include <ostream>
#include <vector>

#include "report/health/health_report.hpp"
#include "report/health/openmetrics.hpp"

namespace hockney {

/// The gauges of `hockney health check --openmetrics`: names and labels stay the same from night to
/// night, and there are as many samples as series, nodes and named links.
std::vector<OpenMetricsFamily> health_metrics(const HealthReport& report);

/// The report in the line protocol of InfluxDB, each line with the time of its night, so that
/// nights of the past can be filled in.
void write_influx(std::ostream& out, const HealthReport& report);

}  // namespace hockney
