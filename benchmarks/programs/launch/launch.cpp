#include "benchmarks/programs/launch/launch.hpp"

#include <unistd.h>

#include <fmt/format.h>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include "benchmarks/engine/sampling.hpp"
#include "benchmarks/harness/clock_sync.hpp"
#include "benchmarks/harness/cpu_watch.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/machine_probe.hpp"
#include "benchmarks/harness/memory_facts.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "benchmarks/harness/node_probe.hpp"
#include "benchmarks/harness/transport_watch.hpp"
#include "benchmarks/programs/launch/measuring.hpp"
#include "benchmarks/programs/launch/resources.hpp"
#include "core/atomic_file.hpp"
#include "core/environment.hpp"
#include "core/error.hpp"
#include "core/faults.hpp"
#include "core/quantities.hpp"
#include "core/record.hpp"
#include "core/record_file.hpp"
#include "core/samples.hpp"
#include "core/settings.hpp"
#include "core/text.hpp"

namespace hockney::benchmarks::programs {
namespace {

bool is_flagged(const Series& series) {
  return std::ranges::find(series.flags, path_differs_flag) != series.flags.end();
}

std::string text(const PathProof& proof) {
  return proof.path ? *proof.path : "unproven: " + proof.reason;
}

/// Saves a record whose file cannot be written; returns the message about its place.
std::string rescue_record(const Record& record) {
  const std::string name =
      fmt::format("hockney-{}-{}-{}.json", record.procedure, utc_stamp(), ::getpid());
  std::error_code none;  // the same name is then tried twice
  const std::filesystem::path temporary = std::filesystem::temp_directory_path(none);
  for (const std::string& place : {name, (temporary / name).string()}) {
    try {
      save_record(record, place);
      return fmt::format("the record is in '{}'", place);
    } catch (const RunError&) {
      continue;
    }
  }
  return "the record is lost: neither the working folder nor that for temporary files takes it";
}

/// If two ranks share a CPU, one is late for every agreed time.
StartScheme usual_start(const JobPlacement& job) {
  const bool shared = std::ranges::find(job.flags, oversubscribed_flag) != job.flags.end();
  return shared ? StartScheme::barrier : StartScheme::round_time;
}

using Instant = std::chrono::steady_clock::time_point;

constexpr Seconds default_budget{3.0};
constexpr double epochs_in_budget = 40;  // blocks are short enough for about this many epochs
constexpr double longest_block_seconds = 0.01;  // more blocks give more information than longer
                                                // ones

double seconds_since(Instant start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The options, with rank 0's seed. InputError for memory that this machine lacks, and for caches
/// under a simulator.
LaunchOptions agreed_options(LaunchOptions options, MpiRankGroup& everybody) {
  check_memories(options.choices.of(memory_parameter));
  options.seed =
      static_cast<std::uint64_t>(everybody.from_first(static_cast<std::int64_t>(options.seed)));
  if (!is_simulated()) return options;
  for (const CacheState state : options.choices.of(cache_parameter)) {
    if (state == CacheState::hot) continue;
    throw InputError({fmt::format("--cache {} under a simulator", word(state)),
                      "simulated messages take the same time wherever their data are",
                      "use --cache hot, or leave it out"});
  }
  return options;
}

/// Whether the time of this launch is given. The default only sets how long is measured.
bool has_time(const LaunchOptions& options) {
  return options.budget && !options.epochs && !is_simulated();
}

Schedule choose_schedule(const LaunchOptions& options, StartScheme start, const Clock& clock,
                         std::size_t slots) {
  Schedule schedule{.seed = options.seed,
                    .start = start,
                    .local_times = options.local_times,
                    .prove_paths = options.prove_paths && !is_simulated(),
                    .block_limit = options.epochs ? time_limit(options) : std::nullopt,
                    .simulated_samples = options.samples.value_or(1)};
  if (is_simulated()) return schedule;
  const double budget = options.budget.value_or(default_budget).value;
  schedule.pace.shortest_sample_seconds = shortest_sample(clock);
  schedule.pace.block_seconds =
      std::min(longest_block_seconds, budget / (epochs_in_budget * static_cast<double>(slots + 1)));
  if (options.samples) schedule.pace.most_samples = *options.samples;
  constexpr double first_share = 0.8;  // of the budget; the rest is for probes and checks
  if (has_time(options)) {
    schedule.first_epoch =
        std::max(Seconds{first_share * budget}, options.first_epoch.value_or(Seconds{}));
  }
  return schedule;
}

/// Under a simulator time stands still between events: one iteration gives the exact time, and two
/// epochs show that it does not vary.
EpochRule choose_rule(const LaunchOptions& options) {
  if (is_simulated() && !options.epochs) return {2, 0};
  const double budget = options.budget.value_or(default_budget).value;
  constexpr int usual_fewest = 3;
  const int fewest = has_time(options) ? 1 : usual_fewest;
  return {options.epochs, (1 - checking_share) * budget, fewest};
}

/// The obstacles to floors, if any are to be measured.
FloorObstacles floor_obstacles(MPI_Comm comm, const LaunchOptions& options) {
  const auto is_floor = [](const std::string& name) {
    return find_operation(name).descriptor.carrier != Carrier::mpi;
  };
  const bool any = std::ranges::any_of(options.operations, is_floor);
  return any ? find_floor_obstacles(comm) : FloorObstacles{};
}

/// The record's data that are known before the first sample.
Record begin_record(const std::string& procedure, const LaunchOptions& options, StartScheme start,
                    const JobPlacement& job, const Clock& clock, const Synchronisation& sync,
                    const LaunchPlan& workload) {
  Record record{
      .procedure = procedure,
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
  mark_automatic(record);
  return record;
}

/// Prints the remarks on the job, and the settings that were ignored, which also get a flag.
void announce(const JobPlacement& job, Record& record) {
  for (const std::string& remark : job.remarks) std::cerr << escaped(remark) << '\n';
  for (const RequestedSetting& setting : record.provenance.mpi.requested) {
    if (setting.proof != Proof::ignored) continue;
    std::cerr << "setting ignored: " << escaped(complaint_of(setting)) << '\n';
    if (std::ranges::find(record.flags, setting_ignored_flag) != record.flags.end()) continue;
    record.flags.emplace_back(setting_ignored_flag);
  }
}

/// Checks deliveries for a twentieth of the time of measuring and checking, on rank 0's clock. Not
/// under a simulator, whose data never differ from those of the first delivery.
void check_deliveries(Measuring& measuring, MpiRankGroup& everybody, Instant measuring_start) {
  if (is_simulated()) return;
  const double seconds = seconds_since(measuring_start) * checking_share / (1 - checking_share);
  constexpr double nano = 1e-9;
  measuring.check(static_cast<double>(everybody.from_first(std::llround(seconds / nano))) * nano);
}

/// What follows an epoch.
enum class Next : std::int64_t { epoch, probe, end };

/// Functions that run_epochs calls.
struct EpochCalls {
  std::function<std::optional<std::string>(int)> finished;  ///< on rank 0; a reason to stop
  std::function<bool(int)> is_middle;                       ///< on rank 0
  std::function<void()> probe;                              ///< once, in the middle; collective
};

/// Runs epochs until there is a reason to stop. Returns it on rank 0.
std::string run_epochs(Measuring& measuring, MpiRankGroup& everybody, const EpochCalls& calls) {
  bool is_probed = false;
  for (int epoch = 0;; ++epoch) {
    const bool decides = everybody.rank() == 0;
    const auto reason = decides ? calls.finished(epoch) : std::nullopt;
    const bool is_due = decides && !is_probed && epoch > 0 && calls.is_middle(epoch);
    const Next own = reason ? Next::end : is_due ? Next::probe : Next::epoch;
    const auto next = static_cast<Next>(everybody.from_first(static_cast<std::int64_t>(own)));
    if (next == Next::end) return reason.value_or("");
    if (next == Next::probe) {
      is_probed = true;
      calls.probe();
    }
    if (!measuring.run_epoch(epoch)) return Measuring::ended_because();
  }
}

/// The pairs of ranks that the points use, then neighbours of larger groups.
std::vector<ProbedPair> used_pairs(const LaunchPlan& workload) {
  std::vector<ProbedPair> pairs;
  std::vector<ProbedPair> neighbours;
  for (const GroupRound& round : workload.rounds) {
    for (const GroupPlan& group : round) {
      if (group.ranks.size() == 2) pairs.push_back(group.ranks);
      for (std::size_t i = 0; group.ranks.size() > 2 && i + 1 < group.ranks.size(); ++i) {
        neighbours.push_back({group.ranks[i], group.ranks[i + 1]});
      }
    }
  }
  std::ranges::move(neighbours, std::back_inserter(pairs));
  return pairs;
}

/// Memory of all cores and copies of GPUs of a node that measures itself; on its first rank.
class NodeProbes {
 public:
  explicit NodeProbes(const JobPlacement& job)
      : cores_(job.node_cores.front()),
        core_bytes_(bytes_for_core(cores_.size(), job.node_cache_bytes.front(), free_memory())) {}

  void add_to(MachineProbe& probe) const {
    if (const auto rate = memory_bandwidth(cores_, core_bytes_)) {
      probe.memory.push_back({.cores = static_cast<int>(cores_.size()), .bytes_per_second = *rate});
    }
    probe.devices = devices_.probe(0);
  }

 private:
  std::vector<int> cores_;
  std::size_t core_bytes_;
  DeviceProber devices_;
};

/// Probes the machine beside MPI; not under a simulator, which has no machine.
class LaunchProbes {
 public:
  LaunchProbes(MPI_Comm comm, const LaunchPlan& workload, const JobPlacement& job, TickClock& clock,
               bool each_node)
      : comm_(comm), each_node_(each_node) {
    if (is_simulated()) return;
    if (each_node && rank_in(comm) == 0) node_.emplace(job);
    const bool shares_cpus = std::ranges::find(job.flags, oversubscribed_flag) != job.flags.end();
    const std::vector<ProbedPair> pairs =
        shares_cpus ? std::vector<ProbedPair>() : used_pairs(workload);
    prober_.emplace(comm, job.sites, probed_pairs(pairs, job.sites), clock);
  }

  void probe(ProbeMoment moment, double at_seconds) {
    if (!prober_) return;
    auto probe = prober_->probe(moment, at_seconds);
    if (each_node_ && moment != ProbeMoment::middle) {
      if (probe && node_) node_->add_to(*probe);
      quiet_barrier(comm_);  // the other ranks leave the cores to the threads
    }
    if (probe) probes_.push_back(std::move(*probe));
  }

  /// On rank 0; removes them.
  [[nodiscard]] std::vector<MachineProbe> take() { return std::move(probes_); }

 private:
  MPI_Comm comm_;
  bool each_node_;
  std::optional<MachineProber> prober_;
  std::optional<NodeProbes> node_;
  std::vector<MachineProbe> probes_;
};

/// Watches what others use on the hosts; not under a simulator, whose hosts are not real.
class OthersWatch {
 public:
  OthersWatch(MPI_Comm comm, const JobPlacement& job) {
    if (!is_simulated()) watch_.emplace(comm, job);
  }
  [[nodiscard]] std::vector<std::optional<OtherUse>> finish() const {
    return watch_ ? watch_->finish() : std::vector<std::optional<OtherUse>>();
  }

 private:
  std::optional<CpuWatch> watch_;
};

/// InputError, or RunError in a campaign, whose other settings can go on, if nothing is left to
/// measure; InputError if memory or CPUs do not suffice.
void check_plan(const LaunchPlan& workload, const LaunchOptions& options, const JobPlacement& job) {
  if (workload.slots.empty() && !options.left_out.empty()) {
    const Message nothing{"nothing is left to measure",
                          "--leave-out names all points that could be", "leave out fewer"};
    if (options.campaign) throw RunError(nothing);
    throw InputError(nothing);
  }
  check_memory(workload, job, options.buffer_space);
  check_threads(workload, job);
}

/// When measuring ends.
struct EndOfMeasuring {
  EpochRule rule;
  std::optional<double> precision;
  const RecordWriter* keeper = nullptr;  ///< on rank 0
};

/// Measures epochs, with probes of the machine before, between and after them, and checks
/// deliveries. Returns on rank 0 why it stopped.
std::string measure(Measuring& measuring, MpiRankGroup& everybody, LaunchProbes& probes,
                    Instant start, const EndOfMeasuring& end) {
  measuring.prepare();
  const auto probe = [&](ProbeMoment moment) {
    probes.probe(moment, measuring.seconds_since_start());
  };
  probe(ProbeMoment::begin);
  std::string reason = run_epochs(
      measuring, everybody,
      {.finished =
           [&](int epoch) {
             const auto out_of_time = end.rule.finished(seconds_since(start), epoch);
             return out_of_time ? out_of_time : end.keeper->precise_enough(end.precision, epoch);
           },
       .is_middle = [&](int epoch) { return end.rule.is_half_over(seconds_since(start), epoch); },
       .probe = [&] { probe(ProbeMoment::middle); }});
  if (measuring.has_ended()) return reason;
  probe(ProbeMoment::end);
  check_deliveries(measuring, everybody, start);
  return reason;
}

/// The clocks of a job, synchronised; and again if one jumped.
class CommonClock {
 public:
  CommonClock(MPI_Comm comm, TickClock& clock, const LaunchOptions& options)
      : comm_(comm),
        clock_(clock),
        horizon_seconds_(options.budget.value_or(default_budget).value),
        sync_(learn()),
        global_(sync_->global()) {
    if (options.clock_checks > 0) sync_->check(options.clock_checks);
  }

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

void flag_paths(Record& record, const std::optional<ExpectedPath>& expected) {
  if (!expected) return;
  bool differs = false;
  for (Series& series : record.series) {
    if (!series.transport || series.point.bytes < expected->from) continue;
    if (series.point.path == expected->path) continue;
    series.flags.emplace_back(path_differs_flag);
    differs = true;
  }
  if (differs) record.flags.emplace_back(path_differs_flag);
}

std::optional<Message> path_difference(const Record& record,
                                       const std::optional<ExpectedPath>& expected) {
  if (!expected) return std::nullopt;
  const auto first = std::ranges::find_if(record.series, is_flagged);
  if (first == record.series.end()) return std::nullopt;
  const std::optional<Transport>& transport = first->transport;
  if (!transport) return std::nullopt;
  const auto differing = std::ranges::count_if(record.series, is_flagged);
  return Message{
      fmt::format("the path is not {} as expected in {} series", expected->path, differing),
      fmt::format("{} at {} is {}", curve_name(first->point), format_bytes(first->point.bytes),
                  text(prove_path(*transport))),
      "see what the MPI library made of its settings, in provenance.mpi.settings of the record"};
}

RecordWriter::RecordWriter(Record header, std::string file)
    : record_(std::move(header)), store_(record_.points), file_(std::move(file)) {
  // A device or pipe has no journal beside it.
  if (file_.empty() || !is_replaceable(file_)) return;
  journal_ = std::make_unique<Journal>(file_, record_);
  TimeLimit::keeps(journal_name(file_));
}

void RecordWriter::begin(std::size_t point) {
  if (journal_) journal_->begin(point);
}

void RecordWriter::keep(const MeasurementBlock& block) {
  store_.add(block);
  if (journal_) journal_->append(block);
  const bool jumped = std::ranges::find(block.flags, clock_jumped_flag) != block.flags.end();
  if (jumped) flag(clock_jumped_flag);
}

std::optional<std::string> RecordWriter::precise_enough(std::optional<double> requested,
                                                        int epochs) const {
  if (!requested || !is_time_to_look(epochs)) return std::nullopt;
  const auto widest = store_.widest_within();
  if (!widest || *widest > *requested / 2) return std::nullopt;
  return fmt::format("medians within {} inside the launch", format_fraction(*requested / 2));
}

void RecordWriter::keep(std::vector<BufferMemoryUse> buffers) {
  if (shares_device(buffers)) flag(device_shared_flag);
  record_.buffers = std::move(buffers);
}

void RecordWriter::keep(const std::vector<std::optional<OtherUse>>& others) {
  std::vector<Host>& hosts = record_.provenance.hosts;
  for (std::size_t i = 0; i < std::min(hosts.size(), others.size()); ++i) {
    hosts[i].others = others[i];
  }
}
void RecordWriter::keep(std::vector<MachineProbe> machine) { record_.machine = std::move(machine); }

void RecordWriter::keep(const ClockSync& sync) {
  record_.sync = sync.facts();
  if (sync.drifted()) flag(clock_drifted_flag);
}

void RecordWriter::flag(std::string_view name) {
  if (std::ranges::find(record_.flags, name) == record_.flags.end()) {
    record_.flags.emplace_back(name);
  }
}

Record RecordWriter::finish(const std::string& reason, double elapsed_seconds,
                            double measuring_seconds, const std::optional<ExpectedPath>& expected) {
  record_.stopped_because = reason;
  record_.elapsed_seconds = elapsed_seconds;
  record_.measuring_seconds = measuring_seconds;
  record_.series = store_.series();
  record_.points = store_.points(fmt::format("{}{}", not_reached_reason, reason));
  name_drift(record_);
  flag_paths(record_, expected);
  if (!file_.empty()) save_or_rescue(record_, file_);
  if (journal_) journal_->discard();
  return record_;
}

std::string place_of(const std::optional<Record>& record, const std::string& file) {
  if (!record) return "";
  return file.empty() ? rescue_record(*record) : fmt::format("the record is in '{}'", file);
}

void save_or_rescue(const Record& record, const std::string& file) {
  try {
    save_record(record, file);
  } catch (const RunError& error) {
    throw RunError({fmt::format("{}; {}", error.what(), rescue_record(record)), "", ""});
  }
}

std::optional<Seconds> time_limit(const LaunchOptions& options, std::size_t points) {
  constexpr double budgets = 10;
  constexpr double spare_seconds = 60;
  constexpr double seconds_of_point = 2;
  constexpr double seconds_of_files = 20;  // time to write them: about 20 calls at each point
  if (options.limit || options.campaign) return options.limit;
#ifdef SMPI_H
  return std::nullopt;
#endif
  constexpr Seconds of_block{600};  // on a busy machine a block of milliseconds took 90 s
  if (options.epochs) return of_block;
  const double each = options.files.path.empty() ? seconds_of_point : seconds_of_files;
  return Seconds{budgets * options.budget.value_or(default_budget).value + spare_seconds +
                 each * static_cast<double>(points)};
}

StartScheme choose_start(const LaunchOptions& options, const JobPlacement& job) {
  if (!is_simulated()) return options.start.value_or(usual_start(job));
  const StartScheme start = options.start.value_or(StartScheme::barrier);
  if (start != StartScheme::round_time) return start;
  // No rank can wait for a time there: it advances only inside MPI.
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
  const LaunchOptions agreed = agreed_options(options, everybody);
  JobPlacement job = place_ranks(comm, agreed.placement);
  const StartScheme scheme = choose_start(agreed, job);
  LaunchPlan workload = plan(agreed, job);
  check_plan(workload, agreed, job);
  note_threads(workload, job);
  const std::unique_ptr<TickClock> clock = make_clock();
  const Clock facts = coarsest(examine(*clock), everybody);
  CommonClock common(comm, *clock, agreed);
  std::unique_ptr<RecordWriter> keeper;
  if (everybody.rank() == 0) {
    Record header =
        begin_record(procedure, agreed, scheme, job, facts, common.sync().facts(), workload);
    announce(job, header);
    keeper = std::make_unique<RecordWriter>(std::move(header), agreed.output);
  }
  const Instant measuring_start = std::chrono::steady_clock::now();
  if (const auto limit = time_limit(agreed, workload.points.size())) TimeLimit::restart(*limit);
  Measuring measuring(comm, workload, common.global(),
                      choose_schedule(agreed, scheme, facts, workload.slots.size()),
                      {.begin = [&](std::size_t point) { keeper->begin(point); },
                       .deliver = [&](const MeasurementBlock& block) { keeper->keep(block); },
                       .synchronise = [&] { common.synchronise(); }});
  const EndOfMeasuring end{.rule = workload.slots.empty() ? EpochRule(0, 0) : choose_rule(agreed),
                           .precision = agreed.precision,
                           .keeper = keeper.get()};
  LaunchProbes probes(comm, workload, job, *clock, agreed.each_node);
  workload = {};  // every rank has kept its part, and rank 0 the points
  const OthersWatch watch(comm, job);
  const std::string reason = measure(measuring, everybody, probes, measuring_start, end);
  const std::vector<std::optional<OtherUse>> others = watch.finish();
  const double measuring_seconds = seconds_since(measuring_start);
  common.sync().measure_again();
  std::vector<BufferMemoryUse> buffers = gather_buffer_memory(comm, measuring.buffers(), job.sites);
  if (!keeper) return std::nullopt;
  keeper->keep(common.sync());
  keeper->keep(std::move(buffers));
  keeper->keep(others);
  keeper->keep(probes.take());
  return keeper->finish(reason, seconds_since(start), measuring_seconds, agreed.expected_path);
}

}  // namespace hockney::benchmarks::programs
