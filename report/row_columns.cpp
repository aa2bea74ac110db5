#include "report/row_columns.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/text.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

constexpr Forms everywhere = machine_forms | Form::terminal;

Value rate_of(const std::optional<BytesPerSecond>& rate) {
  return rate ? Value(rate->value) : Value();
}

/// A part of the row's time in per cent; unknown if either is.
Value part_of_time(const Row& row, const std::optional<double>& seconds) {
  if (!seconds || !row.median_seconds || *row.median_seconds <= 0) return {};
  return per_cent * *seconds / *row.median_seconds;
}

Value half_width(const Row& row) {
  const auto& interval = row.interval_seconds;
  if (!interval) return {};
  return part_of_time(row, (interval->high - interval->low) / 2);
}

/// Launches, and the times over them.
Columns<Row> columns_of_times() {
  return {
      {{"launches", "launches", Unit::count, everywhere, "that have a time of the point"},
       [](const Row& row) { return row.launches.size(); }},
      {{"blocks", "", Unit::count, machine_forms, "of samples, of all launches"}, &Row::blocks},
      {{"warm_up_blocks", "", Unit::count, machine_forms,
        "of these the first ones, which do not count"},
       &Row::warm_up_blocks},
      {{"undisturbed_blocks", "", Unit::count, machine_forms, "of these the ones that count"},
       &Row::undisturbed_blocks},
      {{"median_seconds", "time", Unit::micros, everywhere,
        "time of one operation: median of the launch medians [s]"},
       &Row::median_seconds},
      {{"half_width", "+-", Unit::percent, Form::terminal}, half_width},
      {{"ci_seconds", "", Unit::micros, Form::csv, "its interval over launches [s]; needs six",
        true},
       &Row::interval_seconds},
      {{"spread_seconds", "interval", Unit::micros, Form::terminal, "", true},
       &Row::spread_seconds},
      {{"ci_low_seconds", "", Unit::micros, Form::json},
       [](const Row& row) { return end_of(row.interval_seconds, &Interval::low); }},
      {{"ci_high_seconds", "", Unit::micros, Form::json},
       [](const Row& row) { return end_of(row.interval_seconds, &Interval::high); }},
      {{"ci_level", "", Unit::number, machine_forms, "confidence of the interval"},
       [](const Row& row) { return end_of(row.interval_seconds, &Interval::level); }},
  };
}

/// Statistics of samples.
Columns<Row> columns_of_samples() {
  return {
      {{"mean_seconds", "mean", Unit::micros, everywhere,
        "of all samples, disturbed ones too, as OMB and IMB take it [s]"},
       &Row::mean_seconds},
      {{"min_seconds", "min", Unit::micros, everywhere, "of all samples [s]"}, &Row::min_seconds},
      {{"max_seconds", "max", Unit::micros, everywhere, "of all samples [s]"}, &Row::max_seconds},
      {{"p90_seconds", "p90", Unit::micros, everywhere,
        "quantile of the samples, median over launches [s]"},
       [](const Row& row) { return row.tails.p90_seconds; }},
      {{"p99_seconds", "p99", Unit::micros, everywhere, "the same"},
       [](const Row& row) { return row.tails.p99_seconds; }},
      {{"p999_seconds", "p99.9", Unit::micros, everywhere, "the same, 99.9 %"},
       [](const Row& row) { return row.tails.p999_seconds; }},
  };
}

/// Samples, bandwidths, and what else is known of the launches.
Columns<Row> columns_of_circumstances() {
  return {
      {{"samples", "", Unit::count, machine_forms, "that count"}, &Row::samples},
      {{"outliers", "", Unit::count, machine_forms, "of these the ones beyond Q3 + 3 IQR"},
       &Row::outliers},
      {{"bandwidth_bytes_per_second", "bandwidth", Unit::byte_rate, everywhere,
        "bytes that count over the median [B/s]"},
       [](const Row& row) { return rate_of(row.bandwidth()); }},
      {{"bus_bandwidth_bytes_per_second", "bus", Unit::byte_rate, everywhere,
        "of the busiest rank, of collectives [B/s]"},
       [](const Row& row) { return rate_of(row.bus_bandwidth()); }},
      {{"paths", "path", Unit::text, Form::terminal},
       [](const Row& row) { return row.paths.empty() ? Value() : Value(join(row.paths, "|")); }},
      {{"skew_seconds", "", Unit::micros, machine_forms,
        "of the ranks' begins, median over launches [s]"},
       &Row::skew_seconds},
      {{"skew_share", "skew", Unit::percent, Form::terminal},
       [](const Row& row) { return part_of_time(row, row.skew_seconds); }},
      {{"shortest_local_seconds", "shortest", Unit::micros, Form::terminal},
       &Row::shortest_local_seconds},
      {{"longest_local_seconds", "longest", Unit::micros, Form::terminal},
       &Row::longest_local_seconds},
      {{"page_faults", "", Unit::number, machine_forms, "of one operation"}, &Row::page_faults},
      {{"flags", "", Unit::text, machine_forms, "of any launch"},
       [](const Row& row) { return join(row.flags, ";"); }},
      {{"reason", "", Unit::text, machine_forms, "why there is no time"}, &Row::reason},
      {{"remark", "", Unit::text, Form::terminal},
       [](const Row& row) { return remark_of(row, row.flags); }},
  };
}

}  // namespace

Columns<Point> point_columns(Forms forms) {
  return {
      {{"operation", "", Unit::text, forms, "hockney's name of it"}, &Point::operation},
      {{"bytes", "size", Unit::size, forms,
        "size of the message [B]; `hockney-pingpong --list` has its definition"},
       [](const Point& point) { return point.bytes.value; }},
      {{"ranks", "", Unit::count, forms, "that take part"}, &Point::ranks},
      {{"hop", "", Unit::text, forms, "hop class of the ranks (docs/how-to/place-ranks.md)"},
       [](const Point& point) { return point.hop.value_or(""); }},
      {{"path", "", Unit::text, forms,
        "which way messages went, proven in all launches (docs/how-to/paths-and-eager-limits.md)"},
       [](const Point& point) { return point.path.value_or(""); }},
      {{"algorithm", "", Unit::text, forms, "that ran, proven (docs/how-to/sweep-and-tune.md)"},
       [](const Point& point) { return point.algorithm.value_or(""); }},
      {{"pair", "", Unit::text, forms, "world ranks of the pair"},
       [](const Point& point) { return join_numbers(point.pair, "-"); }},
      {{"parameters", "", Unit::text, forms, "all of the point, `name=value`"},
       [](const Point& point) { return join_assignments(point.parameters, ";"); }},
  };
}

Columns<Row> row_columns() {
  Columns<Row> columns = of_part<Row, Point>(
      point_columns(), [](const Row& row) -> const Point& { return row.point; });
  std::ranges::find(columns, "bytes", [](const Column<Row>& column) {
    return column.heading.key;
  })->heading.forms = everywhere;
  columns.insert(columns.begin() + 1,
                 {{"setting", "", Unit::text, machine_forms, "of the campaign"}, &Row::setting});
  columns.push_back({{"axes", "", Unit::text, machine_forms, "of a sweep: where the setting lies"},
                     [](const Row& row) { return join_assignments(row.axes, ";"); }});
  return joined({columns, columns_of_times(), columns_of_samples(), columns_of_circumstances()});
}

Value remark_of(const Row& row, const std::vector<std::string>& flags) {
  if (!row.median_seconds) return "not measured (" + row.reason + ")";
  return flags.empty() ? Value() : Value(join(flags, " "));
}

}  // namespace hockney::report
