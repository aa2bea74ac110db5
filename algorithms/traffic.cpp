#include "algorithms/traffic.hpp"

namespace hockney {

Traffic traffic_of(const Schedule& schedule) {
  Traffic traffic;
  int rank = 0;
  for (const RankSchedule& steps : schedule.ranks) {
    for (const Transfer& transfer : steps.transfers()) {
      if (transfer.direction != Direction::send) continue;
      PeerTraffic& pair = traffic[{rank, transfer.peer}];
      ++pair.messages;
      pair.bytes += transfer.bytes;
    }
    ++rank;
  }
  return traffic;
}

}  // namespace hockney
