#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "components/health/app/judging_options.hpp"
#include "components/health/detection/node_reference.hpp"
#include "components/health/history/database.hpp"
#include "components/health/history/host_values.hpp"
#include "components/health/report/node_report.hpp"
#include "core/site_file.hpp"

namespace hockney::health {

/// Number of nights that are read to judge nodes.
inline constexpr std::size_t node_nights_back = 60;

/// The nodes of a night, and the common level of each kind of nodes.
struct NodesOfNight {
  JudgedNodes judged;
  /// The median of each kind's nodes, for nights with several kinds; the key `kind` tells them
  /// apart. Empty with one kind, since the series of all hosts are its own.
  std::vector<NightlySeries> kinds;
  /// Series of all hosts that `kinds` replace.
  std::vector<std::string> replaced;
};

/// Judges the nodes that measured themselves on the night `today`. Returns nullopt if none did.
/// `options` contain the accepted shifts and maintenance of the history.
std::optional<NodesOfNight> judge_nodes(const HistoryDatabase& database,
                                        const JudgingOptions& options, std::int64_t today);

/// What the nodes up to the night `today` usually measure, over their last nights_of_level nights.
/// Nights before an accepted shift, in maintenance and with other hardware do not count. Without
/// nodes if none measured itself.
NodeReference node_reference(const HistoryDatabase& database, const JudgingOptions& options,
                             std::int64_t today);

}  // namespace hockney::health
