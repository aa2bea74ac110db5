#include "verdicts/tables/guideline_tables.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "core/json_values.hpp"
#include "core/node_records.hpp"
#include "core/quantities.hpp"
#include "core/record_json.hpp"
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
    "\n{}{}, a family of {}: {} violated, {} satisfied, {} undecided\n"
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

/// One line with the times of both sides of a violation.
std::string violation_text(const verdicts::Violation& violation) {
  const GuidelineVerdict& verdict = *violation.verdict;
  const verdicts::GuidelineCell& cell = verdict.cell;
  const Interval saved = saved_share(verdict);
  const bool has_rivals = violation.is_fastest && violation.rivals > 1;
  return escaped(fmt::format(
      words::violation, side_text(cell.left.operation, cell.guideline.left),
      format_bytes(cell.left.bytes), place_text(cell), time_text(verdict.left.median_seconds),
      ratio_text(verdict.ratio, verdict.interval()), right_text(cell),
      time_text(cell.factor * verdict.right.median_seconds),
      interval_text(saved, per_cent, guideline_digits),
      has_rivals ? fmt::format(words::fastest_of, violation.rivals) : "", repair_text(violation)));
}

/// Reason why a cell is undecided.
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
  return escaped(name);
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
                       escaped(last.cell.guideline.name), format_bytes(last.cell.left.bytes),
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
    out << "  " << escaped(reason) << (cells == 1 ? "" : fmt::format(" ({} sizes)", cells)) << '\n';
  }
}

void print_gone(std::ostream& out, const GuidelineReport& report) {
  for (const verdicts::KnownViolation& known : not_seen(report.known, report.set)) {
    out << fmt::format(words::known_is_gone, escaped(known.guideline),
                       known.bytes ? " at " + format_bytes(*known.bytes) : "",
                       known.ranks ? fmt::format(" on {} ranks", *known.ranks) : "");
  }
}

void print_family(std::ostream& out, const verdicts::GuidelineSet& set) {
  const auto count = [&](Compliance verdict) {
    return std::ranges::count(set.verdicts, verdict, &GuidelineVerdict::verdict);
  };
  const std::size_t left_out = set.launches_left_out;
  out << fmt::format(words::family, text_of(LaunchCount{set.launches, set.nodes}),
                     left_out > 0 ? fmt::format(words::launches_left_out, left_out) : "",
                     count_text(set.verdicts.size(), "cell"), count(Compliance::violated),
                     count(Compliance::satisfied), count(Compliance::undecided),
                     significant(per_cent * set.options.delta, 2), describe(set.options.correction),
                     significant(set.options.alpha, 2), significant(1 + set.options.delta, 3));
}

std::string case_name(const verdicts::GuidelineCell& cell) {
  return fmt::format("{} at {}, {}", row_name(cell), format_bytes(cell.left.bytes),
                     place_text(cell));
}

constexpr Forms guideline_in_rows = Form::csv | Form::terminal;

/// Columns of one side of a verdict. `name` is "left" or "right", in JSON "lhs" or "rhs".
Columns<GuidelineVerdict> columns_of_side(const std::string& name, const std::string& json_name,
                                          verdicts::SideTime GuidelineVerdict::*side) {
  const auto median = [=](const GuidelineVerdict& row) { return (row.*side).median_seconds; };
  const auto interval = [=](const GuidelineVerdict& row) { return (row.*side).interval_seconds; };
  return {{{name + "_median_seconds", name, Unit::micros, guideline_in_rows}, median},
          {{name + "_ci_seconds", "interval", Unit::micros, guideline_in_rows, "", true}, interval},
          {{json_name + "_seconds", "", Unit::micros, Form::json}, median},
          {{json_name + "_ci_seconds", "", Unit::micros, Form::json, "", true}, interval}};
}

/// What is compared.
Columns<GuidelineVerdict> columns_of_cells() {
  using Row = GuidelineVerdict;
  const auto left = [](const Row& row) -> const Point& { return row.cell.left; };
  return joined<Row>(
      {{{{"guideline", "guideline"}, [](const Row& row) { return row.cell.guideline.name; }},
        {{"map", "", Unit::text, Form::json},
         [](const Row& row) { return row.cell.guideline.map; }},
        {{"campaign", "", Unit::text, Form::json},
         [](const Row& row) { return known_text(row.cell.campaign); }},
        {{"setting", "setting"}, [](const Row& row) { return known_text(row.cell.setting); }},
        {{"lhs", "", Unit::text, Form::json},
         [](const Row& row) { return row.cell.left.operation; }}},
       of_part<Row, Point>(point_columns(Form::csv), left),
       of_part<Row, Point>(chosen(point_columns(Form::json), {"bytes", "ranks"}), left),
       {{{"rhs", "other side", Unit::text, guideline_in_rows},
         [](const Row& row) { return right_text(row.cell); }},
        {{"rhs", "", Unit::text, Form::json},
         [](const Row& row) { return row.cell.right.operation; }},
        {{"factor", "", Unit::number, Form::json}, [](const Row& row) { return row.cell.factor; }},
        {{"launches", "launches", Unit::count},
         [](const Row& row) { return row.cell.pairs.size(); }}}});
}

Columns<GuidelineVerdict> columns_of_ratio() {
  using Row = GuidelineVerdict;
  return {{{"ratio", "left/right", Unit::number}, &Row::ratio},
          {{"ratio_ci", "interval", Unit::number, guideline_in_rows, "", true}, &Row::interval},
          {{"ratio_ci", "", Unit::number, Form::json, "", true}, &Row::ratio_interval},
          {{"ratio_ci_level", "", Unit::number, Form::json},
           [](const Row& row) { return level_of(row.ratio_interval); }},
          {{"ratio_ci_family", "", Unit::number, Form::json, "", true}, &Row::family_interval},
          {{"p", "", Unit::number, Form::json}, &Row::p},
          {{"p_adjusted", "p", Unit::number}, &Row::p_adjusted},
          {{"verdict", "verdict"}, &Row::verdict},
          {{"reason", "why undecided", Unit::text, guideline_in_rows},
           [](const Row& row) {
             return row.verdict == Compliance::undecided ? Value(doubt_text(row)) : Value();
           }},
          {{"reason", "", Unit::text, Form::json}, &Row::doubt},
          {{"clock_seconds", "", Unit::seconds, Form::json}, &Row::clock_seconds},
          {{"smallest_visible_ratio", "", Unit::number, Form::json}, &Row::smallest_visible_ratio},
          {{"launches_needed", "", Unit::count, Form::json}, &Row::launches_needed}};
}

Columns<GuidelineVerdict> guideline_columns() {
  return joined<GuidelineVerdict>(
      {columns_of_cells(), columns_of_side("left", "lhs", &GuidelineVerdict::left),
       columns_of_side("right", "rhs", &GuidelineVerdict::right), columns_of_ratio()});
}

using Json = nlohmann::json;

Json point_of_side(const Point& point) {
  Json json = point_json(point);
  json.erase("path");
  json.erase("algorithm");
  return json;
}

Json repair_json(const verdicts::Repair& repair) {
  const verdicts::Comparison& against_default = repair.against_default;
  return {{"campaign", repair.campaign},
          {"algorithm", repair.algorithm},
          {"others", repair.others},
          {"ratio", against_default.ratio},
          {"ratio_ci", against_default.ratio_interval},
          {"default_seconds", against_default.a.median_seconds},
          {"algorithm_seconds", against_default.b.median_seconds},
          {"p_adjusted", against_default.p_adjusted}};
}

Json violation_json(const verdicts::Violation& violation) {
  return {{"fastest", violation.is_fastest},
          {"rivals", violation.rivals},
          {"saved_share_ci", saved_share(*violation.verdict)},
          {"swept", violation.was_swept},
          {"repair", violation.repair ? repair_json(*violation.repair) : Json(nullptr)}};
}

Json verdict_json(const Columns<GuidelineVerdict>& columns, const GuidelineVerdict& verdict,
                  const GuidelineReport& report) {
  Json json = json_of(columns, verdict);
  json["lhs_point"] = point_of_side(verdict.cell.left);
  json["rhs_point"] = point_of_side(verdict.cell.right);
  const auto found = std::ranges::find(report.violations, &verdict, &verdicts::Violation::verdict);
  const bool is_violation = found != report.violations.end();
  json["known"] = is_violation ? Json(is_known(report.known, verdict)) : Json(nullptr);
  json["violation"] = is_violation ? violation_json(*found) : Json(nullptr);
  return json;
}

Json unmeasured_json(const verdicts::UnmeasuredCell& cell) {
  return {{"guideline", cell.guideline},
          {"lhs", cell.left.operation},
          {"lhs_point", point_of_side(cell.left)},
          {"reason", cell.reason}};
}

}  // namespace

std::string place_text(const verdicts::GuidelineCell& cell) {
  std::string text = cell.setting.empty() ? "" : fmt::format("setting {}, ", cell.setting);
  text += count_text(static_cast<std::size_t>(cell.left.ranks), "rank");
  if (cell.left.hop) text += ", " + *cell.left.hop;
  if (!cell.left.pair.empty() && cell.left.pair.size() == 2) {
    text += fmt::format(", pair {}-{}", cell.left.pair[0], cell.left.pair[1]);
  }
  return escaped(text);
}

void print_guideline_table(std::ostream& out, const GuidelineReport& report) {
  print_blocks(out, report);
  print_violations(out, report);
  print_doubts(out, report.set);
  print_unmeasured(out, report.set);
  print_family(out, report.set);
  print_gone(out, report);
}

View view_of(const verdicts::GuidelineSet& set) {
  return make_view(guideline_columns(), set.verdicts);
}

Json to_json(const GuidelineReport& report) {
  const verdicts::GuidelineSet& set = report.set;
  const Columns<GuidelineVerdict> columns = guideline_columns();
  return {{"schema", guidelines_schema},
          {"launches", set.launches},
          {"nodes", set.nodes > 0 ? Json(set.nodes) : Json()},
          {"launches_left_out", set.launches_left_out},
          {"family",
           {{"size", set.verdicts.size()},
            {"correction", set.options.correction},
            {"alpha", set.options.alpha},
            {"delta", set.options.delta}}},
          {"verdicts", array_json(set.verdicts,
                                  [&](const GuidelineVerdict& verdict) {
                                    return verdict_json(columns, verdict, report);
                                  })},
          {"faults", set.faults},
          {"not_judged", array_json(set.unmeasured, unmeasured_json)},
          {"known_not_seen", not_seen(report.known, set)}};
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
