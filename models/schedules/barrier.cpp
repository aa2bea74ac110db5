#include <cstddef>

#include "models/schedules/common_steps.hpp"
#include "models/schedules/family.hpp"
#include "models/schedules/traffic.hpp"

namespace hockney::schedules {
namespace {

/// What a barrier's empty messages carry: the news of who has come.
constexpr Slots news{.first = 0, .count = 1};

Drawing draw_news(const Workload& workload) { return {workload, 1, 0}; }

void exchange(Drawing& drawing, int rank, int to, int from) {
  drawing.receive(rank, from, news, Delivery::combine);
  drawing.send(rank, to, news);
  drawing.wait(rank);
}

/// Dissemination (Hensgen, Finkel, Manber 1988).
Schedule bruck_barrier(const Workload& workload) {
  Drawing drawing = draw_news(workload);
  const int ranks = workload.ranks;
  for (int distance = 1; distance < ranks; distance *= 2) {
    for (int rank = 0; rank < ranks; ++rank) {
      exchange(drawing, rank, (rank + distance) % ranks, (rank - distance + ranks) % ranks);
    }
  }
  return drawing.finish();
}

Schedule recursive_doubling_barrier(const Workload& workload) {
  Drawing drawing = draw_news(workload);
  const int power = power_below(workload.ranks);
  for (int aside = power; aside < workload.ranks; ++aside) {
    drawing.message(aside, aside - power, news, Delivery::combine);
  }
  for (int distance = 1; distance < power; distance *= 2) {
    for (int rank = 0; rank < power; ++rank) {
      exchange(drawing, rank, rank ^ distance, rank ^ distance);
    }
  }
  for (int aside = power; aside < workload.ranks; ++aside) {
    drawing.message(aside - power, aside, news, Delivery::combine);
  }
  return drawing.finish();
}

/// A token goes round twice.
Schedule double_ring(const Workload& workload) {
  Drawing drawing = draw_news(workload);
  const int ranks = workload.ranks;
  if (ranks == 1) return drawing.finish();
  for (int round = 0; round < 2; ++round) {
    for (int rank = 0; rank < ranks; ++rank) {
      drawing.message(rank, (rank + 1) % ranks, news, Delivery::combine);
    }
  }
  return drawing.finish();
}

Schedule tree(const Workload& workload) {
  Drawing drawing = draw_news(workload);
  const int ranks = workload.ranks;
  int distance = 1;
  for (; distance < ranks; distance *= 2) {
    for (int rank = 0; rank + distance < ranks; rank += 2 * distance) {
      drawing.message(rank + distance, rank, news, Delivery::combine);
    }
  }
  for (distance /= 2; distance >= 1; distance /= 2) {
    for (int rank = 0; rank + distance < ranks; rank += 2 * distance) {
      drawing.message(rank, rank + distance, news, Delivery::combine);
    }
  }
  return drawing.finish();
}

/// All tell the first rank, which waits for all of them, then tells one after the other.
Schedule linear_barrier(const Workload& workload) {
  Drawing drawing = draw_news(workload);
  for (int rank = 1; rank < workload.ranks; ++rank) {
    drawing.send_now(rank, 0, news);
    drawing.receive(0, rank, news, Delivery::combine);
  }
  drawing.wait(0);
  for (int rank = 1; rank < workload.ranks; ++rank) {
    drawing.message(0, rank, news, Delivery::combine);
  }
  return drawing.finish();
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

}  // namespace hockney::schedules
