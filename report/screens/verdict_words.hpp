#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/screens/settings.hpp"
#include "verdicts/compare.hpp"

namespace hockney::report {

/// How B's time differs from A's, with the interval: "18.9 times as long (17.4 .. 21.6)",
/// "10 % longer (9 .. 11)", "21 % shorter (17 .. 25)".
std::string difference_text(const verdicts::Comparison& comparison);

/// The same with the size: "... at 64K".
std::string difference_at_size(const verdicts::Comparison& comparison);

/// The comparisons of a setting with the base by verdict, each by size. The row must outlive them.
struct Verdicts {
  std::vector<const verdicts::Comparison*> faster;
  std::vector<const verdicts::Comparison*> slower;
  std::vector<const verdicts::Comparison*> open;

  explicit Verdicts(const SettingRow& row);

  [[nodiscard]] std::size_t all() const { return faster.size() + slower.size() + open.size(); }
};

/// "17 comparisons, family error 5 % (max-t)": what the verdicts are judged by.
std::string family_text(std::size_t size, const verdicts::CompareOptions& options);

/// How many launches can show anything, where there are too few for any of these; else 0.
std::size_t launches_wanted(const std::vector<const verdicts::Comparison*>& comparisons);

/// "tcp is slower at 17 of 17 sizes: ..."; nothing of a setting that is slower nowhere.
Lines slower_sentence(const SettingRow& row);

/// "tcp is slower at 17 of 17 sizes: ...": a line for each verdict; none of the base.
Lines sentences_of(const SettingRow& row);

}  // namespace hockney::report
