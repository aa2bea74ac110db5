#include "report/screens/verdict_words.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/table.hpp"

namespace hockney::report {

using verdicts::Comparison;

std::string difference_text(const Comparison& comparison) {
  constexpr double many_times = 2;
  const double ratio = comparison.ratio;
  const auto& interval = comparison.ratio_interval;
  const auto with = [&](const std::string& text, const std::optional<Interval>& bounds) {
    return bounds ? text + " (" + interval_text(bounds, 1, 3) + ")" : text;
  };
  if (ratio >= many_times) return with(significant(ratio, 3) + " times as long", interval);
  const double sign = ratio >= 1 ? 1 : -1;
  std::optional<Interval> in_per_cent;
  if (interval) {
    const double ends[] = {sign * per_cent * (interval->low - 1),
                           sign * per_cent * (interval->high - 1)};
    in_per_cent = {std::ranges::min(ends), std::ranges::max(ends), interval->level};
  }
  return with(
      significant(sign * per_cent * (ratio - 1), 2) + (sign > 0 ? " % longer" : " % shorter"),
      in_per_cent);
}

std::string difference_at_size(const Comparison& comparison) {
  return difference_text(comparison) + " at " + format_bytes(comparison.point.bytes);
}

Verdicts::Verdicts(const SettingRow& row) {
  for (const auto& [bytes, cell] : row.cells) {
    if (!cell.against_base) continue;
    const Comparison* const one = &*cell.against_base;
    (one->verdict == verdicts::Verdict::faster   ? faster
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

/// "18.9 times as long (17.4 .. 21.6) at 8, 3.1 (2.9 .. 3.4) at 64K": the smallest and the largest
/// size.
std::string examples_text(const std::vector<const Comparison*>& comparisons) {
  const std::string first = difference_at_size(*comparisons.front());
  return comparisons.size() == 1 ? first : first + ", " + difference_at_size(*comparisons.back());
}

/// Why there is no verdict, and what would give one.
std::string open_text(const std::vector<const Comparison*>& comparisons) {
  const Comparison& nearest = **std::ranges::min_element(
      comparisons, {}, [](const Comparison* one) { return one->p_adjusted; });
  std::string text = significant(nearest.ratio, 3);
  if (nearest.ratio_interval) text += " (" + interval_text(nearest.ratio_interval, 1, 3) + ")";
  text += " at " + format_bytes(nearest.point.bytes);
  if (!nearest.launches_needed) return text;
  return text + "; " + std::to_string(*nearest.launches_needed) +
         " launches would show such a ratio";
}

using TextOf = std::string (*)(const std::vector<const Comparison*>&);

/// "tcp is slower at 17 of 17 sizes: ...", of the comparisons `some`; nothing without any.
Lines sentence(const SettingRow& row, const std::string& is,
               const std::vector<const Comparison*>& some, TextOf text_of) {
  if (some.empty()) return {};
  const std::size_t all = Verdicts(row).all();
  std::string line = inert(row.name) + " is " + is;
  if (all > 1)
    line += " at " + std::to_string(some.size()) + " of " + std::to_string(all) + " sizes";
  return {line + ": " + text_of(some)};
}

}  // namespace

Lines slower_sentence(const SettingRow& row) {
  return sentence(row, "slower", Verdicts(row).slower, examples_text);
}

Lines sentences_of(const SettingRow& row) {
  const Verdicts verdicts(row);
  Lines lines = slower_sentence(row);
  std::ranges::move(sentence(row, "faster", verdicts.faster, examples_text),
                    std::back_inserter(lines));
  const std::size_t needed = launches_wanted(verdicts.open);
  if (needed == 0) {
    std::ranges::move(sentence(row, "not shown to differ", verdicts.open, open_text),
                      std::back_inserter(lines));
  } else {
    lines.push_back("nothing is shown by so few launches, " + std::to_string(needed) +
                    " can show it; so far " + inert(row.name) + ": " +
                    examples_text(verdicts.open));
  }
  return lines;
}

}  // namespace hockney::report
