#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "driver/imports/marks.hpp"
#include "driver/imports/suite_run.hpp"

// Settings of runs by the text around them: logs of one and of several files.
namespace hockney::imports {
namespace {

using Names = std::vector<std::string>;

std::string latency_table(int run) {
  return "# OSU MPI Latency Test v7.4\n# Size          Latency (us)\n8    0." +
         std::to_string(100 + run) + "\n16   0." + std::to_string(200 + run) + "\n";
}

struct Named {
  std::string file;
  std::string text;
};

RunSettings settings_of_files(const std::vector<Named>& files) {
  std::vector<FoundRun> runs;
  for (const auto& [file, text] : files) {
    for (SuiteRun& run : read_osu({file, text}, {})) runs.push_back({std::move(run), file});
  }
  return settings_of(runs, "osu", true);
}

/// The settings of runs behind these lines in one log.
Names settings_behind(const Names& lines) {
  std::string log;
  int run = 0;
  for (const std::string& line : lines) log += line + "\n" + latency_table(++run);
  return settings_of_files({{"sweep.log", log}}).names;
}

TEST_CASE("lines before tables that only count or date are of one setting") {
  for (const Names& lines : std::vector<Names>{
           {"1", "2", "3"},
           {"== 1 ==", "== 2 ==", "== 3 =="},
           {"Run 1 of 3 at 10:01:11", "Run 2 of 3 at 10:02:11", "Run 3 of 3 at 10:03:12"},
           {"iteration=1", "iteration=2"},
           {"Sat Nov 28 21:58:07 CET 2026", "Sun Nov 29 21:58:07 CET 2026"},
           {"2026-11-28 21:58:07", "2026-11-29 21:58:09"},
           {"JOBID=17 \nstart 1764367001", "JOBID=18\nstart 1764367002"},
           {"+ mpirun -np 2 ./osu_latency", "real\t0m5.711s\n+ mpirun -np 2 ./osu_latency"},
           {"starting\n+ srun -n2 osu_latency", "+ srun -n2 osu_latency"},
           {"[n1:77] WARNING: of 12", "[n1:78] WARNING: of 13"},
           {"Job ID: 41\nDir: /scratch/joe/job_41", "Job ID: 42\nDir: /scratch/joe/job_42"},
           {"Loading openmpi/4.1.5\nRun 1\nNodes used: n1 n2", "Run 2", "Run 3"}}) {
    INFO(lines.front());
    CHECK(settings_behind(lines) == Names(lines.size(), "osu"));
  }
}

TEST_CASE("lines before tables that differ in anything else name the settings") {
  using Case = std::pair<Names, Names>;
  for (const auto& [lines, names] : std::vector<Case>{
           {{"== UCX_TLS=rc ==", "== UCX_TLS=ud =="}, {"osu-UCX_TLS-rc", "osu-UCX_TLS-ud"}},
           {{"module load openmpi/4.1", "module load mpich/4.1"},
            {"osu-openmpi-4.1", "osu-mpich-4.1"}},
           {{"### Host, inter-node\n$ srun -N2 osu_latency",
             "### Host, intra-node\n$ srun -N1 -n2 osu_latency"},
            {"osu-inter-node", "osu-intra-node"}},
           {{"+ mpirun -np 2 ./osu_latency D H", "+ mpirun -np 2 ./osu_latency H D"},
            {"osu-D-H", "osu-H-D"}},
           {{"[u@ln1 ~]$ mpirun --bind-to core -x UCX_TLS=rc osu_latency",
             "[u@ln1 ~]$ mpirun --bind-to none -x UCX_TLS=rc osu_latency"},
            {"osu-bind-to-core", "osu-bind-to-none"}},
           {{"plain", "plain", "Now with hugepages"}, {"osu", "osu", "osu-Now-with-hugepages"}},
           {{"SLURM_NODELIST=n[1-2]", "SLURM_NODELIST=n[2-3]"},
            {"osu-SLURM_NODELIST-n-1-2", "osu-SLURM_NODELIST-n-2-3"}},
           {{"UCX_RNDV_THRESH=1024", "UCX_RNDV_THRESH=8192"},
            {"osu-UCX_RNDV_THRESH-1024", "osu-UCX_RNDV_THRESH-8192"}}}) {
    INFO(lines.back());
    CHECK(settings_behind(lines) == names);
  }
}

TEST_CASE("a heading is in force until the next of its kind, and ends those below it") {
  CHECK(settings_behind({"== UCX_TLS=rc ==\niteration 1", "iteration 2",
                         "== UCX_TLS=ud ==\niteration 1", "iteration 2"}) ==
        Names{"osu-UCX_TLS-rc", "osu-UCX_TLS-rc", "osu-UCX_TLS-ud", "osu-UCX_TLS-ud"});
  CHECK(settings_behind({"openmpi\nrc", "ud", "mpich\nrc", "ud"}) ==
        Names{"osu-openmpi-rc", "osu-openmpi-ud", "osu-mpich-rc", "osu-mpich-ud"});
  CHECK(settings_behind({"openmpi", "UCX ud", "mpich", "UCX ud"}) ==
        Names{"osu-openmpi", "osu-openmpi-UCX-ud", "osu-mpich", "osu-mpich-UCX-ud"});
  const std::string unfinished = "== UCX_TLS=rc ==\n" + latency_table(1) + "== UCX_TLS=ud ==\n" +
                                 latency_table(2) + "== UCX_TLS=dc ==\n";
  CHECK(settings_of_files({{"a.log", unfinished}}).names ==
        Names{"osu-UCX_TLS-rc", "osu-UCX_TLS-ud"});
  CHECK(settings_of_files({{"a.log", unfinished}}).differences == Names{"line before each table"});
}

TEST_CASE("benchmarks of one setting are not apart by their own names") {
  std::string log;
  for (const char* library : {"openmpi", "mpich"}) {
    log += "## " + std::string(library) + "\nosu_latency\n" + latency_table(1) +
           "osu_bw\n# OSU MPI Bandwidth Test v7.4\n# Size      Bandwidth (MB/s)\n8 4.00\n";
  }
  CHECK(settings_of_files({{"a.md", log}}).names ==
        Names{"osu-openmpi", "osu-openmpi", "osu-mpich", "osu-mpich"});
}

TEST_CASE("names of files that only count or date are of one setting") {
  for (const auto& [first, second] : std::vector<std::pair<std::string, std::string>>{
           {"slurm-12345.out", "slurm-12399.out"},
           {"slurm-777_0.out", "slurm-777_1.out"},
           {"run_1.txt", "run_2.txt"},
           {"lat1.txt", "lat2.txt"},
           {"openmpi-1.txt", "openmpi-2.txt"},
           {"osu.o8812", "osu.o8813"},
           {"lat_2026-11-01.txt", "lat_2026-11-02.txt"},
           {"osu-20261126T205841Z.txt", "osu-20261126T205842Z.txt"},
           {"2026-11-01/lat.txt", "2026-11-02/lat.txt"},
           {"job_12345-mpich/lat.txt", "job_12346-mpich/lat.txt"},
           {"mon/lat.txt", "tue/lat.txt"}}) {
    INFO(first);
    const Names names =
        settings_of_files({{first, latency_table(1)}, {second, latency_table(2)}}).names;
    CHECK(names == Names{"osu", "osu"});
  }
}

TEST_CASE("names of files that differ in anything else name the settings") {
  for (const auto& [first, second] :
       std::vector<std::pair<std::string, std::string>>{{"lat_openmpi_1.txt", "lat_mpich_1.txt"},
                                                        {"lat-np2.txt", "lat-np4.txt"},
                                                        {"openmpi4.txt", "openmpi5.txt"},
                                                        {"openmpi-4.0.5.txt", "openmpi-4.1.6.txt"},
                                                        {"lat_1k.txt", "lat_2k.txt"},
                                                        {"before.txt", "after.txt"}}) {
    INFO(first);
    const RunSettings settings =
        settings_of_files({{first, latency_table(1)}, {second, latency_table(2)}});
    CHECK(settings.names[0] != settings.names[1]);
    CHECK(settings.differences == Names{"file name"});
  }
}

TEST_CASE("numbers count repetitions unless they are a scale or begin late") {
  CHECK(are_counters({1, 2, 3}, true));
  CHECK(are_counters({1, 2}, true));
  CHECK(are_counters({12345, 12399}, true));
  CHECK(are_counters({3, 4}, false));
  CHECK_FALSE(are_counters({4, 5}, true));
  CHECK_FALSE(are_counters({2, 4, 8}, false));
}

TEST_CASE("IMB's unknown options are settings, its sizes and benchmarks are not") {
  const auto marks = [](const std::string& options) {
    Names texts;
    for (const Mark& mark : marks_of_command({"./IMB-MPI1", "PingPong"}))
      texts.push_back(mark.text);
    CHECK(texts.empty());
    for (const Mark& mark : marks_of_line("./IMB-MPI1 " + options + " PingPong")) {
      texts.push_back(mark.text);
    }
    return texts;
  };
  CHECK(marks("-map 2x4") == Names{"map-2x4"});
  CHECK(marks("-foo bar -msglog 3:4 -iter 100") == Names{"foo-bar"});
  CHECK(marks("-npmin 2 Allreduce").empty());
}

}  // namespace
}  // namespace hockney::imports
