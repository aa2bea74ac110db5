#include "tune/predicted.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/error.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"
#include "tune/open_mpi_names.hpp"

namespace hockney::tune {
namespace {

const std::vector<std::string>& required_columns() {
  static const std::vector<std::string> columns{"operation", "ranks", "bytes", "algorithm",
                                                "seconds",   "low",   "high"};
  return columns;
}

/// One line by the names of the header.
class CsvRow {
 public:
  CsvRow(const std::vector<std::string>& header, const std::string& line, std::string place)
      : place_(std::move(place)) {
    const std::vector<std::string> cells = split(line, ',');
    if (cells.size() != header.size()) {
      throw InputError({place_ + ": " + std::to_string(cells.size()) + " columns",
                        "the header has " + std::to_string(header.size()), "write one cell each"});
    }
    for (std::size_t i = 0; i < header.size(); ++i) cells_[header[i]] = cells[i];
  }

  [[nodiscard]] std::string text(const std::string& column) const {
    const auto found = cells_.find(column);
    return found == cells_.end() ? std::string() : found->second;
  }

  [[nodiscard]] double seconds(const std::string& column) const {
    const std::string cell = text(column);
    const auto value = as_number<double>(cell);
    if (value && std::isfinite(*value) && *value > 0) return *value;
    throw InputError({place_ + ": bad " + column + " '" + cell + "'", "it is a time in seconds",
                      "write it like 1.5e-6"});
  }

  template <class Number>
  [[nodiscard]] Number count(const std::string& column, Number least) const {
    return parse_count<Number>(place_ + ": " + column, text(column), least);
  }

 private:
  std::string place_;
  std::map<std::string, std::string> cells_;
};

Choice choice_in(const CsvRow& row, const std::string& operation, Target target) {
  Choice choice{.algorithm = row.text("algorithm")};
  if (choice.algorithm == "default") return {};
  if (!row.text("segment").empty()) choice.segment = parse_bytes(row.text("segment")).value;
  if (!row.text("fanout").empty()) choice.fanout = row.count<int>("fanout", 0);
  const bool is_open_mpi = target == Target::openmpi || target == Target::openmpi6;
  if (is_open_mpi) choice.number = open_mpi_number(operation, choice);
  if (target == Target::intel) choice.number = row.count<int>("algorithm", 1);
  return choice;
}

PredictedRow read_row(const CsvRow& row, Target target) {
  const std::string operation = row.text("operation");
  return {.operation = operation,
          .ranks = row.count<int>("ranks", 2),
          .bytes = {row.count<std::int64_t>("bytes", 0)},
          .choice = choice_in(row, operation, target),
          .seconds = row.seconds("seconds"),
          .low = row.seconds("low"),
          .high = row.seconds("high")};
}

std::vector<std::string> read_header(const std::string& line, const std::string& file) {
  std::vector<std::string> header = split(line, ',');
  for (const std::string& column : required_columns()) {
    if (std::ranges::find(header, column) != header.end()) continue;
    throw InputError({file + ": no column '" + column + "'", "the first line names the columns",
                      "give " + join(required_columns(), ",")});
  }
  return header;
}

void add_candidate(TunedPoint& point, const PredictedRow& row, double least_gain) {
  if (std::ranges::find(point.candidates, row.choice, &Candidate::choice) !=
      point.candidates.end()) {
    return;
  }
  Candidate candidate{.choice = row.choice,
                      .setting = "predicted",
                      .source = Basis::predicted,
                      .seconds = row.seconds,
                      .interval_seconds = Interval{row.low, row.high, default_level}};
  if (const auto& base = point.base_seconds) {
    const double low = point.base_interval_seconds ? point.base_interval_seconds->low : *base;
    candidate.ratio = row.seconds / *base;
    candidate.shown = candidate.ratio < 1 - least_gain && row.high < low;
  }
  point.candidates.push_back(std::move(candidate));
}

/// Nothing there can be shown to be faster, and a rule would only cut those of its neighbours.
void drop_without_base(Evidence& evidence) {
  for (const TunedPoint& point : evidence.points) {
    if (point.base_seconds) continue;
    note({"predicted", point.operation, "nothing is known of the default's time", 1},
         evidence.left_out);
  }
  std::erase_if(evidence.points, [](const TunedPoint& point) { return !point.base_seconds; });
}

}  // namespace

std::vector<PredictedRow> read_predicted(const std::string& text, const std::string& file,
                                         Target target) {
  std::vector<std::string> header;
  std::vector<PredictedRow> rows;
  int number = 0;
  for (const std::string& line : split(text, '\n')) {
    ++number;
    if (line.empty() || line.starts_with('#')) continue;
    if (header.empty()) {
      header = read_header(line, file);
    } else {
      rows.push_back(read_row(CsvRow(header, line, file + ":" + std::to_string(number)), target));
    }
  }
  if (!rows.empty()) return rows;
  throw InputError({file + ": no predictions", "it has no line below a header",
                    "give " + join(required_columns(), ",")});
}

void add_predicted(Evidence& evidence, const std::vector<PredictedRow>& rows) {
  for (const PredictedRow& row : rows) {
    TunedPoint& point = point_at(evidence, row.operation, row.ranks, row.bytes);
    if (!row.choice.is_default() || point.base_seconds) continue;
    point.base_seconds = row.seconds;
    point.base_interval_seconds = Interval{row.low, row.high, default_level};
  }
  for (const PredictedRow& row : rows) {
    if (row.choice.is_default()) continue;
    add_candidate(point_at(evidence, row.operation, row.ranks, row.bytes), row,
                  evidence.options.least_gain);
  }
  drop_without_base(evidence);
  sort_points(evidence);
}

}  // namespace hockney::tune
