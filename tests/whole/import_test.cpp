#include <catch2/catch.hpp>
#include <filesystem>

#include "core/record_file.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/whole/every_command.hpp"

namespace hockney::driver {
namespace {

/// A latency of 0.25 us and 100 MB/s, a tenth more in every further launch.
std::string osu_latency(int launch) {
  const double factor = 1 + 0.1 * launch;
  std::string text = "# OSU MPI Latency Test v7.5\n# Size       Avg Latency(us)\n";
  for (int bytes = 1; bytes <= 65536; bytes *= 2) {
    text += std::to_string(bytes) + "   " + std::to_string(factor * (0.25 + bytes / 100.0)) + "\n";
  }
  return text;
}

TEST_CASE("what is not of the suite is refused, and so are folders that hold something") {
  const TemporaryFolder folder;
  const std::string text = folder.write("a.txt", osu_latency(0));
  const auto refused = [&](const std::vector<std::string>& words, const std::string& why) {
    std::vector<std::string> line{built("hockney"), "import"};
    line.insert(line.end(), words.begin(), words.end());
    const CommandResult result = run_command(line);
    CHECK(result.exit_code == 2);
    CHECK_THAT(result.err, Catch::Contains(why));
  };
  refused({"omb", text}, "unknown suite 'omb'");
  refused({"imb", text, "--out", folder.path() + "/x"}, "nothing to import");
  refused({"osu", folder.path() + "/none", "--out", folder.path() + "/x"}, "cannot read");
  refused({"osu", text, "--out", folder.path()}, "is not empty");
  refused({"osu", text, "--memory", "cuda-to-hots"}, "no buffers are called 'hots'");
  CHECK_FALSE(std::filesystem::exists(folder.path() + "/x"));
}

}  // namespace
TEST_CASE("rows that were left out are counted, and the first is named") {
  const TemporaryFolder folder;
  const std::string text = folder.write(
      "a.txt",
      "# OSU MPI Latency Test v7.5\n# Size       Avg Latency(us)\n8 1.00\n16 nan\n32 -1\n");
  const std::string words = "2 rows left out, whole or in part; the first: " + text +
                            " line 4 '16 nan': 'nan' is no "
                            "time or rate\n";
  const CommandResult imported =
      run_command({built("hockney"), "import", "osu", text, "--out", folder.path() + "/records"});
  CHECK(imported.exit_code == 0);
  CHECK_THAT(imported.out, Catch::StartsWith("1 point, 1 launch") && Catch::Contains(words));
  CHECK(imported.err == "warning: " + words);
}

TEST_CASE("results of two libraries in two folders are two settings, unless one is named") {
  const TemporaryFolder folder;
  int launch = 0;
  for (const char* name : {"openmpi-5.0/run-1", "openmpi-5.0/run-2", "mpich/run-1"}) {
    folder.write("all/" + std::string(name) + "/lat.out", osu_latency(++launch));
  }
  const auto imported = [&](std::vector<std::string> options) {
    std::vector<std::string> line{built("hockney"), "import", "osu", folder.path() + "/all"};
    line.insert(line.end(), options.begin(), options.end());
    const CommandResult result = run_command(line);
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    return result.out;
  };
  CHECK_THAT(imported({"--out", folder.path() + "/apart"}),
             Catch::Contains("2 settings by the folder: osu-mpich (17 points, 1 launch), "
                             "osu-openmpi-5.0 (17 points, 2 launches) (--pool makes them one)\n"));
  CHECK_THAT(imported({"--setting", "any", "--out", folder.path() + "/pooled"}),
             Catch::StartsWith("17 points, 3 launches"));
  for (const Record& record : load_records({folder.path() + "/pooled"})) {
    CHECK(record.campaign->setting == "any");
  }
}

TEST_CASE("runs in one log are apart by the lines before their tables, unless they are pooled") {
  const TemporaryFolder folder;
  const std::string log = folder.write(
      "sweep.log", "Starting sweep\nopenmpi@4.0.5%gcc@10.2.0 osu_latency\n" + osu_latency(1) +
                       "mpich@3.3.2%gcc@10.2.0 osu_latency\n" + osu_latency(2));
  const auto imported = [&](const std::string& out, const std::vector<std::string>& options) {
    std::vector<std::string> line{built("hockney"),         "import", "osu", log, "--out",
                                  folder.path() + "/" + out};
    line.insert(line.end(), options.begin(), options.end());
    const CommandResult result = run_command(line);
    REQUIRE(result.exit_code == 0);
    return result.out;
  };
  CHECK_THAT(imported("apart", {}),
             Catch::Contains("2 settings by the line before each table: osu-mpich-3.3.2 (17 "
                             "points, 1 launch), osu-openmpi-4.0.5 (17 points, 1 launch)") &&
                 !Catch::Contains("left out"));
  CHECK_THAT(imported("pooled", {"--pool"}),
             Catch::StartsWith("17 points, 2 launches") && !Catch::Contains("settings"));
}

TEST_CASE("copies of an output are one launch") {
  const TemporaryFolder folder;
  folder.write("all/out.txt", osu_latency(1));
  folder.write("all/out (1).txt", osu_latency(1));
  folder.write("all/out-dos.txt", "\r\n" + osu_latency(1));
  folder.write("all/out-2.txt", osu_latency(2));
  // A single figure may be the same by chance.
  for (const char* name : {"all/barrier-1.txt", "all/barrier-2.txt"}) {
    folder.write(name, "# OSU MPI Barrier Latency Test v7.5\n# Avg Latency(us)\n   0.57\n");
  }
  const CommandResult result =
      run_command({built("hockney"), "import", "osu", folder.path() + "/all", "--ranks", "4",
                   "--pool", "--out", folder.path() + "/r"});
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.out, Catch::Contains("18 points, 2 launches, from 4 runs") &&
                             Catch::Contains("2 copies were passed over; the first: ") &&
                             Catch::Contains(" has the figures of "));
}

TEST_CASE("programs and archives beside outputs are passed over and counted") {
  const TemporaryFolder folder;
  folder.write("all/lat.out", "\xEF\xBB\xBF" + osu_latency(1));
  folder.write("all/osu_latency", std::string("\x7F"
                                              "ELF\0\0",
                                              6));
  const CommandResult result = run_command(
      {built("hockney"), "import", "osu", folder.path() + "/all", "--out", folder.path() + "/r"});
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.out, Catch::Contains("17 points") &&
                             Catch::Contains("1 file that is no text was passed over"));
}

TEST_CASE("where nothing can be imported the nearest thing that was found is named") {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& suite, const std::string& text) {
    const std::string file = folder.write("a.txt", text);
    const CommandResult result =
        run_command({built("hockney"), "import", suite, file, "--out", folder.path() + "/r"});
    CHECK(result.exit_code == 2);
    return result.err;
  };
  CHECK_THAT(
      refused("osu", "x1: # OSU MPI Latency Test v7.5\ny2: # Size  Latency (us)\n"),
      Catch::Contains("no row with figures follows the title 'OSU MPI Latency Test v7.5' in") &&
          Catch::Contains("line 1, behind the prefix 'x1:'"));
  CHECK_THAT(refused("imb", osu_latency(1)), Catch::Contains("is output of osu"));
  CHECK_THAT(refused("osu", "# Size  Latency (us)\n8 1.00\n"),
             Catch::Contains("no title and no command of a benchmark is before the table at") &&
                 Catch::Contains("line 1"));
  CHECK_THAT(refused("osu", "nothing\n"), Catch::Contains("no line of the file is a title of osu"));
  CHECK_THAT(refused("osu", std::string("\0\1", 2)), Catch::Contains("is no text"));
}

TEST_CASE("imports of every night have one series of each point") {
  const TemporaryFolder folder;
  const std::string history = folder.path() + "/history.sqlite";
  for (int day = 28; day <= 29; ++day) {
    const std::string night = "2026-09-" + std::to_string(day);
    const std::string file = folder.write(night + ".txt", osu_latency(day));
    const std::string records = folder.path() + "/nights/" + night;
    REQUIRE(run_command({built("hockney"), "import", "osu", file, "--out", records}).exit_code ==
            0);
    const CommandResult taken = run_command(
        {built("hockney"), "health", "ingest", records, "--day", night, "--history", history});
    INFO(taken.err);
    REQUIRE(taken.exit_code == 0);
  }
  const CommandResult series =
      run_command({built("hockney"), "health", "list", "series", "--history", history});
  CHECK_THAT(series.out, Catch::Contains("pingpong/ranks=2 bytes=8 setting=osu:osu timing=osu/"));
  CHECK_THAT(series.out, !Catch::Contains("2026"));
}

TEST_CASE("imported results are held against guidelines") {
  const TemporaryFolder folder;
  std::vector<std::string> line{built("hockney"), "import", "imb"};
  for (int launch = 1; launch <= 6; ++launch) {
    const std::string tenths = std::to_string(launch);
    const std::string header = "#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n4 1000 1 ";
    line.push_back(folder.write(
        "run-" + tenths + ".txt",
        "# Benchmarking Reduce\n# #processes = 8\n" + header + "8." + tenths +
            " 1\n# Benchmarking Bcast\n# #processes = 8\n" + header + "12." + tenths +
            " 1\n# Benchmarking Allreduce\n# #processes = 8\n" + header + "40." + tenths + " 1\n"));
  }
  const std::string records = folder.path() + "/records";
  line.insert(line.end(), {"--out", records});
  REQUIRE(run_command(line).exit_code == 0);
  const CommandResult judged = run_command({built("hockney"), "guidelines", records});
  CHECK(judged.exit_code == 1);
  CHECK_THAT(judged.out, Catch::Contains("allreduce > reduce + bcast"));
}

}  // namespace hockney::driver
