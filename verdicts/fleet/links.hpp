#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "verdicts/fleet/fleet.hpp"

namespace hockney::fleet {

/// A link that is slow beyond what its two nodes explain.
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

/// Links that stay slow: a CUSUM (Page 1954, k = 0.5) of each link's scores, clipped to 3, over the
/// nights, oldest first, in which a link may be absent, or one of its nodes be named. Its threshold
/// is where all links together have false_nodes_per_night false links a night, by Siegmund's (1985)
/// run length exp(0.7 (h + 1.166)) / 0.5 for scores of which 2 % are spikes, and the median of its
/// effects must be beyond the practical floor. It stays named until the median of its last 7 is
/// within half of that. In order of effect, largest first.
std::vector<LinkVerdict> persistent_links(std::span<const FleetNight> nights,
                                          const FleetOptions& options = {});

/// Links named in one night: suspects of `night` that are slow again. `again` are the repetitions,
/// each an entry of its own, at least 3 of each suspect that is to be judged; links measured
/// beside them that are no suspects tell how far the whole night has moved since. A suspect is
/// named when the median of its repetitions exceeds what is expected by more than the practical
/// floor and by Student's quantile at false_nodes_per_night / suspects. Its error is by the spread
/// of repetitions of a link, that of pairs in the night at least: a night's time of a pair is the
/// median of several launches, a repetition one of them; and by what the night's pairs of its nodes
/// leave open. Its interval is by the same error. In order of effect.
/// InputError for times that are not positive and finite.
std::vector<LinkVerdict> confirm_links(const FleetNight& night, std::span<const NightlyPair> again,
                                       const FleetOptions& options = {});

}  // namespace hockney::fleet
