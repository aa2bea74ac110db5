#include "report/verdict_tables.hpp"

#include <cmath>
#include <sstream>

#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/exports.hpp"
#include "report/table.hpp"

namespace hockney::report {

namespace {

constexpr double smallest_shown_p = 1e-4;

std::string p_text(double p) { return p < smallest_shown_p ? "<0.0001" : significant(p, p_digits); }

std::string launches_text(const verdicts::Comparison& row) {
  if (row.design == verdicts::Design::paired) return std::to_string(row.a.launches) + " pairs";
  return std::to_string(row.a.launches) + " + " + std::to_string(row.b.launches);
}

/// A number without trailing zeros: 5, 2.5.
std::string plain(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

void print_side(std::ostream& out, char name, const verdicts::ComparedSide& side) {
  out << name << ": " << (side.source.empty() ? "records" : inert(side.source));
  if (!side.setting.empty()) out << ", setting " << inert(side.setting);
  // Libraries append long descriptions after a comma.
  if (!side.mpi_library.empty()) out << ", " << inert(split(side.mpi_library, ',').front());
  out << ", " << count_text(side.launches, "launch");
  if (side.launches_left_out > 0) {
    out << " (" << side.launches_left_out << " interrupted or failed left out)";
  }
  out << '\n';
}

/// The interval beside the verdict; "alone" if it holds for this point only.
std::string ratio_interval_text(const verdicts::Comparison& row) {
  return interval_text(row.interval(), 1, ratio_digits) + (row.interval_is_alone() ? " alone" : "");
}

/// A comparison, and the names of its sides.
struct ComparedRow {
  const verdicts::Comparison* row;
  std::string a;
  std::string b;
};

/// Columns of one side: launches, time and path. `name` is "a" or "b".
Columns<ComparedRow> columns_of_side(const std::string& name, const std::string& title,
                                     verdicts::Absolute verdicts::Comparison::*side) {
  using Row = ComparedRow;
  return joined<Row>(
      {{{{name + "_launches", "", Unit::count, Form::csv},
         [=](const Row& each) { return (each.row->*side).launches; }},
        {{name + "_median_seconds", title, Unit::micros},
         [=](const Row& each) { return (each.row->*side).median_seconds; }}},
       interval_columns<Row>({name + "_ci_low_seconds", name + "_ci_high_seconds"}, Unit::micros, 4,
                             [=](const Row& each) { return (each.row->*side).interval_seconds; }),
       {{{name + "_path", "path of " + title, Unit::text},
         [=](const Row& each) { return (each.row->*side).path; }}}});
}

Columns<ComparedRow> comparison_columns() {
  using Row = ComparedRow;
  return joined<Row>(
      {of_part<Row, Point>(point_columns(),
                           [](const Row& each) -> const Point& { return each.row->point; }),
       {{{"a", "", Unit::text, Form::csv}, [](const Row& each) { return each.a; }},
        {{"b", "", Unit::text, Form::csv}, [](const Row& each) { return each.b; }},
        {{"size", "size", Unit::size, Form::terminal},
         [](const Row& each) { return each.row->point.bytes.value; }},
        {{"design", "", Unit::text, Form::csv},
         [](const Row& each) { return std::string(word(each.row->design)); }},
        {{"launches", "launches", Unit::text, Form::terminal},
         [](const Row& each) { return launches_text(*each.row); }}},
       columns_of_side("a", "A", &verdicts::Comparison::a),
       columns_of_side("b", "B", &verdicts::Comparison::b),
       {{{"ratio", "B/A", Unit::number}, [](const Row& each) { return each.row->ratio; }},
        {{"ratio_ci_low", "", Unit::number, Form::csv},
         [](const Row& each) { return end_of(each.row->interval(), &Interval::low); }},
        {{"ratio_ci_high", "", Unit::number, Form::csv},
         [](const Row& each) { return end_of(each.row->interval(), &Interval::high); }},
        {{"ratio_ci", "interval", Unit::text, Form::terminal},
         [](const Row& each) { return ratio_interval_text(*each.row); }},
        {{"p_adjusted", "p", Unit::number, Form::csv},
         [](const Row& each) { return each.row->p_adjusted; }},
        {{"p", "p", Unit::text, Form::terminal},
         [](const Row& each) { return p_text(each.row->p_adjusted); }},
        {{"verdict", "B is", Unit::text},
         [](const Row& each) { return std::string(word(each.row->verdict)); }}}});
}

/// Printed once for a curve, since its sizes usually have the same launches.
std::string shortage_text(const verdicts::Comparison& row, const verdicts::CompareSet& set) {
  std::string text = "  note: " + launches_text(row) +
                     (row.design == verdicts::Design::paired ? "" : " launches") +
                     " are too few to show any difference (smallest p " + p_text(row.smallest_p);
  if (set.options.correction == verdicts::Correction::holm && set.family > 1) {
    text += " times " + std::to_string(set.family) + " points";
  }
  return text + "); " + std::to_string(row.launches_needed.value_or(0)) + " launches a side needed";
}

/// The notes below a curve.
struct CurveNotes {
  std::string shortage;
  std::vector<std::string> wanted;  ///< launches that would show the open differences, by size

  void add(const verdicts::Comparison& row, const verdicts::CompareSet& set) {
    if (!row.launches_needed) return;
    if (row.reason == verdicts::NoEvidence::too_few_launches) {
      shortage = shortage_text(row, set);
    } else {
      wanted.push_back(std::to_string(*row.launches_needed) + " at " +
                       format_bytes(row.point.bytes));
    }
  }

  void put_into(View& view) const {
    if (!shortage.empty()) view.add_text(shortage);
    if (wanted.empty()) return;
    view.add_text("  note: launches a side that would show such a ratio four times of five: " +
                  join(wanted));
  }
};

/// Appends the comparisons of a set, each curve with its name before and notes after it.
void add_rows(View& view, const Columns<ComparedRow>& columns, const verdicts::CompareSet& set,
              const std::string& a, const std::string& b) {
  std::string curve;
  CurveNotes notes;
  for (const verdicts::Comparison& row : set.comparisons) {
    const std::string name = curve_name(row.point);
    if (name != curve) {
      notes.put_into(view);
      notes = {};
      view.add_section(inert(name));
      curve = name;
    }
    view.rows.push_back(row_of(columns, ComparedRow{&row, a, b}));
    notes.add(row, set);
  }
  notes.put_into(view);
}

std::string name_of(const verdicts::ComparedSide& side) {
  return side.source + (side.setting.empty() ? "" : ":" + side.setting);
}

}  // namespace

View view_of(const verdicts::CompareSet& set) {
  const Columns<ComparedRow> columns = comparison_columns();
  View view = make_view(columns, {});
  add_rows(view, columns, set, name_of(set.a), name_of(set.b));
  return view;
}

View view_of(const verdicts::AxisCompareSet& set) {
  const Columns<ComparedRow> columns = comparison_columns();
  View view = make_view(columns, {});
  for (const verdicts::AxisComparison& comparison : set.comparisons) {
    const std::string a = set.axis + "=" + set.base;
    const std::string b = set.axis + "=" + comparison.value;
    const std::string others = places_text(comparison.others);
    view.add_section("A: " + inert(a) + "; B: " + inert(b) + others);
    add_rows(view, columns, comparison.set, a + others, b + others);
  }
  return view;
}

namespace {

std::string absence_text(const verdicts::LonePoint& lone) {
  const std::string detail = lone.detail.empty() ? "" : ": " + inert(lone.detail);
  if (lone.absence == verdicts::Absence::not_planned) return "not planned" + detail;
  return (lone.absence == verdicts::Absence::not_measured ? "not measured" : "no time") + detail;
}

void print_lone(std::ostream& out, const std::string& title, const std::string& lacking,
                const std::vector<verdicts::LonePoint>& points) {
  if (points.empty()) return;
  out << '\n' << title << '\n';
  for (const verdicts::LonePoint& lone : points) {
    out << "  " << inert(curve_name(lone.point)) << " " << format_bytes(lone.point.bytes) << " ("
        << lacking << ": " << absence_text(lone) << ")\n";
  }
}

std::string size_text(double bytes) {
  return format_bytes({whole_number<std::int64_t>(std::floor(bytes))});
}

void print_crossing(std::ostream& out, const verdicts::Crossing& crossing) {
  out << "    from " << significant(crossing.bytes) << " bytes on "
      << (crossing.above == verdicts::Winner::b ? "B" : "A") << " is faster, ";
  if (crossing.interval_bytes) {
    out << "interval " << size_text(crossing.interval_bytes->low) << " .. "
        << size_text(crossing.interval_bytes->high);
  } else {
    out << "no interval";
  }
  out << " over " << crossing.launches << " pairs of launches (verdicts change between "
      << format_bytes(crossing.from) << " and " << format_bytes(crossing.to) << ")\n";
}

/// Prints crossovers for settings of one campaign, whose launches are paired.
void print_crossovers(std::ostream& out, const verdicts::CompareSet& set) {
  if (set.options.origin != verdicts::Origin::one_campaign || set.crossovers.empty()) return;
  out << "\ncrossovers\n";
  for (const verdicts::Crossover& crossover : set.crossovers) {
    out << "  " << inert(curve_name(crossover.point));
    out << (crossover.reason.empty() ? "" : ": " + inert(crossover.reason)) << '\n';
    for (const verdicts::Crossing& crossing : crossover.crossings) print_crossing(out, crossing);
  }
}

/// Prints crossovers and points that lack a side.
void print_rest(std::ostream& out, const verdicts::CompareSet& set) {
  print_crossovers(out, set);
  print_lone(out, "only in A", "B", set.only_in_a);
  print_lone(out, "only in B", "A", set.only_in_b);
  print_lone(out, "in neither", "A", set.in_neither);
}

/// Prints the last line: `size` points were judged together.
void print_family(std::ostream& out, std::size_t size, const verdicts::CompareOptions& options) {
  out << "\ninterval of B/A: of all points together, by the test of the verdict; alone: of this "
         "point by itself\nfamily: "
      << count_text(size, "point") << ", p " << describe(options.correction) << ", alpha "
      << plain(options.alpha);
  if (options.at_least > 0) {
    out << ", differences of more than " << plain(100 * options.at_least) << " %";
  }
  out << "; no evidence: these launches do not show that B differs, nor that it is equal\n";
}

}  // namespace

void print_compare_table(std::ostream& out, const verdicts::CompareSet& set) {
  print_side(out, 'A', set.a);
  print_side(out, 'B', set.b);
  if (set.options.origin == verdicts::Origin::apart) {
    out << "note: A and B were measured apart, so drift of the machine is part of the difference; "
           "settings of one campaign take turns\n";
  }
  out << '\n';
  print_view(out, "", view_of(set));
  print_rest(out, set);
  print_family(out, set.family, set.options);
}

void print_compare_axis_table(std::ostream& out, const verdicts::AxisCompareSet& set) {
  print_view(out, "", view_of(set));
  for (const verdicts::AxisComparison& comparison : set.comparisons) {
    std::ostringstream rest;
    print_rest(rest, comparison.set);
    if (rest.view().empty()) continue;
    out << "\nB: " << inert(set.axis + "=" + comparison.value) << places_text(comparison.others)
        << '\n'
        << rest.view();
  }
  if (!set.alone.empty()) {
    out << "\nnot compared: " << inert(set.axis + "=" + join(set.alone, ", "))
        << " (no setting with " << inert(set.axis + "=" + set.base) << " is like it otherwise)\n";
  }
  print_family(out, set.family, set.options);
}

namespace {

/// A rate that a self-test measures.
struct TestedRate {
  std::string what;
  verdicts::Rate rate;
  std::optional<double> ratio{};  ///< median of the ratios B/A found
};

std::string name_of(const verdicts::VariantVerdicts& verdicts) {
  if (verdicts.planted == 0) return "false alarms (only the name differs)";
  return "power, " + significant(per_cent * verdicts.planted, 3) + " % slower";
}

std::vector<TestedRate> rates_of(const verdicts::SelfTest& test) {
  std::vector<TestedRate> rates;
  for (const verdicts::VariantVerdicts& verdicts : test.variants) {
    rates.push_back({name_of(verdicts), verdicts.different, verdicts.ratio});
    if (verdicts.any.trials > 0) rates.push_back({"  any point, judged jointly", verdicts.any});
  }
  rates.push_back({"coverage, launches at random", test.covered_at_random});
  rates.push_back({"coverage, consecutive launches", test.covered_in_blocks});
  if (test.clock.truth) {
    rates.push_back({"clock syncs within their bound", test.clock.truth->within});
  }
  return rates;
}

Columns<TestedRate> columns_of_rates() {
  using Row = TestedRate;
  return joined<Row>(
      {{{{"what", "measured"}, [](const Row& each) { return each.what; }},
        {{"hits", "", Unit::count, Form::csv}, [](const Row& each) { return each.rate.hits; }},
        {{"trials", "", Unit::count, Form::csv}, [](const Row& each) { return each.rate.trials; }},
        {{"found", "found", Unit::text, Form::terminal},
         [](const Row& each) {
           return std::to_string(each.rate.hits) + "/" + std::to_string(each.rate.trials);
         }},
        {{"share", "share", Unit::share}, [](const Row& each) { return each.rate.share(); }}},
       interval_columns<Row>({"share_ci_low", "share_ci_high"}, Unit::share, 3,
                             [](const Row& each) { return each.rate.interval(); }),
       {{{"median_ratio", "median ratio", Unit::number},
         [](const Row& each) { return each.ratio; }}}});
}

/// A time with its unit; "-" if unknown.
std::string clock_time_text(const std::optional<double>& seconds) {
  return seconds ? significant(nanoseconds * *seconds, 3) + " ns" : "-";
}

std::string clock_text(const verdicts::ClockVerdict& clock) {
  if (!clock.truth) return "  clock not tested: " + inert(clock.reason);
  return "  error of these syncs (truth: 0): median " +
         clock_time_text(clock.truth->median_error_seconds) + ", largest " +
         clock_time_text(clock.truth->largest_error_seconds) + "; their bound: median " +
         clock_time_text(clock.truth->median_bound_seconds);
}

}  // namespace

View view_of(const verdicts::SelfTest& test) {
  View view = make_view(columns_of_rates(), rates_of(test));
  view.add_text(clock_text(test.clock));
  view.add_text(
      "  each comparison at 5 % alone; intervals: 95 %, as if comparisons were independent");
  return view;
}

std::string self_test_verdict(const verdicts::SelfTest& test) {
  return join(strings_of(rates_of(test),
                         [](const TestedRate& each) {
                           return each.what.substr(each.what.find_first_not_of(' ')) + " " +
                                  std::to_string(each.rate.hits) + "/" +
                                  std::to_string(each.rate.trials);
                         }),
              "; ");
}

void print_self_test(std::ostream& out, const verdicts::SelfTest& test) {
  print_view(out,
             "self-test of " + std::to_string(test.launches) + " launches, in campaigns of " +
                 std::to_string(test.launches_each),
             view_of(test));
}

}  // namespace hockney::report
