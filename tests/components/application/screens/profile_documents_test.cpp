#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "components/application/screens/profile_report.hpp"
#include "tests/support/profile_view.hpp"
#include "tests/support/synthetic_program.hpp"

namespace hockney::report {
namespace {

using Json = nlohmann::json;

SyntheticProgram two_nodes() {
  SyntheticProgram program(4, 2);
  program.halo({.sizes = {4}, .bytes = {100}, .messages = 5});
  program.every_time(8, 2).calls("MPI_Waitall", 20, 0, 8);
  return program.with([](profile::Profile& all) {
    all.regions = {{.name = "solve", .entered = 4, .seconds = 20}};
    all.calls.front().region = 0;
    all.overhead.other_seconds = all.overhead.send_seconds = 0.01;
    all.overhead.completion_seconds = 0.02;
  });
}

ProfileView view_of_two() { return view_of(two_nodes().profile(), "p.json"); }

Json document() { return to_json(view_of_two()); }

std::string csv_of(const ProfileView& view, MatrixRows rows) {
  std::ostringstream out;
  write_matrix_csv(out, view, rows);
  return out.str();
}

std::string tables_of(const ProfileView& view) {
  std::ostringstream out;
  print_profile_tables(out, view);
  return out.str();
}

}  // namespace

TEST_CASE("the document of a profile has the keys that others rely on") {
  const Json json = document();
  CHECK(json.at("ranks") == 4);
  CHECK(json.at("seconds") == 10.0);
  CHECK(json.at("launches") == 1);
  CHECK(json.at("time").at("computing_seconds") == 8.0);
  CHECK(json.at("time").at("mpi_seconds") == 2.0);
  CHECK(json.at("split").is_null());
  const Json& efficiencies = json.at("efficiencies");
  CHECK(efficiencies.at("parallel") == 0.8);
  CHECK(efficiencies.at("load_balance") == 1.0);
  CHECK(efficiencies.at("communication") == 0.8);
  CHECK(efficiencies.at("serialisation").is_null());
  CHECK(efficiencies.at("transfer").is_null());
  CHECK(json.at("pattern") == "1-D halo 4");
  CHECK(json.at("pattern_evidence").at("grid") == std::vector<int>{4});
  const Json call = json.at("calls").at(1);
  CHECK(call.at("call") == "MPI_Isend");
  CHECK(call.at("count") == 30);
  CHECK(call.at("bytes") == 3000);
  CHECK(call.at("min_bytes") == 100);
  CHECK(call.at("mean_bytes") == 100.0);
  CHECK(call.at("max_bytes") == 100);
  CHECK(json.at("calls").at(0).at("seconds") == 8.0);
  REQUIRE(json.at("matrix").size() == 6);
  CHECK(json.at("matrix").at(0).at("from") == 0);
  CHECK(json.at("matrix").at(0).at("to") == 1);
  CHECK(json.at("matrix").at(0).at("messages") == 5);
  CHECK(json.at("matrix").at(0).at("bytes") == 500);
  // 20 waits and 30 sends in 40 s.
  CHECK(json.at("price").at("fraction").get<double>() == Approx((20 * 0.02 + 30 * 0.01) / 40));
  CHECK(json.at("price").at("seconds_per_call").get<double>() == Approx(0.7 / 50));
}

TEST_CASE("what cannot be known is null in the document") {
  const Json json = to_json(view_of(SyntheticProgram(2).profile(), "p.json"));
  CHECK(json.at("price").is_null());
  CHECK(json.at("efficiencies").at("parallel").is_null());
  CHECK(json.at("time").at("mpi_fraction").is_null());
  CHECK(json.at("leaving_fraction").is_null());
  CHECK(json.at("pattern") == "none");
}

TEST_CASE("names of hosts that a spreadsheet would compute are quoted") {
  ProfileView view = view_of_two();
  view.report.nodes.names.front() = "=1+1";
  CHECK_THAT(csv_of(view, MatrixRows::nodes), Catch::Contains("'=1+1"));
}

TEST_CASE(
    "calls without bytes have none to be listed by, and programs without regions no regions") {
  const std::string text =
      tables_of(view_of(SyntheticProgram(2).calls("MPI_Barrier", 2, 0, 1).profile(), "p"));
  CHECK_THAT(text, !Catch::Contains("calls by bytes") && !Catch::Contains("regions"));
}

}  // namespace hockney::report
