#include "report/guideline_tables.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string_view>

#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/row_columns.hpp"
#include "report/table.hpp"
#include "report/view.hpp"
#include "verdicts/guideline_cells.hpp"

namespace hockney::report {

using verdicts::Compliance;
using verdicts::GuidelineVerdict;
namespace {

/// Sentences about guidelines.
namespace words {

constexpr std::string_view violation =
    "{} at {}, {}: {}, {} times as long as {} ({}), which saves {} %{}; repair: {}";
constexpr std::string_view fastest_of = " and is the fastest of {}";
constexpr std::string_view not_swept = "no sweep of its algorithms is among the records";
constexpr std::string_view no_repair = "no algorithm of the sweep is shown to be faster";
constexpr std::string_view repair =
    "algorithm {}{} takes {} of the default, {} instead of {} (sweep {})";

constexpr std::string_view too_few_launches = "{} launches are too few, {} needed";
constexpr std::string_view below_clock = "the difference is below {}, which the clocks cannot see";
constexpr std::string_view ratio_is = "the ratio is {}{}{}";
constexpr std::string_view would_violate = "; of {} on it would have been a violation";

constexpr std::string_view marks =
    "+ satisfied   X2.0 violated, and by how much   k2.0 the same, known   ? undecided   "
    ". not measured\n";
constexpr std::string_view known_is_gone = "note: the known violation of {}{}{} was not seen\n";
constexpr std::string_view family =
    "\n{}{}, a family of {} cells: {} violated, {} satisfied, {} undecided\n"
    "violated: at least {} % longer, p {}, alpha {} for the whole family; satisfied: the interval "
    "ends at {} at the most\n";
constexpr std::string_view launches_left_out = " ({} interrupted or failed left out)";

}  // namespace words

constexpr int guideline_digits = 3;

std::string time_text(double seconds) { return significant(seconds * microseconds) + " us"; }

std::string ratio_text(double ratio, const std::optional<Interval>& interval) {
  return fmt::format("{} ({})", significant(ratio, guideline_digits),
                     interval_text(interval, 1, guideline_digits));
}

/// "allreduce operator=max".
std::string side_text(const std::string& operation, const GuidelineSide& side) {
  return side.parameters.empty()
             ? operation
             : fmt::format("{} {}", operation, join_assignments(side.parameters, " "));
}

/// Name of the right side: the operation, with its size or number of ranks.
std::string right_text(const verdicts::GuidelineCell& cell) {
  std::string text = cell.factor == 1 ? "" : significant(cell.factor) + " times ";
  text += side_text(cell.right.operation, cell.guideline.right);
  if (cell.right.bytes != cell.left.bytes) text += " at " + format_bytes(cell.right.bytes);
  if (cell.right.ranks != cell.left.ranks) {
    text += fmt::format(" on {} ranks", cell.right.ranks);
  }
  return text;
}

std::string repair_text(const verdicts::Violation& violation) {
  if (!violation.was_swept) return std::string(words::not_swept);
  if (!violation.repair) return std::string(words::no_repair);
  const verdicts::Repair& repair = *violation.repair;
  const verdicts::Comparison& row = repair.against_default;
  std::string others;
  for (const auto& [axis, value] : repair.others) others += fmt::format(", {} {}", axis, value);
  return fmt::format(words::repair, repair.algorithm, others,
                     ratio_text(row.ratio, row.ratio_interval), time_text(row.b.median_seconds),
                     time_text(row.a.median_seconds), repair.campaign);
}

}  // namespace

std::string place_text(const verdicts::GuidelineCell& cell) {
  std::string text = cell.setting.empty() ? "" : fmt::format("setting {}, ", cell.setting);
  text += count_text(static_cast<std::size_t>(cell.left.ranks), "rank");
  if (cell.left.hop) text += ", " + *cell.left.hop;
  if (!cell.left.pair.empty() && cell.left.pair.size() == 2) {
    text += fmt::format(", pair {}-{}", cell.left.pair[0], cell.left.pair[1]);
  }
  return inert(text);
}

std::string violation_text(const verdicts::Violation& violation) {
  const GuidelineVerdict& verdict = *violation.verdict;
  const verdicts::GuidelineCell& cell = verdict.cell;
  const Interval saved = saved_share(verdict);
  const bool has_rivals = violation.is_fastest && violation.rivals > 1;
  return inert(fmt::format(
      words::violation, side_text(cell.left.operation, cell.guideline.left),
      format_bytes(cell.left.bytes), place_text(cell), time_text(verdict.left.median_seconds),
      ratio_text(verdict.ratio, verdict.interval()), right_text(cell),
      time_text(cell.factor * verdict.right.median_seconds),
      interval_text(saved, per_cent, guideline_digits),
      has_rivals ? fmt::format(words::fastest_of, violation.rivals) : "", repair_text(violation)));
}

std::string doubt_text(const GuidelineVerdict& verdict) {
  const auto& visible = verdict.smallest_visible_ratio;
  switch (verdict.doubt.value_or(verdicts::Doubt::spread)) {
    case verdicts::Doubt::too_few_launches:
      return fmt::format(words::too_few_launches, verdict.cell.pairs.size(),
                         verdict.launches_needed.value_or(0));
    case verdicts::Doubt::clock:
      return fmt::format(words::below_clock, time_text(verdict.clock_seconds));
    case verdicts::Doubt::spread:
      break;
  }
  return fmt::format(
      words::ratio_is, ratio_text(verdict.ratio, verdict.interval()),
      verdict.family_interval ? "" : " by itself",
      visible ? fmt::format(words::would_violate, significant(*visible, guideline_digits)) : "");
}

namespace {

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
    if (!is_usual) name += fmt::format(" {}={}", key, value);
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
  View view{.headings = size_headings({block.sizes.begin(), block.sizes.end()}), .rows = {}};
  view.headings.insert(view.headings.begin(), {"guideline", ""});
  for (const std::string& name : block.names) {
    const std::map<Bytes, std::string>& marks = block.marks.at(name);
    std::vector<Value>& cells = view.rows.emplace_back();
    cells.emplace_back(name);
    for (const Bytes size : block.sizes) {
      const auto found = marks.find(size);
      cells.emplace_back(found == marks.end() ? "." : found->second);
    }
  }
  print_view(out, title, view);
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
  out << words::marks;
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
    const GuidelineVerdict& last = *verdicts.back();
    out << fmt::format("  {} {}{} at {}: {}\n", verdicts.size(),
                       verdicts.size() == 1 ? "cell, " : "cells, such as ",
                       inert(last.cell.guideline.name), format_bytes(last.cell.left.bytes),
                       doubt_text(last));
  }
}

void print_unmeasured(std::ostream& out, const verdicts::GuidelineSet& set) {
  std::map<std::string, std::size_t> reasons;
  for (const verdicts::UnmeasuredCell& cell : set.unmeasured) {
    ++reasons[fmt::format("{}: {}", cell.guideline, cell.reason)];
  }
  if (!reasons.empty()) out << "\nnot judged\n";
  for (const auto& [reason, cells] : reasons) {
    out << "  " << inert(reason) << (cells == 1 ? "" : fmt::format(" ({} sizes)", cells)) << '\n';
  }
}

void print_gone(std::ostream& out, const GuidelineReport& report) {
  for (const verdicts::KnownViolation& known : not_seen(report.known, report.set)) {
    out << fmt::format(words::known_is_gone, inert(known.guideline),
                       known.bytes ? " at " + format_bytes(*known.bytes) : "",
                       known.ranks ? fmt::format(" on {} ranks", *known.ranks) : "");
  }
}

void print_family(std::ostream& out, const verdicts::GuidelineSet& set) {
  const auto count = [&](Compliance verdict) {
    return std::ranges::count(set.verdicts, verdict, &GuidelineVerdict::verdict);
  };
  const std::size_t left_out = set.launches_left_out;
  out << fmt::format(words::family, count_text(set.launches, "launch"),
                     left_out > 0 ? fmt::format(words::launches_left_out, left_out) : "",
                     set.verdicts.size(), count(Compliance::violated), count(Compliance::satisfied),
                     count(Compliance::undecided), significant(per_cent * set.options.delta, 2),
                     describe(set.options.correction), significant(set.options.alpha, 2),
                     significant(1 + set.options.delta, 3));
}

std::string case_name(const verdicts::GuidelineCell& cell) {
  return fmt::format("{} at {}, {}", row_name(cell), format_bytes(cell.left.bytes),
                     place_text(cell));
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
         [=](const GuidelineVerdict& row) { return (row.*side).median_seconds; }},
        interval_column<GuidelineVerdict>(
            name + "_ci_seconds", Unit::micros,
            [=](const GuidelineVerdict& row) { return (row.*side).interval_seconds; })}});
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
       {{{"ratio", "left/right", Unit::number}, [](const Row& row) { return row.ratio; }},
        interval_column<Row>("ratio_ci", Unit::number,
                             [](const Row& row) { return row.interval(); }),
        {{"p_adjusted", "p", Unit::number}, [](const Row& row) { return row.p_adjusted; }},
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
