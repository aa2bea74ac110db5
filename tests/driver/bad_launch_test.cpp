

// An MPI executable against bad input: by itself, since options are judged before MPI is
// initialised, and under the launcher.

#ifdef HOCKNEY_MPIEXEC

#include "core/text.hpp"
#include "tests/driver/launched.hpp"

namespace hockney::driver {
namespace {

const std::vector<BadInput> bad_sizes{
    {{"-b", "abc"}, "bad size 'abc' (it is no number of bytes)"},
    {{"-b", "-1"}, "bad size '-1'"},
    {{"-b", ""}, "empty value for --sizes"},
    {{"-b"}, "--sizes needs a value"},
    {{"-b", "1K:"}, "bad size ''"},
    {{"-b", "8,,16"}, "bad size ''"},
    {{"-b", "8 16"}, "bad size '8 16'"},
    {{"-b", "0x10"}, "the unit is none of K, M, G"},
    {{"-b", "4M:1"}, "the range runs downwards"},
    {{"-b", "1:4M:0"}, "a whole number from 1 to 64"},
    {{"-b", "1:4M:x"}, "a whole number from 1 to 64"},
    {{"-b", "1:2:3:4"}, "two ends and at most one step"},
    {{"-b", "3G"}, "use sizes below 2G"},
    {{"-b", "99999999999G"}, "it is too large"},
    {{"-b", "99999999999999999999"}, "it is too large"},
    {{"-b", "8", "-b", "0x10"}, "the unit is none of K, M, G"},  // of two, the last one counts
};

const std::vector<BadInput> bad_choices{
    {{"--operations", "pinpong"}, "did you mean 'pingpong'?"},
    {{"--operations", "pingpong,"}, "unknown operation ''"},
    {{"--datatype", "dubble"}, "did you mean 'double'?"},
    {{"--datatype", "int,"}, "unknown datatype ''"},
    {{"--datatype", ""}, "empty value for --datatype"},
    {{"--operations", "barrier", "--datatype", "int"}, "none of them carries data"},
    {{"--operations", "reduce", "--operator", "summ"}, "did you mean 'sum'?"},
    {{"--operator", "sum"}, "none of them is a reduction"},
    {{"--window", "4"}, "none of them has windows"},
    {{"--cache", "cool"}, "did you mean 'cold'?"},
    {{"--cache", "hot,"}, "unknown cache state ''"},
    {{"--cache", ""}, "empty value for --cache"},
    {{"--operations", "barrier", "--cache", "cold"}, "none of them carries data"},
    {{"--pairs", "some"}, "Valid: representative, all"},
    {{"--pairs", "sparse"}, "write sparse:16"},
    {{"--pairs", "sparse:0"}, "a whole number of at least 1"},
    {{"--pairs", "sparse:3:x"}, "a whole number of at least 0"},
    {{"--pairs", "sparse:3:1:1"}, "write sparse:16"},
    {{"--pairs", "0-1-2"}, "'0-1-2' is no pair of ranks"},
    {{"--pairs", "0-1,"}, "'' is no pair of ranks"},
    {{"--hops", "l4"}, "unknown hop class 'l4'"},
    {{"--hops", "l3,smtt"}, "did you mean 'smt'?"},
    {{"--hops", ""}, "empty value for --hops"},
    {{"--bind", "hop"}, "did you mean 'hops'?"},
    {{"--bind", "0-"}, "no list of CPUs"},
    {{"--bind", "3-1"}, "descends"},
    {{"--bind", "99999"}, "99999 is above 8191"},
    {{"--bind", ""}, "empty value for --bind"},
    {{"--start", "barier"}, "did you mean 'barrier'?"},
    {{"--compat", "ous"}, "did you mean 'osu'?"},
    {{"--compat", "osu,"}, "unknown suite '' for --compat"},
    {{"--compat", ""}, "empty value for --compat"},
    {{"--slow-downs", "5"}, "--slow-downs"},
};

const std::vector<BadInput> bad_numbers{
    {{"--window", "0"}, "bad value '0' for --window"},
    {{"--window", "many"}, "bad value 'many' for --window"},
    {{"--window", ""}, "empty value for --window"},
    {{"--epochs", "0"}, "bad value '0' for --epochs"},
    {{"--epochs", "1.5"}, "bad value '1.5' for --epochs"},
    {{"--epochs", "99999999999"}, "(it is too large) give at most 2147483647"},
    {{"--samples", "0"}, "bad value '0' for --samples"},
    {{"--samples", "-5"}, "bad value '-5' for --samples"},
    {{"--seed", "-1"}, "bad value '-1' for --seed"},
    {{"--seed", "x"}, "bad value 'x' for --seed"},
    {{"--seed", "99999999999999999999999"}, "it is too large"},
    {{"--launch", "0", "--campaign", "c"}, "bad value '0' for --launch"},
    {{"--launch", "x", "--campaign", "c"}, "bad value 'x' for --launch"},
    {{"--launch", "1"}, "without --campaign"},
    {{"--setting", "a"}, "without --campaign"},
    {{"--axes", "a=1"}, "without --campaign"},
    {{"--campaign", "c", "--axes", "a"}, "'a' is no axis with its value"},
    {{"--campaign", "c", "--axes", "a=1,a=2"}, "its axis occurs twice"},
    {{"--budget", "soon"}, "bad duration 'soon'"},
    {{"--budget", "-3s"}, "bad duration '-3s'"},
    {{"--budget", "0"}, "bad value '0' for --budget"},
    {{"--budget", "3s", "--epochs", "2"}, "both --budget and --epochs"},
};

const std::vector<BadInput> bad_words{
    {{"--bugdet", "3s"}, "did you mean '--budget'?"},
    {{"-z"}, "unknown option '-z'"},
    {{"more"}, "unexpected argument 'more'"},
    {{"--json=maybe"}, "it takes none"},
    {{"--output", ""}, "empty value for --output"},
    {{"--campaign", ""}, "empty value for --campaign"},
    {{"--list", "--operations", "pinpong"}, "did you mean 'pingpong'?"},
};

/// The launcher's command before the program, for so many ranks.
Arguments mpiexec(int ranks) { return launched(ranks, "hockney-pingpong"); }

}  // namespace

TEST_CASE("bad sizes are refused in one line") {
  check_refusals({built("hockney-pingpong")}, bad_sizes);
}

TEST_CASE("bad operations, pairs, hops and CPUs are refused in one line") {
  check_refusals({built("hockney-pingpong")}, bad_choices);
}

TEST_CASE("bad numbers and durations are refused in one line") {
  check_refusals({built("hockney-pingpong")}, bad_numbers);
}

TEST_CASE("bad slow-downs are refused in one line") {
  check_refusals({built("hockney-self-test")},
                 {{{"--slow-downs", "0"}, "bad value '0' for --slow-downs"},
                  {{"--slow-downs", "5,x"}, "bad value 'x' for --slow-downs"},
                  {{"--slow-downs", ""}, "empty value for --slow-downs"},
                  {{"--compat", "osu"}, "unknown option '--compat'"}});
}

TEST_CASE("bad numbers of clock checks are refused in one line") {
  check_refusals({built("hockney-self-test")},
                 {{{"--clock-checks", "-1"}, "bad value '-1' for --clock-checks"},
                  {{"--clock-checks", "many"}, "bad value 'many' for --clock-checks"},
                  {{"--clock-checks", "99999999999"}, "(it is too large)"},
                  {{"--clock-checks", ""}, "empty value for --clock-checks"}});
  check_refusal({built("hockney-pingpong")}, {{"--clock-checks", "5"}, "--clock-checks"});
}

TEST_CASE("bad questions to the protocol are refused in one line") {
  check_refusals({built("hockney-protocol")},
                 {{{"--most", "4X"}, "bad size '4X'"},
                  {{"--most", "3G"}, "use less than 2G"},
                  {{"--calls", "sned"}, "did you mean 'send'?"},
                  {{"--calls", "send,"}, "bad value '' for --calls"},
                  {{"--layouts", "stride"}, "did you mean 'strided'?"},
                  {{"--searches", "0"}, "bad value '0' for --searches"},
                  {{"--searches", "2", "--budget", "3s"}, "both --budget and --searches"},
                  {{"--budget", "0"}, "bad value '0' for --budget"},
                  {{"--flood-messages", "-1"}, "bad value '-1' for --flood-messages"},
                  {{"--flood-bytes", "0"}, "use --flood-messages 0 for no floods"},
                  {{"--hops", "l4"}, "unknown hop class 'l4'"},
                  {{"--seed", "x"}, "bad value 'x' for --seed"},
                  {{"--bind", "hop"}, "did you mean 'hops'?"},
                  {{"--sizes", "8"}, "unknown option '--sizes'"},
                  {{"--launch", "1"}, "without --campaign"}});
}

TEST_CASE("bad ways to call collectives are refused in one line") {
  check_refusals({built("hockney-collectives"), "--operations", "gatherv,iallreduce"},
                 {{{"--counts", "zip"}, "did you mean 'zipf'?"},
                  {{"--counts", ""}, "empty value for --counts"},
                  {{"--root", "last"}, "use first, rotating or the number of a rank"},
                  {{"--root", "99999999999"}, "(it is too large)"},
                  {{"--in-place", "maybe"}, "bad value 'maybe' for --in-place"},
                  {{"--cadence", "steaming"}, "did you mean 'streaming'?"},
                  {{"--communicator", "nodes"}, "did you mean 'node'?"},
                  {{"--work", "durin"}, "did you mean 'during'?"},
                  {{"--tests", "-1"}, "bad value '-1' for --tests"}});
  check_refusals({built("hockney-pingpong")},
                 {{{"--counts", "zipf"}, "none of them has a count for each rank"},
                  {{"--root", "1"}, "none of them has a root"},
                  {{"--in-place", "yes"}, "none of them can receive in place"},
                  {{"--cadence", "streaming"}, "none of them is timed call by call"},
                  {{"--communicator", "node"}, "none of them is of all ranks"},
                  {{"--communicator", "across"}, "all of them are between two ranks"},
                  {{"--work", "none"}, "none of them lets work go on beside it"}});
  check_refusals({built("hockney-collectives"), "--operations", "cut"},
                 {{{"--communicator", "node,across"}, "none of them is of all ranks"}});
}

TEST_CASE("unknown options and arguments are refused in one line") {
  check_refusals({built("hockney-pingpong")}, bad_words);
}

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
