#pragma once

#include <cstddef>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/text.hpp"
#include "report/rows.hpp"
#include "report/view.hpp"

namespace hockney::report {

/// A line of CSV (RFC 4180). Texts do nothing to a terminal or a spreadsheet and are kept exactly:
/// control characters are escaped and backslashes doubled (Breaks::escaped), and an apostrophe
/// stands before =, +, -, @ and ' where a cell, or a part of one after a semicolon, begins with it
/// and the cell is no number.
std::string csv_line(const std::vector<std::string>& cells);

/// The columns of CSV that name a point: operation, bytes, ranks, hop, path, algorithm, pair,
/// parameters.
Columns<Point> point_columns();

/// Tidy rows of these records with a header line; empty cells where nothing is known. Times in
/// seconds, bandwidth in B/s, what is several joined by semicolons; after the columns of
/// docs/reference/record-and-csv.md one for each parameter and each axis that a row has.
void write_csv(std::ostream& out, const std::vector<Row>& rows, std::span<const Record> records);

inline constexpr const char* rows_schema = "hockney.rows/1";

/// The same rows as objects; null where nothing is known.
nlohmann::json rows_json(const std::vector<Row>& rows, std::span<const Record> records);

/// The columns that all of them have, with what they say.
std::vector<Heading> csv_headings();

/// Text from anywhere as text of HTML and XML 1.0, within quotes too: inert, without markup, and
/// what they cannot hold is shown as core/text.hpp shows it. Breaks that are kept are references.
std::string markup_text(std::string_view text, Breaks breaks = Breaks::blanks);

/// Why a case did not pass.
struct JUnitFailure {
  std::string type;     ///< a word for machines: "regressed", "violated"
  std::string message;  ///< one line
  std::string text;     ///< the evidence, of any length
};

/// One thing that was judged. At most one of `failure` and `skipped` is there.
struct JUnitCase {
  std::string classname;  ///< what it belongs to, with dots between levels
  std::string name;
  double seconds = 0;                     ///< that judging took
  std::optional<JUnitFailure> failure{};  ///< a verdict against it
  std::optional<std::string> skipped{};   ///< why nothing can be said; undecided is no success
  std::string output{};                   ///< what else is to be told; empty: nothing
};

struct JUnitSuite {
  std::string name;
  std::string timestamp_utc{};  ///< ISO 8601; empty: none
  std::vector<JUnitCase> cases{};
};

/// The suites as JUnit XML that Jenkins, GitLab and GitHub's reporters read (the format of Ant's
/// junitreport with `skipped` messages). Text is escaped; what XML 1.0 cannot hold is shown as
/// `inert` does.
void write_junit(std::ostream& out, const std::vector<JUnitSuite>& suites);

}  // namespace hockney::report
