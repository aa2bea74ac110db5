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

/// What the right side is called: the operation, and at which size or on how many ranks.
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

/// Guidelines by sizes at one place.
struct Block {
  std::vector<std::string> names;  ///< of guidelines, in order
  std::map<std::string, std::map<Bytes, std::string>> marks;
  std::set<Bytes> sizes;
};

/// With the parameters that make it a row of its own.
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
  for (const verdicts::Violation& violation : report.violations) ranked.push_back(&violation);
  std::ranges::stable_sort(ranked, std::greater(),
                           [](const verdicts::Violation* one) { return one->verdict->ratio; });
  for (const verdicts::Violation* const violation : ranked) {
    out << "  " << (is_known(report.known, *violation->verdict) ? "(known) " : "")
        << violation_text(*violation) << '\n';
  }
}

/// How many are undecided for a reason, with the smallest and the largest ratio that would have
/// shown.
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
constexpr int wide_interval = 18;

Table comparison_table() {
  return Table({{"size [B]", bytes_width, Align::right, true},
                {"launches", count_width},
                {"A [us]", count_width},
                {"interval", wide_interval},
                {"B [us]", count_width},
                {"interval", wide_interval},
                {"B/A", 9},
                {"interval", wide_interval},
                {"p", count_width},
                {"B is", 13},
                {"", 21}});
}

std::string p_text(double p) { return p < smallest_shown_p ? "<0.0001" : significant(p, p_digits); }

std::string launches_text(const verdicts::Comparison& row) {
  if (row.design == verdicts::Design::paired) return std::to_string(row.a.launches) + " pairs";
  return std::to_string(row.a.launches) + " + " + std::to_string(row.b.launches);
}

/// A number as people write it: 5, 2.5.
std::string plain(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

void print_side(std::ostream& out, char name, const verdicts::ComparedSide& side) {
  out << name << ": " << (side.source.empty() ? "records" : inert(side.source));
  if (!side.setting.empty()) out << ", setting " << inert(side.setting);
  // Libraries describe themselves at length after a comma.
  if (!side.mpi_library.empty()) out << ", " << inert(split(side.mpi_library, ',').front());
  out << ", " << count_text(side.launches, "launch");
  if (side.launches_left_out > 0) {
    out << " (" << side.launches_left_out << " interrupted or failed left out)";
  }
  out << '\n';
}

/// That of the verdict; "alone" where it holds of this point by itself.
std::string ratio_interval_text(const verdicts::Comparison& row) {
  return interval_text(row.interval(), 1, ratio_digits) + (row.interval_is_alone() ? " alone" : "");
}

/// "shm | cma".
std::string paths_text(const verdicts::Comparison& row) {
  return inert(row.a.path.value_or("unproven") + " | " + row.b.path.value_or("unproven"));
}

void add(Table& table, const verdicts::Comparison& row) {
  std::vector<std::string> cells{format_bytes(row.point.bytes),
                                 launches_text(row),
                                 significant(row.a.median_seconds * microseconds),
                                 interval_text(row.a.interval_seconds, microseconds),
                                 significant(row.b.median_seconds * microseconds),
                                 interval_text(row.b.interval_seconds, microseconds),
                                 significant(row.ratio, ratio_digits),
                                 ratio_interval_text(row),
                                 p_text(row.p_adjusted),
                                 std::string(word(row.verdict))};
  if (row.a.path || row.b.path) cells.push_back(paths_text(row));
  table.row(std::move(cells));
}

/// Said once for a curve: most often all of its sizes have the same launches.
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
  std::vector<std::string> wanted;  ///< launches that would show what is not shown, by size

  void add(const verdicts::Comparison& row, const verdicts::CompareSet& set) {
    if (!row.launches_needed) return;
    if (row.reason == verdicts::NoEvidence::too_few_launches) {
      shortage = shortage_text(row, set);
    } else {
      wanted.push_back(std::to_string(*row.launches_needed) + " at " +
                       format_bytes(row.point.bytes));
    }
  }

  void put_into(Table& table) const {
    if (!shortage.empty()) table.text(shortage);
    if (wanted.empty()) return;
    table.text("  note: launches a side that would show such a ratio four times of five: " +
               join(wanted));
  }
};

Table lines_of(const verdicts::CompareSet& set) {
  Table table = comparison_table();
  table.header();
  std::string curve;
  CurveNotes notes;
  for (const verdicts::Comparison& row : set.comparisons) {
    const std::string name = curve_name(row.point);
    if (name != curve) {
      notes.put_into(table);
      notes = {};
      table.text("\n" + inert(name));
      curve = name;
    }
    add(table, row);
    notes.add(row, set);
  }
  notes.put_into(table);
  return table;
}

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

/// Of settings of one campaign, whose launches are pairs.
void print_crossovers(std::ostream& out, const verdicts::CompareSet& set) {
  if (set.options.origin != verdicts::Origin::one_campaign || set.crossovers.empty()) return;
  out << "\ncrossovers\n";
  for (const verdicts::Crossover& crossover : set.crossovers) {
    out << "  " << inert(curve_name(crossover.point));
    out << (crossover.reason.empty() ? "" : ": " + inert(crossover.reason)) << '\n';
    for (const verdicts::Crossing& crossing : crossover.crossings) print_crossing(out, crossing);
  }
}

/// The rows of one set with their header, crossovers and points that lack a side.
void print_compare_body(std::ostream& out, const verdicts::CompareSet& set) {
  out << lines_of(set);
  print_crossovers(out, set);
  print_lone(out, "only in A", "B", set.only_in_a);
  print_lone(out, "only in B", "A", set.only_in_b);
  print_lone(out, "in neither", "A", set.in_neither);
}

/// The last line: `size` points were judged together.
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
  print_compare_body(out, set);
  print_family(out, set.family, set.options);
}

void print_compare_axis_table(std::ostream& out, const verdicts::AxisCompareSet& set) {
  for (const verdicts::AxisComparison& comparison : set.comparisons) {
    out << "\nA: " << inert(set.axis + "=" + set.base)
        << "; B: " << inert(set.axis + "=" + comparison.value) << places_text(comparison.others)
        << '\n';
    print_compare_body(out, comparison.set);
  }
  if (!set.alone.empty()) {
    out << "\nnot compared: " << inert(set.axis + "=" + join(set.alone, ", "))
        << " (no setting with " << inert(set.axis + "=" + set.base) << " is like it otherwise)\n";
  }
  print_family(out, set.family, set.options);
}

namespace {

constexpr int what_width = 38;
constexpr int found_width = 12;
constexpr int share_interval_width = 16;
constexpr int median_ratio_width = 14;

void add(Table& table, const std::string& what, const verdicts::Rate& rate,
         const std::optional<double>& ratio = std::nullopt) {
  std::vector<std::string> cells{
      what, std::to_string(rate.hits) + "/" + std::to_string(rate.trials),
      significant(rate.share(), per_cent, 3), interval_text(rate.interval(), per_cent, 3)};
  if (ratio) cells.push_back(significant(*ratio));
  table.row(std::move(cells));
}

std::string name_of(const verdicts::VariantVerdicts& verdicts) {
  if (verdicts.planted == 0) return "false alarms (only the name differs)";
  return "power, " + significant(per_cent * verdicts.planted, 3) + " % slower";
}

/// A time with its unit; "-" when it is not known.
std::string clock_time_text(const std::optional<double>& seconds) {
  return seconds ? significant(nanoseconds * *seconds, 3) + " ns" : "-";
}

void add(Table& table, const verdicts::ClockVerdict& clock) {
  if (!clock.truth) {
    table.text("  clock not tested: " + inert(clock.reason));
    return;
  }
  add(table, "clock syncs within their bound", clock.truth->within);
  table.text("  error of these syncs (truth: 0): median " +
             clock_time_text(clock.truth->median_error_seconds) + ", largest " +
             clock_time_text(clock.truth->largest_error_seconds) + "; their bound: median " +
             clock_time_text(clock.truth->median_bound_seconds));
}

}  // namespace

void print_self_test(std::ostream& out, const verdicts::SelfTest& test) {
  Table table({{"", what_width, Align::left},
               {"found", found_width},
               {"%", share_width},
               {"interval[%]", share_interval_width},
               {"median ratio", median_ratio_width}});
  table.header();
  for (const verdicts::VariantVerdicts& verdicts : test.variants) {
    add(table, name_of(verdicts), verdicts.different, verdicts.ratio);
    if (verdicts.any.trials > 0) add(table, "  any point, judged jointly", verdicts.any);
  }
  add(table, "coverage, launches at random", test.covered_at_random);
  add(table, "coverage, consecutive launches", test.covered_in_blocks);
  add(table, test.clock);
  out << "self-test of " << test.launches << " launches, in campaigns of " << test.launches_each
      << '\n'
      << table
      << "  each comparison at 5 % by itself; intervals: 95 %, as if comparisons were "
         "independent\n";
}

}  // namespace hockney::report
