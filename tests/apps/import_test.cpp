#include <catch2/catch.hpp>
#include <filesystem>

#include "core/record_file.hpp"
#include "tests/apps/every_command.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney::apps {
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

TEST_CASE("old results of OMB are launches that are reported, fitted and compared") {
  const TemporaryFolder folder;
  for (int launch = 0; launch < 7; ++launch) {
    folder.write("output/cluster/rfm_job" + std::to_string(launch) + ".out", osu_latency(launch));
  }
  folder.write("output/cluster/rfm_job.err", "nothing of interest\n");
  const std::string records = folder.path() + "/records";
  const CommandResult imported =
      run_command({built("hockney"), "import", "osu", folder.path() + "/output", "--out", records});
  INFO(imported.err);
  REQUIRE(imported.exit_code == 0);
  CHECK_THAT(imported.out, Catch::Contains("17 points, 7 launches") &&
                               Catch::Contains("1 files without a table"));
  CHECK(load_records({records}).size() == 7);
  for (const char* command : {"report", "fit", "export"}) {
    std::vector<std::string> line{built("hockney"), command};
    if (std::string(command) == "export") line.push_back("csv");
    line.push_back(records);
    const CommandResult result = run_command(line);
    INFO(command << ": " << result.err << result.out);
    CHECK(result.exit_code == 0);
    CHECK_THAT(result.out, Catch::Contains("pingpong"));
  }
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
  CHECK_THAT(imported.out, Catch::StartsWith("1 points, 1 launch") && Catch::Contains(words));
  CHECK(imported.err == "warning: " + words);
}

}  // namespace hockney::apps
