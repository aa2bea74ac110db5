#pragma once

#include <cstddef>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "tune/tuning.hpp"
#include "tune/verification.hpp"

namespace hockney::tune {

/// Of lines that no terminal bounds.
inline constexpr std::size_t usual_columns = 80;

/// Where the rules went, and which records they were made of.
struct WrittenFile {
  std::string name;  ///< empty: nowhere
  std::vector<std::string> results;
};

/// In how many points the file helps and where most, or that it changes nothing; what was written,
/// how it is used and how it is proven; for each operation and number of ranks a line for each
/// size: the time as a multiple of the default's with the interval of the family, p, what it
/// regrets, and what is chosen. Lines fit `columns`.
void print_selection(std::ostream& out, const Tuning& tuning, const WrittenFile& written,
                     std::optional<std::size_t> columns = {});

/// What users should know besides, one line each: too few launches, settings that are no
/// candidates, decisions that the target cannot say.
std::vector<std::string> selection_notes(const Tuning& tuning);

/// At how many sizes the file helps and where most, and where it is slower; what is known of it
/// having been in force; for each operation and number of ranks a line for each size: default and
/// file, ratio with the interval of the family, regret; then the means.
void print_verification(std::ostream& out, const Verification& verification, const Effect& effect,
                        std::optional<std::size_t> columns = {});

}  // namespace hockney::tune
