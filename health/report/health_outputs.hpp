#pragma once

#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "health/detection/check.hpp"
#include "health/report/health_report.hpp"
#include "report/page/page.hpp"
#include "report/view.hpp"

namespace hockney::health {

/// Series with a row: those that changed, or all.
enum class ShownSeries { changed, all };

/// Columns of results, for tables and documents.
report::Columns<JudgedSeries> columns_of_verdicts();
report::Columns<fleet::NodeEffect> columns_of_nodes();
report::Columns<fleet::LinkVerdict> columns_of_links();

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

/// Evidence for a verdict, one item a line: baseline and value, controls, environment, notes.
std::vector<std::string> evidence_lines(const JudgedSeries& judged);

}  // namespace hockney::health
