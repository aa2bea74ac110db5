#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/screens/settings.hpp"
#include "verdicts/compare.hpp"

namespace hockney::report {

/// A setting's name in a sentence: inert, in quotation marks.
std::string quoted(const std::string& name);

/// How B's time differs from A's, with the interval of the verdict: "18.9 x as long (17.4 .. 21.6)"
/// from twice on, "10 % longer (9 .. 11)", "21 % shorter (17 .. 25)", "3.00 x as fast (2 .. 4)".
std::string difference_text(const verdicts::Comparison& comparison);

/// The same with the size: "... at 64K".
std::string difference_at_size(const verdicts::Comparison& comparison);

/// The comparisons of a setting with the base by verdict, each by size. The row must outlive them.
struct Verdicts {
  std::vector<const verdicts::Comparison*> faster;
  std::vector<const verdicts::Comparison*> slower;
  std::vector<const verdicts::Comparison*> open;
  std::vector<const verdicts::Comparison*>
      of_another;  ///< whatever they say: another algorithm ran

  explicit Verdicts(const SettingRow& row);

  [[nodiscard]] std::size_t all() const {
    return faster.size() + slower.size() + open.size() + of_another.size();
  }
};

/// "17 comparisons, family error 5 % (max-t)": what the verdicts are judged by.
std::string family_text(std::size_t size, const verdicts::CompareOptions& options);

/// How many launches can show anything, where there are too few for any of these; else 0.
std::size_t launches_wanted(const std::vector<const verdicts::Comparison*>& comparisons);

/// One line about the settings of a matrix. Lines are ranked by kind, in the order of the
/// enumerators, and within a kind by the size of the difference.
struct Sentence {
  enum class Kind { sweep, slower, faster, open, of_another };
  Kind kind = Kind::open;
  double difference = 0;  ///< logarithm of a ratio, without its sign
  std::string text;
};

/// "\"tcp\" is slower at 17 of 17 sizes: at most 18.9 x as long (17.4 .. 21.6) at 8, at least 3.1 x
/// as long (2.9 .. 3.4) at 64K": of each setting, as far as its verdicts differ. Unranked.
std::vector<Sentence> sentences_of(const SettingsMatrix& matrix);

/// Ranked, without what ranks them.
Lines ranked(std::vector<Sentence> sentences);

}  // namespace hockney::report
