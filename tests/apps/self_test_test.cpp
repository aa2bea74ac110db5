#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "core/record_file.hpp"
#include "tests/apps/bad_input.hpp"
#include "tests/support/launches.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace hockney;

namespace {

/// Twelve launches in which "slow-10" is a tenth slower than "a" and "b" is the same.
void write_campaign(const TemporaryFolder& folder) {
  for (int launch = 0; launch < 12; ++launch) {
    Record record = launch_of("default");
    record.campaign->launch = launch + 1;
    const double seconds = 1e-6 * (1 + 0.001 * (launch * 7 % 12));
    for (const auto& [variant, slow] : {std::pair("a", 1.0), {"b", 1.0}, {"slow-10", 1.1}}) {
      Point point = simple_point("pingpong", 8);
      point.parameters["variant"] = variant;
      add_measured(record, point, seconds * slow);
    }
    save_record(record, folder.path() + "/launch-" + std::to_string(launch) + ".json");
  }
}

}  // namespace

TEST_CASE("a self-test prints and writes the same document") {
  const TemporaryFolder folder;
  write_campaign(folder);
  const std::string file = folder.path() + ".document";
  const CommandResult result = run_command(
      {built("hockney"), "self-test", folder.path(), "--each", "6", "--json", "--output", file});
  CHECK(result.exit_code == 0);
  CHECK(result.out == read_file(file));
  std::filesystem::remove(file);
  const auto document = nlohmann::json::parse(result.out);
  CHECK(document.at("variants").at(0).at("different").at("hits") == 0);
  CHECK(document.at("variants").at(1).at("different").at("hits") == 2);
  CHECK(document.at("variants").at(1).at("median_ratio").get<double>() == Approx(1.1));
}

TEST_CASE("a self-test prints a table") {
  const TemporaryFolder folder;
  write_campaign(folder);
  const CommandResult result =
      run_command({built("hockney"), "self-test", folder.path(), "--each", "6"});
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.out, Catch::StartsWith("self-test of 12 launches, in campaigns of 6\n"));
}

TEST_CASE("a self-test refuses bad input in one line") {
  const TemporaryFolder folder;
  write_campaign(folder);
  const std::string path = folder.path();
  check_refusal({built("hockney")}, {{"self-test", "/no/such"}, "/no/such"});
  check_refusal({built("hockney")}, {{"self-test", path}, "12 launches are too few"});
  check_refusal({built("hockney")}, {{"self-test", path, "--each", "5"}, "--each"});
  check_refusal({built("hockney")}, {{"self-test", path, "--each", "x"}, "--each"});
}
