#pragma once

#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "components/health/detection/check.hpp"
#include "components/health/report/health_report.hpp"
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

/// The last values of changed and missing series, for a summary; the mark is the verdict.
std::vector<SummaryRow> changed_rows(const Report& report);

/// Prints the headline, changed series with evidence, named nodes and links, and undecided series
/// with reasons.
void print_health_table(std::ostream& out, const Report& report,
                        ShownSeries shown = ShownSeries::changed);

/// The page of a night and the first screen of its check.
report::Page health_page(const Report& report, const report::Screen& screen);

/// Evidence for a verdict, one item a line: baseline and value, controls, environment, notes.
std::vector<std::string> evidence_lines(const JudgedSeries& judged);

}  // namespace hockney::health
