#include <catch2/catch.hpp>

#include "components/application/analysis/rank_orders.hpp"
#include "core/error.hpp"

namespace hockney::applications {
namespace {

int messages_of(const RankGrid& grid) {
  return static_cast<int>(halo_messages(grid, 8).total().count);
}

}  // namespace

TEST_CASE("a halo has as many messages as its stencil has points") {
  // Inside of 2-D grids 4 and 8 neighbours, of 3-D ones 6 and 26; each is one message.
  CHECK(messages_of({.sizes = {4, 5}, .periodic = true}) == 20 * 4);
  CHECK(messages_of({.sizes = {4, 5}, .periodic = true, .diagonals = true}) == 20 * 8);
  CHECK(messages_of({.sizes = {3, 4, 5}, .periodic = true}) == 60 * 6);
  CHECK(messages_of({.sizes = {3, 4, 5}, .periodic = true, .diagonals = true}) == 60 * 26);
  // Without periods: edges both ways, 4 x 4 + 3 x 5 of them; with diagonals 2 x 3 x 4 more.
  CHECK(messages_of({.sizes = {4, 5}}) == 2 * (4 * 4 + 3 * 5));
  CHECK(messages_of({.sizes = {4, 5}, .diagonals = true}) == 2 * (4 * 4 + 3 * 5 + 2 * 3 * 4));
  CHECK(messages_of({.sizes = {7}}) == 12);
}

TEST_CASE("neighbours of short periods are the rank itself, or the same twice") {
  CHECK(messages_of({.sizes = {1, 5}, .periodic = true}) == 10);
  const MessageMatrix two = halo_messages({.sizes = {2}, .periodic = true}, 100);
  REQUIRE(two.cells.size() == 2);
  CHECK(two.cells[0].volume.count == 2);
  CHECK(two.cells[0].volume.bytes == 200);
}

TEST_CASE("tiles are numbered as ranks are, and what leaves them is counted") {
  const RankGrid grid{.sizes = {4, 4}};
  const std::vector<int> of_rank = tiled(grid, {2, 2}, 4);
  CHECK(of_rank == std::vector<int>{0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3});
  // 8 edges between tiles of 2 x 2, and 12 between rows of 4, both ways.
  const MessageMatrix halo = halo_messages(grid, 100);
  CHECK(leaving(halo, of_rank).count == 16);
  CHECK(leaving(halo, filled(in_order(16), {4, 4, 4, 4})).count == 24);
  CHECK(leaving(halo, of_rank).bytes == 1600);
  CHECK_THROWS_AS(tiled(grid, {2}, 4), InputError);
  CHECK_THROWS_AS(tiled(grid, {4, 2}, 4), InputError);
}

TEST_CASE("ranks are dealt out as long as nodes have room") {
  CHECK(dealt_out({1, 3, 2}, 6) == std::vector<int>{0, 1, 2, 1, 2, 1});
  CHECK(filled({2, 0, 1}, {1, 2}) == std::vector<int>{1, 1, 0});
}

TEST_CASE("grids that are none are refused") {
  CHECK(parse_grid("--grid", "24x16") == std::vector<int>{24, 16});
  for (const char* text : {"", "x", "0x4", "4x-1", "1x2x3x4", "4 x 4", "2000x2000"}) {
    CHECK_THROWS_AS(parse_grid("--grid", text), InputError);
  }
}

}  // namespace hockney::applications
