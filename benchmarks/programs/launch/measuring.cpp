#include "benchmarks/programs/launch/measuring.hpp"

#include <algorithm>
#include <array>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/gather.hpp"
#include "benchmarks/harness/mpi_error.hpp"
#include "benchmarks/harness/rank_memory.hpp"
#include "benchmarks/programs/launch/block_message.hpp"
#include "core/record.hpp"

namespace hockney::benchmarks::programs {
namespace {

bool contains(const GroupPlan& group, int rank) {
  return std::ranges::find(group.ranks, rank) != group.ranks.end();
}

int local_rank_of(const LaunchPlan& workload, int rank) {
  return workload.local_ranks.empty() ? 0 : workload.local_ranks[static_cast<std::size_t>(rank)];
}

/// The communicator of this rank's group in a round; null when it is in none.
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

}  // namespace

Measuring::Measuring(MPI_Comm comm, const LaunchPlan& workload, TickClock& clock,
                     const Rhythm& rhythm, std::function<void(const MeasurementBlock&)> deliver)
    : comm_(comm),
      rank_(rank_in(comm)),
      workload_(workload),
      clock_(clock),
      rhythm_(rhythm),
      deliver_(std::move(deliver)),
      start_(clock.now()),
      buffers_(rhythm.seed + static_cast<std::uint64_t>(rank_), local_rank_of(workload, rank_)),
      points_(workload.points.size()),
      suite_clock_(make_suite_clock()) {
  for (const GroupRound& round : workload.rounds) {
    OwnGroup& own = groups_.emplace_back();
    own.comm = form_group(comm, round, rank_);
    if (!own.comm) continue;
    own.group = std::make_unique<MpiRankGroup>(own.comm.get());
    own.synchroniser = make_start_synchroniser(rhythm.start, *own.group, clock);
    if (!is_simulated()) own.start_seconds = seconds_of_start(*own.synchroniser, *own.group, clock);
  }
}

double Measuring::seconds_since_start() {
  return static_cast<double>(clock_.now() - start_) * clock_.seconds_per_tick();
}

void Measuring::prepare() {
  // The first pass meets a library whose buffers nobody has touched; what it finds would make the
  // batches of whatever comes first too short.
  const int passes = is_simulated() ? 1 : 2;
  for (int pass = 0; pass < passes; ++pass) {
    for (const Slot& slot : workload_.slots) {
      run_slot(slot, [&](std::size_t point) {
        calibrate_point(slot, point);
        return std::nullopt;
      });
    }
  }
}

void Measuring::run_epoch(int epoch) {
  for (const std::size_t index : epoch_order(workload_.slots.size(), rhythm_.seed, epoch)) {
    const Slot& slot = workload_.slots[index];
    collect(slot,
            run_slot(slot, [&](std::size_t point) { return measure_block(slot, point, epoch); }));
  }
}

std::optional<std::size_t> Measuring::own_point(const Slot& slot) const {
  for (const std::size_t point : slot.points) {
    if (contains(workload_.rounds[slot.round][workload_.points[point].group], rank_)) return point;
  }
  return std::nullopt;
}

int Measuring::ranks_at_work(const Slot& slot) const {
  int ranks = 0;
  for (const std::size_t point : slot.points) ranks += workload_.points[point].point.ranks;
  return ranks;
}

std::optional<MeasurementBlock> Measuring::run_slot(const Slot& slot, const PointWork& work) {
  const auto point = own_point(slot);
  std::optional<MeasurementBlock> own = point ? work(*point) : std::nullopt;
  if (ranks_at_work(slot) < size_of(comm_)) quiet_barrier(comm_);
  return own;
}

bool Measuring::has_work(std::size_t point) const {
  return workload_.points[point].treatment.work != Work::none;
}

Memory Measuring::own_memory(const Slot& slot, std::size_t point) const {
  return memory_at(workload_.points[point].point, groups_[slot.round].group->rank());
}

std::unique_ptr<PreparedOperation> Measuring::make(const Slot& slot, std::size_t point) {
  const MpiRankGroup& group = *groups_[slot.round].group;
  const PlannedMeasurement& planned = workload_.points[point];
  Workbench bench{.comm = group.operations(),
                  .rank = group.rank(),
                  .size = group.size(),
                  .pool = buffers_,
                  .cache = planned.cache,
                  .memory = own_memory(slot, point)};
  if (!planned.thread_cpus.empty()) {
    bench.threads_share_cpus = planned.threads_share_cpus;
    bench.thread_cpus = planned.thread_cpus[static_cast<std::size_t>(group.rank())];
  }
  return slot.operation->prepare(bench, planned.point);
}

/// With the work beside it, or the slow-down, that its point says.
std::unique_ptr<PreparedOperation> Measuring::make_as_planned(const Slot& slot, std::size_t point) {
  auto operation = make(slot, point);
  if (has_work(point)) operation->set_work(work_rounds(slot, point, *operation));
  const double extra_rounds = points_[point].extra_rounds;
  if (extra_rounds <= 0) return operation;
  return std::make_unique<Slowed>(std::move(operation), spin, extra_rounds);
}

MeasurementBlock Measuring::take(const Slot& slot, std::size_t point,
                                 PreparedOperation& operation) {
  OwnGroup& own = groups_[slot.round];
  const PointState& state = points_[point];
  MeasurementBlock block;
  if (workload_.points[point].treatment.suite) {
    block.samples_seconds = {time_like_suite(operation, *own.group, *suite_clock_, state.loop)};
  } else {
    block = take_samples(operation, *own.group, clock_, state.sampling, *own.synchroniser);
  }
  block.point = point;
  block.batch = state.sampling.batch;
  return block;
}

/// Whether it is known how many messages a block exchanges, by MPI, between two ranks.
bool Measuring::is_watched(const Slot& slot, std::size_t point) const {
  const Descriptor& descriptor = slot.operation->descriptor;
  return rhythm_.prove_paths && descriptor.carrier == Carrier::mpi &&
         descriptor.shape == GroupShape::pair && !workload_.points[point].treatment.suite;
}

/// How often the operation was run for a block, late ones and the untimed one too.
std::int64_t Measuring::iterations(std::size_t point, const MeasurementBlock& block) const {
  const auto batches = static_cast<std::int64_t>(block.samples_seconds.size()) + block.late_starts;
  return 1 + batches * points_[point].sampling.batch;
}

Exchanged Measuring::exchanged(const Slot& slot, std::size_t point,
                               const MeasurementBlock& block) const {
  const Volume volume = slot.operation->volume(workload_.points[point].point);
  return {.messages = iterations(point, block) * volume.operations,
          .message_bytes = volume.bytes.value};
}

/// The noise probe before a block [s]; 0 under a simulator, where no neighbour slows anybody.
/// Patience of one block: even without an undisturbed moment, half of the time is spent on
/// measuring.
double Measuring::wait_until_undisturbed(std::size_t round) {
  if (is_simulated()) return 0;
  OwnGroup& own = groups_[round];
  return own.watch.wait(*own.group, clock_, rhythm_.pace.block_seconds);
}

MeasurementBlock Measuring::measure_block(const Slot& slot, std::size_t point, int epoch) {
  MpiRankGroup& group = *groups_[slot.round].group;
  const auto operation = make_as_planned(slot, point);
  operation->refill(rhythm_.seed + static_cast<std::uint64_t>(epoch),
                    iterations_of_block(points_[point].sampling));
  const bool is_as_asked = buffers_.is_proven(own_memory(slot, point));
  const double started = seconds_since_start();
  const double before = wait_until_undisturbed(slot.round);
  const bool counts = is_watched(slot, point);
  const auto watch = counts ? std::optional<TransportWatch>(std::in_place) : std::nullopt;
  const std::int64_t faults = page_faults();
  MeasurementBlock block = take(slot, point, *operation);
  const auto new_faults = static_cast<double>(page_faults() - faults);
  // Looked at first: not before then have all ranks made, and answered, their calls.
  const bool is_good = operation->verify();
  if (watch) block.transport = watch->end(group.operations(), exchanged(slot, point, block));
  const double after = is_simulated() ? 0 : time_noise_probe(clock_);
  std::array found{is_good ? 0.0 : 1.0, std::max(before, after),
                   new_faults / static_cast<double>(iterations(point, block)),
                   is_as_asked ? 0.0 : 1.0};
  group.maximum(found);
  block.started_seconds = started;
  block.deliveries_checked = has_deliveries(slot, point) ? operation->deliveries_kept() : 0;
  if (block.deliveries_checked > 1) points_[point].deliveries_checked += block.deliveries_checked;
  if (found[0] != 0) block.flags.emplace_back(corrupt_flag);
  if (workload_.points[point].threads_share_cpus) block.flags.emplace_back(oversubscribed_flag);
  if (found[3] != 0) block.flags.emplace_back(memory_differs_flag);
  if (is_simulated()) return block;
  block.noise_probe_seconds = found[1];
  block.page_faults = found[2];
  return block;
}

void Measuring::collect(const Slot& slot, const std::optional<MeasurementBlock>& own) {
  const auto leader_of = [&](std::size_t point) {
    return workload_.rounds[slot.round][workload_.points[point].group].ranks.front();
  };
  std::vector<int> ranks{0};  // who keeps the blocks, and who has one
  bool leads = false;
  for (const std::size_t point : slot.points) {
    const int leader = leader_of(point);
    if (leader != 0) ranks.push_back(leader);
    leads = leads || leader == rank_;
  }
  if (rank_ != 0 && !leads) return;
  const auto blocks = gather_bytes(comm_, ranks, leads ? pack(*own) : std::vector<std::byte>());
  if (rank_ != 0) return;
  auto next = blocks.begin() + 1;
  for (const std::size_t point : slot.points) {
    deliver_(unpack_block(point, leader_of(point) == 0 ? blocks.front() : *next++));
  }
}

/// Whether anything arrives: not without bytes, nor where ranks work alone, or the work beside a
/// call does.
bool Measuring::has_deliveries(const Slot& slot, std::size_t point) const {
  const PlannedMeasurement& planned = workload_.points[point];
  return planned.point.bytes.value > 0 && planned.treatment.work != Work::alone &&
         !works_alone(slot.operation->descriptor);
}

/// Slots with deliveries, small messages first.
std::vector<const Slot*> Measuring::slots_to_check() const {
  std::vector<const Slot*> slots;
  for (const Slot& slot : workload_.slots) {
    if (has_deliveries(slot, slot.points.front())) slots.push_back(&slot);
  }
  std::ranges::stable_sort(slots, {}, [&](const Slot* slot) {
    return workload_.points[slot->points.front()].point.bytes;
  });
  return slots;
}

void Measuring::check(double seconds) {
  constexpr std::uint64_t check_seed = std::uint64_t{1} << 32;  // beyond those of any epochs
  const std::vector<const Slot*> slots = slots_to_check();
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
    const auto work = [&](std::size_t point) { return check_block(*slots[i], point, checking); };
    collect(*slots[i], run_slot(*slots[i], work));
  }
}

/// As `checking` says, and no more than are missing: where buffers rotate, blocks that are timed
/// check many in a row already.
MeasurementBlock Measuring::check_block(const Slot& slot, std::size_t point, Checking checking) {
  MeasurementBlock block{.point = point, .is_check = true};
  checking.most -= points_[point].deliveries_checked;
  if (checking.most <= 0) return block;
  const auto operation = make_as_planned(slot, point);
  const Checked checked =
      check_deliveries(*operation, *groups_[slot.round].group, clock_, checking);
  block.deliveries_checked = checked.deliveries;
  if (!checked.is_good) block.flags.emplace_back(corrupt_flag);
  return block;
}

}  // namespace hockney::benchmarks::programs
