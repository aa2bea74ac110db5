#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "verdicts/fleet/fleet.hpp"

namespace hockney::fleet {

/// A link slower than its two nodes explain.
struct LinkVerdict {
  std::string a;
  std::string b;
  std::string hop;
  double effect = 0;                 ///< median over `values` [ratio - 1]
  std::optional<Interval> interval;  ///< of the median, 95 %; nullopt with fewer than 6 nights
  std::size_t values = 0;            ///< nights since it became slow, or repetitions
  bool is_repeated = false;          ///< whether `values` are repetitions in one night
  Severity severity = Severity::monitor;
};

/// "for 12 nights", "by 3 repetitions".
std::string evidence_text(const LinkVerdict& link);

/// Finds links that stay slow, by a CUSUM (Page 1954, k = 0.5) of each link's scores over the
/// nights, oldest first. Scores are clipped to 3. Nights without the link, or with one of its nodes
/// named, are skipped. The threshold allows false_nodes_per_night false links a night over all
/// links. It follows from Siegmund's (1985) run length exp(0.7 (h + 1.166)) / 0.5, for scores with
/// 2 % spikes. The median effect must exceed the practical floor. A link stays named until the
/// median of its last 7 effects is within half the floor. The largest effect comes first.
std::vector<LinkVerdict> persistent_links(std::span<const FleetNight> nights,
                                          const FleetOptions& options = {});

/// Confirms suspects of `night` that are slow again. `again` has one entry for each repetition; a
/// suspect needs at least 3. Other links measured with them show how far the whole night has
/// shifted since. A suspect is named if the median of its repetitions exceeds the expected time by
/// more than both limits: the practical floor, and Student's quantile at false_nodes_per_night /
/// suspects times its error. The error has two parts. The first is the spread of a link's
/// repetitions, or the night's spread of pairs if larger. A pair's time is the median of several
/// launches, a repetition is one launch. The second is the uncertainty of the expected time, from
/// the night's pairs of both nodes. The interval uses the same error. The largest effect comes
/// first. InputError for times that are not positive and finite.
std::vector<LinkVerdict> confirm_links(const FleetNight& night, std::span<const NightlyPair> again,
                                       const FleetOptions& options = {});

}  // namespace hockney::fleet
