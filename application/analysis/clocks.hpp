#pragma once

#include <map>
#include <optional>
#include <string>

#include "application/analysis/matching.hpp"

namespace hockney::applications {

/// What is to be added to times of a host so that they compare with those of the first rank's.
struct HostClock {
  double offset_seconds = 0;
  /// The offset is off by no more [s]; 0 for the first rank's host, nullopt where no messages say.
  std::optional<double> bound_seconds;
};

/// The clocks of hosts that differ by a constant, each by its name. Nothing arrives before it was
/// sent: messages both ways, and collectives that no rank leaves before all have entered, hold the
/// offset of two hosts between two bounds, over hosts between them too, in whose middle it is
/// taken. A host that none of these joins to others begins when the first rank's does.
std::map<std::string, HostClock> align_clocks(const Trace& trace, const Matching& matching);

/// Whether no rank can leave the collective before all have entered it, whatever the others hand
/// over: barriers, and what brings data of each rank to each other one. Blocking calls alone; not
/// those with irregular counts, some of which may be 0, nor what makes communicators and windows.
bool synchronises(const profile::Event& event);

}  // namespace hockney::applications
