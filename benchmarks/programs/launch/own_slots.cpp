#include "benchmarks/programs/launch/own_slots.hpp"

#include <algorithm>

namespace hockney::benchmarks::programs {
namespace {

/// Whether anything arrives: not without bytes, nor where ranks work alone, or the work beside a
/// call does.
bool has_deliveries(const Slot& slot, const PlannedMeasurement& planned) {
  return planned.point.bytes.value > 0 && planned.treatment.work != Work::alone &&
         !works_alone(slot.operation->descriptor);
}

OwnSlot own_slot(const LaunchPlan& workload, const Slot& slot, int rank) {
  const PlannedMeasurement& first = workload.points[slot.points.front()];
  OwnSlot own{.operation = slot.operation,
              .round = slot.round,
              .points = slot.points,
              .leaders = {},
              .bytes = first.point.bytes,
              .has_deliveries = has_deliveries(slot, first),
              .own = {}};
  for (const std::size_t point : slot.points) {
    const PlannedMeasurement& planned = workload.points[point];
    const std::vector<int>& ranks = workload.rounds[slot.round][planned.group].ranks;
    own.leaders.push_back(ranks.front());
    own.ranks_at_work += planned.point.ranks;
    if (own.is_at_work || std::ranges::find(ranks, rank) == ranks.end()) continue;
    own.is_at_work = true;
    own.own = planned;
    own.own_point = point;
  }
  return own;
}

}  // namespace

std::vector<OwnSlot> own_slots(const LaunchPlan& workload, int rank) {
  std::vector<OwnSlot> slots;
  slots.reserve(workload.slots.size());
  for (const Slot& slot : workload.slots) slots.push_back(own_slot(workload, slot, rank));
  return slots;
}

}  // namespace hockney::benchmarks::programs
