#include "report/compare_table.hpp"

#include <array>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "core/named_values.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"
#include "core/whole_number.hpp"
#include "report/table.hpp"

namespace hockney::report {
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

constexpr NamedValues<verdicts::Verdict, 3> verdict_texts{
    {{verdicts::Verdict::faster, "faster"},
     {verdicts::Verdict::slower, "slower"},
     {verdicts::Verdict::no_evidence, "no evidence"}}};

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
                                 name_in(verdict_texts, row.verdict)};
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
