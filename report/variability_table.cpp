#include "report/variability_table.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "core/text.hpp"
#include "report/curve_tables.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

using verdicts::Cause;
using verdicts::CauseShare;
using verdicts::VarianceSplit;

/// "61 % (40 .. 80)".
std::string share_text(const CauseShare& share) {
  const std::string percent = fixed_text(per_cent * share.share, 0);
  if (!share.interval) return percent;
  return percent + " (" + fixed_text(per_cent * share.interval->low, 0) + " .. " +
         fixed_text(per_cent * share.interval->high, 0) + ")";
}

std::string name_of(const VarianceSplit& split) {
  return inert(curve_name(split.point)) +
         (split.setting.empty() ? "" : " setting=" + inert(split.setting));
}

void print_answer(std::ostream& out, std::span<const VarianceSplit> splits) {
  std::map<Cause, std::size_t> largest;
  for (const VarianceSplit& split : splits) {
    ++largest[std::ranges::max_element(split.shares, {}, &CauseShare::share)->cause];
  }
  out << "the largest part of the spread:";
  std::string separator = " ";
  for (const auto& [cause, points] : largest) {
    out << separator << word(cause) << " at " << count_text(points, "point");
    separator = ", ";
  }
  out << '\n';
}

/// Why a cause is not told.
std::string_view reason_of(Cause cause) {
  switch (cause) {
    case Cause::repetition:
      return "one sample a block";
    case Cause::block:
      return "one block a launch";
    case Cause::launch:
      return "one launch";
    case Cause::place:
      return "one pair, or each in launches of its own";
    case Cause::job:
      return "one job (SLURM_JOB_ID), or one launch of each";
    case Cause::day:
      return "one day, or one launch or job on each";
  }
  return "";
}

}  // namespace

void print_variability(std::ostream& out, std::span<const VarianceSplit> splits) {
  if (splits.empty()) {
    out << "no spread to split: no point has several samples in complete launches\n";
    return;
  }
  print_answer(out, splits);
  std::vector<TableColumn> columns{
      bytes_column, {"launches", count_width}, {"spread[%]", count_width}};
  for (const std::string_view cause : enum_words<Cause>) {
    columns.push_back({std::string(cause) + "[%]", 0});
  }
  Table table(columns);
  table.comment_texts();
  std::set<Cause> untold;
  std::string curve;
  for (const VarianceSplit& split : splits) {
    if (name_of(split) != curve) {
      curve = name_of(split);
      table.text("");
      table.text(curve);
      table.header();
    }
    std::vector<std::string> cells{std::to_string(split.point.bytes.value),
                                   std::to_string(split.launches),
                                   significant(per_cent * split.spread, 2)};
    for (std::size_t i = 0; i < enum_words<Cause>.size(); ++i) {
      const auto found = std::ranges::find(split.shares, static_cast<Cause>(i), &CauseShare::cause);
      cells.push_back(found == split.shares.end() ? "-" : share_text(*found));
    }
    table.row(std::move(cells));
    untold.insert(split.untold.begin(), split.untold.end());
  }
  out << table
      << "\n# spread: standard deviation of one time; its variance split by cause, in "
         "brackets the interval at 95 %\n";
  for (const Cause cause : untold) {
    out << "# " << word(cause) << " are not told apart everywhere: " << reason_of(cause) << '\n';
  }
}

}  // namespace hockney::report
