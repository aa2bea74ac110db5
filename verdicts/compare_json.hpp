#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "verdicts/compare.hpp"
#include "verdicts/compare_axis.hpp"

namespace hockney {

inline constexpr std::string_view compare_schema = "hockney.compare/1";
inline constexpr std::string_view compare_axis_schema = "hockney.compare-axis/1";

std::string_view word(Verdict verdict);
std::string_view word(Design design);

/// The document of `hockney compare --json`; what is not known is null.
nlohmann::json to_json(const CompareSet& set);

/// The same of `hockney compare --by`: a document for each value of the axis.
nlohmann::json to_json(const AxisCompareSet& set);

}  // namespace hockney
