#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "core/record.hpp"
#include "report/rows.hpp"
#include "report/screens/curves.hpp"

namespace hockney::report {

/// What is drawn against size.
enum class CurveQuantity { seconds, rate };

/// The vertical channel of a quantity.
nlohmann::json channel_of(CurveQuantity quantity, const std::string& key);

// Layers of a plot; none where there is nothing to draw.

/// Models where they hold: each segment from its first to its last measured size.
nlohmann::json model_layers(const CurvePanel& panel, CurveQuantity quantity);

/// Where models change: bands from the last size before to the first behind, with what they stand
/// for. A name stands beside a band that no limit of limit_layers() explains.
nlohmann::json breakpoint_layers(const CurvePanel& panel, std::span<const Record> records);

/// The limits of the library among the sizes, with their names.
nlohmann::json limit_layers(const CurvePanel& panel, std::span<const Record> records);

/// What the machine does without MPI, as far as it is among the rows.
nlohmann::json floor_layers(std::span<const Row> rows);

}  // namespace hockney::report
