#pragma once

#include <span>
#include <vector>

namespace hockney {

/// What is promised of a family of tests: of each by itself, that at most alpha of the families
/// have any false discovery (Holm), or that at most alpha of the discoveries are false (Benjamini
/// and Hochberg).
enum class Correction { none, holm, benjamini_hochberg };

/// Holm (1979), for any dependence: max over j <= i of min(1, (m-j+1) p(j)), in the order given.
std::vector<double> holm(std::span<const double> p);

/// Benjamini and Hochberg (1995), for independent or positively dependent tests: min over j >= i of
/// min(1, m/j p(j)), in the order given.
std::vector<double> benjamini_hochberg(std::span<const double> p);

std::vector<double> adjust(std::span<const double> p, Correction correction);

}  // namespace hockney
