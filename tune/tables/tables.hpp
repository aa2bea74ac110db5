#pragma once

#include <cstddef>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "report/view.hpp"
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

/// A row for each point: the choice, its time beside the default's, and the evidence.
report::View view_of(const Decisions& decisions);

/// First where the file helps most, or that it changes nothing; then the file written, how to use
/// it and how to verify it. Then a row for each operation, number of ranks and size: ratio to the
/// default with its simultaneous interval, p, regret, choice. Lines fit `columns`.
void print_selection(std::ostream& out, const Tuning& tuning, const WrittenFile& written,
                     std::optional<std::size_t> columns = {});

/// What users should know besides, one line each: too few launches, settings that are no
/// candidates, decisions that the target cannot say.
std::vector<std::string> selection_notes(const Tuning& tuning);

/// First where the file helps most and where it is slower, and whether it was in force. Then a row
/// for each operation, number of ranks and size: times of default and file, ratio with its
/// simultaneous interval, regret. Then the means.
void print_verification(std::ostream& out, const Verification& verification, const Effect& effect,
                        std::optional<std::size_t> columns = {});

}  // namespace hockney::tune
