#include <map>

#include "tests/driver/bad_input.hpp"
#include "tests/support/temporary_folder.hpp"

// The driver against bad input: what `hockney run` and `hockney` itself refuse.
namespace hockney::driver {
namespace {

/// A config with `more` members after those it needs.
std::string config_with(const std::string& more) {
  return R"({"schema": "hockney.campaign/1", "name": "c", "program": "./program")" + more + "}";
}

/// A folder with a good config whose program does nothing.
struct GoodConfig {
  TemporaryFolder folder;
  std::string file = folder.write("config.json", config_with(""));
  std::string program = folder.write_program("program", "#!/bin/sh\n");
};

}  // namespace

TEST_CASE("a truncated machine description is refused in one line") {
  const TemporaryFolder folder;
  const std::string file = folder.write("machine.xml", "<?xml version=\"1.0\"?><topology");
  check_refusal({built("hockney")}, {{"topo", "--xml", file}, "no whole hwloc XML document"});
}

TEST_CASE("a bad config is refused in one line that names the file") {
  const GoodConfig good;
  const std::map<std::string, std::string> bad_configs{
      {"", "cannot be read (parse error at line 1"},
      {R"({"schema": "hockney.campaign/1", "name": "c", "program": "./none"})", "not found"},
      {config_with(R"(, "lanches": 3)"), "did you mean 'launches'?"},
      {config_with(R"(, "ranks": 2, "ranks": 4)"), "key 'ranks' occurs twice"}};
  for (const auto& [document, words] : bad_configs) {
    const std::string file = good.folder.write("bad.json", document);
    check_refusal({built("hockney"), "run", "--dry-run", file}, {mock_launcher(), words});
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
  Arguments again = with({built("hockney"), "run", good.file, "--out", good.folder.path() + "/out"},
                         mock_launcher());
  const CommandResult first = run_command(again);
  CHECK(first.exit_code == run_failed);  // its program writes no record
  CHECK_THAT(first.err, Catch::Contains("no record was written"));
  CHECK_THAT(first.err, Catch::Contains("0 of 8 launches are complete"));
  check_refusal(again, {{}, "holds a campaign already"});
  check_refusal(again, {{"--resume", "--ranks", "3"}, "'ranks' differs"});
}

TEST_CASE("an --out that cannot be made fails the run in one line") {
  const GoodConfig good;
  Arguments command =
      with({built("hockney"), "run", good.file, "--out", good.file}, mock_launcher());
  check_refusal(command, {{}, "(Not a directory)", run_failed});
}

TEST_CASE("a working folder that is gone has words of its own") {
  const GoodConfig good;
  const Arguments run{built("hockney"), "run", good.file, "--dry-run"};
  Arguments nowhere =
      with({"/bin/sh", "-c", "mkdir \"$0\" && cd \"$0\" && rmdir \"$0\" && exec \"$@\"",
            good.folder.path() + "/gone"},
           run);
  check_refusal(nowhere, {mock_launcher(),
                          "the working folder is gone (No such file or directory) change to one",
                          run_failed});
}

#ifdef HOCKNEY_MPIEXEC
TEST_CASE("a folder for temporary files that is gone has words of its own") {
  const TemporaryFolder folder;
  check_refusal({"/usr/bin/env", "-u", "HOME", "TMPDIR=" + folder.path() + "/gone"},
                {{built("hockney"), "run", HOCKNEY_SOURCE_DIR "/configs/rules-openmpi-bcast.json",
                  "--ranks", "2", "--dry-run"},
                 "there is no folder for temporary files (",
                 run_failed});
}
#endif

}  // namespace hockney::driver
