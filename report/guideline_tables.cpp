#include "report/guideline_tables.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

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

}  // namespace hockney::report
