#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "components/tune/tuning.hpp"
#include "components/tune/verification.hpp"
#include "report/view.hpp"

namespace hockney::tune {

inline constexpr std::string_view selection_schema = "hockney.selection/1";

/// Width of lines without a terminal.
inline constexpr std::size_t usual_columns = 80;

/// The file of the rules, and the records behind them.
struct WrittenFile {
  std::string name;  ///< empty: not written
  std::vector<std::string> results;
};

/// A row for each point: the choice, its time and the default's, and the evidence.
report::View view_of(const Decisions& decisions, Replication replication);

/// The document of `hockney tune --json`.
nlohmann::json to_json(const Tuning& tuning);

/// The document of `hockney tune --verify --json`.
nlohmann::json to_json(const Verification& verification, const Effect& effect);

/// Prints a summary: the largest gain, or that the file changes nothing; then the written file, its
/// use and its verification. Then a row for each operation, number of ranks and size: ratio to the
/// default with its simultaneous interval, p, regret, choice. Lines fit `columns`.
void print_selection(std::ostream& out, const Tuning& tuning, const WrittenFile& written,
                     std::optional<std::size_t> columns = {});

/// Notes for users, one line each: too few launches, settings that are no candidates, decisions
/// that the target cannot express.
std::vector<std::string> selection_notes(const Tuning& tuning);

/// Prints a summary: the largest gain, the sizes at which the file is slower, and whether it was
/// effective. Then a row for each operation, number of ranks and size: times of default and file,
/// ratio with its simultaneous interval, regret. Then the means.
void print_verification(std::ostream& out, const Verification& verification, const Effect& effect,
                        std::optional<std::size_t> columns = {});

}  // namespace hockney::tune
