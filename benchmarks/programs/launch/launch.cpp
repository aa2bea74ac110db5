#include "benchmarks/programs/launch/launch.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>

#include "benchmarks/engine/sampling.hpp"
#include "benchmarks/harness/clock_sync.hpp"
#include "benchmarks/harness/control_variables.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/programs/launch/measuring.hpp"
#include "benchmarks/programs/launch/memory_planning.hpp"
#include "benchmarks/programs/launch/path_check.hpp"
#include "benchmarks/programs/launch/thread_placement.hpp"
#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/journal.hpp"
#include "core/quantities.hpp"
#include "core/record_file.hpp"
#include "core/samples.hpp"
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
  check_memories(options.memories);
  if (!is_simulated()) return options;
  for (const CacheState state : options.caches) {
    if (state == CacheState::hot) continue;
    throw InputError({"--cache " + cache_name(state) + " under a simulator",
                      "simulated messages take the same time wherever their data are",
                      "use --cache hot, or leave it out"});
  }
  return options;
}

/// Under a simulator time stands still between events: one iteration tells all, and two epochs show
/// that it does.
Rhythm choose_rhythm(const LaunchOptions& options, StartScheme start, const Clock& clock,
                     std::size_t slots) {
  Rhythm rhythm{.seed = options.seed,
                .start = start,
                .local_times = options.local_times,
                .prove_paths = options.prove_paths && !is_simulated(),
                .simulated_samples = options.samples.value_or(1)};
  if (is_simulated()) return rhythm;
  const double budget = options.budget.value_or(default_budget).value;
  rhythm.pace.shortest_sample_seconds = shortest_sample(clock);
  rhythm.pace.block_seconds =
      std::min(longest_block_seconds, budget / (epochs_in_budget * static_cast<double>(slots + 1)));
  if (options.samples) rhythm.pace.most_samples = *options.samples;
  return rhythm;
}

EpochRule choose_rule(const LaunchOptions& options) {
  if (is_simulated() && !options.epochs) return {2, 0};
  const double budget = options.budget.value_or(default_budget).value;
  return {options.epochs, (1 - checking_share) * budget};
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
          .provenance = {.command_line = command_line(),
                         .environment = steering_environment(),
                         .build = build_info(),
                         .mpi = describe_mpi(),
                         .hosts = job.hosts,
                         .network = job.network ? job.network->origin : std::nullopt},
          .ranks = job.places,
          .clock = clock,
          .start = start_name(start),
          .sync = sync,
          .points = std::vector<PlannedPoint>(workload.points.begin(), workload.points.end()),
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

/// Keeps what rank 0 is given: in memory for the record, in the journal for the worst case.
class Keeper {
 public:
  Keeper(Record header, std::string file)
      : record_(std::move(header)), store_(record_.points), file_(std::move(file)) {
    // Beside a device or a pipe there is no place for one.
    if (!file_.empty() && is_replaceable(file_))
      journal_ = std::make_unique<Journal>(file_, record_);
  }

  void keep(const MeasurementBlock& block) {
    store_.add(block);
    if (journal_) journal_->append(block);
  }

  /// Why no more epochs are needed: every median is known twice as well, inside this launch, as the
  /// campaign wants to know it over launches. nullopt when more are, or nothing was asked.
  [[nodiscard]] std::optional<std::string> precise_enough(std::optional<double> requested,
                                                          int epochs) const {
    if (!requested || !is_time_to_look(epochs)) return std::nullopt;
    const auto widest = store_.widest_within();
    if (!widest || *widest > *requested / 2) return std::nullopt;
    return "medians within " + format_fraction(*requested / 2) + " inside the launch";
  }

  /// What the memory of the buffers turned out to be.
  void keep(std::vector<BufferMemoryUse> buffers) {
    if (shares_device(buffers)) record_.flags.emplace_back(device_shared_flag);
    record_.buffers = std::move(buffers);
  }

  /// What the clocks said after measuring.
  void keep(const ClockSync& sync) {
    record_.sync = sync.facts();
    if (sync.drifted()) record_.flags.emplace_back(clock_drifted_flag);
  }

  Record finish(const std::string& reason, double elapsed_seconds, double measuring_seconds,
                const std::optional<ExpectedPath>& expected) {
    record_.stopped_because = reason;
    record_.elapsed_seconds = elapsed_seconds;
    record_.measuring_seconds = measuring_seconds;
    record_.series = store_.series();
    record_.points = store_.points("it was not reached before " + reason);
    flag_paths(record_, expected);
    if (!file_.empty()) save_or_rescue(record_, file_);
    if (journal_) journal_->discard();
    return record_;
  }

 private:
  Record record_;
  SampleStore store_;
  std::string file_;
  std::unique_ptr<Journal> journal_;
};

/// Keeps a record that has no other place; the words for where it is.
std::string rescue_record(const Record& record) {
  const std::string name = "hockney-" + record.procedure + "-" + utc_stamp() + "-" +
                           std::to_string(::getpid()) + ".json";
  std::error_code none;  // then the name is tried twice
  const std::filesystem::path temporary = std::filesystem::temp_directory_path(none);
  for (const std::string& place : {name, (temporary / name).string()}) {
    try {
      save_record(record, place);
      return "the record is in '" + place + "'";
    } catch (const RunError&) {
      continue;
    }
  }
  return "the record is lost: neither the working folder nor that for temporary files takes it";
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
    measuring.run_epoch(epoch);
  }
}

}  // namespace

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
                             find_memory_facts(comm, agreed.memories, job.sites, agreed.gpu_aware));
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
  note_threads(workload, job);
  const std::unique_ptr<TickClock> clock = make_clock();
  const Clock facts = coarsest(examine(*clock), everybody);
  ClockSync sync(comm, *clock, {.horizon_seconds = agreed.budget.value_or(default_budget).value});
  if (agreed.clock_checks > 0) sync.check(agreed.clock_checks);
  std::unique_ptr<Keeper> keeper;
  if (everybody.rank() == 0) {
    Record header = begin_record(procedure, agreed, scheme, job, facts, sync.facts(), workload);
    announce(job, header);
    keeper = std::make_unique<Keeper>(std::move(header), agreed.output);
  }
  const Instant measuring_start = std::chrono::steady_clock::now();
  GlobalClock global = sync.global();
  Measuring measuring(comm, workload, global,
                      choose_rhythm(agreed, scheme, facts, workload.slots.size()),
                      [&](const MeasurementBlock& block) { keeper->keep(block); });
  const EpochRule rule = workload.slots.empty() ? EpochRule(0, 0) : choose_rule(agreed);
  workload = {};  // every rank has kept its part, and rank 0 the points
  measuring.prepare();
  const std::string reason = run_epochs(measuring, everybody, [&](int epoch) {
    const auto out_of_time = rule.finished(seconds_since(measuring_start), epoch);
    return out_of_time ? out_of_time : keeper->precise_enough(agreed.precision, epoch);
  });
  check_deliveries(measuring, everybody, measuring_start);
  const double measuring_seconds = seconds_since(measuring_start);
  sync.measure_again();
  std::vector<BufferMemoryUse> buffers = gather_buffer_memory(comm, measuring.buffers(), job.sites);
  if (!keeper) return std::nullopt;
  keeper->keep(sync);
  keeper->keep(std::move(buffers));
  return keeper->finish(reason, seconds_since(start), measuring_seconds, agreed.expected_path);
}

std::string place_of(const std::optional<Record>& record, const std::string& file) {
  if (!record) return "";
  return file.empty() ? rescue_record(*record) : "the record is in '" + file + "'";
}

void save_or_rescue(const Record& record, const std::string& file) {
  try {
    save_record(record, file);
  } catch (const RunError& error) {
    throw RunError({std::string(error.what()) + "; " + rescue_record(record), "", ""});
  }
}

}  // namespace hockney::benchmarks::programs
