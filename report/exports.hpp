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

/// A line of CSV (RFC 4180). Text is escaped for terminals and spreadsheets without loss: control
/// characters are escaped and backslashes doubled (Breaks::escaped). An apostrophe precedes =, +,
/// -, @ and ' at the start of a cell, or of its parts after semicolons, except in numbers.
std::string csv_line(const std::vector<std::string>& cells);

/// Tidy rows of these records with a header line. Unknown values are empty cells. Times in seconds,
/// bandwidth in B/s, lists joined by semicolons. The columns of docs/reference/record-and-csv.md
/// come first, then one for each parameter and each axis of any row.
void write_csv(std::ostream& out, const std::vector<Row>& rows, std::span<const Record> records);

inline constexpr const char* rows_schema = "hockney.rows/1";

/// The same rows as objects; unknown values are null.
nlohmann::json rows_json(const std::vector<Row>& rows, std::span<const Record> records);

/// The columns of every CSV and their meanings.
std::vector<std::pair<std::string, std::string>> csv_dictionary();

/// Escapes text for HTML and XML 1.0, also inside quotes. Markup is escaped. Control characters and
/// characters outside XML 1.0 are shown as in core/text.hpp. Kept breaks become character
/// references.
std::string markup_text(std::string_view text, Breaks breaks = Breaks::blanks);

/// Reason for a failed case.
struct JUnitFailure {
  std::string type;     ///< a keyword: "regressed", "violated"
  std::string message;  ///< one line
  std::string text;     ///< the evidence, of any length
};

/// One judged item. At most one of `failure` and `skipped` is set.
struct JUnitCase {
  std::string classname;  ///< component of the case, with dots between levels
  std::string name;
  double seconds = 0;                     ///< duration of the judgement
  std::optional<JUnitFailure> failure{};  ///< set by a verdict against the case
  std::optional<std::string> skipped{};   ///< set if undecided: the reason
  std::string output{};                   ///< further text; may be empty
};

struct JUnitSuite {
  std::string name;
  std::string timestamp_utc{};  ///< ISO 8601; empty: none
  std::vector<JUnitCase> cases{};
};

/// Writes the suites as JUnit XML for Jenkins, GitLab and GitHub's reporters (the format of Ant's
/// junitreport with `skipped` messages). Text is escaped; characters outside XML 1.0 are shown as
/// by `escaped`.
void write_junit(std::ostream& out, const std::vector<JUnitSuite>& suites);

}  // namespace hockney::report
