#include "application/analysis/message_matrix.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <set>

#include "tests/support/synthetic_program.hpp"

namespace hockney::applications {
namespace {

constexpr int side = 3600;      // of the grid
constexpr int exchanges = 300;  // 100 iterations, 3 each
constexpr int per_node = 24;    // ranks

/// 384 ranks that divide 3600 x 3600 values of 8 B into rows x columns, in order on their nodes.
SyntheticProgram poisson(int rows, int columns) {
  SyntheticProgram program(384, per_node);
  program.halo({.sizes = {rows, columns},
                .bytes = {side / columns * 8, side / rows * 8},
                .messages = exchanges});
  return program;
}

struct Facts {
  std::set<std::int64_t> inside;   ///< messages in each node
  std::set<std::int64_t> between;  ///< from a node to one of its neighbours
  int cut_edges = 0;
  std::int64_t cut_bytes = 0;  ///< of one exchange, one way
};

Facts facts_of(const SyntheticProgram& program) {
  const profile::Profile profile = program.profile();
  const MessageMatrix by_rank = message_matrix(profile);
  const Nodes nodes = nodes_of(profile);
  const MessageMatrix by_node = fused(by_rank, nodes);
  CHECK(nodes.size() == 16);
  CHECK(by_node.size == 16);
  CHECK(by_node.total() == by_rank.total());
  Facts facts;
  for (const MatrixCell& cell : by_node.cells) {
    (cell.from == cell.to ? facts.inside : facts.between).insert(cell.volume.count);
  }
  const Cut cut = cut_of(by_rank, nodes);
  facts.cut_edges = cut.edges;
  facts.cut_bytes = cut.bytes / exchanges;
  return facts;
}

void check_facts(const SyntheticProgram& program, const Facts& expected) {
  const Facts facts = facts_of(program);
  CHECK(facts.inside == expected.inside);
  CHECK(facts.between == expected.between);
  CHECK(facts.cut_edges == expected.cut_edges);
  CHECK(facts.cut_bytes == expected.cut_bytes);
}

}  // namespace

TEST_CASE("384 ranks of a Poisson solver, 24 a node: the published table") {
  SECTION("24 x 16, linear") {
    // Between nodes also the rows that two of them share: 1 edge more at every other boundary.
    check_facts(poisson(24, 16), {{18000}, {4800, 5100}, 248, 441600});
  }
  SECTION("384 x 1, linear") {
    SyntheticProgram program(384, per_node);
    program.halo({.sizes = {384}, .bytes = {side * 8}, .messages = exchanges});
    check_facts(program, {{13800}, {300}, 15, 432000});
  }
  SECTION("16 x 24, linear") { check_facts(poisson(16, 24), {{13800}, {7200}, 360, 432000}); }
  SECTION("48 x 8, linear") { check_facts(poisson(48, 8), {{22200}, {2400}, 120, 432000}); }
  SECTION("24 x 16 in blocks of 6 x 4") {
    const auto node_of = [](int rank) { return rank / 16 / 6 * 4 + rank % 16 / 4; };
    check_facts(poisson(24, 16).place(node_of), {{22800}, {1200, 1800}, 120, 172800});
  }
}

TEST_CASE("cells add up what ranks sent each other, whatever carried it") {
  const profile::Profile profile = SyntheticProgram(3, 2)
                                       .send(0, 1, 100, 2)
                                       .send(0, 1, 5000)
                                       .send(2, 0, 7)
                                       .with([](profile::Profile& all) {
                                         all.messages.push_back({.from = 0,
                                                                 .to = 1,
                                                                 .carrier = profile::Carrier::put,
                                                                 .messages = 1,
                                                                 .bytes = 40,
                                                                 .min_bytes = 40,
                                                                 .max_bytes = 40});
                                         all.messages.push_back({.from = 1,
                                                                 .to = {},
                                                                 .messages = 3,
                                                                 .bytes = 30,
                                                                 .min_bytes = 10,
                                                                 .max_bytes = 10});
                                       })
                                       .profile();
  const MessageMatrix matrix = message_matrix(profile);
  REQUIRE(matrix.cells.size() == 2);
  CHECK(matrix.cells[0] == MatrixCell{0, 1, {4, 5240, 40, 5000}});
  CHECK(matrix.cells[1] == MatrixCell{2, 0, {1, 7, 7, 7}});
  CHECK(matrix.elsewhere == Volume{3, 30, 10, 10});
  CHECK(matrix.total() == Volume{5, 5247, 7, 5000});

  const MessageMatrix by_node = fused(matrix, nodes_of(profile));
  CHECK(by_node.cells.size() == 2);
  CHECK(by_node.elsewhere == matrix.elsewhere);
  CHECK(leaving_share(by_node, nodes_of(profile)) == Approx(7.0 / 5247));
}

TEST_CASE("ranks that left nothing are on a node that is not known, and counts for none") {
  const profile::Profile profile =
      SyntheticProgram(3, 2)
          .send(0, 2, 40)
          .with([](profile::Profile& all) { all.ranks.erase(all.ranks.begin() + 1); })
          .profile();
  const Nodes nodes = nodes_of(profile);
  CHECK(nodes.names == std::vector<std::string>{"node0", "node1", "?"});
  CHECK(nodes.of_rank == std::vector<int>{0, 2, 1});
  CHECK(nodes.known == 2);
  CHECK(leaving_share(fused(message_matrix(profile), nodes), nodes) == 1.0);
  profile::Profile other = SyntheticProgram(3, 2).send(0, 1, 40).send(0, 2, 40).profile();
  other.ranks = profile.ranks;
  CHECK_FALSE(leaving_share(fused(message_matrix(other), nodes), nodes));
}

TEST_CASE("a matrix without bytes has no share that leaves the node") {
  const profile::Profile profile = SyntheticProgram(2).profile();
  CHECK_FALSE(leaving_share(fused(message_matrix(profile), nodes_of(profile)), nodes_of(profile)));
}

TEST_CASE("sums that are too large for a number stop at the largest") {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  Volume volume{most - 1, most, 1, most};
  volume.add({2, 2, 0, 1});
  CHECK(volume == Volume{most, most, 0, most});
}

}  // namespace hockney::applications
