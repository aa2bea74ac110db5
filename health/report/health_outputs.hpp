#pragma once

#include <map>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "health/detection/check.hpp"
#include "health/report/health_report.hpp"
#include "report/exports.hpp"
#include "report/page/page.hpp"

namespace hockney::health {

/// Which series have a row of their own: those that changed, or all.
enum class ShownSeries { changed, all };

/// A row for each series, the worst first; lines of text are the evidence for changes.
report::View view_of(const Report& report, ShownSeries shown);

/// The headline, changed series with their evidence, nodes and links that are named, and what is
/// undecided and why.
void print_health_table(std::ostream& out, const Report& report,
                        ShownSeries shown = ShownSeries::changed);

/// The names of the series that the page of a report draws: those that changed, then others, 12 at
/// most.
std::vector<std::string> pictured_series(const Report& report);

/// The nodes of each point and its links that stay slow, of four points at most.
std::vector<report::Picture> fleet_pictures(const Report& report);

/// The page of a night: the headline and what changed; each of `series`, up to that night, with the
/// band of its baseline, its change, changes of the environment and notes; and the nodes and slow
/// links of each point.
report::Page health_page(const Report& report, std::span<const NightlySeries> series);

/// One case for the state of the night, and one for each series, node and slow link. Regressions
/// and named nodes and links fail, with what is known of them; undecided ones are skipped with the
/// reason.
std::vector<report::JUnitSuite> health_junit(const Report& report);

/// What there is to say of a verdict beside its line: baseline and value, controls, environment,
/// notes; one a line.
std::vector<std::string> evidence_lines(const JudgedSeries& judged);

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
std::vector<OpenMetricsFamily> health_metrics(const Report& report);

/// The report in the line protocol of InfluxDB, each line with the time of its night, so that
/// nights of the past can be filled in.
void write_influx(std::ostream& out, const Report& report);

}  // namespace hockney::health
