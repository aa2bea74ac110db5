#include <algorithm>

#include "models/schedules/family.hpp"
#include "models/schedules/traffic.hpp"
#include "models/schedules/tree.hpp"

namespace hockney::schedules {
namespace {

void exchange(Drawing& drawing, int rank, int to, const Slots& mine, int from,
              const Slots& theirs) {
  drawing.receive(rank, from, theirs);
  drawing.send(rank, to, mine);
  drawing.wait(rank);
}

/// A gather to the first rank and a bcast; which of their algorithms is the library's choice, here
/// the linear ones.
Schedule linear_allgather(const Workload& workload) {
  Drawing drawing = draw_blocks(workload);
  const int ranks = workload.ranks;
  for (int rank = 1; rank < ranks; ++rank) {
    drawing.message(rank, 0, {.first = rank, .count = 1});
  }
  broadcast(drawing, flat_tree(ranks), {{.first = 0, .count = ranks}});
  return drawing.finish();
}

/// Bruck et al. 1997.
Schedule bruck_allgather(const Workload& workload) {
  Drawing drawing = draw_blocks(workload);
  const int ranks = workload.ranks;
  for (int distance = 1; distance < ranks; distance *= 2) {
    const int blocks = std::min(distance, ranks - distance);
    for (int rank = 0; rank < ranks; ++rank) {
      const int from = (rank + distance) % ranks;
      exchange(drawing, rank, (rank - distance + ranks) % ranks, {.first = rank, .count = blocks},
               from, {.first = from, .count = blocks});
    }
  }
  return drawing.finish();
}

Schedule recursive_doubling_allgather(const Workload& workload) {
  Drawing drawing = draw_blocks(workload);
  for (int distance = 1; distance < workload.ranks; distance *= 2) {
    for (int rank = 0; rank < workload.ranks; ++rank) {
      const int partner = rank ^ distance;
      const int own = rank / distance * distance;
      const int theirs = partner / distance * distance;
      exchange(drawing, rank, partner, {.first = own, .count = distance}, partner,
               {.first = theirs, .count = distance});
    }
  }
  return drawing.finish();
}

Schedule ring(const Workload& workload) {
  Drawing drawing = draw_blocks(workload);
  const int ranks = workload.ranks;
  for (int round = 0; round < ranks - 1; ++round) {
    for (int rank = 0; rank < ranks; ++rank) {
      exchange(drawing, rank, (rank + 1) % ranks,
               {.first = (rank - round + ranks) % ranks, .count = 1}, (rank - 1 + ranks) % ranks,
               {.first = (rank - round - 1 + ranks) % ranks, .count = 1});
    }
  }
  return drawing.finish();
}

/// The first of the two blocks that a rank received in a round; they come from ever farther pairs,
/// now from one side, now from the other. After round 0 it has those of its own pair.
int received_pair(int rank, int round, int ranks) {
  const int steps = (round + 1) / 2 * 2;
  const bool upward = (rank % 2 == 0) == (round % 2 == 0);
  return ((rank - rank % 2 + (upward ? steps : -steps)) % ranks + ranks) % ranks;
}

/// Chen et al. 2005: neighbours exchange what they received from the neighbour on the other side.
Schedule neighbor(const Workload& workload) {
  Drawing drawing = draw_blocks(workload);
  const int ranks = workload.ranks;
  for (int rank = 0; rank < ranks; ++rank) {
    const int partner = rank ^ 1;
    exchange(drawing, rank, partner, {.first = rank, .count = 1}, partner,
             {.first = partner, .count = 1});
  }
  for (int round = 1; round < ranks / 2; ++round) {
    for (int rank = 0; rank < ranks; ++rank) {
      const bool upward = (rank % 2 == 0) == (round % 2 == 0);
      const int partner = (rank + (upward ? 1 : ranks - 1)) % ranks;
      exchange(drawing, rank, partner, {.first = received_pair(rank, round - 1, ranks), .count = 2},
               partner, {.first = received_pair(rank, round, ranks), .count = 2});
    }
  }
  return drawing.finish();
}

/// Blocks that ranks have beside the power of two of each distance would come twice.
bool comes_twice(int ranks, int distance) {
  int lowest = 1;
  while (ranks / lowest % 2 == 0) lowest *= 2;
  return distance == lowest || (distance > lowest && ranks / distance % 2 == 0);
}

/// Loch and Koslovski 2021: ever nearer ranks, to which every second, fourth, ... block goes by
/// itself.
Schedule sparbit(const Workload& workload) {
  Drawing drawing = draw_blocks(workload);
  const int ranks = workload.ranks;
  int distance = 1;
  while (2 * distance < ranks) distance *= 2;
  for (int blocks = 1; distance >= 1 && ranks > 1; distance /= 2) {
    const int spared = comes_twice(ranks, distance) ? 1 : 0;
    for (int rank = 0; rank < ranks; ++rank) {
      const auto back = [&](int steps) {
        return Slots{.first = ((rank - steps * distance) % ranks + ranks) % ranks, .count = 1};
      };
      for (int k = 0; k < blocks - spared; ++k) {
        drawing.receive(rank, (rank - distance + ranks) % ranks, back(2 * k + 1));
        drawing.send(rank, (rank + distance) % ranks, back(2 * k));
      }
      drawing.wait(rank);
    }
    blocks = 2 * blocks - spared;
  }
  return drawing.finish();
}

}  // namespace

Family allgather_family() {
  // Open MPI calls its first allgatherv "default", which settings cannot be told by.
  return {{"linear", {"basic_linear", "algorithm-1"}, linear_allgather},
          {"bruck", {"brucks", "bruck-k-fanout"}, bruck_allgather},
          {"recursive_doubling", {"rdb"}, recursive_doubling_allgather, ranks_no_power_of_two},
          {"ring", {"lr", "logical_ring"}, ring},
          {"neighbor", {"ompi_neighborexchange"}, neighbor, odd_ranks},
          {"two_proc", {}, ring, not_two_ranks},
          {"sparbit", {}, sparbit}};
}

}  // namespace hockney::schedules
