#include "driver/screens/verdict_words.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/node_records.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"
#include "driver/screens/answers.hpp"
#include "report/table.hpp"

namespace hockney::report {

using verdicts::Comparison;
using verdicts::Violation;

namespace {

/// Sentences about verdicts.
namespace words {

constexpr std::string_view family = "{}, family error {} ({})";
constexpr std::string_view differs = "{} is {}: {}";
constexpr std::string_view differs_at = "{} is {} at {} of {} sizes: {}";
constexpr std::string_view most_and_least = "at most {}, at least {}";
constexpr std::string_view tested_together = " ({} alone; {} are tested together)";
constexpr std::string_view launches_would_show = "{}; {} launches would show such a ratio";
constexpr std::string_view pair_too_few_launches =
    "nothing is shown by so few launches, {} can show it; so far {}: {}";
constexpr std::string_view another_ran = "{} did not run at {} of {}: another algorithm did";

constexpr std::string_view guidelines =
    "{} of {} violated{}, {} satisfied, {} undecided: {} by size, {}, {}, family error {}";
constexpr std::string_view worst_guideline = "{}; worst: {} at {}, {}{}";
constexpr std::string_view other_sizes = "and {} in {} .. {}, up to {} x";
constexpr std::string_view repair = "algorithm {} is faster";
constexpr std::string_view guidelines_want_launches = "undecided for want of launches: {} needed";
constexpr std::string_view guidelines_would_show =
    "of the undecided ones {} times or more would have been seen everywhere";

}  // namespace words

/// The interval of a ratio, unless its ends are so far apart that it says nothing.
std::optional<Interval> useful_interval(const Comparison& comparison) {
  constexpr double widest = 1000;
  const auto& interval = comparison.interval();
  const bool says_nothing = interval && interval->high > widest * interval->low;
  return says_nothing ? std::nullopt : interval;
}

/// " (17.4 .. 21.6)", with both ends mapped by `scaled`; "alone" if it is no family interval.
template <class Scaled>
std::string brackets(const Comparison& comparison, Scaled scaled) {
  const std::optional<Interval> interval = useful_interval(comparison);
  if (!interval) return {};
  const double one = scaled(interval->low);
  const double other = scaled(interval->high);
  const Interval ends{std::min(one, other), std::max(one, other), interval->level};
  return fmt::format(" ({}{})", interval_text(ends, 1, 3),
                     comparison.interval_is_alone() ? " alone" : "");
}

constexpr double twice = 2 - 1e-9;  // below 2 by rounding only

using Comparisons = std::vector<const Comparison*>;

double distance_of(const Comparison* one) { return std::abs(std::log(one->ratio)); }

const Comparison& largest(const Comparisons& comparisons) {
  return **std::ranges::max_element(comparisons, {}, distance_of);
}

/// The largest and the smallest difference.
std::string examples_text(const Comparisons& comparisons) {
  if (comparisons.size() == 1) return difference_at_size(*comparisons.front());
  const Comparison& smallest = **std::ranges::min_element(comparisons, {}, distance_of);
  return fmt::format(words::most_and_least, difference_at_size(largest(comparisons)),
                     difference_at_size(smallest));
}

/// Reason for no verdict, and the launches that would give one.
std::string open_text(const Comparisons& comparisons) {
  const Comparison& nearest = **std::ranges::min_element(comparisons, {}, &Comparison::p_adjusted);
  std::string ends;
  if (const auto interval = useful_interval(nearest)) {
    ends = interval_text(interval, 1, 3);
    ends = nearest.interval_is_alone()
               ? fmt::format(words::tested_together, ends, count_text(nearest.family, "point"))
               : fmt::format(" ({})", ends);
  }
  std::string text = fmt::format("nearest {}{} at {}", significant(nearest.ratio, 3), ends,
                                 format_bytes(nearest.point.bytes));
  const auto& needed = nearest.launches_needed;
  return needed ? fmt::format(words::launches_would_show, text, *needed) : text;
}

using TextOf = std::string (*)(const Comparisons&);

/// "tcp is slower at 17 of 17 sizes: ...", for the comparisons `some`.
std::string sentence_of(const SettingRow& row, const std::string& is, const Comparisons& some,
                        TextOf text_of) {
  const std::size_t all = Verdicts(row).all();
  const std::string name = quoted(row.name);
  return all > 1 ? fmt::format(words::differs_at, name, is, some.size(), all, text_of(some))
                 : fmt::format(words::differs, name, is, text_of(some));
}

std::string open_sentence(const SettingRow& row, const Comparisons& open) {
  const std::size_t needed = launches_wanted(open);
  if (needed == 0) return sentence_of(row, "not shown to differ", open, open_text);
  return fmt::format(words::pair_too_few_launches, needed, quoted(row.name),
                     difference_at_size(largest(open)));
}

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
  return places.size() == 1 ? places.front() : fmt::format("{} places", places.size());
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
  return fmt::format(
      words::guidelines, count_of(set, verdicts::Compliance::violated),
      count_text(set.verdicts.size(), "case"), known > 0 ? fmt::format(" ({} known)", known) : "",
      count_of(set, verdicts::Compliance::satisfied),
      count_of(set, verdicts::Compliance::undecided), count_text(names.size(), "guideline"),
      places_of(set), text_of(LaunchCount{set.launches, set.nodes}),
      format_fraction(set.options.alpha));
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
  return escaped(name);
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
  const auto& interval = verdict.interval();
  return fmt::format("{} x{}", significant(verdict.ratio, digits),
                     interval ? fmt::format(" ({})", interval_text(interval, 1, digits)) : "");
}

std::string size_text(const Violation& violation) {
  return format_bytes(violation.verdict->cell.left.bytes);
}

/// "and 2 more sizes in 8 .. 1M, up to 2.6 x".
std::string others_text(const std::vector<const Violation*>& violations) {
  if (violations.size() < 2) return "";
  const auto bytes_of = [](const Violation* one) { return one->verdict->cell.left.bytes; };
  const auto [low, high] = std::ranges::minmax(violations, {}, bytes_of);
  return fmt::format(words::other_sizes, count_text(violations.size() - 1, "more size"),
                     size_text(*low), size_text(*high), significant(ratio_of(violations[1]), 2));
}

std::string repair_text(const Violation& violation) {
  if (!violation.repair) return "";
  return fmt::format(words::repair, quoted(violation.repair->algorithm));
}

std::string doubts_text(const verdicts::GuidelineSet& set) {
  double visible = 0;
  std::size_t needed = 0;
  for (const verdicts::GuidelineVerdict& verdict : set.verdicts) {
    if (!verdict.doubt) continue;
    needed = std::max(needed, verdict.launches_needed.value_or(0));
    visible = std::max(visible, verdict.smallest_visible_ratio.value_or(0));
  }
  if (needed > 0) return fmt::format(words::guidelines_want_launches, needed);
  return visible == 0 ? "" : fmt::format(words::guidelines_would_show, significant(visible, 3));
}

}  // namespace

std::string quoted(const std::string& name) { return fmt::format("\"{}\"", escaped(name)); }

std::string difference_text(const Comparison& comparison) {
  const double ratio = comparison.ratio;
  if (ratio >= twice) {
    return fmt::format("{} x as long{}", significant(ratio, 3),
                       brackets(comparison, [](double end) { return end; }));
  }
  if (ratio > 0 && 1 / ratio >= twice) {
    return fmt::format("{} x as fast{}", significant(1 / ratio, 3),
                       brackets(comparison, [](double end) { return 1 / end; }));
  }
  const double sign = ratio >= 1 ? 1 : -1;
  const auto percent = [sign](double end) { return sign * per_cent * (end - 1); };
  return fmt::format("{} % {}{}", significant(percent(ratio), 2), sign > 0 ? "longer" : "shorter",
                     brackets(comparison, percent));
}

std::string difference_at_size(const Comparison& comparison) {
  return fmt::format("{} at {}", difference_text(comparison), format_bytes(comparison.point.bytes));
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
  return fmt::format(words::family, count_text(size, "comparison"), format_fraction(options.alpha),
                     word(options.correction));
}

std::size_t launches_wanted(const std::vector<const Comparison*>& comparisons) {
  std::size_t needed = 0;
  for (const Comparison* const one : comparisons) {
    if (one->reason != verdicts::NoEvidence::too_few_launches) return 0;
    needed = std::max(needed, one->launches_needed.value_or(0));
  }
  return needed;
}

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
      sentences.push_back(
          {Kind::of_another, 0,
           fmt::format(words::another_ran, quoted(row.name), verdicts.of_another.size(),
                       count_text(verdicts.all(), "size"))});
    }
  }
  return sentences;
}

Lines ranked(std::vector<Sentence> sentences) {
  std::ranges::stable_sort(
      sentences, {}, [](const Sentence& one) { return std::pair(one.kind, -one.difference); });
  return strings_of(sentences, &Sentence::text);
}

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

std::vector<SummaryRow> guideline_rows(const GuidelineReport& report) {
  std::vector<SummaryRow> rows;
  for (const Violated& one : ranked(report)) {
    const Violation& worst = *one.violations.front();
    rows.push_back({.label = one.what,
                    .value = worst.verdict->ratio,
                    .interval = worst.verdict->interval(),
                    .unit = "times",
                    .mark = "at " + size_text(worst)});
  }
  return rows;
}

std::string guidelines_verdict(const GuidelineReport& report) {
  const std::vector<Violated> all = ranked(report);
  if (all.empty()) return verdict_of(report);
  const Violated& first = all.front();
  const Violation& worst = *first.violations.front();
  return fmt::format(words::worst_guideline, verdict_of(report), first.what, size_text(worst),
                     times_text(worst),
                     places_of(report.set).ends_with("places") ? ", " + first.place : "");
}

}  // namespace hockney::report
