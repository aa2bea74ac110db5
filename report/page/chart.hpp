#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string_view>

namespace hockney::report {

// charts/NAME.json has the look of a plot: a Vega-Lite specification with placeholders. C++ fills
// in data, names and scales. parts.json has the parts that several charts use.
//
// - "$name": a binding, else the part of this name. "$series.color" is a member of a binding.
// - "time of $base": the same inside a text. The value must be a text.
// - "$if": "name" leaves this object out if the binding is null, false or empty.
// - "$use": "part" becomes this part. The other members are bindings for it.
// - "$with": {...} is merged into this object. A value that is null removes its member.
// - "$parts": {...} are parts of this chart alone.
//
// Values are never searched for placeholders. An expression may only have bindings that C++ wrote:
// texts from elsewhere are data, titles or names in a domain.

/// Fills in a chart. `optional` holds bindings that a chart may leave unused. Throws
/// std::logic_error for a placeholder without a value and for an unused binding.
nlohmann::json filled(const nlohmann::json& chart, const nlohmann::json& bindings,
                      const nlohmann::json& optional = nlohmann::json::object());

/// The same for charts/NAME.json.
nlohmann::json chart(std::string_view name, const nlohmann::json& bindings,
                     const nlohmann::json& optional = nlohmann::json::object());

/// A file of charts/, which CMake puts into the program.
struct ChartFile {
  std::string_view name;  ///< without ".json"
  std::string_view text;
};
extern const std::span<const ChartFile> chart_files;

}  // namespace hockney::report
