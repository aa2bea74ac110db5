#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "driver/screens/settings.hpp"
#include "verdicts/compare.hpp"

namespace hockney::report {

/// A setting's name in a sentence: escaped, in quotation marks.
std::string quoted(const std::string& name);

/// Difference of B's time from A's, with the interval of the verdict: "18.9 x as long (17.4 ..
/// 21.6)" from a factor of 2, "10 % longer (9 .. 11)", "21 % shorter (17 .. 25)", "3.00 x as fast
/// (2 .. 4)".
std::string difference_text(const verdicts::Comparison& comparison);

/// difference_text() with the size: "... at 64K".
std::string difference_at_size(const verdicts::Comparison& comparison);

/// A setting's comparisons with the base, by verdict, then by size. The row must outlive them.
struct Verdicts {
  std::vector<const verdicts::Comparison*> faster;
  std::vector<const verdicts::Comparison*> slower;
  std::vector<const verdicts::Comparison*> open;
  std::vector<const verdicts::Comparison*>
      of_another;  ///< another algorithm ran: verdicts are ignored

  explicit Verdicts(const SettingRow& row);

  [[nodiscard]] std::size_t all() const {
    return faster.size() + slower.size() + open.size() + of_another.size();
  }
};

/// "17 comparisons, family error 5 % (max-t)": the basis of the verdicts.
std::string family_text(std::size_t size, const verdicts::CompareOptions& options);

/// Launches needed to show anything, if all comparisons have too few; else 0.
std::size_t launches_wanted(const std::vector<const verdicts::Comparison*>& comparisons);

/// One line about the settings of a matrix. Lines are ranked by kind, in the order of the
/// enumerators, and within a kind by the size of the difference.
struct Sentence {
  enum class Kind { sweep, slower, faster, open, of_another };
  Kind kind = Kind::open;
  double difference = 0;  ///< logarithm of a ratio, without its sign
  std::string text;
};

/// Sentences about each setting, one for each of its verdicts, unranked. Example: "\"tcp\" is
/// slower at 17 of 17 sizes: at most 18.9 x as long (17.4 .. 21.6) at 8, at least 3.1 x as long
/// (2.9 .. 3.4) at 64K".
std::vector<Sentence> sentences_of(const SettingsMatrix& matrix);

/// Texts of the sentences, in ranked order.
Lines ranked(std::vector<Sentence> sentences);

}  // namespace hockney::report
