#include <catch2/catch.hpp>

#include "tests/simulation/simulated_campaign.hpp"
#include "tests/simulation/simulated_launch.hpp"
#include "tests/support/study.hpp"

// A simulator whose eager limit and overheads are known.
namespace hockney::simulation {
namespace {

/// What hockney-protocol finds on two hosts, with these options of smpirun.
Record examine(const std::vector<std::string>& settings,
               const std::vector<std::string>& arguments) {
  std::vector<std::string> program{"hockney-protocol", "--flood-messages", "20"};
  program.insert(program.end(), arguments.begin(), arguments.end());
  return record_on(platform_xml({1e-6, 1e10}), 2, program, settings);
}

double median_of(const Record& record, const std::string& operation, std::int64_t bytes) {
  for (const Series& series : record.series) {
    if (series.point.operation == operation && series.point.bytes.value == bytes) {
      return series.summary.median_seconds.value_or(-1);
    }
  }
  return -1;
}

}  // namespace

TEST_CASE("the simulator's eager limit is found to the byte, wherever it is planted", "[study]") {
  // A message is handed over when it is smaller than smpi/send-is-detached-thresh.
  for (const std::int64_t threshold :
       first_of<std::int64_t>(2, {778, 65536, 1, 1001, 7777, 12345, 100003})) {
    const Record record =
        examine({"--cfg=smpi/send-is-detached-thresh:" + std::to_string(threshold)},
                {"--overhead-sizes", "none", "--searches", "2", "--most", "128K"});
    REQUIRE(record.protocols.size() == 1);
    const Protocol& protocol = record.protocols.front();
    CHECK(protocol.eager_limit_bytes == threshold - 1);
    CHECK(protocol.hop == "cross-node");
    CHECK(protocol.flags.empty());
    for (const EagerLimit& found : protocol.eager_probes) {
      if (found.call == "ssend") {
        CHECK_FALSE(found.limit_bytes);
      } else {
        CHECK(found.limit_bytes == threshold - 1);
      }
    }
  }
}

TEST_CASE("the simulator's overheads are found") {
  // Small messages travel at once, whether they are asked for or not.
  const Record record = examine({"--cfg=smpi/async-small-thresh:65536",
                                 "--cfg=smpi/os:0:3e-7:5e-11", "--cfg=smpi/or:0:4e-7:6e-11"},
                                {"--overhead-sizes", "1,1K"});
  for (const std::int64_t bytes : {1, 1024}) {
    const auto size = static_cast<double>(bytes);
    CHECK(median_of(record, "send-overhead", bytes) == Approx(3e-7 + 5e-11 * size).epsilon(1e-3));
    CHECK(median_of(record, "receive-overhead", bytes) ==
          Approx(4e-7 + 6e-11 * size).epsilon(1e-3));
  }
}

}  // namespace hockney::simulation
