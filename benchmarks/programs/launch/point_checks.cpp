// Whether what arrives at the points of a workload is right: the part of Measuring that times
// nothing.

#include <algorithm>

#include "benchmarks/harness/mpi_error.hpp"
#include "benchmarks/harness/time_limit.hpp"
#include "benchmarks/programs/launch/measuring.hpp"
#include "core/record.hpp"

namespace hockney::benchmarks::programs {

/// Those with deliveries, small messages first.
std::vector<Measuring::Task*> Measuring::tasks_to_check() {
  std::vector<Task*> tasks;
  for (Task& task : tasks_) {
    if (task.has_deliveries) tasks.push_back(&task);
  }
  std::ranges::stable_sort(tasks, {}, [](const Task* task) { return task->bytes; });
  return tasks;
}

void Measuring::check(double seconds) {
  constexpr std::uint64_t check_seed = std::uint64_t{1} << 32;  // beyond those of any epochs
  const std::vector<Task*> tasks = tasks_to_check();
  const auto ticks = static_cast<std::int64_t>(seconds / clock_.seconds_per_tick());
  const std::int64_t end = clock_.now() + ticks;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    std::int64_t left = std::max<std::int64_t>(0, end - clock_.now());
    if (TimeLimit::has_passed()) left = 0;
    mpi_check(MPI_Bcast(&left, 1, MPI_INT64_T, 0, comm_));
    if (i > 0 && left == 0) return;
    const Checking checking{
        .seed = rhythm_.seed + check_seed,
        .least = i == 0 ? deliveries_to_check : 1,
        .until = clock_.now() + left / static_cast<std::int64_t>(tasks.size() - i)};
    Task& task = *tasks[i];
    collect(task, run_task(task, [&] { return check_block(task, checking); }));
  }
}

/// As `checking` says, and no more than are missing: where buffers rotate, blocks that are timed
/// check many in a row already.
MeasurementBlock Measuring::check_block(const Task& task, Checking checking) {
  MeasurementBlock block{.point = task.own_point, .is_check = true};
  checking.most -= task.deliveries_checked;
  if (checking.most <= 0) return block;
  const auto operation = make_as_planned(task);
  const Checked checked =
      check_deliveries(*operation, *groups_[task.round].group, clock_, checking);
  block.deliveries_checked = checked.deliveries;
  if (!checked.is_good) block.flags.emplace_back(corrupt_flag);
  return block;
}

}  // namespace hockney::benchmarks::programs
