#include "tests/driver/bad_input.hpp"
#include "tests/support/temporary_folder.hpp"

// The driver against bad input: what `hockney run` and `hockney` itself refuse.
namespace hockney::driver {
namespace {

/// A config with `more` members after those it needs.
std::string config_with(const std::string& more) {
  return R"({"schema": "hockney.campaign/1", "name": "c", "program": "./program")" + more + "}";
}

struct BadConfig {
  std::string document;
  std::string words;
};

const std::vector<BadConfig> bad_configs{
    {"", "cannot be read (parse error at line 1"},
    {R"({"schema": "hockney.campaign/1", "na)", "is the file whole?"},
    {"[]", "is not an object (it is array)"},
    {R"({"name": "c", "program": "./program"})", "key 'schema' is missing"},
    {R"({"schema": "hockney.campaign/7"})", "(this program reads 'hockney.campaign/1')"},
    {R"({"schema": "hockney.campaign/1", "name": "c"})", "key 'program' is missing"},
    {R"({"schema": "hockney.campaign/1", "name": null, "program": "p"})", "'name' is not a text"},
    {R"({"schema": "hockney.campaign/1", "name": "../c", "program": "p"})", "is not plain"},
    {R"({"schema": "hockney.campaign/1", "name": "c", "program": "./none"})", "not found"},
    {config_with(R"(, "lanches": 3)"), "did you mean 'launches'?"},
    {config_with(R"(, "ranks": 2, "ranks": 4)"), "key 'ranks' occurs twice"},
    {config_with(R"(, "launches": "many")"), "'launches' is not a whole number (it is string)"},
    {config_with(R"(, "launches": 0)"), "launches is 0 (it must lie between 1 and 10000)"},
    {config_with(R"(, "ranks": 2.5)"), "'ranks' is not a whole number"},
    {config_with(R"(, "ranks": "hop")"), "neither a number nor \"hops\""},
    {config_with(R"(, "ranks": 99999999999999999999)"), "'ranks' is not a whole number"},
    {config_with(R"(, "budget_seconds": -1)"), "the budget is not positive"},
    {config_with(R"(, "launch_timeout_seconds": 0)"), "launch_timeout_seconds is not positive"},
    {config_with(R"(, "settings": [])"), "'settings' is empty"},
    {config_with(R"(, "settings": [{"name": "a"}, {"name": "a"}])"), "'a' occurs twice"},
    {config_with(R"(, "settings": [{"nam": "a"}])"), "did you mean 'name'?"},
    {config_with(R"(, "settings": [{"name": "a", "environment": {"A=": "1"}}])"),
     "no environment variable"},
    {config_with(R"(, "arguments": ["--output", "x"])"), "'--output' cannot be given"},
    {config_with(R"(, "launcher": {"dialect": "opnmpi"})"), "did you mean 'openmpi'?"},
};

const std::vector<BadInput> bad_commands{
    {{"rnu"}, "did you mean 'run'?"},
    {{"--verison"}, "did you mean '--version'?"},
    {{"run"}, "no config named"},
    {{"run", "--resume", "--out", "/no/such"}, "no campaign in '/no/such'"},
    {{"run", "--resume", "--out", "/no/such", "--vary", "A=1,2"}, "its settings stay as they are"},
    {{"run", "hopps"}, "did you mean 'hops'?"},
    {{"run", "hops", "--vary", "OMPI_MCA_btl"}, "it names nothing that varies"},
    {{"run", "hops", "--vary", "OMPI_MCA_btl=self"}, "nothing to compare the one value with"},
    {{"run", "hops", "--vary", "ranks=two,4"}, "'two' is no number of ranks"},
    {{"run", "osu_latency", "--sizes", "8:x"}, "bad size 'x'"},
    {{"run", HOCKNEY_SOURCE_DIR "/tests/configs/starts.json", "--vary", "ranks=2,4"},
     "settings of its own"},
    {{"report", "x", "--all", "-q"}, "excludes"},
    {{"run", "/no/such/config.json"}, "No such file or directory"},
    {{"run", ""}, "no config named"},
    {{"topo", "--xml", "/no/such.xml"}, "No such file or directory"},
    {{"topo", "--synthetic", ""}, "empty value for --synthetic"},
    {{"topo", "--synthetic", "core:x"}, "describes no machine"},
    {{"topo", "--synthetic", "core:99999999999"}, "describes no machine"},
    {{"topo", "--synthetic", "pu:2", "--xml", "x.xml"}, "excludes"},
    {{"topo", "--ranks", "0"}, "cannot place 0 ranks"},
    {{"topo", "--ranks", "5000000"}, "cannot place 5000000 ranks"},
};

const std::vector<BadInput> bad_run_options{
    {{"--ranks", "0"}, "ranks is 0 (it must lie between 1 and 1000000)"},
    {{"--ranks", "-1"}, "ranks is -1"},
    {{"--ranks", "2000000"}, "ranks is 2000000"},
    {{"--ranks", "99999999999"}, "bad number of ranks '99999999999'"},
    {{"--ranks", "two"}, "write 2, or hops"},
    {{"--ranks", ""}, "empty value for --ranks"},
    {{"--launches", "0"}, "bad value '0' for --launches"},
    {{"--launches", "-3"}, "bad value '-3' for --launches"},
    {{"--launches", "99999999999"}, "(it is too large) give at most 2147483647"},
    {{"--launches", "20000"}, "launches is 20000"},
    {{"--precision", "5 %"}, "bad value '5 %' for --precision"},
    {{"--precision", "0"}, "bad value '0' for --precision"},
    {{"--precision", "100%"}, "bad value '100%' for --precision"},
    {{"--precision", "5%", "--launches", "9"}, "both 'launches' and 'precision'"},
    {{"--max-launches", "9", "--launches", "9"}, "both 'launches' and 'max_launches'"},
    {{"--max-launches", "0"}, "bad value '0' for --max-launches"},
    {{"--budget", "soon"}, "write it like 60, 90s"},
    {{"--budget", "-60s"}, "bad duration '-60s'"},
    {{"--budget", "0"}, "the budget is not positive"},
    {{"--budget", "inf"}, "bad duration 'inf'"},
    {{"--seed", "x"}, "bad value 'x' for --seed"},
    {{"--seed", "-1"}, "bad value '-1' for --seed"},
    {{"--launcher", "opnmpi"}, "did you mean 'openmpi'?"},
    {{"--launcher-command", "/no/such/mpirun"}, "launcher '/no/such/mpirun' not found"},
    {{"--resume"}, "--resume without --out"},
    {{"--lanches", "3"}, "did you mean '--launches'?"},
    {{"--launches"}, "needs a value"},
    {{"--launches", "3", "--launches", "4"}, "--launches"},
    {{"--", "--seed", "3"}, "argument '--seed' cannot be given"},
};

/// A folder with a good config whose program does nothing.
struct GoodConfig {
  TemporaryFolder folder;
  std::string file = folder.write("config.json", config_with(""));
  std::string program = folder.write_program("program", "#!/bin/sh\n");
};

}  // namespace

TEST_CASE("the driver refuses a bad command line in one line") {
  check_refusals({built("hockney")}, bad_commands);
}

TEST_CASE("a truncated machine description is refused in one line") {
  const TemporaryFolder folder;
  const std::string file = folder.write("machine.xml", "<?xml version=\"1.0\"?><topology");
  check_refusal({built("hockney")}, {{"topo", "--xml", file}, "no whole hwloc XML document"});
}

TEST_CASE("a bad config is refused in one line that names the file") {
  const GoodConfig good;
  for (const BadConfig& bad : bad_configs) {
    const std::string file = good.folder.write("bad.json", bad.document);
    check_refusal({built("hockney"), "run", "--dry-run", file}, {mock_launcher(), bad.words});
  }
}

TEST_CASE("bad options of hockney run are refused in one line") {
  const GoodConfig good;
  for (const BadInput& bad : bad_run_options) {
    // The last one of an option is not allowed, so the mock launcher must not be named twice.
    const bool own_launcher = bad.arguments.front().starts_with("--launcher");
    Arguments command{built("hockney"), "run", good.file, "--dry-run"};
    if (!own_launcher) {
      const Arguments launcher = mock_launcher();
      command.insert(command.end(), launcher.begin(), launcher.end());
    }
    if (bad.arguments.front() == "--launcher-command") {
      command.insert(command.end(), {"--launcher", "openmpi"});
    }
    check_refusal(command, bad);
  }
}

TEST_CASE("a launcher cannot be told for a program without MPI") {
  const GoodConfig good;
  const std::string config = good.folder.write(
      "true.json", R"({"schema": "hockney.campaign/1", "name": "c", "program": "/bin/true"})");
  check_refusal({built("hockney")}, {{"run", config, "--dry-run"}, "unknown launcher of"});
}

TEST_CASE("a folder that holds a campaign already is not used again") {
  const GoodConfig good;
  Arguments again{built("hockney"), "run", good.file, "--out", good.folder.path() + "/out"};
  for (const std::string& word : mock_launcher()) again.push_back(word);
  const CommandResult first = run_command(again);
  CHECK(first.exit_code == run_failed);  // its program writes no record
  CHECK_THAT(first.err, Catch::Contains("no record was written"));
  CHECK_THAT(first.err, Catch::Contains("0 of 8 launches are complete"));
  check_refusal(again, {{}, "holds a campaign already"});
  check_refusal(again, {{"--resume", "--ranks", "3"}, "'ranks' differs"});
}

TEST_CASE("an --out that cannot be made fails the run in one line") {
  const GoodConfig good;
  Arguments command{built("hockney"), "run", good.file, "--out", good.file};
  for (const std::string& word : mock_launcher()) command.push_back(word);
  check_refusal(command, {{}, "(Not a directory)", run_failed});
}

TEST_CASE("a working folder that is gone has words of its own") {
  const GoodConfig good;
  const Arguments run{built("hockney"), "run", good.file, "--dry-run"};
  Arguments nowhere{"/bin/sh", "-c", "mkdir \"$0\" && cd \"$0\" && rmdir \"$0\" && exec \"$@\"",
                    good.folder.path() + "/gone"};
  nowhere.insert(nowhere.end(), run.begin(), run.end());
  check_refusal(nowhere, {mock_launcher(),
                          "the working folder is gone (No such file or directory) change to one",
                          run_failed});
}

#ifdef HOCKNEY_MPIEXEC
TEST_CASE("a folder for temporary files that is gone has words of its own") {
  const TemporaryFolder folder;
  check_refusal({"/usr/bin/env", "-u", "HOME", "TMPDIR=" + folder.path() + "/gone"},
                {{built("hockney"), "run", HOCKNEY_SOURCE_DIR "/configs/hops.json", "--ranks", "2",
                  "--dry-run"},
                 "there is no folder for temporary files (",
                 run_failed});
}
#endif

}  // namespace hockney::driver
