#include "report/screens/verdict_words.hpp"

#include <algorithm>
#include <cmath>
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
#include "report/table.hpp"

namespace hockney::report {

using verdicts::Comparison;

namespace {

/// " (17.4 .. 21.6)", with both ends mapped by `scaled`; "alone" if it is no family interval.
template <class Scaled>
std::string brackets(const Comparison& comparison, Scaled scaled) {
  const auto& interval = comparison.interval();
  if (!interval) return {};
  const double one = scaled(interval->low);
  const double other = scaled(interval->high);
  return " (" +
         interval_text(Interval{std::min(one, other), std::max(one, other), interval->level}, 1,
                       3) +
         (comparison.interval_is_alone() ? " alone)" : ")");
}

constexpr double twice = 2 - 1e-9;  // below 2 by rounding only

}  // namespace

std::string quoted(const std::string& name) { return '"' + inert(name) + '"'; }

std::string difference_text(const Comparison& comparison) {
  const double ratio = comparison.ratio;
  if (ratio >= twice) {
    return significant(ratio, 3) + " x as long" +
           brackets(comparison, [](double end) { return end; });
  }
  if (ratio > 0 && 1 / ratio >= twice) {
    return significant(1 / ratio, 3) + " x as fast" +
           brackets(comparison, [](double end) { return 1 / end; });
  }
  const double sign = ratio >= 1 ? 1 : -1;
  return significant(sign * per_cent * (ratio - 1), 2) + (sign > 0 ? " % longer" : " % shorter") +
         brackets(comparison, [sign](double end) { return sign * per_cent * (end - 1); });
}

std::string difference_at_size(const Comparison& comparison) {
  return difference_text(comparison) + " at " + format_bytes(comparison.point.bytes);
}

Verdicts::Verdicts(const SettingRow& row) {
  for (const auto& [bytes, cell] : row.cells) {
    if (!cell.against_base) continue;
    const Comparison* const one = &*cell.against_base;
    (cell.is_substituted                         ? of_another
     : one->verdict == verdicts::Verdict::faster ? faster
     : one->verdict == verdicts::Verdict::slower ? slower
                                                 : open)
        .push_back(one);
  }
}

std::string family_text(std::size_t size, const verdicts::CompareOptions& options) {
  return count_text(size, "comparison") + ", family error " + format_fraction(options.alpha) +
         " (" + std::string(word(options.correction)) + ")";
}

std::size_t launches_wanted(const std::vector<const Comparison*>& comparisons) {
  std::size_t needed = 0;
  for (const Comparison* const one : comparisons) {
    if (one->reason != verdicts::NoEvidence::too_few_launches) return 0;
    needed = std::max(needed, one->launches_needed.value_or(0));
  }
  return needed;
}

namespace {

using Comparisons = std::vector<const Comparison*>;

double distance_of(const Comparison* one) { return std::abs(std::log(one->ratio)); }

const Comparison& largest(const Comparisons& comparisons) {
  return **std::ranges::max_element(comparisons, {}, distance_of);
}

/// The largest and the smallest difference.
std::string examples_text(const Comparisons& comparisons) {
  if (comparisons.size() == 1) return difference_at_size(*comparisons.front());
  const Comparison& smallest = **std::ranges::min_element(comparisons, {}, distance_of);
  return "at most " + difference_at_size(largest(comparisons)) + ", at least " +
         difference_at_size(smallest);
}

/// Reason for no verdict, and the launches that would give one.
std::string open_text(const Comparisons& comparisons) {
  const Comparison& nearest = **std::ranges::min_element(comparisons, {}, &Comparison::p_adjusted);
  std::string text = "nearest " + significant(nearest.ratio, 3);
  if (const auto& interval = nearest.interval()) {
    text += " (" + interval_text(interval, 1, 3);
    if (nearest.interval_is_alone()) {
      text += " alone; " + count_text(nearest.family, "point") + " are tested together";
    }
    text += ")";
  }
  text += " at " + format_bytes(nearest.point.bytes);
  if (!nearest.launches_needed) return text;
  return text + "; " + std::to_string(*nearest.launches_needed) +
         " launches would show such a ratio";
}

using TextOf = std::string (*)(const Comparisons&);

/// "tcp is slower at 17 of 17 sizes: ...", for the comparisons `some`.
std::string sentence_of(const SettingRow& row, const std::string& is, const Comparisons& some,
                        TextOf text_of) {
  const std::size_t all = Verdicts(row).all();
  std::string line = quoted(row.name) + " is " + is;
  if (all > 1)
    line += " at " + std::to_string(some.size()) + " of " + std::to_string(all) + " sizes";
  return line + ": " + text_of(some);
}

std::string open_sentence(const SettingRow& row, const Comparisons& open) {
  const std::size_t needed = launches_wanted(open);
  if (needed == 0) return sentence_of(row, "not shown to differ", open, open_text);
  return "nothing is shown by so few launches, " + std::to_string(needed) +
         " can show it; so far " + quoted(row.name) + ": " + difference_at_size(largest(open));
}

}  // namespace

std::vector<Sentence> sentences_of(const SettingsMatrix& matrix) {
  using Kind = Sentence::Kind;
  std::vector<Sentence> sentences;
  for (const SettingRow& row : matrix.rows) {
    const Verdicts verdicts(row);
    const auto add = [&](Kind kind, const Comparisons& some, const std::string& text) {
      sentences.push_back({kind, distance_of(&largest(some)), text});
    };
    if (const Comparisons& some = verdicts.slower; !some.empty()) {
      add(Kind::slower, some, sentence_of(row, "slower", some, examples_text));
    }
    if (const Comparisons& some = verdicts.faster; !some.empty()) {
      add(Kind::faster, some, sentence_of(row, "faster", some, examples_text));
    }
    if (!verdicts.open.empty()) add(Kind::open, verdicts.open, open_sentence(row, verdicts.open));
    if (!verdicts.of_another.empty()) {
      sentences.push_back({Kind::of_another, 0,
                           quoted(row.name) + " did not run at " +
                               std::to_string(verdicts.of_another.size()) + " of " +
                               count_text(verdicts.all(), "size") + ": another algorithm did"});
    }
  }
  return sentences;
}

Lines ranked(std::vector<Sentence> sentences) {
  std::ranges::stable_sort(
      sentences, {}, [](const Sentence& one) { return std::pair(one.kind, -one.difference); });
  return strings_of(sentences, &Sentence::text);
}

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

/// The violations of one guideline at one place, worst first.
struct Violated {
  std::string what;  ///< "allgather > gather + bcast"
  std::string place;
  std::vector<const Violation*> violations;
};

double ratio_of(const Violation* one) { return one->verdict->ratio; }

/// "allgather > gather + bcast" for "allgather <= gather + bcast".
std::string reversed(std::string name) {
  constexpr std::string_view at_most = "<=";
  if (const auto at = name.find(at_most); at != std::string::npos) {
    name.replace(at, at_most.size(), ">");
  }
  return inert(name);
}

/// Guidelines by largest loss; known violations last.
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
