#include "benchmarks/programs/programs.hpp"

#include <mpi.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/rank_work.hpp"
#include "benchmarks/programs/algorithms/verification.hpp"
#include "benchmarks/programs/kernels/kernel_program.hpp"
#include "benchmarks/programs/launch/options.hpp"
#include "benchmarks/programs/launch/program.hpp"
#include "benchmarks/programs/protocol/protocol_launch.hpp"
#include "benchmarks/programs/startup/startup_launch.hpp"

namespace hockney::benchmarks::programs {
namespace {

/// Records interruptions of cores in the record of rank 0. Collective.
void add_noise(const LaunchOptions& options, std::optional<Record>& record) {
  const bool is_recorded = std::ranges::any_of(options.operations, [](const std::string& name) {
    return find_operation(name).descriptor.records_noise;
  });
  if (!is_recorded || is_simulated()) return;
  std::vector<CoreNoise> noise =
      record_noise(MPI_COMM_WORLD, options.recording.value_or(usual_recording).value);
  if (record) record->noise = std::move(noise);
}

Program collectives() {
  return {.procedure = "collectives",
          .description = "Measure collective operations over all ranks",
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
          .description = "Measure one-sided operations on windows, and their path",
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
      .description =
          "Measure messages and collectives of several threads of each rank at the same time",
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
          "Measure messages inside a node: the path of each size, and the floor without MPI",
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
      .description = "Measure noise: interruptions of cores, shared cores, memory pages",
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
      .description = "Measure both sides of performance guidelines, for 'hockney guidelines'",
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
          "Measure the same operations under two names and with planted delays, for 'hockney "
          "self-test'",
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

}  // namespace

std::vector<NamedProgram> programs() {
  return {
      pingpong_program(),     measuring(collectives()),
      measuring(one_sided()), measuring(threads()),
      io_program(),           startup_program(),
      measuring(paths()),     protocol_program(),
      measuring(noise()),     halo_program(),
      cannon_program(),       measuring(guidelines_program()),
      measuring(self_test()), algorithms_program(),
      settings_program(),
  };
}

}  // namespace hockney::benchmarks::programs
