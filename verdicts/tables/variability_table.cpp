#include "verdicts/tables/variability_table.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/table.hpp"
#include "report/view.hpp"

namespace hockney::report {
namespace {

/// Explanations below the tables.
namespace words {

constexpr std::string_view spread =
    "spread: standard deviation of one time; its variance split by cause, in brackets the interval "
    "at 95 %";
constexpr std::string_view untold = "{} are not distinguished everywhere: {}";

}  // namespace words

using verdicts::Cause;
using verdicts::CauseShare;
using verdicts::VarianceSplit;

/// "61 % (40 .. 80)".
std::string share_text(const CauseShare& share) {
  const auto percent = [](double part) { return fixed_text(per_cent * part, 0); };
  if (!share.interval) return percent(share.share);
  return fmt::format("{} ({} .. {})", percent(share.share), percent(share.interval->low),
                     percent(share.interval->high));
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

/// Reason why a cause is not separated.
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

Columns<VarianceSplit> variance_columns() {
  using Split = VarianceSplit;
  Columns<Split> columns{
      {{"bytes", "size", Unit::size}, [](const Split& split) { return split.point.bytes.value; }},
      {{"launches", "launches", Unit::count}, &Split::launches},
      {{"spread", "spread", Unit::percent},
       [](const Split& split) { return per_cent * split.spread; }}};
  for (const std::string_view cause : enum_words<Cause>) {
    columns.push_back(
        {{std::string(cause), std::string(cause) + "[%]"}, [cause](const Split& split) {
           const auto found =
               std::ranges::find(split.shares, *find_word<Cause>(cause), &CauseShare::cause);
           return found == split.shares.end() ? Value() : Value(share_text(*found));
         }});
  }
  return columns;
}

}  // namespace

void print_variability(std::ostream& out, std::span<const VarianceSplit> splits) {
  if (splits.empty()) {
    out << "no spread to split: no point has several samples in complete launches\n";
    return;
  }
  print_answer(out, splits);
  const Columns<VarianceSplit> columns = variance_columns();
  std::set<Cause> untold;
  for (auto first = splits.begin(); first != splits.end();) {
    const auto last = std::find_if(first, splits.end(), [&](const VarianceSplit& split) {
      return name_of(split) != name_of(*first);
    });
    out << '\n';
    print_view(out, name_of(*first), make_view(columns, std::span(first, last)));
    for (; first != last; ++first) untold.insert(first->untold.begin(), first->untold.end());
  }
  out << "# " << words::spread << '\n';
  for (const Cause cause : untold) {
    out << "# " << fmt::format(words::untold, word(cause), reason_of(cause)) << '\n';
  }
}

}  // namespace hockney::report
