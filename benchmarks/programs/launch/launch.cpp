#include "benchmarks/programs/launch/launch.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <memory>

#include "benchmarks/engine/sampling.hpp"
#include "benchmarks/harness/clock_sync.hpp"
#include "benchmarks/harness/control_variables.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/time_limit.hpp"
#include "benchmarks/programs/launch/measuring.hpp"
#include "benchmarks/programs/launch/memory_planning.hpp"
#include "benchmarks/programs/launch/thread_placement.hpp"
#include "core/error.hpp"
#include "core/settings/host_facts.hpp"
#include "core/settings/prove.hpp"
#include "core/text.hpp"
#include "core/time.hpp"

namespace hockney::benchmarks::programs {
namespace {

/// Of two ranks on one CPU, one is late for every time they agree on.
StartScheme usual_start(const JobPlacement& job) {
  const bool shared = std::ranges::find(job.flags, oversubscribed_flag) != job.flags.end();
  return shared ? StartScheme::barrier : StartScheme::round_time;
}

using Instant = std::chrono::steady_clock::time_point;

constexpr Seconds default_budget{3.0};
constexpr double epochs_in_budget = 40;  // blocks are short enough that about so many epochs fit
constexpr double longest_block_seconds = 0.01;  // more blocks tell more than longer ones

double seconds_since(Instant start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The options; not with memory that is not here, or caches of a simulator, which has none.
const LaunchOptions& checked(const LaunchOptions& options) {
  check_memories(options.choices.of(memory_parameter));
  if (!is_simulated()) return options;
  for (const CacheState state : options.choices.of(cache_parameter)) {
    if (state == CacheState::hot) continue;
    throw InputError({"--cache " + std::string(word(state)) + " under a simulator",
                      "simulated messages take the same time wherever their data are",
                      "use --cache hot, or leave it out"});
  }
  return options;
}

/// Whether a campaign says how long this launch has.
bool has_slot(const LaunchOptions& options) {
  return options.campaign && options.budget && !options.epochs && !is_simulated();
}

/// Under a simulator time stands still between events: one iteration tells all, and two epochs show
/// that it does.

Rhythm choose_rhythm(const LaunchOptions& options, StartScheme start, const Clock& clock,
                     std::size_t slots) {
  Rhythm rhythm{.seed = options.seed,
                .start = start,
                .local_times = options.local_times,
                .prove_paths = options.prove_paths && !is_simulated(),
                .block_limit = options.epochs ? time_limit(options) : std::nullopt,
                .simulated_samples = options.samples.value_or(1)};
  if (is_simulated()) return rhythm;
  const double budget = options.budget.value_or(default_budget).value;
  rhythm.pace.shortest_sample_seconds = shortest_sample(clock);
  rhythm.pace.block_seconds =
      std::min(longest_block_seconds, budget / (epochs_in_budget * static_cast<double>(slots + 1)));
  if (options.samples) rhythm.pace.most_samples = *options.samples;
  if (has_slot(options)) rhythm.room = options.budget;
  return rhythm;
}

EpochRule choose_rule(const LaunchOptions& options) {
  if (is_simulated() && !options.epochs) return {2, 0};
  const double budget = options.budget.value_or(default_budget).value;
  constexpr int usual_fewest = 3;
  const int fewest = has_slot(options) ? 1 : usual_fewest;
  return {options.epochs, (1 - checking_share) * budget, fewest};
}

/// What stands in the way of the floors, if any are to be measured.
FloorObstacles floor_obstacles(MPI_Comm comm, const LaunchOptions& options) {
  const auto is_floor = [](const std::string& name) {
    return find_operation(name).descriptor.carrier != Carrier::mpi;
  };
  const bool any = std::ranges::any_of(options.operations, is_floor);
  return any ? find_floor_obstacles(comm) : FloorObstacles{};
}

/// The record as far as it is known before the first sample.
Record begin_record(const std::string& procedure, const LaunchOptions& options, StartScheme start,
                    const JobPlacement& job, const Clock& clock, const Synchronisation& sync,
                    const LaunchPlan& workload) {
  return {.procedure = procedure,
          .started_utc = utc_now(),
          .seed = options.seed,
          .campaign = options.campaign,
          .provenance = Provenance{.command_line = command_line(),
                                   .environment = steering_environment(),
                                   .build = build_info(),
                                   .mpi = describe_mpi(),
                                   .hosts = job.hosts,
                                   .network = job.network ? job.network->origin : std::nullopt},
          .ranks = job.places,
          .clock = clock,
          .start = start_name(start),
          .sync = sync,
          .points = recorded(workload.points),
          .guidelines = options.guidelines,
          .flags = job.flags};
}

/// Says what is to be known of the job, and which settings were not taken: a flag, too.
void announce(const JobPlacement& job, Record& record) {
  for (const std::string& remark : job.remarks) std::cerr << inert(remark) << '\n';
  for (const RequestedSetting& setting : record.provenance.mpi.requested) {
    if (setting.proof != Proof::ignored) continue;
    std::cerr << "setting ignored: " << inert(complaint_of(setting)) << '\n';
    if (std::ranges::find(record.flags, setting_ignored_flag) != record.flags.end()) continue;
    record.flags.emplace_back(setting_ignored_flag);
  }
}

/// Checks deliveries for a twentieth of the time that measuring has taken with them, which rank 0
/// knows. A simulator's data never differ from the first delivery's.
void check_deliveries(Measuring& measuring, MpiRankGroup& everybody, Instant measuring_start) {
  if (is_simulated()) return;
  const double seconds = seconds_since(measuring_start) * checking_share / (1 - checking_share);
  constexpr double nano = 1e-9;
  measuring.check(static_cast<double>(everybody.from_first(std::llround(seconds / nano))) * nano);
}

/// Runs epochs until `finished`, which is asked on rank 0, says why to stop; that, on rank 0.
std::string run_epochs(Measuring& measuring, MpiRankGroup& everybody,
                       const std::function<std::optional<std::string>(int)>& finished) {
  for (int epoch = 0;; ++epoch) {
    const auto reason = everybody.rank() == 0 ? finished(epoch) : std::nullopt;
    if (everybody.from_first(reason ? 1 : 0) != 0) return reason.value_or("");
    if (!measuring.run_epoch(epoch)) return measuring.ended_because();
  }
}

/// So many clocks of a job, brought together: again when one jumped.
class CommonClock {
 public:
  CommonClock(MPI_Comm comm, TickClock& clock, const LaunchOptions& options)
      : comm_(comm),
        clock_(clock),
        horizon_seconds_(options.budget.value_or(default_budget).value),
        sync_(learn()),
        global_(sync_->global()) {}

  void synchronise() {
    sync_ = learn();
    global_ = sync_->global();
  }
  [[nodiscard]] ClockSync& sync() { return *sync_; }
  [[nodiscard]] GlobalClock& global() { return global_; }

 private:
  [[nodiscard]] std::unique_ptr<ClockSync> learn() const {
    return std::make_unique<ClockSync>(comm_, clock_,
                                       SyncOptions{.horizon_seconds = horizon_seconds_});
  }

  MPI_Comm comm_;
  TickClock& clock_;
  double horizon_seconds_;
  std::unique_ptr<ClockSync> sync_;
  GlobalClock global_;
};

}  // namespace

std::optional<Seconds> time_limit(const LaunchOptions& options, std::size_t points) {
  constexpr double budgets = 10;
  constexpr double spare_seconds = 60;
  constexpr double seconds_of_point = 2;
  constexpr double seconds_of_files = 20;  // and what writes them: some 20 calls at each point
  if (options.limit || options.campaign) return options.limit;
#ifdef SMPI_H
  return std::nullopt;
#endif
  constexpr Seconds of_block{600};  // on a busy machine one of milliseconds took 90 s
  if (options.epochs) return of_block;
  const double each = options.files.path.empty() ? seconds_of_point : seconds_of_files;
  return Seconds{budgets * options.budget.value_or(default_budget).value + spare_seconds +
                 each * static_cast<double>(points)};
}

StartScheme choose_start(const LaunchOptions& options, const JobPlacement& job) {
  if (!is_simulated()) return options.start.value_or(usual_start(job));
  const StartScheme start = options.start.value_or(StartScheme::barrier);
  if (start != StartScheme::round_time) return start;
  // Nobody can wait for a time there: it passes only inside MPI.
  throw InputError({"--start round-time under a simulator",
                    "time passes only inside MPI there, and waiting for it would never end",
                    "use --start barrier"});
}

std::optional<Record> run_launch(MPI_Comm comm, const std::string& procedure,
                                 const LaunchOptions& options) {
  return run_launch(
      comm, procedure, options, [comm](const LaunchOptions& agreed, const JobPlacement& job) {
        return plan_workload(agreed, job, floor_obstacles(comm, agreed),
                             find_memory_facts(comm, agreed.choices.of(memory_parameter), job.sites,
                                               agreed.gpu_aware));
      });
}

std::optional<Record> run_launch(MPI_Comm comm, const std::string& procedure,
                                 const LaunchOptions& options, const Planning& plan) {
  const Instant start = std::chrono::steady_clock::now();
  MpiRankGroup everybody(comm);
  LaunchOptions agreed = checked(options);
  agreed.seed =
      static_cast<std::uint64_t>(everybody.from_first(static_cast<std::int64_t>(options.seed)));
  JobPlacement job = place_ranks(comm, agreed.placement);
  const StartScheme scheme = choose_start(agreed, job);
  LaunchPlan workload = plan(agreed, job);
  check_memory(workload, job, agreed.buffer_space);
  check_threads(workload, job);
  note_threads(workload, job);
  const std::unique_ptr<TickClock> clock = make_clock();
  const Clock facts = coarsest(examine(*clock), everybody);
  CommonClock common(comm, *clock, agreed);
  if (agreed.clock_checks > 0) common.sync().check(agreed.clock_checks);
  std::unique_ptr<Keeper> keeper;
  if (everybody.rank() == 0) {
    Record header =
        begin_record(procedure, agreed, scheme, job, facts, common.sync().facts(), workload);
    announce(job, header);
    keeper = std::make_unique<Keeper>(std::move(header), agreed.output);
  }
  const Instant measuring_start = std::chrono::steady_clock::now();
  if (const auto limit = time_limit(agreed, workload.points.size())) TimeLimit::restart(*limit);
  Measuring measuring(comm, workload, common.global(),
                      choose_rhythm(agreed, scheme, facts, workload.slots.size()),
                      {.deliver = [&](const MeasurementBlock& block) { keeper->keep(block); },
                       .synchronise = [&] { common.synchronise(); }});
  const EpochRule rule = workload.slots.empty() ? EpochRule(0, 0) : choose_rule(agreed);
  workload = {};  // every rank has kept its part, and rank 0 the points
  measuring.prepare();
  const std::string reason = run_epochs(measuring, everybody, [&](int epoch) {
    const auto out_of_time = rule.finished(seconds_since(measuring_start), epoch);
    return out_of_time ? out_of_time : keeper->precise_enough(agreed.precision, epoch);
  });
  if (!measuring.has_ended()) check_deliveries(measuring, everybody, measuring_start);
  const double measuring_seconds = seconds_since(measuring_start);
  common.sync().measure_again();
  std::vector<BufferMemoryUse> buffers = gather_buffer_memory(comm, measuring.buffers(), job.sites);
  if (!keeper) return std::nullopt;
  keeper->keep(common.sync());
  keeper->keep(std::move(buffers));
  return keeper->finish(reason, seconds_since(start), measuring_seconds, agreed.expected_path);
}

}  // namespace hockney::benchmarks::programs
