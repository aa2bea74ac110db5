#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "verdicts/compare.hpp"

namespace hockney {

inline constexpr std::string_view compare_schema = "hockney.compare/1";

std::string_view word(Verdict verdict);
std::string_view word(Correction correction);
std::string_view word(Design design);

/// The document of `hockney compare --json`; what is not known is null.
nlohmann::json to_json(const CompareSet& set);

}  // namespace hockney
