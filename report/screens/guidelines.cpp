#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/screens/answers.hpp"
#include "report/screens/verdict_words.hpp"
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

/// The violations of one guideline at one place, the worst first.
struct Violated {
  std::string what;  ///< "allgather > gather + bcast"
  std::string place;
  std::vector<const Violation*> violations;
};

double ratio_of(const Violation* one) { return one->verdict->ratio; }

/// "allgather > gather + bcast" of "allgather <= gather + bcast".
std::string reversed(std::string name) {
  constexpr std::string_view at_most = "<=";
  if (const auto at = name.find(at_most); at != std::string::npos) {
    name.replace(at, at_most.size(), ">");
  }
  return inert(name);
}

/// The guideline of the largest loss first; known ones after all others.
std::vector<Violated> ranked(const GuidelineReport& report) {
  std::map<std::pair<std::string, std::string>, Violated> together;
  for (const Violation& violation : report.violations) {
    const verdicts::GuidelineCell& cell = violation.verdict->cell;
    const std::string known = is_known(report.known, *violation.verdict) ? "(known) " : "";
    const std::string what = known + reversed(cell.guideline.name);
    Violated& one = together[{what, place_text(cell)}];
    one.what = what;
    one.place = place_text(cell);
    one.violations.push_back(&violation);
  }
  std::vector<Violated> all;
  for (auto& [key, one] : together) {
    std::ranges::stable_sort(one.violations, std::greater(), ratio_of);
    all.push_back(std::move(one));
  }
  std::ranges::stable_sort(all, std::greater(), [&](const Violated& one) {
    const Violation* const worst = one.violations.front();
    return std::pair(!is_known(report.known, *worst->verdict), ratio_of(worst));
  });
  return all;
}

/// "8.3 x (7.9 .. 8.8)".
std::string times_text(const Violation& violation) {
  constexpr int digits = 2;
  const verdicts::GuidelineVerdict& verdict = *violation.verdict;
  std::string text = significant(verdict.ratio, digits) + " x";
  if (const auto& interval = verdict.interval()) {
    text += " (" + interval_text(interval, 1, digits) + ")";
  }
  return text;
}

std::string size_text(const Violation& violation) {
  return format_bytes(violation.verdict->cell.left.bytes);
}

/// "and 2 more sizes in 8 .. 1M, up to 2.6 x".
std::string others_text(const std::vector<const Violation*>& violations) {
  if (violations.size() < 2) return "";
  const auto bytes_of = [](const Violation* one) { return one->verdict->cell.left.bytes; };
  const auto [low, high] = std::ranges::minmax(violations, {}, bytes_of);
  return "and " + count_text(violations.size() - 1, "more size") + " in " + size_text(*low) +
         " .. " + size_text(*high) + ", up to " + significant(ratio_of(violations[1]), 2) + " x";
}

std::string repair_text(const Violation& violation) {
  if (!violation.repair) return "";
  return "algorithm " + quoted(violation.repair->algorithm) + " is faster";
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
  const std::vector<Violated> all = ranked(report);
  std::set<std::string> places;
  for (const Violated& one : all) places.insert(one.place);
  std::vector<std::vector<std::string>> rows{{"  by", "slower than what does the same", "at"}};
  for (const Violated& one : all) {
    const Violation& worst = *one.violations.front();
    std::vector<std::string> remarks{others_text(one.violations), repair_text(worst)};
    if (places.size() > 1) remarks.push_back(one.place);
    std::erase(remarks, "");
    rows.push_back({"  " + times_text(worst), one.what, size_text(worst), join(remarks, "; ")});
  }
  Lines lines{verdict_of(report)};
  const std::string doubts = doubts_text(report.set);
  if (!doubts.empty()) lines.push_back(doubts);
  if (!all.empty()) std::ranges::move(columns_of(rows), std::back_inserter(lines));
  return lines;
}

std::string guidelines_verdict(const GuidelineReport& report) {
  const std::vector<Violated> all = ranked(report);
  std::string text = verdict_of(report);
  if (all.empty()) return text;
  const Violation& worst = *all.front().violations.front();
  return text + "; worst: " + all.front().what + " at " + size_text(worst) + ", " +
         times_text(worst) +
         (places_of(report.set).ends_with("places") ? ", " + all.front().place : "");
}

}  // namespace hockney::report
