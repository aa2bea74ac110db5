// How the points of a workload are to be sampled: the part of Measuring that finds it out.

#include <algorithm>
#include <cmath>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/programs/launch/axes.hpp"
#include "benchmarks/programs/launch/measuring.hpp"
#include "core/statistics.hpp"

namespace hockney::benchmarks::programs {

void Measuring::calibrate_task(Task& task) {
  constexpr std::int64_t warm_up = 10;
  constexpr std::int64_t iterations_of_calibration = 128;  // more use the same buffers again
  const OwnGroup& own = groups_[task.round];
  const PlannedMeasurement& planned = task.own;
  const auto operation = make(task);
  operation->refill(rhythm_.seed, iterations_of_calibration);
  own.group->barrier();
  const bool is_first = task.sampling.iteration_seconds == 0;
  const Descriptor& descriptor = task.operation->descriptor;
  const bool warms_up = is_first && !is_simulated() && !descriptor.needs_ready;
  operation->run_batch(warms_up ? warm_up : 1);
  const Sampling start{
      .timing = descriptor.timing,
      .divisor = task.operation->volume(planned.point).operations,
      .samples = rhythm_.simulated_samples,
      .start_seconds = descriptor.timing == Timing::last_rank ? own.start_seconds : 0,
      .local_times = rhythm_.local_times,
      // Threads that wait for a CPU take turns of milliseconds: a batch might take minutes.
      .single =
          (descriptor.single && planned.point.parameters[cadence_parameter] == Cadence::isolated) ||
          planned.threads_share_cpus,
      .needs_ready = descriptor.needs_ready};
  task.sampling = start;
  if (planned.point.parameters.contains(timing_parameter)) {
    return calibrate_suite(task, planned.point.parameters[timing_parameter], *operation);
  }
  task.sampling = calibrate(*operation, *own.group, clock_, start, rhythm_.pace);
  if (has_work(task) && !is_first) {
    operation->set_work(work_rounds(task, *operation));
    task.sampling = calibrate(*operation, *own.group, clock_, start, rhythm_.pace);
  }
  const double share = planned.point.parameters[variant_parameter].slow_down;
  if (share > 0 && !is_first) task.extra_rounds = share * plain_rounds(task, *operation);
}

/// What one iteration takes without a slow-down, in rounds of spin(), by blocks that are not kept:
/// the calibration runs iterations in a row, where operations overlap, and takes the fastest.
double Measuring::plain_rounds(const Task& task, PreparedOperation& operation) {
  constexpr int samples_for_pace = 20;
  const OwnGroup& own = groups_[task.round];
  Sampling sampling = task.sampling;
  operation.refill(rhythm_.seed, iterations_of_block(sampling));
  wait_until_undisturbed(task.round);
  const MeasurementBlock block =
      take_samples(operation, *own.group, clock_, sampling, *own.synchroniser);
  const double seconds = median(block.samples_seconds).value_or(0);
  const double ticks = seconds * static_cast<double>(sampling.divisor) / clock_.seconds_per_tick();
  SpinPace pace(operation, clock_);
  sampling.samples = std::min(sampling.samples, samples_for_pace);
  operation.refill(rhythm_.seed, iterations_of_block(sampling));
  take_samples(pace, *own.group, clock_, sampling, *own.synchroniser);
  return static_cast<double>(own.group->from_first(std::llround(ticks))) * pace.rounds_per_tick();
}

/// As much work as the call takes without any, the same at all points that differ in the work only:
/// their times are to be compared.
double Measuring::work_rounds(const Task& task, PreparedOperation& operation) {
  const std::string curve = name_without_work(task.own.point);
  const auto [known, is_new] = work_rounds_.try_emplace(curve, 0.0);
  if (is_new) known->second = std::max(1.0, plain_rounds(task, operation));
  return known->second;
}

/// One sample in a block: what the suite would print after as many calls as fit.
void Measuring::calibrate_suite(Task& task, Suite suite, PreparedOperation& operation) {
  const OperationKind kind = kind_of(task.operation->descriptor);
  SuiteLoop& loop = task.loop;
  loop = {.timing = timing_of(suite, kind), .divisor = task.sampling.divisor};
  MpiRankGroup& group = *groups_[task.round].group;
  SuiteCalls calls(operation, group, loop.timing);
  const double call_seconds = calibrate(calls, group, clock_, {}, rhythm_.pace).iteration_seconds;
  loop.repetitions = repetitions_that_fit(default_repetitions(suite, kind, task.bytes),
                                          call_seconds, rhythm_.pace.block_seconds);
  loop.repetitions = {.timed = group.from_first(loop.repetitions.timed),
                      .warm_up = group.from_first(loop.repetitions.warm_up)};
  task.sampling.batch = loop.repetitions.timed;
}

}  // namespace hockney::benchmarks::programs
