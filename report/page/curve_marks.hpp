#pragma once

#include <nlohmann/json.hpp>
#include <span>

#include "core/record.hpp"
#include "report/rows.hpp"
#include "report/screens/curves.hpp"

namespace hockney::report {

/// What is drawn against message size.
enum class CurveQuantity { seconds, rate };

/// What charts/curves.json draws besides points. An array is empty if there is nothing to draw.
/// - "models": each segment from its first to its last measured size.
/// - "bands": where models change. "band_names" names up to four that no limit explains.
/// - "limits": limits of the library among the sizes.
/// - "floors" and "floor_names": ping-pong times of the machine without MPI, from `rows`.
nlohmann::json curve_marks(const CurvePanel& panel, CurveQuantity quantity,
                           std::span<const Row> rows, std::span<const Record> records);

}  // namespace hockney::report
