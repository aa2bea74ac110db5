#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/record.hpp"
#include "health/history/night.hpp"
#include "models/curves.hpp"

namespace hockney::health {

/// One figure for each node at each point: how many times longer its pairs take than those of a
/// usual node that night (`node_ratio`), so that a node which degrades slowly is found like any
/// other change. Points whose pairs cannot be told apart into nodes give none.
std::vector<NightFigure> node_figures(std::span<const fleet::NightPair> pairs);

/// The series of a node among those figures: "pingpong/bytes=8 host=hx2/node_ratio".
std::string node_series_name(const std::string& point, const std::string& host);

/// What one setting says beside its curves: eager limits by hop class, memory of ranks by moment,
/// and as controls the time of the spin beside every block and the cost of reading the clock.
std::vector<NightFigure> other_figures(std::span<const Record> launches,
                                       const std::string& setting);

/// How many times longer the points of a loaded setting take than those of an idle one [ratio], as
/// series of the loaded one.
std::vector<NightFigure> congestion_figures(const models::Curves& loaded,
                                            const models::Curves& idle,
                                            const std::string& loaded_setting);

}  // namespace hockney::health
