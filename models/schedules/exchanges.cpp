#include <algorithm>
#include <cstddef>

#include "models/schedules/schedule.hpp"
#include "models/schedules/traffic.hpp"

namespace hockney::schedules {
namespace {

/// Slots of a barrier's empty messages: one slot, the ranks that have arrived.
constexpr Slots news{.first = 0, .count = 1};

ScheduleBuilder draw_news(const Workload& workload) { return {workload, 1, 0}; }

void exchange(ScheduleBuilder& builder, int rank, int to, int from) {
  builder.receive(rank, from, news, Delivery::combine);
  builder.send(rank, to, news);
  builder.wait(rank);
}

/// Dissemination (Hensgen, Finkel, Manber 1988).
Schedule bruck_barrier(const Workload& workload) {
  ScheduleBuilder builder = draw_news(workload);
  const int ranks = workload.ranks;
  for (int distance = 1; distance < ranks; distance *= 2) {
    for (int rank = 0; rank < ranks; ++rank) {
      exchange(builder, rank, (rank + distance) % ranks, (rank - distance + ranks) % ranks);
    }
  }
  return builder.finish();
}

Schedule recursive_doubling_barrier(const Workload& workload) {
  ScheduleBuilder builder = draw_news(workload);
  const int power = power_below(workload.ranks);
  for (int aside = power; aside < workload.ranks; ++aside) {
    builder.message(aside, aside - power, news, Delivery::combine);
  }
  for (int distance = 1; distance < power; distance *= 2) {
    for (int rank = 0; rank < power; ++rank) {
      exchange(builder, rank, rank ^ distance, rank ^ distance);
    }
  }
  for (int aside = power; aside < workload.ranks; ++aside) {
    builder.message(aside - power, aside, news, Delivery::combine);
  }
  return builder.finish();
}

/// A token goes round twice.
Schedule double_ring(const Workload& workload) {
  ScheduleBuilder builder = draw_news(workload);
  const int ranks = workload.ranks;
  if (ranks == 1) return builder.finish();
  for (int round = 0; round < 2; ++round) {
    for (int rank = 0; rank < ranks; ++rank) {
      builder.message(rank, (rank + 1) % ranks, news, Delivery::combine);
    }
  }
  return builder.finish();
}

Schedule tree(const Workload& workload) {
  ScheduleBuilder builder = draw_news(workload);
  const int ranks = workload.ranks;
  int distance = 1;
  for (; distance < ranks; distance *= 2) {
    for (int rank = 0; rank + distance < ranks; rank += 2 * distance) {
      builder.message(rank + distance, rank, news, Delivery::combine);
    }
  }
  for (distance /= 2; distance >= 1; distance /= 2) {
    for (int rank = 0; rank + distance < ranks; rank += 2 * distance) {
      builder.message(rank, rank + distance, news, Delivery::combine);
    }
  }
  return builder.finish();
}

/// All ranks send to the first rank. It waits for all messages, then answers one rank after the
/// other.
Schedule linear_barrier(const Workload& workload) {
  ScheduleBuilder builder = draw_news(workload);
  for (int rank = 1; rank < workload.ranks; ++rank) {
    builder.send_now(rank, 0, news);
    builder.receive(0, rank, news, Delivery::combine);
  }
  builder.wait(0);
  for (int rank = 1; rank < workload.ranks; ++rank) {
    builder.message(0, rank, news, Delivery::combine);
  }
  return builder.finish();
}

void exchange(ScheduleBuilder& builder, int rank, int to, const Slots& mine, int from,
              const Slots& theirs) {
  builder.receive(rank, from, theirs);
  builder.send(rank, to, mine);
  builder.wait(rank);
}

/// A gather to the first rank and a bcast; which of their algorithms is the library's choice, here
/// the linear ones.
Schedule linear_allgather(const Workload& workload) {
  ScheduleBuilder builder = draw_blocks(workload);
  const int ranks = workload.ranks;
  for (int rank = 1; rank < ranks; ++rank) {
    builder.message(rank, 0, {.first = rank, .count = 1});
  }
  broadcast(builder, flat_tree(ranks), {{.first = 0, .count = ranks}});
  return builder.finish();
}

/// Bruck et al. 1997.
Schedule bruck_allgather(const Workload& workload) {
  ScheduleBuilder builder = draw_blocks(workload);
  const int ranks = workload.ranks;
  for (int distance = 1; distance < ranks; distance *= 2) {
    const int blocks = std::min(distance, ranks - distance);
    for (int rank = 0; rank < ranks; ++rank) {
      const int from = (rank + distance) % ranks;
      exchange(builder, rank, (rank - distance + ranks) % ranks, {.first = rank, .count = blocks},
               from, {.first = from, .count = blocks});
    }
  }
  return builder.finish();
}

Schedule recursive_doubling_allgather(const Workload& workload) {
  ScheduleBuilder builder = draw_blocks(workload);
  for (int distance = 1; distance < workload.ranks; distance *= 2) {
    for (int rank = 0; rank < workload.ranks; ++rank) {
      const int partner = rank ^ distance;
      const int own = rank / distance * distance;
      const int theirs = partner / distance * distance;
      exchange(builder, rank, partner, {.first = own, .count = distance}, partner,
               {.first = theirs, .count = distance});
    }
  }
  return builder.finish();
}

Schedule ring(const Workload& workload) {
  ScheduleBuilder builder = draw_blocks(workload);
  const int ranks = workload.ranks;
  for (int round = 0; round < ranks - 1; ++round) {
    for (int rank = 0; rank < ranks; ++rank) {
      exchange(builder, rank, (rank + 1) % ranks,
               {.first = (rank - round + ranks) % ranks, .count = 1}, (rank - 1 + ranks) % ranks,
               {.first = (rank - round - 1 + ranks) % ranks, .count = 1});
    }
  }
  return builder.finish();
}

/// The first of the two blocks that a rank received in a round. They come from ever farther pairs,
/// alternately from both sides. After round 0 a rank has the blocks of its pair.
int received_pair(int rank, int round, int ranks) {
  const int steps = (round + 1) / 2 * 2;
  const bool upward = (rank % 2 == 0) == (round % 2 == 0);
  return ((rank - rank % 2 + (upward ? steps : -steps)) % ranks + ranks) % ranks;
}

/// Chen et al. 2005: neighbours exchange what they received from the neighbour on the other side.
Schedule neighbor(const Workload& workload) {
  ScheduleBuilder builder = draw_blocks(workload);
  const int ranks = workload.ranks;
  for (int rank = 0; rank < ranks; ++rank) {
    const int partner = rank ^ 1;
    exchange(builder, rank, partner, {.first = rank, .count = 1}, partner,
             {.first = partner, .count = 1});
  }
  for (int round = 1; round < ranks / 2; ++round) {
    for (int rank = 0; rank < ranks; ++rank) {
      const bool upward = (rank % 2 == 0) == (round % 2 == 0);
      const int partner = (rank + (upward ? 1 : ranks - 1)) % ranks;
      exchange(builder, rank, partner, {.first = received_pair(rank, round - 1, ranks), .count = 2},
               partner, {.first = received_pair(rank, round, ranks), .count = 2});
    }
  }
  return builder.finish();
}

/// Blocks that ranks have beside the power of two of each distance would come twice.
bool comes_twice(int ranks, int distance) {
  int lowest = 1;
  while (ranks / lowest % 2 == 0) lowest *= 2;
  return distance == lowest || (distance > lowest && ranks / distance % 2 == 0);
}

/// Loch and Koslovski 2021: sends to ever nearer ranks every second, fourth, ... block, each in a
/// separate message.
Schedule sparbit(const Workload& workload) {
  ScheduleBuilder builder = draw_blocks(workload);
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
        builder.receive(rank, (rank - distance + ranks) % ranks, back(2 * k + 1));
        builder.send(rank, (rank + distance) % ranks, back(2 * k));
      }
      builder.wait(rank);
    }
    blocks = 2 * blocks - spared;
  }
  return builder.finish();
}

// Slot i of a rank is the block for the i-th rank after it, and later the one from the i-th before.

void exchange(ScheduleBuilder& builder, int rank, int distance, const Slots& slots) {
  const int ranks = builder.ranks();
  builder.receive(rank, (rank - distance + ranks) % ranks, slots);
  builder.send(rank, (rank + distance) % ranks, slots);
}

/// At most `outstanding` exchanges under way.
Schedule batches(const Workload& workload, int outstanding) {
  ScheduleBuilder builder = draw_blocks(workload);
  for (int rank = 0; rank < workload.ranks; ++rank) {
    for (int distance = 1; distance < workload.ranks; ++distance) {
      exchange(builder, rank, distance, {.first = distance, .count = 1});
      if (distance % outstanding == 0) builder.wait(rank);
    }
    builder.wait(rank);
  }
  return builder.finish();
}

Schedule linear_alltoall(const Workload& workload) { return batches(workload, workload.ranks); }

Schedule linear_sync(const Workload& workload) {
  return batches(workload, workload.fanout > 0 ? workload.fanout : workload.ranks);
}

Schedule pairwise(const Workload& workload) { return batches(workload, 1); }

/// Bruck et al. 1997: blocks travel by the powers of two in their distance.
Schedule modified_bruck(const Workload& workload) {
  ScheduleBuilder builder = draw_blocks(workload);
  const int ranks = workload.ranks;
  for (int distance = 1; distance < ranks; distance *= 2) {
    for (int rank = 0; rank < ranks; ++rank) {
      exchange(builder, rank, distance,
               {.first = distance,
                .count = ranks - distance,
                .run = distance,
                .stride = 2 * static_cast<std::int64_t>(distance)});
      builder.wait(rank);
    }
  }
  return builder.finish();
}

}  // namespace

Family barrier_family() {
  return {{"linear", {"basic_linear"}, linear_barrier},
          {"double_ring", {}, double_ring},
          {"recursive_doubling", {"rdb"}, recursive_doubling_barrier},
          {"bruck", {"dissemination"}, bruck_barrier},
          {"two_proc", {}, recursive_doubling_barrier, not_two_ranks},
          {"tree", {}, tree}};
}

Family allgather_family() {
  // Open MPI calls its first allgatherv "default", which is no unique name of a setting.
  return {
      {"linear", {"basic_linear", "algorithm-1"}, linear_allgather},
      {"bruck", {"brucks", "bruck-k-fanout"}, bruck_allgather},
      {"recursive_doubling", {"rdb"}, recursive_doubling_allgather, ranks_no_power_of_two, "bruck"},
      {"ring", {"lr", "logical_ring"}, ring},
      {"neighbor", {"ompi_neighborexchange"}, neighbor, odd_ranks, "ring"},
      {"two_proc", {}, ring, not_two_ranks},
      {"sparbit", {}, sparbit}};
}

Family alltoall_family() {
  return {{"linear", {"basic_linear", "scattered"}, linear_alltoall},
          {"pairwise", {"ring"}, pairwise},
          {"modified_bruck", {"bruck", "brucks"}, modified_bruck},
          {"linear_sync", {}, linear_sync},
          {"two_proc", {}, pairwise, not_two_ranks}};
}

}  // namespace hockney::schedules
