#include "benchmarks/programs/startup/startup_launch.hpp"

#include <mpi.h>

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

#include "benchmarks/harness/mpi_objects.hpp"
#include "benchmarks/harness/placement.hpp"
#include "benchmarks/programs/launch/communicators.hpp"
#include "benchmarks/programs/launch/launch.hpp"
#include "benchmarks/programs/launch/option_parser.hpp"
#include "benchmarks/programs/launch/program.hpp"
#include "benchmarks/programs/startup/startup_probes.hpp"
#include "core/cli/command_line.hpp"
#include "core/error.hpp"
#include "core/record_json.hpp"
#include "core/text.hpp"

namespace hockney::benchmarks::programs {
namespace {

struct Once {
  std::string_view name;
  std::string_view summary;
};

constexpr std::array<Once, 4> measured_once{
    {{init_name, "MPI_Init, or MPI_Init_thread, of the slowest rank; one sample a launch"},
     {first_contact_name,
      "a round trip of 8 B between rank 0 and one to which it has sent nothing yet, and a second "
      "one"},
     {spawn_name, "MPI_Comm_spawn of more processes by all ranks, of the slowest rank"},
     {finalize_name, "MPI_Finalize of the slowest rank of rank 0's node"}}};

constexpr int usual_held_communicators = 128;

Program program_of_startup() {
  Program program{
      .procedure = "startup",
      .description = startup_description,
      .operations =
          "init,first-contact,comm-dup,comm-split,comm-split-type,comm-create-group,"
          "cart-create,dist-graph-create-adjacent,finalize",
      .usual = "all of starting and communicators but -free, idup and spawn",
      .sizes = "0",
      .help = {
          .examples = {{"mpirun -n 2 hockney-startup", "init, communicators, memory, finalize"},
                       {"mpirun -n 2 hockney-startup --operations osu_init --thread-level multiple",
                        "MPI_Init_thread"},
                       {"mpirun -n 2 hockney-startup --operations comm-dup,comm-dup-free",
                        "making and freeing"}},
          .common = {"--thread-level", "--held-communicators", "--spawned", "--communicator"}}};
  for (const Once& once : measured_once) program.once.emplace_back(once.name);
  return program;
}

const std::vector<std::string>& thread_level_names() {
  static const std::vector<std::string> names{"single", "funneled", "serialized", "multiple"};
  return names;
}

constexpr const char* no_processes = "a simulator starts no processes";
constexpr Bytes contact_bytes{8};

/// One sample of one point, for measurements made once.
struct OnceSample {
  hockney::Point point;
  double seconds = 0;
  std::vector<double> locals_seconds{};  ///< of each rank, if each has one
  std::vector<std::string> flags{};
};

void add_sample(Record& record, OnceSample sample) {
  record.points.own().push_back(
      {.point = sample.point, .bytes_per_sample = sample.point.bytes.value});
  Series series{.point = std::move(sample.point),
                .samples_seconds = {sample.seconds},
                .blocks = {1},
                .bytes_per_sample = sample.point.bytes.value};
  series.bytes_per_sample = series.point.bytes.value;
  if (!sample.locals_seconds.empty()) series.locals_seconds = {std::move(sample.locals_seconds)};
  series.flags = std::move(sample.flags);
  series.summary = summarise(series);
  record.series.push_back(std::move(series));
}

void add_unmeasured(Record& record, hockney::Point point, PointStatus status,
                    const std::string& reason) {
  record.points.own().push_back({.point = std::move(point), .status = status, .reason = reason});
}

/// Every rank's number, on all ranks. Collective.
std::vector<double> gather_seconds(MPI_Comm comm, double own) {
  std::vector<double> all(static_cast<std::size_t>(size_of(comm)));
  mpi_check(MPI_Allgather(&own, 1, MPI_DOUBLE, all.data(), 1, MPI_DOUBLE, comm));
  return all;
}

void add_reading(std::vector<MemoryUse>& readings, int communicators) {
  std::optional<MemoryUse> use = read_memory_use();
  if (!use) return;
  use->moment = "communicators";
  use->communicators = communicators;
  readings.push_back(*use);
}

/// Memory of this rank before and while it has `count` duplicates of `comm`, each used once by a
/// barrier. Empty if Linux does not report it. Collective.
std::vector<MemoryUse> memory_of_communicators(MPI_Comm comm, int count) {
  std::vector<MemoryUse> readings;
  add_reading(readings, 0);
  std::vector<UniqueComm> held(static_cast<std::size_t>(count));
  for (UniqueComm& one : held) {
    mpi_check(MPI_Comm_dup(comm, one.out()));
    mpi_check(MPI_Barrier(one.get()));
  }
  add_reading(readings, count);
  return readings;
}

/// Every rank's readings, on rank 0; empty on others. Collective.
std::vector<MemoryUse> gather_memory(MPI_Comm comm, std::vector<MemoryUse> own) {
  const int rank = rank_in(comm);
  for (MemoryUse& use : own) use.rank = rank;
  std::vector<MemoryUse> all;
  for (const std::string& text : gather_texts(comm, nlohmann::json{{"memory", own}}.dump())) {
    if (rank != 0) continue;
    const JsonNode node = parse_json(text, "memory");
    for (const JsonNode& use : node.at("memory").elements()) {
      all.push_back(read_value<MemoryUse>(use));
    }
  }
  return all;
}

class StartupLaunch {
 public:
  StartupLaunch(MPI_Comm comm, const StartupOptions& options, const LibraryStart& start)
      : comm_(comm), options_(options), start_(start), clock_(make_clock()) {}

  std::optional<Record> run() {
    if (options_.measures(first_contact_name)) contacts_ = make_first_contacts(comm_, *clock_);
    init_seconds_ = gather_seconds(comm_, start_.seconds);
    // First of all: later the heap would have free room that hides the memory of communicators.
    std::vector<MemoryUse> memory = read_memory();
    std::optional<Record> record =
        run_launch(comm_, "startup", options_.launch,
                   [this](const LaunchOptions& agreed, const JobPlacement& job) {
                     job_ = job;
                     return plan_workload(agreed, job);
                   });
    const auto spawned = options_.measures(spawn_name)
                             ? std::optional(spawn(comm_, options_.spawned, *clock_))
                             : std::nullopt;
    if (!record) return std::nullopt;
    record->memory = std::move(memory);
    if (options_.measures(init_name)) add_init(*record);
    if (options_.measures(first_contact_name)) add_contacts(*record);
    if (spawned) add_spawned(*record, *spawned);
    if (options_.measures(finalize_name)) expect_finalize(*record);
    if (!options_.launch.output.empty()) save_or_rescue(*record, options_.launch.output);
    return record;
  }

 private:
  [[nodiscard]] hockney::Point point_of(const std::string& operation) const {
    return {.operation = operation, .ranks = size_of(comm_)};
  }

  std::vector<MemoryUse> read_memory() {
    std::vector<MemoryUse> own;
    const auto add = [&own](std::optional<MemoryUse> use, const std::string& moment) {
      if (!use) return;
      use->moment = moment;
      own.push_back(*use);
    };
    if (is_simulated()) return {};  // its ranks are threads of one process
    add(start_.memory_before, "before-init");
    add(start_.memory_after, "after-init");
    if (options_.held_communicators > 0) {
      const auto held = memory_of_communicators(comm_, options_.held_communicators);
      own.insert(own.end(), held.begin(), held.end());
    }
    return gather_memory(comm_, std::move(own));
  }

  void add_init(Record& record) const {
    OnceSample sample{.point = point_of(init_name)};
    if (options_.thread_level) sample.point.parameters["thread-level"] = *options_.thread_level;
    if (is_simulated()) {
      return add_unmeasured(record, sample.point, PointStatus::skipped, no_processes);
    }
    sample.seconds = std::ranges::max(init_seconds_);
    sample.locals_seconds = init_seconds_;
    if (start_.thread_level && start_.provided < *start_.thread_level) {
      sample.flags.emplace_back("thread-level-not-provided");
    }
    add_sample(record, std::move(sample));
  }

  [[nodiscard]] hockney::Point contact_point(int peer, const std::string& message) const {
    hockney::Point point{.operation = first_contact_name,
                         .bytes = contact_bytes,
                         .ranks = 2,
                         .pair = {0, peer},
                         .parameters = {{"message", message}}};
    if (const auto hop = hop_of(job_, {0, peer})) point.hop = hop_word(job_, {0, peer}, *hop);
    return point;
  }

  void add_contacts(Record& record) const {
    for (const char* message : {"first", "second"}) {
      if (contacts_.obstacle) {
        hockney::Point point = point_of(first_contact_name);
        point.parameters["message"] = message;
        add_unmeasured(record, std::move(point), PointStatus::skipped, *contacts_.obstacle);
        continue;
      }
      for (const Contact& made : contacts_.made) {
        const bool is_first = message == std::string("first");
        OnceSample sample{.point = contact_point(made.peer, message),
                          .seconds = is_first ? made.first_seconds : made.second_seconds};
        if (!made.is_good) sample.flags.emplace_back(corrupt_flag);
        add_sample(record, std::move(sample));
      }
    }
  }

  void add_spawned(Record& record, const Spawned& spawned) const {
    OnceSample sample{.point = point_of(spawn_name), .seconds = spawned.seconds};
    sample.point.parameters["spawned"] = std::to_string(options_.spawned);
    if (spawned.obstacle) {
      return add_unmeasured(record, sample.point, PointStatus::skipped, *spawned.obstacle);
    }
    if (!spawned.is_good) sample.flags.emplace_back(corrupt_flag);
    add_sample(record, std::move(sample));
  }

  void expect_finalize(Record& record) const {
    hockney::Point point = point_of(finalize_name);
    const bool has_nodes = job_.sites.front().local_size < point.ranks;
    if (has_nodes) point.parameters["timed"] = "first-node";
    if (is_simulated()) {
      return add_unmeasured(record, point, PointStatus::skipped, "a simulator ends no processes");
    }
    add_unmeasured(record, point, PointStatus::failed,
                   "MPI_Finalize had not returned when this was written");
  }

  MPI_Comm comm_;
  const StartupOptions& options_;
  const LibraryStart& start_;
  std::unique_ptr<TickClock> clock_;
  Contacts contacts_;
  std::vector<double> init_seconds_;  ///< of each rank
  JobPlacement job_;
};

}  // namespace

bool StartupOptions::measures(const std::string& once) const {
  return std::ranges::find(launch.once, once) != launch.once.end();
}

int thread_level_of(const std::string& name) {
  const std::array levels{MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED,
                          MPI_THREAD_MULTIPLE};
  const auto& names = thread_level_names();
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) {
    throw InputError({fmt::format("bad value '{}' for --thread-level", name),
                      "MPI has no such level of threads", suggest(name, names)});
  }
  return levels.at(static_cast<std::size_t>(found - names.begin()));
}

void list_once(std::ostream& out) {
  for (const Once& once : measured_once) {
    out << once.name << "\n    time of:   " << once.summary << '\n';
  }
}

void add_startup_options(CommandLine& app, StartupOptions& options, bool& list) {
  const Program program = program_of_startup();
  app.set_description(program.description);
  app.add_flag("--list", list, "List the operations and the bytes they count");
  add_launch_options(app, program, options.launch);
  add_under(app, "Starting", [&] {
    add_parsed_option(
        app, "--thread-level",
        [&](const std::string& text) {
          thread_level_of(text);
          options.thread_level = text;
        },
        "Level of threads that MPI_Init_thread requests", type_of_choice(thread_level_names()))
        .default_str("none: MPI_Init is called");
    options.held_communicators = usual_held_communicators;
    add_count_option(app, "--held-communicators", options.held_communicators, 0,
                     "Communicators that are held at once, for what they take of a rank's memory; "
                     "0: none")
        .default_str(std::to_string(usual_held_communicators));
    add_count_option(app, "--spawned", options.spawned, 1, "Processes that comm-spawn starts")
        .default_str("1");
  });
  hockney::describe(app, with_operation_options(program.help));
}

std::optional<Record> run_startup(MPI_Comm comm, const StartupOptions& options,
                                  const LibraryStart& start) {
  return StartupLaunch(comm, options, start).run();
}

void add_finalize(Record& record, const std::vector<double>& seconds, int ranks) {
  std::vector<PlannedPoint>& points = record.points.own();
  const auto planned = std::ranges::find(
      points, finalize_name, [](const PlannedPoint& one) { return one.point.operation; });
  if (planned == points.end() || planned->status == PointStatus::skipped || seconds.empty()) return;
  OnceSample sample{
      .point = planned->point, .seconds = std::ranges::max(seconds), .locals_seconds = seconds};
  points.erase(planned);
  if (static_cast<int>(seconds.size()) < ranks) {
    sample.locals_seconds.clear();
    sample.flags.emplace_back("ranks-missing");
  }
  add_sample(record, std::move(sample));
}

}  // namespace hockney::benchmarks::programs
