#include "report/verdict_tables.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/table.hpp"
#include "report/view.hpp"
#include "verdicts/guideline_cells.hpp"

namespace hockney::report {

using verdicts::Compliance;
using verdicts::GuidelineVerdict;
namespace {

constexpr int guideline_digits = 3;

std::string time_text(double seconds) { return significant(seconds * microseconds) + " us"; }

std::string ratio_text(double ratio, const std::optional<Interval>& interval) {
  return significant(ratio, guideline_digits) + " (" +
         interval_text(interval, 1, guideline_digits) + ")";
}

/// Name of the right side: the operation, with its size or number of ranks.
std::string right_text(const verdicts::GuidelineCell& cell) {
  std::string text = cell.factor == 1 ? "" : significant(cell.factor) + " times ";
  text += cell.right.operation;
  for (const auto& [key, value] : cell.guideline.right.parameters) text += " " + key + "=" + value;
  if (cell.right.bytes != cell.left.bytes) text += " at " + format_bytes(cell.right.bytes);
  if (cell.right.ranks != cell.left.ranks) {
    text += " on " + std::to_string(cell.right.ranks) + " ranks";
  }
  return text;
}

std::string repair_text(const verdicts::Violation& violation) {
  if (!violation.was_swept) return "no sweep of its algorithms is among the records";
  if (!violation.repair) return "no algorithm of the sweep is shown to be faster";
  const verdicts::Repair& repair = *violation.repair;
  const verdicts::Comparison& row = repair.against_default;
  std::string text = "algorithm " + repair.algorithm;
  for (const auto& [axis, value] : repair.others) text += ", " + axis + " " + value;
  return text + " takes " + ratio_text(row.ratio, row.ratio_interval) + " of the default, " +
         time_text(row.b.median_seconds) + " instead of " + time_text(row.a.median_seconds) +
         " (sweep " + repair.campaign + ")";
}

}  // namespace

std::string place_text(const verdicts::GuidelineCell& cell) {
  std::string text = cell.setting.empty() ? "" : "setting " + cell.setting + ", ";
  text += count_text(static_cast<std::size_t>(cell.left.ranks), "rank");
  if (cell.left.hop) text += ", " + *cell.left.hop;
  if (!cell.left.pair.empty() && cell.left.pair.size() == 2) {
    text += ", pair " + std::to_string(cell.left.pair[0]) + "-" + std::to_string(cell.left.pair[1]);
  }
  return inert(text);
}

std::string violation_text(const verdicts::Violation& violation) {
  const GuidelineVerdict& verdict = *violation.verdict;
  const verdicts::GuidelineCell& cell = verdict.cell;
  const Interval saved = saved_share(verdict);
  std::string text = cell.left.operation;
  for (const auto& [key, value] : cell.guideline.left.parameters) text += " " + key + "=" + value;
  text += " at " + format_bytes(cell.left.bytes) + ", " + place_text(cell) + ": " +
          time_text(verdict.left.median_seconds) + ", " +
          ratio_text(verdict.ratio, verdict.interval()) + " times as long as " + right_text(cell) +
          " (" + time_text(cell.factor * verdict.right.median_seconds) + "), which saves " +
          interval_text(saved, per_cent, guideline_digits) + " %";
  if (violation.is_fastest && violation.rivals > 1) {
    text += " and is the fastest of " + std::to_string(violation.rivals);
  }
  return inert(text + "; repair: " + repair_text(violation));
}

std::string doubt_text(const GuidelineVerdict& verdict) {
  const std::string visible =
      verdict.smallest_visible_ratio
          ? "; of " + significant(*verdict.smallest_visible_ratio, guideline_digits) +
                " on it would have been a violation"
          : "";
  switch (verdict.doubt.value_or(verdicts::Doubt::spread)) {
    case verdicts::Doubt::too_few_launches:
      return std::to_string(verdict.cell.pairs.size()) + " launches are too few, " +
             std::to_string(verdict.launches_needed.value_or(0)) + " needed";
    case verdicts::Doubt::clock:
      return "the difference is below " + time_text(verdict.clock_seconds) +
             ", which the clocks cannot see";
    case verdicts::Doubt::spread:
      break;
  }
  return "the ratio is " + ratio_text(verdict.ratio, verdict.interval()) +
         (verdict.family_interval ? "" : " by itself") + visible;
}

namespace {

constexpr int size_width = 8;

std::string mark(const GuidelineVerdict& verdict,
                 const std::vector<verdicts::KnownViolation>& known) {
  if (verdict.verdict == Compliance::satisfied) return "+";
  if (verdict.verdict == Compliance::undecided) return "?";
  constexpr int digits = 3;
  return (is_known(known, verdict) ? "k" : "X") + significant(verdict.ratio, digits);
}

/// Marks of guidelines by size, at one place.
struct Block {
  std::vector<std::string> names;  ///< of guidelines, in order
  std::map<std::string, std::map<Bytes, std::string>> marks;
  std::set<Bytes> sizes;
};

/// Name with the parameters that need a separate row.
std::string row_name(const verdicts::GuidelineCell& cell) {
  std::string name = cell.guideline.name;
  for (const auto& [key, value] : verdicts::other_parameters(cell.left, cell.guideline.left)) {
    const bool is_usual = (key == "operator" && value == "sum") ||
                          (key == "datatype" && (value == "double" || value == "byte"));
    if (!is_usual) name += " " + key + "=" + value;
  }
  return inert(name);
}

void add(Block& block, const std::string& name, Bytes bytes, const std::string& text) {
  const auto [row, is_new] = block.marks.try_emplace(name);
  if (is_new) block.names.push_back(name);
  row->second[bytes] = text;
  block.sizes.insert(bytes);
}

void print_block(std::ostream& out, const std::string& title, const Block& block) {
  std::vector<TableColumn> columns{{"", 0, Align::left}};
  for (const std::string& size : spelt_alike({block.sizes.begin(), block.sizes.end()})) {
    columns.push_back({size, size_width});
  }
  Table table(std::move(columns));
  table.text(title);
  table.header();
  for (const std::string& name : block.names) {
    const std::map<Bytes, std::string>& marks = block.marks.at(name);
    std::vector<std::string> cells{name};
    for (const Bytes size : block.sizes) {
      const auto found = marks.find(size);
      cells.push_back(found == marks.end() ? "." : found->second);
    }
    table.row(std::move(cells));
  }
  out << table << '\n';
}

void print_blocks(std::ostream& out, const GuidelineReport& report) {
  std::vector<std::string> titles;
  std::map<std::string, Block> blocks;
  for (const GuidelineVerdict& verdict : report.set.verdicts) {
    const std::string title = place_text(verdict.cell);
    if (!blocks.contains(title)) titles.push_back(title);
    add(blocks[title], row_name(verdict.cell), verdict.cell.left.bytes,
        mark(verdict, report.known));
  }
  for (const std::string& title : titles) print_block(out, title, blocks.at(title));
  out << "+ satisfied   X2.0 violated, and by how much   k2.0 the same, known   ? undecided   "
         ". not measured\n";
}

void print_violations(std::ostream& out, const GuidelineReport& report) {
  if (!report.violations.empty()) out << "\nviolations, the worst first\n";
  std::vector<const verdicts::Violation*> ranked;
  ranked.reserve(report.violations.size());
  for (const verdicts::Violation& violation : report.violations) ranked.push_back(&violation);
  std::ranges::stable_sort(ranked, std::greater(),
                           [](const verdicts::Violation* one) { return one->verdict->ratio; });
  for (const verdicts::Violation* const violation : ranked) {
    out << "  " << (is_known(report.known, *violation->verdict) ? "(known) " : "")
        << violation_text(*violation) << '\n';
  }
}

/// Prints the number of undecided cells for each reason, with the smallest and the largest visible
/// ratio.
void print_doubts(std::ostream& out, const verdicts::GuidelineSet& set) {
  std::map<verdicts::Doubt, std::vector<const GuidelineVerdict*>> doubts;
  for (const GuidelineVerdict& verdict : set.verdicts) {
    if (verdict.doubt) doubts[*verdict.doubt].push_back(&verdict);
  }
  if (!doubts.empty()) out << "\nundecided\n";
  for (auto& [doubt, verdicts] : doubts) {
    std::ranges::sort(verdicts, [](const GuidelineVerdict* a, const GuidelineVerdict* b) {
      return a->smallest_visible_ratio.value_or(0) < b->smallest_visible_ratio.value_or(0);
    });
    out << "  " << verdicts.size() << (verdicts.size() == 1 ? " cell, " : " cells, such as ")
        << inert(verdicts.back()->cell.guideline.name) << " at "
        << format_bytes(verdicts.back()->cell.left.bytes) << ": " << doubt_text(*verdicts.back())
        << '\n';
  }
}

void print_unmeasured(std::ostream& out, const verdicts::GuidelineSet& set) {
  std::map<std::string, std::size_t> reasons;
  for (const verdicts::UnmeasuredCell& cell : set.unmeasured) {
    ++reasons[cell.guideline + ": " + cell.reason];
  }
  if (!reasons.empty()) out << "\nnot judged\n";
  for (const auto& [reason, cells] : reasons) {
    out << "  " << inert(reason) << (cells == 1 ? "" : " (" + std::to_string(cells) + " sizes)")
        << '\n';
  }
}

void print_gone(std::ostream& out, const GuidelineReport& report) {
  for (const verdicts::KnownViolation& known : not_seen(report.known, report.set)) {
    out << "note: the known violation of " << inert(known.guideline);
    if (known.bytes) out << " at " << format_bytes(*known.bytes);
    if (known.ranks) out << " on " << *known.ranks << " ranks";
    out << " was not seen\n";
  }
}

void print_family(std::ostream& out, const verdicts::GuidelineSet& set) {
  const auto count = [&](Compliance verdict) {
    return std::ranges::count(set.verdicts, verdict, &GuidelineVerdict::verdict);
  };
  out << "\n" << count_text(set.launches, "launch");
  if (set.launches_left_out > 0) {
    out << " (" << set.launches_left_out << " interrupted or failed left out)";
  }
  out << ", a family of " << set.verdicts.size() << " cells: " << count(Compliance::violated)
      << " violated, " << count(Compliance::satisfied) << " satisfied, "
      << count(Compliance::undecided) << " undecided\nviolated: at least "
      << significant(per_cent * set.options.delta, 2) << " % longer, p "
      << describe(set.options.correction) << ", alpha " << significant(set.options.alpha, 2)
      << " for the whole family; satisfied: the interval ends at "
      << significant(1 + set.options.delta, 3) << " at the most\n";
}

std::string case_name(const verdicts::GuidelineCell& cell) {
  return row_name(cell) + " at " + format_bytes(cell.left.bytes) + ", " + place_text(cell);
}

}  // namespace

void print_guideline_table(std::ostream& out, const GuidelineReport& report) {
  print_blocks(out, report);
  print_violations(out, report);
  print_doubts(out, report.set);
  print_unmeasured(out, report.set);
  print_family(out, report.set);
  print_gone(out, report);
}

namespace {

/// Columns of one side of a verdict. `name` is "left" or "right".
Columns<GuidelineVerdict> columns_of_side(const std::string& name,
                                          verdicts::SideTime GuidelineVerdict::*side) {
  return joined<GuidelineVerdict>(
      {{{{name + "_median_seconds", name, Unit::micros},
         [=](const GuidelineVerdict& row) { return (row.*side).median_seconds; }}},
       interval_columns<GuidelineVerdict>(
           {name + "_ci_low_seconds", name + "_ci_high_seconds"}, Unit::micros, 4,
           [=](const GuidelineVerdict& row) { return (row.*side).interval_seconds; })});
}

Columns<GuidelineVerdict> guideline_columns() {
  using Row = GuidelineVerdict;
  return joined<Row>(
      {{{{"guideline", "guideline"}, [](const Row& row) { return row.cell.guideline.name; }},
        {{"setting", "setting"}, [](const Row& row) { return row.cell.setting; }}},
       of_part<Row, Point>(point_columns(),
                           [](const Row& row) -> const Point& { return row.cell.left; }),
       {{{"rhs", "other side"}, [](const Row& row) { return right_text(row.cell); }},
        {{"launches", "launches", Unit::count},
         [](const Row& row) { return row.cell.pairs.size(); }}},
       columns_of_side("left", &GuidelineVerdict::left),
       columns_of_side("right", &GuidelineVerdict::right),
       {{{"ratio", "left/right", Unit::number}, [](const Row& row) { return row.ratio; }}},
       interval_columns<Row>({"ratio_ci_low", "ratio_ci_high"}, Unit::number, guideline_digits,
                             [](const Row& row) { return row.interval(); }),
       {{{"p_adjusted", "p", Unit::number}, [](const Row& row) { return row.p_adjusted; }},
        {{"verdict", "verdict"}, [](const Row& row) { return std::string(word(row.verdict)); }},
        {{"reason", "why undecided"}, [](const Row& row) {
           return row.verdict == Compliance::undecided ? Value(doubt_text(row)) : Value();
         }}}});
}

}  // namespace

View view_of(const verdicts::GuidelineSet& set) {
  return make_view(guideline_columns(), set.verdicts);
}

JUnitSuite guideline_suite(const GuidelineReport& report) {
  JUnitSuite suite{.name = "guidelines"};
  for (const GuidelineVerdict& verdict : report.set.verdicts) {
    JUnitCase one;
    one.classname = "guidelines." + verdict.cell.left.operation;
    one.name = case_name(verdict.cell);
    if (verdict.verdict == Compliance::undecided) one.skipped = "undecided: " + doubt_text(verdict);
    const auto found =
        std::ranges::find(report.violations, &verdict, &verdicts::Violation::verdict);
    if (found != report.violations.end()) {
      const std::string text = violation_text(*found);
      if (is_known(report.known, verdict)) {
        one.skipped = "known: " + text;
      } else {
        one.failure = JUnitFailure{.type = "violated", .message = text, .text = text};
      }
    }
    suite.cases.push_back(std::move(one));
  }
  return suite;
}

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

void print_self_test(std::ostream& out, const verdicts::SelfTest& test) {
  print_view(out,
             "self-test of " + std::to_string(test.launches) + " launches, in campaigns of " +
                 std::to_string(test.launches_each),
             view_of(test));
}

}  // namespace hockney::report
