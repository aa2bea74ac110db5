#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <random>
#include <ranges>

#include "components/application/analysis/mapping.hpp"
#include "core/error.hpp"
#include "tests/support/synthetic_program.hpp"

// The exchange of a solver on 3600 x 3600 points by 24 x 16 ranks, 24 on a node.
namespace hockney::applications {
namespace {

constexpr int grid_rows = 24;
constexpr int grid_columns = 16;
constexpr int mapped_per_node = 24;

/// Messages between rows have 3600/16 values, between columns 3600/24.
SyntheticProgram::Halo exchange(const std::function<int(int)>& rank_of = {}) {
  return {.sizes = {grid_rows, grid_columns}, .bytes = {1800, 1200}, .rank_of = rank_of};
}

SyntheticProgram solver(const std::function<int(int)>& rank_of = {}) {
  SyntheticProgram program(grid_rows * grid_columns, mapped_per_node);
  program.halo(exchange(rank_of));
  return program;
}

MappingAdvice advice_for(const SyntheticProgram& program) {
  const profile::Profile profile = program.profile();
  return find_mapping(message_matrix(profile), nodes_of(profile));
}

std::function<int(int)> shuffled(int ranks) {
  std::vector<int> names(static_cast<std::size_t>(ranks));
  std::iota(names.begin(), names.end(), 0);
  std::shuffle(names.begin(), names.end(), std::mt19937(7));
  return [names](int cell) { return names[static_cast<std::size_t>(cell)]; };
}

int most_on_a_node(const Mapping& mapping) {
  std::map<int, int> counts;
  for (const int node : mapping.of_rank) ++counts[node];
  return std::ranges::max(counts | std::views::values);
}

}  // namespace

TEST_CASE("a solver in rows is mapped to blocks of 6 x 4, which nothing undercuts") {
  const MappingAdvice advice = advice_for(solver());
  CHECK(advice.now.cut.edges == 248);
  CHECK(advice.now.cut.bytes == 441600);
  CHECK(advice.is_change());
  CHECK(advice.best.how == "6 x 4 blocks");
  CHECK(advice.best.cut.edges == 120);
  CHECK(advice.best.cut.bytes == 172800);
  CHECK(most_on_a_node(advice.best) == mapped_per_node);
  CHECK(advice.bound_bytes == 172800);
}

TEST_CASE("a solver whose ranks are in no order at all is recovered") {
  const MappingAdvice advice = advice_for(solver(shuffled(grid_rows * grid_columns)));
  CHECK(advice.now.cut.edges > 600);
  CHECK(advice.best.cut.edges == 120);
  CHECK(advice.best.cut.bytes == 172800);
}

TEST_CASE("where ranks are as well as they can be, nothing is changed") {
  SyntheticProgram program = solver();
  const Mapping best = advice_for(program).best;
  program.place([&](int rank) { return best.of_rank[static_cast<std::size_t>(rank)]; });
  const MappingAdvice again = advice_for(program);
  CHECK_FALSE(again.is_change());
  CHECK(again.best.how == "as it was");
  CHECK(again.best.cut.edges == 120);
}

TEST_CASE("pairs that were parted are joined by swaps, whatever the pattern") {
  SyntheticProgram program(8, 2);
  for (int rank = 0; rank < 4; ++rank) program.send(rank, rank + 4, 1000 + 100 * rank, 3);
  const MappingAdvice advice = advice_for(program);
  CHECK(advice.now.cut.edges == 4);
  CHECK(advice.best.cut.edges == 0);
  CHECK(advice.best.cut.bytes == 0);
  for (int rank = 0; rank < 4; ++rank) {
    const auto& of_rank = advice.best.of_rank;
    CHECK(of_rank[static_cast<std::size_t>(rank)] == of_rank[static_cast<std::size_t>(rank + 4)]);
  }
  CHECK(most_on_a_node(advice.best) == 2);
}

TEST_CASE("nodes keep as many ranks as they had") {
  SyntheticProgram program(7);
  program.place([](int rank) { return rank == 0 ? 0 : rank < 3 ? 1 : 2; });
  for (int rank = 0; rank + 1 < 7; ++rank) program.send(rank, (rank * 3 + 1) % 7, 100, 1);
  const MappingAdvice advice = advice_for(program);
  for (const Mapping& mapping : advice.tried) {
    CAPTURE(mapping.how);
    CHECK(std::ranges::count(mapping.of_rank, 0) == 1);
    CHECK(std::ranges::count(mapping.of_rank, 1) == 2);
    CHECK(std::ranges::count(mapping.of_rank, 2) == 4);
  }
}

TEST_CASE("no mapping is below the bound, and blocks that divide the grid evenly reach it") {
  for (const auto& [sizes, bytes, nodes] :
       {std::tuple{std::vector<int>{12}, std::vector<std::int64_t>{64}, 3},
        std::tuple{std::vector<int>{8, 8}, std::vector<std::int64_t>{64, 64}, 4},
        std::tuple{std::vector<int>{4, 6}, std::vector<std::int64_t>{10, 1000}, 4},
        std::tuple{std::vector<int>{4, 4, 4}, std::vector<std::int64_t>{8, 8, 8}, 8}}) {
    int ranks = 1;
    for (const int size : sizes) ranks *= size;
    SyntheticProgram program(ranks, ranks / nodes);
    program.halo({.sizes = sizes, .bytes = bytes});
    const MappingAdvice advice = advice_for(program);
    REQUIRE(advice.bound_bytes);
    CAPTURE(sizes, advice.best.how, advice.best.cut.bytes, *advice.bound_bytes);
    for (const Mapping& mapping : advice.tried) CHECK(mapping.cut.bytes >= *advice.bound_bytes);
    CHECK(advice.now.cut.bytes >= *advice.bound_bytes);
    CHECK(advice.best.cut.bytes == *advice.bound_bytes);
  }
}

TEST_CASE("without a plain grid no bound is claimed, and ranks on unknown nodes are not mapped") {
  SyntheticProgram ring(8, 4);
  ring.halo({.sizes = {8}, .bytes = {64}, .periodic = {true}});
  CHECK_FALSE(advice_for(ring).bound_bytes);
  SyntheticProgram lost(4, 2);
  lost.send(0, 3, 8).with([](profile::Profile& profile) { profile.ranks.pop_back(); });
  CHECK_THROWS_AS(advice_for(lost), InputError);
}

TEST_CASE("what Scotch proposes fits the nodes, undercuts no bound, and is the same again") {
  const profile::Profile profile = solver(shuffled(grid_rows * grid_columns)).profile();
  const MessageMatrix matrix = message_matrix(profile);
  const Nodes nodes = nodes_of(profile);
  const auto proposed = scotch_mapping(matrix, nodes);
  if (!proposed) return;  // built without it
  std::map<int, int> counts;
  for (const int node : proposed->of_rank) ++counts[node];
  CHECK(counts.size() == 16);
  for (const auto& [node, count] : counts) CHECK(count == mapped_per_node);
  const Cut cut = cut_of(matrix, {nodes.names, proposed->of_rank, nodes.known});
  CHECK(cut.bytes >= 172800);
  CHECK(cut.bytes < 2 * 172800);  // it has seen the grid
  CHECK(scotch_mapping(matrix, nodes)->of_rank == proposed->of_rank);
}

}  // namespace hockney::applications
