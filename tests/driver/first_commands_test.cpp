#include "tests/driver/bad_input.hpp"
#include "tests/support/temporary_folder.hpp"

// What users of OMB, IMB, mpiP and mpirun type first.
namespace hockney::driver {
namespace {

const std::vector<BadInput> refused{
    {{"list"}, "hockney run --list"},
    {{"--list"}, "hockney run --list"},
    {{"bench"}, "hockney run allreduce"},
    {{"osu"}, "hockney run osu_latency"},
    {{"osu_latency"}, "hockney run osu_latency"},
    {{"allreduce"}, "hockney run allreduce"},
    {{"profil", "./x"}, "did you mean 'profile'?"},
    {{"mpip", "./x"}, "hockney profile -- mpirun -n 4 ./app"},
    {{"mpiP", "./x"}, "hockney profile -- mpirun -n 4 ./app"},
    {{"profile", "-n", "4", "./x"}, "hockney profile -- mpirun -n 4 ./app"},
    {{"where", "-np", "4", "./x"}, "hockney profile -- mpirun -n 4 ./app"},
    {{"mpirun", "-n", "4", "./x"}, "hockney profile -- mpirun -n 4 ./app"},
    {{"-np", "4", "allreduce"}, "hockney run allreduce --ranks 4"},
    {{"show", "results"}, "hockney report"},
    {{"version"}, "hockney --version"},
    {{"-v"}, "hockney --version"},
    {{"frobnicate"}, "hockney --help"},
    {{"run", "osu_latncy"}, "did you mean 'latency'?"},
    {{"run", "osu_bww"}, "did you mean 'bw'?"},
    {{"run", "bcst"}, "did you mean 'bcast'?"},
    {{"run", "all"}, "--list shows"},
    {{"run", "collectives"}, "hockney run allreduce bcast alltoall"},
    {{"run", "osu_latency", "D", "D"}, "--memory cuda"},
    {{"run", "IMB-MPI1"}, "hockney run IMB-MPI1 Allreduce"},
    {{"run", "IMB-MPI1", "PingPong", "-msglog", "3:10"}, "--sizes 8:1K"},
    {{"run", "IMB-MPI1", "-npmin", "2", "Allreduce"}, "--ranks 4"},
    {{"run", "latency", "-m", "8:1024"}, "--sizes 8:1K"},
    {{"run", "osu_bw", "-i", "100"}, "--budget 30s"},
    {{"run", "osu_bw", "-x", "10"}, "warms up"},
    {{"run", "osu_bw", "-W", "64"}, "hockney run bw -- --window 64"},
    {{"run", "-np", "4", "allreduce"}, "--ranks 4"},
    {{"run", "pingpong", "-n", "2"}, "--ranks 4"},
    {{"run", "pingpong", "-hostfile", "hosts"}, "salloc"},
    {{"run", "pingpong", "--mca", "btl", "tcp,self"}, "OMPI_MCA_btl=self,tcp"},
    {{"run", "pingpong", "-x", "UCX_TLS=tcp"}, "--vary UCX_TLS=default,tcp"},
    {{"run", "mpirun", "osu_latency"}, "hockney run osu_latency --ranks 2"},
    {{"run", "quick", "--json=x.json"}, "--json > x"},
    {{"report"}, "such as hockney report results/x"},
    {{"fit"}, "such as hockney fit results/x"},
    {{"compare"}, "such as hockney compare"},
    {{"import"}, "such as hockney import"},
};

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

TEST_CASE("the first commands of users of other tools are answered by one useful line") {
  const TemporaryFolder folder;
  for (const BadInput& bad : refused) {
    Arguments command{"/usr/bin/env", "-C", folder.path(), built("hockney")};
    command.insert(command.end(), bad.arguments.begin(), bad.arguments.end());
    BadInput named = bad;  // commands are printed as hockney was called
    for (std::size_t at = 0; (at = named.words.find("hockney ", at)) != std::string::npos;) {
      named.words.replace(at, 7, built("hockney"));
      at += built("hockney").size();
    }
    check_refused(command, named, run_command(command));
  }
}

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
