

// An MPI executable against bad input: by itself, since options are judged before MPI is
// initialised, and under the launcher.

#ifdef HOCKNEY_MPIEXEC

#include "core/text.hpp"
#include "tests/driver/launched.hpp"

namespace hockney::driver {
namespace {

/// The launcher's command before the program, for so many ranks.
Arguments mpiexec(int ranks) { return launched(ranks, "hockney-pingpong"); }

}  // namespace

#ifdef HOCKNEY_OPEN_MPI
TEST_CASE(
    "ranks of a foreign launcher are refused by one of them, one rank in an allocation is not") {
  const auto alone = [](const Arguments& variables) {
    Arguments command{"/usr/bin/env"};
    for (const std::string& word : split(HOCKNEY_MPI_ENVIRONMENT, '|')) command.push_back(word);
    command.insert(command.end(), variables.begin(), variables.end());
    command.insert(command.end(), {built("hockney-settings"), "btl_self_eager_limit"});
    return run_command(command);
  };
  const CommandResult hydra = alone({"PMI_RANK=0", "PMI_SIZE=3"});
  CHECK(hydra.exit_code == bad_input);
  CHECK(hydra.out.empty());
  CHECK_THAT(hydra.err,
             Catch::StartsWith("started as 3 jobs of one rank, not one of 3 (the launcher "
                               "is that of MPICH or Intel MPI, and the program is linked "
                               "with Open MPI v") &&
                 Catch::Contains(") use mpirun.openmpi, or"));
  const CommandResult other = alone({"PMI_RANK=1", "PMI_SIZE=3"});
  CHECK(other.exit_code == 0);
  CHECK((other.out + other.err).empty());
  CHECK_THAT(alone({"SLURM_PROCID=0", "SLURM_STEP_NUM_TASKS=4"}).err,
             Catch::Contains("that of Slurm") && Catch::Contains("use srun --mpi=pmix"));
  // The shell of salloc, a batch script, and a launcher of its own within another one.
  for (const Arguments& legitimate :
       {Arguments{"SLURM_NTASKS=4"}, Arguments{"SLURM_NTASKS=4", "SLURM_PROCID=0"},
        Arguments{"OMPI_COMM_WORLD_RANK=0", "OMPI_COMM_WORLD_SIZE=1", "PMI_RANK=0",
                  "PMI_SIZE=3"}}) {
    CAPTURE(legitimate);
    CHECK(alone(legitimate).exit_code == 0);
  }
}
#endif

namespace {

/// The message is there once, and whole.
void check_one_prints(const CommandResult& result, const BadInput& bad) {
  INFO(bad.words << "\nstdout: " << result.out << "\nstderr: " << result.err);
  CHECK_FALSE(result.timed_out);
  CHECK(result.exit_code == bad.exit_code);
  const std::size_t first = result.err.find(bad.words);
  REQUIRE(first != std::string::npos);
  CHECK(result.err.find(bad.words, first + 1) == std::string::npos);
  CHECK(is_message(result.err.substr(first, result.err.find('\n', first) - first)));
}

}  // namespace

TEST_CASE("under a launcher one rank speaks for all") {
  struct BadLaunch {
    int ranks;
    BadInput input;
  };
  const std::vector<BadLaunch> table{
      {1, {{}, "one rank cannot communicate (pingpong needs at least two) start with"}},
      {1, {{"--operations", "bcast", "--root", "1"}, "--root 1 of 1 ranks"}},
      {2, {{"-b", "abc"}, "bad size 'abc' (it is no number of bytes)"}},
      {2, {{"--bind", "0"}, "1 CPUs are listed for 2 ranks"}},
      {2, {{"--hops", "cross-node"}, "no pair of ranks is of a wanted hop class"}},
      {2, {{"-b", "8", "--output", "/no/such/r.json"}, "cannot write '/no/such/r.json", 3}},
  };
  std::vector<Arguments> commands;
  for (const auto& [ranks, bad] : table) {
    commands.push_back(mpiexec(ranks));
    Arguments& command = commands.back();
    command.insert(command.end(), bad.arguments.begin(), bad.arguments.end());
  }
  const std::vector<CommandResult> results = run_together(commands, launches_at_a_time);
  for (std::size_t i = 0; i < table.size(); ++i) {
    check_one_prints(results[i], table[i].input);
  }
}

}  // namespace hockney::driver

#endif
