#include <fstream>
#include <set>

#include "core/node_records.hpp"
#include "core/record_file.hpp"
#include "core/samples.hpp"
#include "tests/simulation/simulated_launch.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney::simulation {

TEST_CASE("each simulated node measures itself, and one file holds all of them") {
  constexpr int nodes = 24;
  const TemporaryFolder folder;
  const std::string hosts = folder.path() + "/hosts";
  std::ofstream out(hosts);
  for (int node = 0; node < nodes; ++node) out << "nid" << node << "\nnid" << node << '\n';
  out.close();
  const std::string record = folder.path() + "/launch.json";
  simulated_record(
      smpirun_command(2 * nodes, HOCKNEY_SOURCE_DIR "/configs/platforms/dragonfly-256.xml", hosts),
      "hockney-pingpong",
      {"--each-node", "--sizes", "8,64K", "--operations", "pingpong", "--output", record});
  const std::vector<Record> records = load_records({folder.path()});
  REQUIRE(records.size() == nodes);
  CHECK(missing_nodes(record).empty());
  std::set<std::string> names;
  for (const Record& one : records) {
    names.insert(one.provenance.hosts.front().name);
    REQUIRE(one.series.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
      CHECK(one.series[i].point.bytes == records.front().series[i].point.bytes);
      CHECK(launch_median(one, one.series[i]).value_or(0) ==
            Approx(launch_median(records.front(), records.front().series[i]).value_or(-1))
                .epsilon(0.005));
    }
  }
  CHECK(names.size() == nodes);
}

}  // namespace hockney::simulation
