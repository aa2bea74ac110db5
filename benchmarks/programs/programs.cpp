#include "benchmarks/programs/programs.hpp"

#include <mpi.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/noise.hpp"
#include "benchmarks/programs/algorithms/verification_plan.hpp"
#include "benchmarks/programs/kernels/kernel_program.hpp"
#include "benchmarks/programs/protocol/protocol_launch.hpp"
#include "benchmarks/programs/startup/startup_options.hpp"
#include "core/cli/cli11.hpp"
#include "core/cli/command_line.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace hockney::benchmarks::programs {
namespace {

/// A program that differs from others of its kind by its defaults alone.
NamedProgram measuring(Program program) {
  std::string name = program.procedure;
  std::string description = program.description;
  return {.name = std::move(name),
          .description = std::move(description),
          .run = [program = std::move(program)](int argc, char** argv) {
            return run_program(program, argc, argv);
          }};
}

/// Records what interrupts cores, in the record of rank 0. Collective.
void add_noise(const LaunchOptions& options, std::optional<Record>& record) {
  const bool is_recorded = std::ranges::any_of(options.operations, [](const std::string& name) {
    return find_operation(name).descriptor.records_noise;
  });
  if (!is_recorded || is_simulated()) return;
  std::vector<CoreNoise> noise =
      record_noise(MPI_COMM_WORLD, options.recording.value_or(usual_recording).value);
  if (record) record->noise = std::move(noise);
}

Program pingpong() {
  return {
      .procedure = "pingpong",
      .description = "Latency and bandwidth between ranks by hop distance",
      .operations = "pingpong",
      .help = {
          .examples =
              {{"mpirun -n 2 hockney-pingpong", "latency and bandwidth at sizes up to 4M"},
               {"mpirun -n 2 hockney-pingpong --operations bandwidth --sizes 64K:4M --window 16",
                "windows"},
               {"mpirun -n 4 hockney-pingpong --pairs all --sizes 8 --budget 10s -o record.json",
                "every pair"}},
          .common = {"--window", "--pairs", "--hops"}}};
}

Program collectives() {
  return {.procedure = "collectives",
          .description = "Time of collective operations over all ranks",
          .operations = "bcast,reduce,allreduce,barrier",
          .help = {.examples = {{"mpirun -n 4 hockney-collectives",
                                 "broadcast, reduce, allreduce and barrier"},
                                {"mpirun -n 4 hockney-collectives --operations alltoallv --counts "
                                 "zipf --sizes 8:64K",
                                 "irregular"},
                                {"mpirun -n 2 hockney-collectives --operations iallreduce --work "
                                 "during --sizes 64K",
                                 "overlap"}},
                   .common = {"--datatype", "--counts", "--root", "--communicator", "--work"}}};
}

Program one_sided() {
  return {.procedure = "rma",
          .description = "Time of one-sided operations on memory in windows, and which way they go",
          .operations = "put,get",
          .sizes = "8:4M",
          .proves_paths = true,
          .help = {.examples = {{"mpirun -n 2 hockney-rma",
                                 "put and get, complete at origin and target"},
                                {"mpirun -n 2 hockney-rma --window-kind all --synchronisation "
                                 "fence,lock",
                                 "kinds of both"},
                                {"mpirun -n 2 hockney-rma --operations put --work all",
                                 "does it wait for a target that computes?"}},
                   .common = {"--window-kind", "--synchronisation", "--completion", "--work"}}};
}

Program threads() {
  return {
      .procedure = "threads",
      .description = "Messages and collectives of several threads of each rank at the same time",
      .operations = "threaded-pingpong,threaded-message-rate",
      .sizes = "8:1M",
      .is_threaded = true,
      .help = {
          .examples = {{"mpirun -n 2 hockney-threads --threads 1,2,4", "latency and message rate"},
                       {"mpirun -n 4 hockney-threads --same-cores --sizes 8,64K",
                        "are threads slower than ranks?"},
                       {"mpirun -n 2 hockney-threads --operations threaded-allreduce --sizes "
                        "8",
                        "collectives of threads"}},
          .common = {"--threads", "--communicators", "--same-cores", "--window"}}};
}

Program paths() {
  return {
      .procedure = "paths",
      .description =
          "Which way messages go inside a node, proven, beside what the node can do "
          "without MPI",
      .operations = "pingpong,floor-cacheline,floor-memcpy,floor-process-vm",
      .sizes = "1:4M",
      .proves_paths = true,
      .help = {
          .examples = {{"mpirun -n 2 hockney-paths", "which way messages go, beside the floors"},
                       {"mpirun -n 2 hockney-paths --sizes 64K:4M --budget 10s", "large messages"},
                       {"mpirun -n 2 hockney-paths --expect-path cma --expect-from 128K",
                        "exit code 1 if another way"}},
          .common = {"--expect-path", "--expect-from", "--hops"}}};
}

Program noise() {
  return {
      .procedure = "noise",
      .description =
          "Where the spread of times comes from: interruptions of cores, what cores "
          "share, where pages are",
      .operations = "fixed-work,neighbour-work,page-touch",
      .sizes = "32K,1M,16M",
      .measures_noise = true,
      .add = add_noise,
      .help = {.examples = {{"mpirun -n 2 hockney-noise", "all three causes"},
                            {"mpirun -n 2 hockney-noise --operations fixed-work --recording 10s",
                             "what interrupts cores"},
                            {"mpirun -n 2 hockney-noise --operations neighbour-work --sizes 0,1M",
                             "beside busy neighbours"}},
               .common = {"--recording", "--neighbours", "--pages", "--communicator"}}};
}

Program guidelines_program() {
  return {
      .procedure = "guidelines",
      .description =
          "Both sides of performance guidelines, for 'hockney guidelines': calls beside "
          "what does the same work by other calls",
      .operations = "all",
      .sizes = "1,8,1K,32K,256K,1M",
      .holds_to_guidelines = true,
      .help = {.examples = {{"mpirun -n 4 hockney-guidelines -o guidelines.json",
                             "one launch; campaigns need several"},
                            {"mpirun -n 2 hockney-guidelines --operations bcast --sizes 8,1K",
                             "the guidelines of one call"},
                            {"mpirun -n 2 hockney-guidelines --itself --operations bcast --sizes 8",
                             "a call against itself"}},
               .common = {"--guidelines", "--itself"}}};
}

Program self_test() {
  return {
      .procedure = "self-test",
      .description =
          "The same operations under two names and with planted slow-downs, for "
          "'hockney self-test'",
      .operations = "pingpong,bcast,allreduce",
      .sizes = "8:512K",
      .slow_downs = "5,10,20",
      .clock_checks = 25,
      .help = {
          .examples = {{"mpirun -n 2 hockney-self-test",
                        "one launch of what hockney self-test runs"},
                       {"mpirun -n 2 hockney-self-test --operations pingpong --sizes 8 --budget 5s",
                        "a short one"},
                       {"mpirun -n 2 hockney-self-test --slow-downs 2,10 --sizes 8",
                        "other slow-downs"}},
          .common = {"--slow-downs", "--clock-checks"}}};
}

/// nullptr where none is called so.
const NamedProgram* find(std::span<const NamedProgram> programs, const std::string& name) {
  const auto found = std::ranges::find(programs, name, &NamedProgram::name);
  return found == programs.end() ? nullptr : &*found;
}

Message no_program(std::span<const NamedProgram> programs, const std::string& called,
                   const std::string& word) {
  const std::string help = called + " --help";
  if (word.empty()) {
    return {"no program is named", called + " has " + std::to_string(programs.size()) + " of them",
            "name one, such as " + called + " " + programs.front().name + "; see " + help};
  }
  return {"unknown program '" + word + "'", called + " has none of this name",
          suggest(word, strings_of(programs, &NamedProgram::name), help)};
}

/// Its help lists the programs, and any other command line is refused.
int run_without_program(std::span<const NamedProgram> programs, int argc, char** argv) {
  const std::string called = argc > 0 ? std::filesystem::path(argv[0]).filename().string() : "";
  CLI::App app("The MPI programs of hockney, each of which is called by its link, too");
  hockney::describe(app,
                    {.examples = {{"mpirun -n 2 hockney-mpi pingpong --sizes 8",
                                   "as mpirun -n 2 hockney-pingpong --sizes 8"},
                                  {"hockney-mpi collectives --list", "the operations of a program"},
                                  {"hockney-mpi pingpong --help", "its options"}}});
  for (const NamedProgram& program : programs) {
    app.add_subcommand(program.name, program.description)->group("Programs");
  }
  const bool has_word = argc > 1 && argv[1][0] != '-' && !is_asked_to_complete();
  const auto refuse = [&]() -> bool {
    throw InputError(no_program(programs, called, has_word ? argv[1] : ""));
  };
  return run_mpi_program(app, {.prepare = refuse, .run = [] { return ExitCode::bad_input; }},
                         has_word ? 1 : argc, argv);
}

}  // namespace

std::vector<NamedProgram> programs() {
  return {
      measuring(pingpong()),  measuring(collectives()),
      measuring(one_sided()), measuring(threads()),
      io_program(),           startup_program(),
      measuring(paths()),     protocol_program(),
      measuring(noise()),     halo_program(),
      cannon_program(),       measuring(guidelines_program()),
      measuring(self_test()), algorithms_program(),
      settings_program(),
  };
}

int run_chosen(std::span<const NamedProgram> programs, int argc, char** argv) {
  constexpr std::string_view prefix = "hockney-";
  const std::string called = argc > 0 ? std::filesystem::path(argv[0]).filename().string() : "";
  if (called.starts_with(prefix)) {
    if (const auto* program = find(programs, called.substr(prefix.size()))) {
      return program->run(argc, argv);
    }
  }
  const bool is_unfinished = is_asked_to_complete() && argc == 2;
  const auto* program = argc > 1 && !is_unfinished ? find(programs, argv[1]) : nullptr;
  if (program == nullptr) return run_without_program(programs, argc, argv);
  std::string name = called + " " + program->name;  // for the line of usage
  argv[1] = name.data();
  return program->run(argc - 1, argv + 1);
}

}  // namespace hockney::benchmarks::programs
