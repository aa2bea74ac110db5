#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/components/application/library/program_profile.hpp"
#include "tests/driver/bad_input.hpp"
#include "tests/support/temporary_folder.hpp"

// Programs whose number of steps is known, run and logged: their iterations are these steps.
namespace hockney::profile {
namespace {

using Json = nlohmann::json;

/// The summary of a program that runs under the library, and its iterations.
struct CallSteps {
  std::string summary;
  Json iterations;
};

CallSteps steps_of(const std::vector<std::string>& program, int ranks) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/run.json";
  const CommandResult recorded = run_profiled(file, ranks, program, {"--log"});
  INFO(recorded.err);
  REQUIRE(recorded.exit_code == 0);
  const CommandResult shown = run_command(
      {driver::built("hockney"), "profile", "show", file, "--json"}, std::chrono::seconds(60));
  REQUIRE(shown.exit_code == 0);
  return {recorded.err, Json::parse(shown.out).at("iterations")};
}

}  // namespace

TEST_CASE("the iterations of the ring are its steps") {
  for (const auto& [ranks, steps] : {std::pair(2, 37), std::pair(3, 12)}) {
    CAPTURE(ranks);
    const CallSteps found = steps_of({HOCKNEY_RING, std::to_string(steps), "1"}, ranks);
    INFO(found.summary);
    CHECK(found.iterations.at("count") == steps);
    CHECK(found.iterations.at("calls") == 2);
    CHECK(found.iterations.at("ranks") == ranks);
    CHECK_THAT(found.summary, Catch::Contains(std::to_string(steps) + " iterations of "));
    // Rank 1 computes 3 ms of CPU time in each step.
    CHECK(found.iterations.at("median_seconds").get<double>() > 0.0029);
  }
}

TEST_CASE("the iterations of programs with a planted cause are their steps", "[nightly]") {
  for (const char* const cause : {"imbalance", "late-sender", "serialisation", "eager-limit"}) {
    CAPTURE(cause);
    const CallSteps found = steps_of({HOCKNEY_PLANTED, cause, "23"}, 2);
    INFO(found.iterations.dump());
    CHECK(found.iterations.at("count") == 23);
  }
}

}  // namespace hockney::profile
