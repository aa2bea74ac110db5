#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "core/words.hpp"

namespace hockney::verdicts {

/// What is promised of a family of tests: of each by itself, that at most alpha of the families
/// have any false discovery (Holm; max_t, which exchanges whole launches: verdicts/max_t.hpp), or
/// that at most alpha of the discoveries are false (Benjamini and Hochberg).
enum class Correction { none, holm, benjamini_hochberg, max_t };

/// In options and documents.
constexpr auto words_of(std::type_identity<Correction>) {
  return std::to_array<std::string_view>({"none", "holm", "bh", "max-t"});
}

inline constexpr std::array corrections{Correction::max_t, Correction::holm,
                                        Correction::benjamini_hochberg, Correction::none};

/// As in a sentence: "corrected by Holm".
std::string_view describe(Correction correction);

/// Holm (1979), for any dependence: max over j <= i of min(1, (m-j+1) p(j)), in the order given.
std::vector<double> holm(std::span<const double> p);

/// Benjamini and Hochberg (1995), for independent or positively dependent tests: min over j >= i of
/// min(1, m/j p(j)), in the order given.
std::vector<double> benjamini_hochberg(std::span<const double> p);

/// By p-values alone, of which max_t is none.
std::vector<double> adjust(std::span<const double> p, Correction correction);

}  // namespace hockney::verdicts
