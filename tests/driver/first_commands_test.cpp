#include "tests/driver/bad_input.hpp"
#include "tests/support/temporary_folder.hpp"

// What users of OMB, IMB, mpiP and mpirun type first.
namespace hockney::driver {
namespace {

/// Command lines of hockney run that do what was meant, and a part of the launched command.
struct Meant {
  Arguments words;
  std::string launched;
};

const std::vector<Meant> meant{
    {{"osu_latency"}, "--operations pingpong"},
    {{"osu_latency", "osu_bw"}, "--operations pingpong,bandwidth"},
    {{"osu_latency,osu_bw"}, "--operations pingpong,bandwidth"},
    {{"IMB-MPI1", "PingPong", "Allreduce"}, "--operations pingpong,allreduce"},
    {{"MPI_Allreduce", "--ranks", "4"}, "-n 4"},
    {{"Allreduce", "--sizes", "8:1K"}, "--sizes 8:1K"},
};

}  // namespace

TEST_CASE("the names of other suites are measured from any folder") {
  const TemporaryFolder folder;
  for (const Meant& one : meant) {
    Arguments command{"/usr/bin/env", "-C", folder.path(), built("hockney"), "run"};
    command.insert(command.end(), one.words.begin(), one.words.end());
    command.emplace_back("--dry-run");
    const CommandResult result = run_command(command);
    INFO(one.launched << "\n" << result.err);
    CHECK(result.exit_code == 0);
    CHECK_THAT(result.out, Catch::Contains(one.launched));
  }
}

TEST_CASE("a command without results names the newest campaign of this folder") {
  const TemporaryFolder folder;
  for (const std::string name : {"before", "after"}) {
    std::filesystem::create_directories(folder.path() + "/results/" + name);
    folder.write("results/" + name + "/manifest.json", "{}");
  }
  const auto now = std::filesystem::file_time_type::clock::now();
  std::filesystem::last_write_time(folder.path() + "/results/before/manifest.json",
                                   now - std::chrono::hours(1));
  const CommandResult result =
      run_command({"/usr/bin/env", "-C", folder.path(), built("hockney"), "report"});
  CHECK_THAT(result.err, Catch::EndsWith("hockney report results/after\n"));
}

TEST_CASE("hockney run below mpirun names the number of ranks") {
  const CommandResult result =
      run_command({"/usr/bin/env", "OMPI_COMM_WORLD_RANK=0", "OMPI_COMM_WORLD_SIZE=2",
                   built("hockney"), "run", "allreduce"});
  CHECK(result.exit_code == bad_input);
  CHECK_THAT(result.err, Catch::Contains("2 ranks started hockney") &&
                             Catch::EndsWith("hockney run allreduce --ranks 2\n"));
}

}  // namespace hockney::driver
