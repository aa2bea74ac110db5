#include <catch2/catch.hpp>
#include <map>

#include "tests/components/application/library/program_profile.hpp"
#include "tests/support/temporary_folder.hpp"

// Cannon's product, whose messages theory knows: q - 1 blocks to each of two neighbours.
namespace hockney::profile {
namespace {

/// What the rank at a place sends its blocks to, its left and its upper neighbour all round.
std::vector<int> takers(int rank, int side) {
  const int row = rank / side;
  const int column = rank % side;
  return {row * side + (column + side - 1) % side, (row + side - 1) % side * side + column};
}

void check_product(const std::string& way, const std::string& work, int side, Carrier carrier) {
  const int rows = 10 * side;
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/profile.json";
  const CommandResult run =
      run_profiled(file, side * side,
                   {HOCKNEY_ONE_PRODUCT, way, work, std::to_string(rows), std::to_string(side)});
  INFO(way << " " << work << " " << side << "\n" << run.out << run.err);
  REQUIRE(run.exit_code == 0);
  std::map<std::pair<int, int>, std::pair<std::int64_t, std::int64_t>> sent;
  for (const Messages& row : load_profile(file).messages) {
    if (row.carrier != carrier) continue;
    auto& sum = sent[{row.from, row.to.value_or(-1)}];
    sum.first += row.messages;
    sum.second += row.bytes;
  }
  CHECK(sent.size() == static_cast<std::size_t>(2 * side * side));
  for (int rank = 0; rank < side * side; ++rank) {
    for (const int source : takers(rank, side)) {
      CHECK(sent[{rank, source}] ==
            std::pair<std::int64_t, std::int64_t>{side - 1, std::int64_t{side - 1} * 10 * 10 * 8});
    }
  }
}

}  // namespace

TEST_CASE("each rank of Cannon's product passes q - 1 blocks on to two neighbours, in every way") {
  check_product("blocking", "after", 2, Carrier::message);
  check_product("immediate", "during", 3, Carrier::message);
  check_product("fence", "during", 2, Carrier::put);
}

}  // namespace hockney::profile
