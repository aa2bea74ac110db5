#include "benchmarks/programs/launch/measuring.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "benchmarks/harness/placement.hpp"
#include "benchmarks/programs/launch/axes.hpp"
#include "benchmarks/programs/launch/block_message.hpp"
#include "core/record.hpp"
#include "core/statistics.hpp"

// Three parts of measuring: times, the sampling of points, and the check of received data.
namespace hockney::benchmarks::programs {
namespace {

int local_rank_of(const LaunchPlan& workload, int rank) {
  return workload.local_ranks.empty() ? 0 : workload.local_ranks[static_cast<std::size_t>(rank)];
}

constexpr int most_jumps = 10;  // of clocks; each costs a synchronisation

/// The communicator of this rank's group in a round; null if it is in none.
UniqueComm form_group(MPI_Comm comm, const GroupRound& round, int rank) {
  int color = MPI_UNDEFINED;
  int position = 0;
  for (std::size_t group = 0; group < round.size(); ++group) {
    const auto own = std::ranges::find(round[group].ranks, rank);
    if (own == round[group].ranks.end()) continue;
    color = static_cast<int>(group);
    position = static_cast<int>(own - round[group].ranks.begin());
  }
  UniqueComm formed;
  mpi_check(MPI_Comm_split(comm, color, position, formed.out()));
  return formed;
}

/// Whether data arrive: not without bytes, nor for ranks that work alone, nor for computation
/// without a call.
bool has_deliveries(const Slot& slot, const PlannedMeasurement& planned) {
  return planned.point.bytes.value > 0 && planned.point.parameters[work_parameter] != Work::alone &&
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
    if (rank == 0 && point == slot.points.front()) own.own.point = planned.point;  // for its name
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

std::vector<std::size_t> size_order(std::size_t count) {
  std::vector<std::size_t> order;
  if (count > 0) order.push_back(0);
  if (count > 1) order.push_back(count - 1);
  for (std::size_t parts = 2; order.size() < count; parts *= 2) {
    for (std::size_t part = 1; part < parts; part += 2) {
      const std::size_t place = part * (count - 1) / parts;
      if (std::ranges::find(order, place) == order.end()) order.push_back(place);
    }
  }
  return order;
}

Measuring::Measuring(MPI_Comm comm, const LaunchPlan& workload, TickClock& clock,
                     const Schedule& schedule, MeasuringCalls calls)
    : comm_(comm),
      rank_(rank_in(comm)),
      clock_(clock),
      schedule_(schedule),
      calls_(std::move(calls)),
      start_(clock.now()),
      buffers_(schedule.seed + static_cast<std::uint64_t>(rank_), local_rank_of(workload, rank_)),
      suite_clock_(make_suite_clock()) {
  for (OwnSlot& slot : own_slots(workload, rank_)) tasks_.push_back(Task{std::move(slot)});
  for (const GroupRound& round : workload.rounds) {
    OwnGroup& own = groups_.emplace_back();
    own.comm = form_group(comm, round, rank_);
    if (own.comm) own.group = std::make_unique<MpiRankGroup>(own.comm.get());
  }
  make_synchronisers();
}

void Measuring::make_synchronisers() {
  for (OwnGroup& own : groups_) {
    if (!own.group) continue;
    own.synchroniser = make_start_synchroniser(schedule_.start, *own.group, clock_);
    if (is_simulated()) continue;
    own.start_seconds = seconds_of_start(*own.synchroniser, *own.group, clock_);
  }
}

/// Uses a clock other than the common one, which may jump.
double Measuring::seconds_since_start() {
  if (is_simulated()) {
    return static_cast<double>(clock_.now() - start_) * clock_.seconds_per_tick();
  }
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - began_;
  return std::max(0.0, passed.count());
}

/// Whether there is room is decided on rank 0.
Measuring::Room Measuring::agree_on_room(Seconds limit, bool fits) {
  const bool is_left = rank_ != 0 || seconds_since_start() < limit.value;
  std::array<std::int64_t, 2> agreed{is_left ? 1 : 0, fits ? 1 : 0};
  mpi_check(MPI_Allreduce(MPI_IN_PLACE, agreed.data(), static_cast<int>(agreed.size()), MPI_INT64_T,
                          MPI_MIN, comm_));
  return {.is_left = agreed[0] != 0, .fits = agreed[1] != 0};
}

/// The slots by importance of their size: the smallest, the largest, the middle one and so on.
std::vector<std::size_t> Measuring::tasks_by_size() const {
  std::map<Bytes, std::vector<std::size_t>> of_size;
  for (std::size_t i = 0; i < tasks_.size(); ++i) of_size[tasks_[i].bytes].push_back(i);
  std::vector<std::vector<std::size_t>> ascending;
  ascending.reserve(of_size.size());
  for (auto& [bytes, tasks] : of_size) ascending.push_back(std::move(tasks));
  std::vector<std::size_t> order;
  for (const std::size_t size : size_order(ascending.size())) {
    order.insert(order.end(), ascending[size].begin(), ascending[size].end());
  }
  return order;
}

void Measuring::prepare() {
  if (schedule_.first_epoch) return;
  // Calibrates twice. The first pass pays the page faults of the library's buffers, which would
  // make the first point's batches too short.
  const int passes = is_simulated() ? 1 : 2;
  for (int pass = 0; pass < passes; ++pass) {
    for (Task& task : tasks_) {
      run_task(task, [&] {
        calibrate_task(task);
        return std::nullopt;
      });
    }
  }
}

/// Calibrates a point and measures its first block; nullopt if the point is to be left out.
std::optional<MeasurementBlock> Measuring::first_block(Task& task) {
  if (!calibrate_task(task)) return std::nullopt;
  const bool depends_on_first =
      has_work(task) || task.own.point.parameters[variant_parameter].slow_down > 0;
  if (depends_on_first) calibrate_task(task);
  return measure_block(task, 0);
}

bool Measuring::run_first_epoch(Seconds limit) {
  std::vector<bool> is_kept(tasks_.size(), false);
  for (const std::size_t index : tasks_by_size()) {
    Task& task = tasks_[index];
    bool fits = true;
    const auto own = run_task(task, [&] {
      auto block = first_block(task);
      fits = block.has_value();
      return block;
    });
    const Room room = agree_on_room(limit, fits);
    is_kept[index] = room.fits;
    keeps_any_ = keeps_any_ || room.fits;
    if (room.fits) collect(task, own);
    if (!goes_on()) return false;
    if (!room.is_left) break;
  }
  std::size_t index = 0;
  std::erase_if(tasks_, [&](const Task&) { return !is_kept[index++]; });
  return true;
}

bool Measuring::run_epoch(int epoch) {
  if (epoch == 0 && schedule_.first_epoch) return run_first_epoch(*schedule_.first_epoch);
  // All tries of the first calibration may have been disturbed.
  const bool calibrates_again = epoch == 1 && schedule_.first_epoch;
  for (const std::size_t index : epoch_order(tasks_.size(), schedule_.seed, epoch)) {
    Task& task = tasks_[index];
    collect(task, run_task(task, [&] {
              if (calibrates_again) calibrate_task(task);
              return std::optional(measure_block(task, epoch));
            }));
    if (!goes_on()) return false;
  }
  return true;
}

/// After a slot: whether the next one is measured. Synchronises clocks if one jumped.
bool Measuring::goes_on() {
  next_step_ = agree_on_next_step();
  if (next_step_ == NextStep::end) {
    TimeLimit::spare();
    return false;
  }
  if (next_step_ == NextStep::synchronise) synchronise();
  return true;
}

/// Decided on rank 0, which has every block.
Measuring::NextStep Measuring::agree_on_next_step() {
  NextStep next_step = NextStep::go_on;
  if (std::exchange(has_jumped_, false)) {
    next_step = ++jumps_ > most_jumps ? NextStep::end : NextStep::synchronise;
  }
  if (TimeLimit::has_passed()) next_step = NextStep::end;
  auto shared = static_cast<std::int64_t>(next_step);
  mpi_check(MPI_Bcast(&shared, 1, MPI_INT64_T, 0, comm_));
  return static_cast<NextStep>(shared);
}

std::string Measuring::ended_because() {
  return std::string(TimeLimit::has_passed() ? time_limit_reason : jumping_clocks_reason);
}

void Measuring::synchronise() {
  calls_.synchronise();
  make_synchronisers();
}

std::optional<MeasurementBlock> Measuring::run_task(const Task& task, const TaskWork& work) {
  const CurrentPoint under_way(task.own.point);
  if (rank_ == 0) calls_.begin(task.points.front());
  if (schedule_.block_limit) TimeLimit::restart(*schedule_.block_limit, "a block");
  std::optional<MeasurementBlock> own = task.is_at_work ? work() : std::nullopt;
  if (task.ranks_at_work < size_of(comm_)) quiet_barrier(comm_);
  return own;
}

Memory Measuring::own_memory(const Task& task) const {
  return memory_at(task.own.point, groups_[task.round].group->rank());
}

std::unique_ptr<PreparedOperation> Measuring::make(const Task& task) {
  const MpiRankGroup& group = *groups_[task.round].group;
  const PlannedMeasurement& planned = task.own;
  Workbench bench{.comm = group.operations(),
                  .rank = group.rank(),
                  .size = group.size(),
                  .pool = buffers_,
                  .cache = planned.cache,
                  .memory = own_memory(task)};
  if (!planned.thread_cpus.empty()) {
    bench.threads_share_cpus = planned.threads_share_cpus;
    bench.thread_cpus = planned.thread_cpus[static_cast<std::size_t>(group.rank())];
  }
  return task.operation->prepare(bench, planned.point);
}

/// Adds the computation beside it, or the slow-down, of its point.
std::unique_ptr<PreparedOperation> Measuring::make_as_planned(const Task& task) {
  auto operation = make(task);
  if (has_work(task)) operation->set_work(work_rounds(task, *operation));
  if (task.extra_rounds <= 0) return operation;
  return std::make_unique<Slowed>(std::move(operation), spin, task.extra_rounds);
}

MeasurementBlock Measuring::take(const Task& task, PreparedOperation& operation) {
  OwnGroup& own = groups_[task.round];
  MeasurementBlock block;
  if (task.own.point.parameters.contains(timing_parameter)) {
    block.samples_seconds = {time_like_suite(operation, *own.group, *suite_clock_, task.loop)};
    if (block.samples_seconds.front() < 0) end_by_jump(block);
  } else {
    block = take_samples(operation, *own.group, clock_, task.sampling, *own.synchroniser);
  }
  block.point = task.own_point;
  block.batch = task.sampling.batch;
  return block;
}

/// Whether the number of messages in a block is known: messages of MPI between two ranks.
bool Measuring::is_watched(const Task& task) const {
  const Descriptor& descriptor = task.operation->descriptor;
  return schedule_.prove_paths && descriptor.carrier == Carrier::mpi &&
         descriptor.shape == GroupShape::pair &&
         !task.own.point.parameters.contains(timing_parameter);
}

/// How many times the operation ran in a block, including late starts and the untimed iteration.
std::int64_t Measuring::iterations(const Task& task, const MeasurementBlock& block) {
  const auto batches = static_cast<std::int64_t>(block.samples_seconds.size()) + block.late_starts;
  return 1 + batches * task.sampling.batch;
}

Exchanged Measuring::exchanged(const Task& task, const MeasurementBlock& block) {
  const Volume volume = task.operation->volume(task.own.point);
  return {.messages = iterations(task, block) * volume.operations,
          .message_bytes = volume.bytes.value};
}

/// The noise probe before a block [s]; 0 under a simulator, which has no noise. Waits at most as
/// long as one block: even without an undisturbed moment, half of the time is spent on measuring.
double Measuring::wait_until_undisturbed(std::size_t round) {
  if (is_simulated()) return 0;
  OwnGroup& own = groups_[round];
  return own.watch.wait(*own.group, clock_, schedule_.pace.block_seconds);
}

MeasurementBlock Measuring::measure_block(Task& task, int epoch) {
  MpiRankGroup& group = *groups_[task.round].group;
  const auto operation = make_as_planned(task);
  operation->refill(schedule_.seed + static_cast<std::uint64_t>(epoch),
                    iterations_of_block(task.sampling));
  const bool is_as_requested = buffers_.is_proven(own_memory(task));
  const double started = seconds_since_start();
  const double before = wait_until_undisturbed(task.round);
  const bool counts = is_watched(task);
  const auto watch = counts ? std::optional<TransportWatch>(std::in_place) : std::nullopt;
  const std::int64_t faults = page_faults();
  MeasurementBlock block = take(task, *operation);
  const auto new_faults = static_cast<double>(page_faults() - faults);
  // Checks first: only then have all ranks finished their calls, and replied to others'.
  const bool is_good = operation->verify();
  if (watch) block.transport = watch->end(group.operations(), exchanged(task, block));
  const double after = is_simulated() ? 0 : time_noise_probe(clock_);
  std::array found{is_good ? 0.0 : 1.0, std::max(before, after),
                   new_faults / static_cast<double>(iterations(task, block)),
                   is_as_requested ? 0.0 : 1.0};
  group.maximum(found);
  block.started_seconds = started;
  block.deliveries_checked = task.has_deliveries ? operation->deliveries_kept() : 0;
  if (block.deliveries_checked > 1) task.deliveries_checked += block.deliveries_checked;
  if (found[0] != 0) block.flags.emplace_back(corrupt_flag);
  if (task.own.threads_share_cpus) block.flags.emplace_back(oversubscribed_flag);
  if (found[3] != 0) block.flags.emplace_back(memory_differs_flag);
  if (is_simulated()) return block;
  block.noise_probe_seconds = found[1];
  block.page_faults = found[2];
  return block;
}

void Measuring::collect(const Task& task, const std::optional<MeasurementBlock>& own) {
  std::vector<int> ranks{0};  // the rank that keeps blocks, and those that have one
  std::ranges::copy_if(task.leaders, std::back_inserter(ranks), [](int rank) { return rank != 0; });
  const bool leads = std::ranges::find(task.leaders, rank_) != task.leaders.end();
  if (rank_ != 0 && !leads) return;
  const auto blocks =
      gather_bytes(comm_, ranks, leads && own ? pack(*own) : std::vector<std::byte>());
  if (rank_ != 0) return;
  auto next = blocks.begin() + 1;
  for (std::size_t i = 0; i < task.points.size(); ++i) {
    const MeasurementBlock block =
        unpack_block(task.points[i], task.leaders[i] == 0 ? blocks.front() : *next++);
    const bool jumped = std::ranges::find(block.flags, clock_jumped_flag) != block.flags.end();
    has_jumped_ = has_jumped_ || jumped;
    calls_.deliver(block);
  }
}

/// Time of one iteration on the slowest rank of the group [s], after calls that may have connected
/// the ranks. Repeats a call that is too long for the first epoch, which a disturbance may be.
double Measuring::seconds_of_call(PreparedOperation& operation, RankGroup& group, double longest) {
  constexpr int tries = 3;
  double fastest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < tries && fastest > longest; ++i) {
    operation.ready();
    group.barrier();
    const double before = seconds_since_start();
    operation.run_batch(1);
    const double now = seconds_since_start();
    std::array seconds{now - before, now};
    group.maximum(seconds);
    fastest = std::min(fastest, seconds[0]);
    if (schedule_.first_epoch && seconds[1] > schedule_.first_epoch->value) break;
  }
  return fastest;
}

/// Runs one iteration, and at first as many more as fit into a moment. Returns how the point is
/// sampled, the same on every rank of the group: not at all if it alone would take longer than the
/// first epoch, which the first point never does.
Measuring::Warmed Measuring::warm_up(PreparedOperation& operation, RankGroup& group,
                                     const Task& task) {
  constexpr double most_more = 9;
  constexpr double moment_seconds = 0.01;
  constexpr double iterations_of_epoch = 4;
  constexpr double short_share = 0.25;  // of the longest call
  operation.run_batch(1);
  if (is_simulated() || task.sampling.iteration_seconds > 0) return {};
  const bool may_be_left_out = schedule_.first_epoch && keeps_any_;
  const double longest = may_be_left_out ? schedule_.first_epoch->value / iterations_of_epoch
                                         : std::numeric_limits<double>::max();
  const double seconds = seconds_of_call(operation, group, longest);
  if (seconds > longest) return {.fits = false};
  if (seconds > short_share * longest) return {.call_seconds = seconds};
  if (task.operation->descriptor.needs_ready) return {};
  const double moment = schedule_.first_epoch
                            ? std::min(moment_seconds, schedule_.pace.block_seconds)
                            : moment_seconds;
  const double more = std::min(most_more, moment / std::max(seconds, 1e-9));
  if (more >= 1) operation.run_batch(static_cast<std::int64_t>(more));
  return {};
}

bool Measuring::calibrate_task(Task& task) {
  constexpr std::int64_t iterations_of_calibration = 128;  // further ones reuse the same buffers
  const OwnGroup& own = groups_[task.round];
  const PlannedMeasurement& planned = task.own;
  const auto operation = make(task);
  operation->refill(schedule_.seed, iterations_of_calibration);
  own.group->barrier();
  const bool is_first = task.sampling.iteration_seconds == 0;
  const Descriptor& descriptor = task.operation->descriptor;
  const Warmed warmed = warm_up(*operation, *own.group, task);
  if (!warmed.fits) return false;
  const Sampling start{
      .timing = descriptor.timing,
      .divisor = task.operation->volume(planned.point).operations,
      .samples = schedule_.simulated_samples,
      .start_seconds = descriptor.timing == Timing::last_rank ? own.start_seconds : 0,
      .local_times = schedule_.local_times,
      // Threads that wait for a CPU alternate every few milliseconds: a batch could take minutes.
      .single =
          (descriptor.single && planned.point.parameters[cadence_parameter] == Cadence::isolated) ||
          planned.threads_share_cpus,
      .needs_ready = descriptor.needs_ready};
  task.sampling = start;
  if (planned.point.parameters.contains(timing_parameter)) {
    calibrate_suite(task, planned.point.parameters[timing_parameter], *operation);
    return true;
  }
  task.sampling =
      calibrate(*operation, *own.group, clock_, start, schedule_.pace, warmed.call_seconds);
  if (has_work(task) && !is_first) {
    operation->set_work(work_rounds(task, *operation));
    task.sampling = calibrate(*operation, *own.group, clock_, start, schedule_.pace);
  }
  const double share = planned.point.parameters[variant_parameter].slow_down;
  if (share > 0 && !is_first) task.extra_rounds = share * plain_rounds(task, *operation);
  return true;
}

/// Time of one iteration without a slow-down, in rounds of spin(), from blocks that are not kept.
/// The calibration gives another time: it runs iterations back to back, which may overlap, and
/// takes the fastest.
double Measuring::plain_rounds(const Task& task, PreparedOperation& operation) {
  constexpr int samples_for_pace = 20;
  const OwnGroup& own = groups_[task.round];
  Sampling sampling = task.sampling;
  operation.refill(schedule_.seed, iterations_of_block(sampling));
  wait_until_undisturbed(task.round);
  const MeasurementBlock block =
      take_samples(operation, *own.group, clock_, sampling, *own.synchroniser);
  const double seconds = median(block.samples_seconds).value_or(0);
  const double ticks = seconds * static_cast<double>(sampling.divisor) / clock_.seconds_per_tick();
  SpinPace pace(operation, clock_);
  sampling.samples = std::min(sampling.samples, samples_for_pace);
  operation.refill(schedule_.seed, iterations_of_block(sampling));
  take_samples(pace, *own.group, clock_, sampling, *own.synchroniser);
  return static_cast<double>(own.group->from_first(std::llround(ticks))) * pace.rounds_per_tick();
}

/// As much computation as the call takes without any. It is the same at all points that differ only
/// in the work, as their times are compared.
double Measuring::work_rounds(const Task& task, PreparedOperation& operation) {
  const std::string curve = name_without_work(task.own.point);
  const auto [known, is_new] = work_rounds_.try_emplace(curve, 0.0);
  if (is_new) known->second = std::max(1.0, plain_rounds(task, operation));
  return known->second;
}

/// One sample in a block: the suite's number after as many calls as fit.
void Measuring::calibrate_suite(Task& task, Suite suite, PreparedOperation& operation) {
  const OperationKind kind = kind_of(task.operation->descriptor);
  SuiteLoop& loop = task.loop;
  loop = {.timing = timing_of(suite, kind), .divisor = task.sampling.divisor};
  MpiRankGroup& group = *groups_[task.round].group;
  SuiteCalls calls(operation, group, loop.timing);
  const double call_seconds = calibrate(calls, group, clock_, {}, schedule_.pace).iteration_seconds;
  loop.repetitions = repetitions_that_fit(default_repetitions(suite, kind, task.bytes),
                                          call_seconds, schedule_.pace.block_seconds);
  loop.repetitions = {.timed = group.from_first(loop.repetitions.timed),
                      .warm_up = group.from_first(loop.repetitions.warm_up)};
  task.sampling.batch = loop.repetitions.timed;
}

/// The tasks with deliveries, small messages first.
std::vector<Measuring::Task*> Measuring::tasks_to_check() {
  std::vector<Task*> tasks;
  for (Task& task : tasks_) {
    if (task.has_deliveries) tasks.push_back(&task);
  }
  std::ranges::stable_sort(tasks, {}, [](const Task* task) { return task->bytes; });
  return tasks;
}

void Measuring::check(double seconds) {
  constexpr std::uint64_t check_seed = std::uint64_t{1} << 32;  // beyond the seeds of all epochs
  const std::vector<Task*> tasks = tasks_to_check();
  const auto ticks = static_cast<std::int64_t>(seconds / clock_.seconds_per_tick());
  const std::int64_t end = clock_.now() + ticks;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    std::int64_t left = std::max<std::int64_t>(0, end - clock_.now());
    if (TimeLimit::has_passed()) left = 0;
    mpi_check(MPI_Bcast(&left, 1, MPI_INT64_T, 0, comm_));
    if (i > 0 && left == 0) return;
    constexpr std::int64_t longest = 5;  // times the time that is left
    Checking checking{.seed = schedule_.seed + check_seed,
                      .least = i == 0 ? deliveries_to_check : 1,
                      .until = clock_.now() + left / static_cast<std::int64_t>(tasks.size() - i)};
    if (schedule_.first_epoch) checking.latest = clock_.now() + longest * left;
    Task& task = *tasks[i];
    collect(task, run_task(task, [&] { return check_block(task, checking); }));
  }
}

/// Checks deliveries as in `checking`, but only the missing ones: with rotating buffers, timed
/// blocks already check many.
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
