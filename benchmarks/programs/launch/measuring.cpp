#include "benchmarks/programs/launch/measuring.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "benchmarks/engine/prepared.hpp"
#include "benchmarks/engine/spin.hpp"
#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/gather.hpp"
#include "benchmarks/harness/mpi_error.hpp"
#include "benchmarks/harness/rank_memory.hpp"
#include "benchmarks/programs/launch/parameters.hpp"
#include "benchmarks/programs/launch/visit_message.hpp"
#include "core/record.hpp"

namespace hockney {
namespace {

bool contains(const TeamPlan& team, int rank) {
  return std::ranges::find(team.ranks, rank) != team.ranks.end();
}

/// The communicator of this rank's team in a round; null when it is in none.
UniqueComm form_team(MPI_Comm comm, const TeamRound& round, int rank) {
  int color = MPI_UNDEFINED;
  for (std::size_t team = 0; team < round.size(); ++team) {
    if (contains(round[team], rank)) color = static_cast<int>(team);
  }
  UniqueComm formed;
  mpi_check(MPI_Comm_split(comm, color, rank, formed.out()));
  return formed;
}

}  // namespace

Measuring::Measuring(MPI_Comm comm, const LaunchPlan& workload, TickClock& clock,
                     const Rhythm& rhythm, std::function<void(const Visit&)> deliver)
    : comm_(comm),
      rank_(rank_in(comm)),
      workload_(workload),
      clock_(clock),
      rhythm_(rhythm),
      deliver_(std::move(deliver)),
      start_(clock.now()),
      buffers_(rhythm.seed + static_cast<std::uint64_t>(rank_)),
      watches_(workload.rounds.size()),
      samplings_(workload.points.size()),
      extra_rounds_(workload.points.size()),
      checked_(workload.points.size()),
      loops_(workload.points.size()),
      suite_clock_(make_suite_clock()) {
  for (const TeamRound& round : workload.rounds) {
    comms_.push_back(form_team(comm, round, rank_));
    teams_.push_back(comms_.back() ? std::make_unique<MpiTeam>(comms_.back().get()) : nullptr);
    starters_.push_back(teams_.back() ? make_starter(rhythm.start, *teams_.back(), clock)
                                      : nullptr);
    const bool is_timed = starters_.back() && !is_simulated();
    start_seconds_.push_back(is_timed ? seconds_of_start(*starters_.back(), *teams_.back(), clock)
                                      : 0);
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
    collect(slot, run_slot(slot, [&](std::size_t point) { return visit(slot, point, epoch); }));
  }
}

std::optional<std::size_t> Measuring::own_point(const Slot& slot) const {
  for (const std::size_t point : slot.points) {
    if (contains(workload_.rounds[slot.round][workload_.teams[point]], rank_)) return point;
  }
  return std::nullopt;
}

int Measuring::ranks_at_work(const Slot& slot) const {
  int ranks = 0;
  for (const std::size_t point : slot.points) ranks += workload_.points[point].point.ranks;
  return ranks;
}

std::optional<Visit> Measuring::run_slot(const Slot& slot, const PointWork& work) {
  const auto point = own_point(slot);
  std::optional<Visit> own = point ? work(*point) : std::nullopt;
  if (ranks_at_work(slot) < size_of(comm_)) quiet_barrier(comm_);
  return own;
}

std::unique_ptr<PreparedOperation> Measuring::make(const Slot& slot, std::size_t point) {
  const MpiTeam& team = *teams_[slot.round];
  return slot.operation->prepare({.comm = team.operations(),
                                  .rank = team.rank(),
                                  .size = team.size(),
                                  .pool = buffers_,
                                  .cache = workload_.caches[point]},
                                 workload_.points[point].point);
}

/// With the work beside it, or the slow-down, that its point says.
std::unique_ptr<PreparedOperation> Measuring::make_as_planned(const Slot& slot, std::size_t point) {
  auto operation = make(slot, point);
  if (has_work(workload_.points[point].point)) {
    operation->set_work(work_rounds(slot, point, *operation));
  }
  if (extra_rounds_[point] <= 0) return operation;
  return std::make_unique<Slowed>(std::move(operation), spin, extra_rounds_[point]);
}

void Measuring::calibrate_point(const Slot& slot, std::size_t point) {
  constexpr std::int64_t warm_up = 10;
  constexpr std::int64_t iterations_of_calibration = 128;  // more use the same buffers again
  MpiTeam& team = *teams_[slot.round];
  const auto operation = make(slot, point);
  operation->refill(rhythm_.seed, iterations_of_calibration);
  team.barrier();
  const bool is_first = samplings_[point].iteration_seconds == 0;
  operation->run_batch(is_first && !is_simulated() ? warm_up : 1);
  const Point& planned = workload_.points[point].point;
  const Timing timing = slot.operation->descriptor.timing;
  const Sampling start{
      .timing = timing,
      .divisor = slot.operation->volume(planned).operations,
      .samples = rhythm_.simulated_samples,
      .start_seconds = timing == Timing::last_rank ? start_seconds_[slot.round] : 0,
      .local_times = rhythm_.local_times,
      .single = slot.operation->descriptor.single && !is_streaming(planned.parameters)};
  samplings_[point] = start;
  if (const auto suite = workload_.suites[point]) {
    return calibrate_suite(slot, point, *suite, *operation);
  }
  samplings_[point] = calibrate(*operation, team, clock_, start, rhythm_.pace);
  if (has_work(planned) && !is_first) {
    operation->set_work(work_rounds(slot, point, *operation));
    samplings_[point] = calibrate(*operation, team, clock_, start, rhythm_.pace);
  }
  const double share = workload_.slow_downs[point];
  if (share > 0 && !is_first) extra_rounds_[point] = share * plain_rounds(slot, point, *operation);
}

/// What one iteration takes without a slow-down, in rounds of spin(), by visits that are not kept:
/// the calibration runs iterations in a row, where operations overlap, and takes the fastest.
double Measuring::plain_rounds(const Slot& slot, std::size_t point, PreparedOperation& operation) {
  constexpr int samples_for_pace = 20;
  MpiTeam& team = *teams_[slot.round];
  Starter& starter = *starters_[slot.round];
  Sampling sampling = samplings_[point];
  operation.refill(rhythm_.seed, iterations_of_visit(sampling));
  wait_for_calm(slot.round);
  const Taken taken = take_samples(operation, team, clock_, sampling, starter);
  const double seconds = median(taken.samples_seconds).value_or(0);
  const double ticks = seconds * static_cast<double>(sampling.divisor) / clock_.seconds_per_tick();
  SpinPace pace(operation, clock_);
  sampling.samples = std::min(sampling.samples, samples_for_pace);
  operation.refill(rhythm_.seed, iterations_of_visit(sampling));
  take_samples(pace, team, clock_, sampling, starter);
  return static_cast<double>(team.from_first(std::llround(ticks))) * pace.rounds_per_tick();
}

/// As much work as the call takes without any, the same at all points that differ in the work only:
/// their times are to be compared.
double Measuring::work_rounds(const Slot& slot, std::size_t point, PreparedOperation& operation) {
  const Point& planned = workload_.points[point].point;
  const auto [known, is_new] = work_rounds_.try_emplace(name_without_work(planned), 0.0);
  if (is_new) known->second = std::max(1.0, plain_rounds(slot, point, operation));
  return known->second;
}

/// One sample in a visit: what the suite would print after as many calls as fit.
void Measuring::calibrate_suite(const Slot& slot, std::size_t point, Suite suite,
                                PreparedOperation& operation) {
  const OperationKind kind = kind_of(slot.operation->descriptor);
  SuiteLoop& loop = loops_[point];
  loop = {.timing = timing_of(suite, kind), .divisor = samplings_[point].divisor};
  MpiTeam& team = *teams_[slot.round];
  SuiteCalls calls(operation, team, loop.timing);
  const double call_seconds = calibrate(calls, team, clock_, {}, rhythm_.pace).iteration_seconds;
  loop.repetitions =
      repetitions_that_fit(default_repetitions(suite, kind, workload_.points[point].point.bytes),
                           call_seconds, rhythm_.pace.visit_seconds);
  loop.repetitions = {.timed = team.from_first(loop.repetitions.timed),
                      .warm_up = team.from_first(loop.repetitions.warm_up)};
  samplings_[point].batch = loop.repetitions.timed;
}

Taken Measuring::take(PreparedOperation& operation, MpiTeam& team, std::size_t point,
                      Starter& starter) {
  if (!workload_.suites[point]) {
    return take_samples(operation, team, clock_, samplings_[point], starter);
  }
  return {.samples_seconds = {time_like_suite(operation, team, *suite_clock_, loops_[point])}};
}

/// Whether it is known how many messages a visit exchanges, by MPI, between two ranks.
bool Measuring::is_witnessed(const Slot& slot, std::size_t point) const {
  const Descriptor& descriptor = slot.operation->descriptor;
  return rhythm_.prove_paths && descriptor.carrier == Carrier::mpi &&
         descriptor.shape == GroupShape::pair && !workload_.suites[point];
}

/// How often the operation was run for a visit, late ones and the untimed one too.
std::int64_t Measuring::iterations(std::size_t point, const Taken& taken) const {
  const auto batches = static_cast<std::int64_t>(taken.samples_seconds.size()) + taken.late;
  return 1 + batches * samplings_[point].batch;
}

Exchanged Measuring::exchanged(const Slot& slot, std::size_t point, const Taken& taken) const {
  const Volume volume = slot.operation->volume(workload_.points[point].point);
  return {.messages = iterations(point, taken) * volume.operations,
          .message_bytes = volume.bytes.value};
}

/// The control before a visit [s]; 0 under a simulator, where no neighbour slows anybody. Patience
/// of one visit: even without a calm moment, half of the time is spent on measuring.
double Measuring::wait_for_calm(std::size_t round) {
  if (is_simulated()) return 0;
  return watches_[round].wait(*teams_[round], clock_, rhythm_.pace.visit_seconds);
}

Visit Measuring::visit(const Slot& slot, std::size_t point, int epoch) {
  MpiTeam& team = *teams_[slot.round];
  const auto operation = make_as_planned(slot, point);
  operation->refill(rhythm_.seed + static_cast<std::uint64_t>(epoch),
                    iterations_of_visit(samplings_[point]));
  const double started = seconds_since_start();
  const double before = wait_for_calm(slot.round);
  const bool is_watched = is_witnessed(slot, point);
  const auto witness = is_watched ? std::optional<TransportWitness>(std::in_place) : std::nullopt;
  const std::int64_t faults = page_faults();
  Taken taken = take(*operation, team, point, *starters_[slot.round]);
  const auto new_faults = static_cast<double>(page_faults() - faults);
  std::optional<Transport> transport;
  if (witness) transport = witness->end(team.operations(), exchanged(slot, point, taken));
  const double after = is_simulated() ? 0 : time_control(clock_);
  std::array found{operation->verify() ? 0.0 : 1.0, std::max(before, after),
                   new_faults / static_cast<double>(iterations(point, taken))};
  team.maximum(found);
  Visit visit{.point = point,
              .batch = samplings_[point].batch,
              .samples_seconds = std::move(taken.samples_seconds),
              .started_seconds = started,
              .skew_seconds = taken.skew_seconds,
              .locals_seconds = std::move(taken.locals_seconds),
              .late_starts = taken.late,
              .transport = std::move(transport),
              .deliveries_checked = deliveries_kept(point, *operation)};
  if (visit.deliveries_checked > 1) checked_[point] += visit.deliveries_checked;
  if (found[0] != 0) visit.flags.emplace_back(corrupt_flag);
  if (is_simulated()) return visit;
  visit.control_seconds = found[1];
  visit.page_faults = found[2];
  return visit;
}

void Measuring::collect(const Slot& slot, const std::optional<Visit>& own) {
  for (const std::size_t point : slot.points) {
    const int leader = workload_.rounds[slot.round][workload_.teams[point]].ranks.front();
    const bool is_own = own.has_value() && rank_ == leader;
    if (rank_ == 0) {
      deliver_(is_own ? *own : unpack_visit(point, receive_numbers(comm_, leader)));
    } else if (is_own) {
      send_numbers(comm_, 0, pack(*own));
    }
  }
}

}  // namespace hockney
