#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "tests/components/application/library/program_profile.hpp"
#include "tests/driver/bad_input.hpp"
#include "tests/support/temporary_folder.hpp"

// hockney scale: launches at each number of ranks, and what is made of them.
namespace hockney::profile {

TEST_CASE("a program is launched at each number of ranks, and its times and shares are kept") {
  const TemporaryFolder folder;
  const std::string out = folder.path() + "/study";
  std::vector<std::string> command{driver::built("hockney"),
                                   "scale",
                                   "--ranks",
                                   "2,1",
                                   "--rounds",
                                   "2",
                                   "--json",
                                   "-o",
                                   out,
                                   "--"};
  std::vector<std::string> program = launcher(1);
  *std::ranges::find(program, "1") = "{}";
  program.insert(program.end(), {"env", "A_TOKEN=hunter2", HOCKNEY_FAULTY, "none", "10"});
  command.insert(command.end(), program.begin(), program.end());
  const CommandResult result = run_in_mpi_environment(command, std::chrono::seconds(60));
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  const auto document = nlohmann::json::parse(result.out);
  CHECK(document.at("schema") == "hockney.scaling/1");
  REQUIRE(document.at("points").size() == 2);
  for (int ranks = 1; ranks <= 2; ++ranks) {
    const auto& point = document.at("points")[static_cast<std::size_t>(ranks - 1)];
    CHECK(point.at("ranks") == ranks);
    CHECK(point.at("launches") == 2);
    CHECK(point.at("seconds") > 0.02);  // ten steps of 2 ms
    CHECK(point.at("computing_fraction") > 0);
    const auto& split = point.at("split");
    CHECK(split.at("computing").get<double>() + split.at("load").get<double>() +
              split.at("dependency").get<double>() + split.at("transfer").get<double>() ==
          Approx(split.at("seconds").get<double>()));
    CHECK(point.at("way").is_null());
  }
  CHECK(std::filesystem::exists(out + "/split/2.events"));
  CHECK(document.at("points")[0].at("efficiency") == 1);
  CHECK(document.at("law").is_null());
  CHECK(load_profile(out + "/round-2-2.json").world_ranks == 2);
  CHECK(std::filesystem::exists(out + "/scaling.json"));
  CHECK_THAT(read_file(out + "/page.html"),
             Catch::Contains("data-name=\"scaling\"") && Catch::Contains("Scaling of "));
  for (const char* kept : {"/scaling.json", "/page.html", "/round-2-2.json"}) {
    CHECK(read_file(out + kept).find("hunter2") == std::string::npos);
  }
  CHECK(document.at("command").dump().find("A_TOKEN=set") != std::string::npos);

  const auto refuses = [&](const std::vector<std::string>& words, const std::string& why) {
    driver::check_refusal({driver::built("hockney"), "scale"}, {.arguments = words, .words = why});
  };
  refuses({"--scripts", out, "--", HOCKNEY_FAULTY, "{}"}, "no script '");
  refuses({"-o", out, "--", HOCKNEY_FAULTY, "{}"}, "is there already");
}

TEST_CASE("a kernel is launched at each number of ranks by its config") {
  const TemporaryFolder folder;
  const std::string config = folder.write(
      "small.json",
      R"({"schema": "hockney.campaign/1", "name": "small", "program": "hockney-halo", "ranks": 2,
          "launches": 1, "arguments": ["--points", "32x32,16x16", "--iterations", "2", "--epochs", "1",
          "--ways", "blocking,immediate"], "settings": [{"name": "default"}]})");
  const CommandResult result =
      run_in_mpi_environment({driver::built("hockney"), "scale", "--ranks", "2,3", "--rounds", "1",
                              "--json", "-o", folder.path() + "/study", config},
                             std::chrono::seconds(60));
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  const auto document = nlohmann::json::parse(result.out);
  CHECK(document.at("command") == nlohmann::json{"halo 32x32"});
  REQUIRE(document.at("points").size() == 2);
  for (const auto& point : document.at("points")) {
    CHECK(point.at("launches") == 1);
    CHECK(point.at("seconds") > 0);
    CHECK(point.at("way").get<std::string>().find(", computing ") != std::string::npos);
    CHECK(point.at("split").is_null());
  }
  CHECK(std::filesystem::exists(folder.path() + "/study/scaling.json"));
}

}  // namespace hockney::profile
