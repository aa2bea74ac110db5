#include "report/screens/verdict_words.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/table.hpp"

namespace hockney::report {

using verdicts::Comparison;

namespace {

/// " (17.4 .. 21.6)", of both ends by `scaled`; "alone" where it is no interval of the family.
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

constexpr double twice = 2 - 1e-9;  // less by rounding alone

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

/// The largest difference and the smallest.
std::string examples_text(const Comparisons& comparisons) {
  if (comparisons.size() == 1) return difference_at_size(*comparisons.front());
  const Comparison& smallest = **std::ranges::min_element(comparisons, {}, distance_of);
  return "at most " + difference_at_size(largest(comparisons)) + ", at least " +
         difference_at_size(smallest);
}

/// Why there is no verdict, and what would give one.
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

/// "tcp is slower at 17 of 17 sizes: ...", of the comparisons `some`.
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

}  // namespace hockney::report
