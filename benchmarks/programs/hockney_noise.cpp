// hockney-noise: where the spread of times comes from: what interrupts a core, what cores share,
// and where pages are. What the network adds: victim and cut of hockney-collectives.

#include <mpi.h>

#include <algorithm>
#include <optional>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/noise.hpp"
#include "benchmarks/programs/launch/program.hpp"

namespace hockney::benchmarks::programs {
namespace {

/// Collective.
void add_noise(const LaunchOptions& options, std::optional<Record>& record) {
  const bool is_recorded = std::ranges::any_of(options.operations, [](const std::string& name) {
    return find_operation(name).descriptor.records_noise;
  });
  if (!is_recorded || is_simulated()) return;
  std::vector<CoreNoise> noise =
      record_noise(MPI_COMM_WORLD, options.recording.value_or(usual_recording).value);
  if (record) record->noise = std::move(noise);
}

}  // namespace
}  // namespace hockney::benchmarks::programs

int main(int argc, char** argv) {
  using namespace hockney::benchmarks::programs;
  return run_program(
      {.name = "hockney-noise",
       .procedure = "noise",
       .description = "Where the spread of times comes from: interruptions of cores, what cores "
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
                .common = {"--recording", "--neighbours", "--pages", "--communicator"}}},
      argc, argv);
}
