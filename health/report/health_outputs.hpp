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

/// Series with a row: those that changed, or all.
enum class ShownSeries { changed, all };

/// A row for each series, worst first; text lines are the evidence for changes.
report::View view_of(const Report& report, ShownSeries shown);

/// Prints the headline, changed series with evidence, named nodes and links, and undecided series
/// with reasons.
void print_health_table(std::ostream& out, const Report& report,
                        ShownSeries shown = ShownSeries::changed);

/// Names of the series in the page's pictures: those that changed, then others, at most 12.
std::vector<std::string> pictured_series(const Report& report);

/// Pictures of the nodes and persistently slow links of at most four points.
std::vector<report::Picture> fleet_pictures(const Report& report);

/// The page of a night. It has the headline and the changes, and a picture for each of `series` up
/// to that night. A picture shows the baseline's band, the change, changes of the environment, and
/// notes. Then the nodes and slow links of each point.
report::Page health_page(const Report& report, std::span<const NightlySeries> series);

/// One case for the state of the night, and one for each series, node and slow link. Regressions
/// and named nodes and links fail, with their evidence. Undecided ones are skipped, with the
/// reason.
std::vector<report::JUnitSuite> health_junit(const Report& report);

/// Evidence for a verdict, one item a line: baseline and value, controls, environment, notes.
std::vector<std::string> evidence_lines(const JudgedSeries& judged);

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
