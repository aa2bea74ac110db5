#include "report/record_tables.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/latency_table.hpp"
#include "report/number_text.hpp"
#include "report/overlap_table.hpp"
#include "report/path_table.hpp"
#include "report/protocol_table.hpp"
#include "report/timing_table.hpp"

namespace hockney {
namespace {

template <class Number>
Number total(std::span<const Row> rows, Number Row::*member) {
  Number sum{};
  for (const Row& row : rows) sum += row.*member;
  return sum;
}

/// Says so when visits did not count because a launch had not settled, or something else kept the
/// CPUs busy.
void print_lost_visits(std::ostream& out, std::span<const Row> rows) {
  const int visits = total(rows, &Row::visits);
  const int warm_up = total(rows, &Row::warm_up_visits);
  const int disturbed = visits - warm_up - total(rows, &Row::calm_visits);
  if (warm_up > 0) {
    out << "  warm-up: " << warm_up << " of " << visits
        << " visits do not count (the first of a launch, slower than it settled at)\n";
  }
  if (disturbed > 0) {
    out << "  disturbed: " << disturbed << " of " << visits
        << " visits do not count (a control without MPI ran slower beside them)\n";
  }
}

void print_detours(std::ostream& out, std::span<const Row> rows) {
  const int detours = total(rows, &Row::detours);
  if (detours == 0) return;
  const auto samples = static_cast<double>(total(rows, &Row::samples));
  out << "  detours: " << significant(100 * detours / samples, 2)
      << " % of the samples lie beyond Q3 + 3 IQR; they count\n";
}

/// Of one call, 0 where fresh memory is what was asked for.
double page_faults_of(const Row& row) {
  const auto cache = row.point.parameters.find("cache");
  const bool is_asked = cache != row.point.parameters.end() && cache->second == "fresh";
  return is_asked ? 0 : row.page_faults.value_or(0);
}

void print_page_faults(std::ostream& out, std::span<const Row> rows) {
  const auto count =
      std::ranges::count_if(rows, [](const Row& row) { return page_faults_of(row) >= 1; });
  if (count == 0) return;
  const Row& worst = *std::ranges::max_element(rows, {}, page_faults_of);
  out << "  page faults: in every call at " << count << " of " << rows.size() << " points, "
      << significant(page_faults_of(worst), 2) << " at " << format_bytes(worst.point.bytes)
      << "; the allocator decides (docs/method.md)\n";
}

/// What checking could have found: a fault that hits one delivery in `n`, each by itself, stays
/// unseen in 5 % of the tables at most.
void print_checks(std::ostream& out, std::span<const Row> rows) {
  constexpr double unseen = 0.05;
  const Row* fewest = nullptr;
  for (const Row& row : rows) {
    if (row.deliveries_checked == 0) continue;
    if (fewest == nullptr || row.deliveries_checked < fewest->deliveries_checked) fewest = &row;
  }
  if (fewest == nullptr) return;
  const auto deliveries = static_cast<double>(fewest->deliveries_checked);
  const double share = 1 - std::pow(unseen, 1 / deliveries);
  out << "  data: " << total(rows, &Row::deliveries_checked) << " deliveries checked, fewest at "
      << format_bytes(fewest->point.bytes) << ": " << fewest->deliveries_checked
      << ", enough to meet 1 wrong in " << std::max(1L, std::lround(std::floor(1 / share)))
      << " with 95 %\n";
}

void print_interval(std::ostream& out, std::span<const Row> rows) {
  for (const Row& row : rows) {
    if (!row.interval_seconds) continue;
    out << "  interval: of the median over launches, "
        << significant(100 * row.interval_seconds->level, 3) << " % sure\n\n";
    return;
  }
  out << "  no interval: it comes from launches, and needs " << samples_for_interval()
      << " of them\n\n";
}

}  // namespace

void print_notes(std::ostream& out, std::span<const Row> rows) {
  print_lost_visits(out, rows);
  print_detours(out, rows);
  print_page_faults(out, rows);
  print_checks(out, rows);
  print_interval(out, rows);
}

namespace {

std::string value_text(const ControlVariable& variable) {
  if (!variable.value) return "?";
  const auto has_value = [&](const PermittedValue& choice) {
    return choice.number && std::to_string(*choice.number) == *variable.value;
  };
  const auto choice = std::ranges::find_if(variable.choices, has_value);
  if (choice != variable.choices.end()) return choice->name;
  return variable.value->empty() ? "''" : *variable.value;
}

}  // namespace

void print_settings_table(std::ostream& out, const std::vector<ControlVariable>& variables) {
  for (const ControlVariable& variable : variables) {
    out << inert(environment_name(variable) + " = " + value_text(variable));
    if (!variable.scope.empty()) out << "  (" << inert(variable.scope) << ")";
    out << '\n';
    if (!variable.aliases.empty()) out << "    also: " << inert(join(variable.aliases)) << '\n';
    if (variable.choices.empty()) continue;
    out << "    one of: " << inert(join(strings_of(variable.choices, &PermittedValue::name)))
        << '\n';
  }
}

void print_record_tables(std::ostream& out, std::span<const Record> records,
                         const TableStyle& style) {
  const TimedRows rows = timed_rows(records, style.level);
  const PathRows paths = path_rows(records, rows.alone, style.level);
  print_latency_tables(out, paths.alone, style.tails);
  print_overlap_tables(out, overlap_rows(records, style.level));
  print_path_tables(out, paths.compared);
  print_timing_tables(out, rows.compared);
  print_protocol_tables(out, records);
}

}  // namespace hockney
