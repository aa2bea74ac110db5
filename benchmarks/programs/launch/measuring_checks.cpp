#include <algorithm>

#include "benchmarks/harness/mpi_error.hpp"
#include "benchmarks/harness/overlap.hpp"
#include "benchmarks/programs/launch/measuring.hpp"
#include "core/record.hpp"

namespace hockney {
namespace {

constexpr std::uint64_t check_seed = std::uint64_t{1} << 32;  // beyond those of any epochs

/// Whether anything arrives: not without bytes, nor where the work beside a call goes on alone.
bool has_deliveries(const Point& point) {
  return point.bytes.value > 0 && work_of(point) != Work::alone;
}

/// Slots with deliveries, small messages first.
std::vector<const Slot*> slots_to_check(const LaunchPlan& workload) {
  const auto point_of = [&](const Slot* slot) -> const Point& {
    return workload.points[slot->points.front()].point;
  };
  std::vector<const Slot*> slots;
  for (const Slot& slot : workload.slots) {
    if (has_deliveries(point_of(&slot))) slots.push_back(&slot);
  }
  std::ranges::stable_sort(slots, {}, [&](const Slot* slot) { return point_of(slot).bytes; });
  return slots;
}

}  // namespace

void Measuring::check(double seconds) {
  const std::vector<const Slot*> slots = slots_to_check(workload_);
  const auto ticks = static_cast<std::int64_t>(seconds / clock_.seconds_per_tick());
  const std::int64_t end = clock_.now() + ticks;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    std::int64_t left = std::max<std::int64_t>(0, end - clock_.now());
    mpi_check(MPI_Bcast(&left, 1, MPI_INT64_T, 0, comm_));
    if (i > 0 && left == 0) return;
    const Checking checking{
        .seed = rhythm_.seed + check_seed,
        .least = i == 0 ? deliveries_to_check : 1,
        .until = clock_.now() + left / static_cast<std::int64_t>(slots.size() - i)};
    const auto work = [&](std::size_t point) { return check_visit(*slots[i], point, checking); };
    collect(*slots[i], run_slot(*slots[i], work));
  }
}

/// As `checking` says, and no more than are missing: where buffers rotate, visits that are timed
/// check many in a row already.
Visit Measuring::check_visit(const Slot& slot, std::size_t point, Checking checking) {
  Visit visit{.point = point, .is_check = true};
  checking.most -= checked_[point];
  if (checking.most <= 0) return visit;
  const auto operation = make_as_planned(slot, point);
  const Checked checked = check_deliveries(*operation, *teams_[slot.round], clock_, checking);
  visit.deliveries_checked = checked.deliveries;
  if (!checked.is_good) visit.flags.emplace_back(corrupt_flag);
  return visit;
}

/// Of the visit since refill; none where nothing arrives.
std::int64_t Measuring::deliveries_kept(std::size_t point,
                                        const PreparedOperation& operation) const {
  return has_deliveries(workload_.points[point].point) ? operation.deliveries_kept() : 0;
}

}  // namespace hockney
