

// hockney-noise as users run it.

#ifdef HOCKNEY_MPIEXEC

#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "tests/driver/launched.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney::driver {
namespace {

CommandResult run_noise(int ranks, const Arguments& options) {
  return run_command(launched(ranks, "hockney-noise", options));
}

TEST_CASE("a launch of hockney-noise says what each core loses, and the record has it") {
  const TemporaryFolder folder;
  const std::string record = folder.path() + "/noise.json";
  const CommandResult measured = run_noise(2, {"--recording", "100ms", "--sizes", "4K", "--epochs",
                                               "1", "--samples", "2", "-o", record});
  INFO(measured.err);
  REQUIRE(measured.exit_code == 0);
  CHECK_THAT(measured.out, Catch::StartsWith("# noise: fixed work takes "));
  const auto document = nlohmann::json::parse(read_file(record));
  CHECK(document["noise"].size() == 2);
  CHECK(document["points"].size() == 7);  // fixed-work, three kinds of neighbours and of pages
}

TEST_CASE("ranks that share a CPU, or are not bound, are no neighbours") {
  const CommandResult shared =
      run_noise(2, {"--operations", "neighbour-work", "--communicator", "world", "--bind", "0,0",
                    "--sizes", "4K", "--neighbours", "computing", "--epochs", "1", "--json"});
  INFO(shared.err);
  REQUIRE(shared.exit_code == 0);
  const auto point = nlohmann::json::parse(shared.out)["points"][0];
  CHECK(point["status"] == "skipped");
  CHECK_THAT(point["reason"].get<std::string>(), Catch::Contains("share a CPU"));
  const CommandResult unbound = run_noise(2, {"--operations", "neighbour-work", "--bind", "none",
                                              "--sizes", "4K", "--neighbours", "idle", "--json"});
  INFO(unbound.err);
  REQUIRE(unbound.exit_code == 0);
  const auto document = nlohmann::json::parse(unbound.out);
  CHECK_FALSE(document.contains("noise"));
  CHECK(document["points"][0]["status"] == "skipped");
  CHECK(document["points"][0]["reason"] != "");
}

}  // namespace
}  // namespace hockney::driver

#endif
