#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <vector>

#include "verdicts/guideline_baseline.hpp"
#include "verdicts/guideline_repairs.hpp"
#include "verdicts/guidelines.hpp"

namespace hockney {

inline constexpr std::string_view guidelines_schema = "hockney.guidelines/1";

std::string_view word(Compliance verdict);
std::string_view word(Doubt doubt);

/// The document of `hockney guidelines --json`; what is not known is null.
nlohmann::json to_json(const GuidelineSet& set, const std::vector<Violation>& violations,
                       const std::vector<KnownViolation>& known);

}  // namespace hockney
