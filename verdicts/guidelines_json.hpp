#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json_node.hpp"
#include "verdicts/guidelines.hpp"

namespace hockney::verdicts {

inline constexpr std::string_view guideline_baseline_schema = "hockney.guidelines-baseline/1";

/// A violation that is known, and no reason to fail.
struct KnownViolation {
  std::string guideline;
  std::optional<Bytes> bytes{};  ///< of the left side; nullopt: of any size
  std::optional<int> ranks{};    ///< nullopt: of any number
  std::string note;              ///< such as the number of a bug report

  friend bool operator==(const KnownViolation&, const KnownViolation&) = default;
};

/// Strict: InputError for whatever is unknown, missing or mistyped.
std::vector<KnownViolation> read_guideline_baseline(const JsonNode& document);

/// InputError naming the nearest guideline when one was not judged at all.
void check_known(const std::vector<KnownViolation>& known, const GuidelineSet& set,
                 const std::string& file);

bool is_known(const std::vector<KnownViolation>& known, const GuidelineVerdict& verdict);

/// Known violations of which no violated cell is left: they may have been repaired.
std::vector<KnownViolation> not_seen(const std::vector<KnownViolation>& known,
                                     const GuidelineSet& set);

inline constexpr std::string_view guidelines_schema = "hockney.guidelines/1";

/// The document of `hockney guidelines --json`; what is not known is null.
nlohmann::json to_json(const GuidelineSet& set, const std::vector<Violation>& violations,
                       const std::vector<KnownViolation>& known);

}  // namespace hockney::verdicts
