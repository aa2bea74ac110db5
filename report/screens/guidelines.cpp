#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/screens/answers.hpp"
#include "report/table.hpp"

namespace hockney::report {

using verdicts::Violation;
namespace {

std::size_t count_of(const verdicts::GuidelineSet& set, verdicts::Compliance verdict) {
  return static_cast<std::size_t>(
      std::ranges::count(set.verdicts, verdict, &verdicts::GuidelineVerdict::verdict));
}

std::string places_of(const verdicts::GuidelineSet& set) {
  std::vector<std::string> places;
  for (const verdicts::GuidelineVerdict& verdict : set.verdicts) {
    std::string place = place_text(verdict.cell);
    if (std::ranges::find(places, place) == places.end()) places.push_back(std::move(place));
  }
  return places.size() == 1 ? places.front() : std::to_string(places.size()) + " places";
}

std::string verdict_of(const GuidelineReport& report) {
  const verdicts::GuidelineSet& set = report.set;
  std::set<std::string> names;
  for (const verdicts::GuidelineVerdict& verdict : set.verdicts)
    names.insert(verdict.cell.guideline.name);
  const auto is_expected = [&](const Violation& violation) {
    return is_known(report.known, *violation.verdict);
  };
  const auto known =
      static_cast<std::size_t>(std::ranges::count_if(report.violations, is_expected));
  std::string text = std::to_string(count_of(set, verdicts::Compliance::violated)) + " of " +
                     count_text(set.verdicts.size(), "case") + " violated";
  if (known > 0) text += " (" + std::to_string(known) + " known)";
  return text + ", " + std::to_string(count_of(set, verdicts::Compliance::satisfied)) +
         " satisfied, " + std::to_string(count_of(set, verdicts::Compliance::undecided)) +
         " undecided: " + count_text(names.size(), "guideline") + " by size, " + places_of(set) +
         ", " + count_text(set.launches, "launch") + ", family error " +
         format_fraction(set.options.alpha);
}

/// The violations of one guideline at one place, by size.
using Together = std::map<std::pair<std::string, std::string>, std::vector<const Violation*>>;

std::string sizes_text(const std::vector<const Violation*>& violations) {
  const auto bytes_of = [](const Violation* one) { return one->verdict->cell.left.bytes; };
  const auto [low, high] = std::ranges::minmax(violations, {}, bytes_of);
  const std::string first = format_bytes(bytes_of(low));
  return violations.size() == 1 ? first : first + " .. " + format_bytes(bytes_of(high));
}

std::string times_text(const std::vector<const Violation*>& violations) {
  constexpr int digits = 2;
  const auto ratio_of = [](const Violation* one) { return one->verdict->ratio; };
  const auto [low, high] = std::ranges::minmax(violations, {}, ratio_of);
  const std::string least = significant(ratio_of(low), digits);
  const std::string most = significant(ratio_of(high), digits);
  if (least != most) return least + " .. " + most + " times";
  std::string text = least + " times";
  if (violations.size() > 1) return text;
  if (const auto& interval = low->verdict->ratio_interval) {
    text += " (" + interval_text(interval, 1, digits) + ")";
  }
  return text;
}

/// "allgather > gather + bcast" of "allgather <= gather + bcast".
std::string reversed(std::string name) {
  constexpr std::string_view at_most = "<=";
  if (const auto at = name.find(at_most); at != std::string::npos) {
    name.replace(at, at_most.size(), ">");
  }
  return inert(name);
}

/// What the worst of them would save, and how.
std::string gain_text(const std::vector<const Violation*>& violations) {
  const Violation& worst = **std::ranges::max_element(
      violations, {}, [](const Violation* one) { return one->verdict->ratio; });
  std::string text =
      "up to " + significant(per_cent * (1 - 1 / worst.verdict->ratio), 2) + " % to save";
  if (worst.repair) text += "; algorithm " + inert(worst.repair->algorithm) + " does";
  return text;
}

std::string doubts_text(const verdicts::GuidelineSet& set) {
  double visible = 0;
  std::size_t needed = 0;
  for (const verdicts::GuidelineVerdict& verdict : set.verdicts) {
    if (!verdict.doubt) continue;
    needed = std::max(needed, verdict.launches_needed.value_or(0));
    visible = std::max(visible, verdict.smallest_visible_ratio.value_or(0));
  }
  if (needed > 0) return "undecided for want of launches: " + std::to_string(needed) + " needed";
  if (visible == 0) return {};
  return "of the undecided ones " + significant(visible, 3) +
         " times or more would have been seen everywhere";
}

}  // namespace

Lines guidelines_answer(const GuidelineReport& report) {
  Together together;
  std::set<std::string> places;
  for (const Violation& violation : report.violations) {
    const verdicts::GuidelineCell& cell = violation.verdict->cell;
    const std::string known = is_known(report.known, *violation.verdict) ? "(known) " : "";
    together[{known + reversed(cell.guideline.name), place_text(cell)}].push_back(&violation);
    places.insert(place_text(cell));
  }
  std::vector<std::vector<std::string>> rows;
  for (const auto& [what, violations] : together) {
    rows.push_back(
        {"  " + what.first, sizes_text(violations), times_text(violations), gain_text(violations)});
    if (places.size() > 1) rows.back().push_back(what.second);
  }
  Lines lines{verdict_of(report)};
  std::ranges::move(columns_of(rows), std::back_inserter(lines));
  const std::string doubts = doubts_text(report.set);
  if (!doubts.empty()) lines.push_back(doubts);
  return lines;
}

}  // namespace hockney::report
