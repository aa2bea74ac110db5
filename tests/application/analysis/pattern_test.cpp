#include "application/analysis/pattern.hpp"

#include <catch2/catch.hpp>
#include <numeric>
#include <random>

#include "core/shuffle.hpp"
#include "tests/support/synthetic_program.hpp"

namespace hockney::applications {
namespace {

Pattern pattern_of(const SyntheticProgram& program) {
  return find_pattern(message_matrix(program.profile()));
}

std::string pattern_name(const SyntheticProgram& program) { return name_of(pattern_of(program)); }

int product(const std::vector<int>& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), 1, std::multiplies<>());
}

/// A grid whose messages are larger along later dimensions.
SyntheticProgram halo_of(const std::vector<int>& sizes, const std::vector<bool>& periodic = {},
                         const std::function<int(int)>& rank_of = {}) {
  std::vector<std::int64_t> bytes;
  for (std::size_t k = 0; k < sizes.size(); ++k) bytes.push_back(1000 + 400 * std::ssize(bytes));
  SyntheticProgram program(product(sizes));
  program.halo(
      {.sizes = sizes, .bytes = bytes, .messages = 10, .periodic = periodic, .rank_of = rank_of});
  return program;
}

/// Ranks in an order that depends on the seed alone.
std::function<int(int)> shuffled_order(int ranks, unsigned seed) {
  std::vector<int> order(static_cast<std::size_t>(ranks));
  std::iota(order.begin(), order.end(), 0);
  std::mt19937_64 random(seed);
  std::ranges::shuffle(order, random);
  return [order](int cell) { return order[static_cast<std::size_t>(cell)]; };
}

}  // namespace

TEST_CASE("a halo is named with its grid") {
  CHECK(pattern_name(halo_of({24, 16})) == "2-D halo 24 x 16");
  CHECK(pattern_name(halo_of({16, 24})) == "2-D halo 16 x 24");
  CHECK(pattern_name(halo_of({48, 8})) == "2-D halo 48 x 8");
  CHECK(pattern_name(halo_of({384})) == "1-D halo 384");
  CHECK(pattern_name(halo_of({8, 8})) == "2-D halo 8 x 8");
  CHECK(pattern_name(halo_of({2, 2})) == "2-D halo 2 x 2");
  CHECK(pattern_name(halo_of({4, 6, 8})) == "3-D halo 4 x 6 x 8");
  CHECK(pattern_name(halo_of({2, 2, 2})) == "3-D halo 2 x 2 x 2");
}

TEST_CASE("a halo says which of its ends are neighbours") {
  CHECK(pattern_name(halo_of({8}, {true})) == "1-D halo 8, periodic");
  CHECK(pattern_name(halo_of({6, 8}, {true, true})) == "2-D halo 6 x 8, periodic");
  CHECK(pattern_name(halo_of({6, 8}, {true, false})) ==
        "2-D halo 6 x 8, periodic in 1 of 2 dimensions");
  CHECK(pattern_name(halo_of({4, 4, 4}, {true, true, true})) == "3-D halo 4 x 4 x 4, periodic");
  const Pattern pattern = pattern_of(halo_of({6, 8}, {false, true}));
  CHECK(pattern.grid == std::vector<int>{6, 8});
  CHECK(pattern.periodic == std::vector<bool>{false, true});
  CHECK(pattern.explained == Approx(1));
}

TEST_CASE("corners that are exchanged belong to the halo") {
  SyntheticProgram program = halo_of({6, 6});
  for (int cell = 0; cell < 30; ++cell) {
    if (cell % 6 < 5) program.send(cell, cell + 7, 8, 10).send(cell + 7, cell, 8, 10);
    if (cell % 6 > 0) program.send(cell, cell + 5, 8, 10).send(cell + 5, cell, 8, 10);
  }
  const Pattern pattern = pattern_of(program);
  CHECK(name_of(pattern) == "2-D halo 6 x 6, with diagonals");
  CHECK(pattern.explained == Approx(1));
}

TEST_CASE("messages that go one way are a ring or a chain") {
  SyntheticProgram ring(8);
  SyntheticProgram back(8);
  SyntheticProgram chain(8);
  for (int rank = 0; rank < 8; ++rank) {
    ring.send(rank, (rank + 1) % 8, 4096);
    back.send((rank + 1) % 8, rank, 4096);
    if (rank < 7) chain.send(rank, rank + 1, 4096);
  }
  CHECK(pattern_name(ring) == "ring of 8");
  CHECK(pattern_name(back) == "ring of 8");
  CHECK(pattern_name(chain) == "chain of 8");
}

TEST_CASE("all-to-all and master-worker are named") {
  CHECK(pattern_name(SyntheticProgram(16).all_to_all(100)) == "all-to-all");
  const Pattern pattern = pattern_of(SyntheticProgram(16).master_worker(3, 10000, 5));
  CHECK(name_of(pattern) == "master-worker, master 3");
  CHECK(pattern.root == 3);
  CHECK(pattern.explained == Approx(1));
  CHECK(pattern_of(SyntheticProgram(16).master_worker(0, 10000, 5)).root == 0);
}

TEST_CASE("a few small messages more do not hide a pattern, and it says what it explains") {
  SyntheticProgram halo = halo_of({8, 8});
  halo.all_to_all(8);
  const Pattern pattern = pattern_of(halo);
  CHECK(name_of(pattern) == "2-D halo 8 x 8");
  // 112 edges x 2 ways x 10 x 1000 or 1400 B; 64 x 63 messages of 8 B, of which 224 lie in the
  // halo.
  const double halo_bytes = 56 * 20 * (1000 + 1400);
  const double extra = 64 * 63 * 8;
  CHECK(pattern.explained == Approx((halo_bytes + 224 * 8) / (halo_bytes + extra)));
  CHECK(pattern.neighbours == Approx(3.5));

  SyntheticProgram master = SyntheticProgram(16).master_worker(0, 100000, 5);
  for (int rank = 1; rank < 15; ++rank) master.send(rank, rank + 1, 8);
  CHECK(pattern_name(master) == "master-worker, master 0");
}

TEST_CASE("ranks that hardly take part are not of the grid") {
  SyntheticProgram program(17);
  program.halo({.sizes = {4, 4}, .bytes = {1000, 1000}, .messages = 10});
  for (int rank = 0; rank < 16; ++rank) program.send(rank, 16, 8);
  const Pattern pattern = pattern_of(program);
  CHECK(name_of(pattern) == "2-D halo 4 x 4");
  CHECK(pattern.ranks == 16);
}

TEST_CASE("messages to itself are of no pattern") {
  SyntheticProgram program = halo_of({4, 4});
  for (int rank = 0; rank < 16; ++rank) program.send(rank, rank, 1 << 20);
  CHECK(pattern_name(program) == "2-D halo 4 x 4");
}

TEST_CASE("no messages are no pattern") {
  const Pattern pattern = pattern_of(SyntheticProgram(4));
  CHECK(pattern.kind == PatternKind::none);
  CHECK(name_of(pattern) == "none");
}

TEST_CASE("empty messages have a pattern, too") {
  SyntheticProgram program(12);
  program.halo({.sizes = {3, 4}, .bytes = {0, 0}, .messages = 7});
  CHECK(pattern_name(program) == "2-D halo 3 x 4");
}

TEST_CASE("a halo whose ranks are shuffled is found, and never another grid") {
  for (const std::vector<int>& sizes : std::vector<std::vector<int>>{
           {24, 16}, {48, 8}, {7, 2}, {384}, {5, 4, 3}, {2, 2, 2}, {8, 8}}) {
    for (unsigned seed = 1; seed <= 3; ++seed) {
      const int ranks = product(sizes);
      const Pattern pattern = pattern_of(halo_of(sizes, {}, shuffled_order(ranks, seed)));
      CAPTURE(ranks, seed, name_of(pattern));
      CHECK(pattern.kind == PatternKind::halo);
      CHECK(pattern.grid == sizes);
    }
  }
  CHECK(pattern_name(halo_of({24, 16}, {}, shuffled_order(384, 7))) ==
        "2-D halo 24 x 16, ranks not in order");
  CHECK(pattern_name(halo_of({9}, {true}, shuffled_order(9, 7))) ==
        "1-D halo 9, periodic, ranks not in order");
}

TEST_CASE("a shuffled halo with a few small messages more is found") {
  SyntheticProgram program = halo_of({12, 8}, {}, shuffled_order(96, 5));
  for (int rank = 0; rank < 90; rank += 7) program.send(rank, 95 - rank, 8);
  CHECK(pattern_name(program) == "2-D halo 12 x 8, ranks not in order");
}

TEST_CASE("ranks numbered block by block are a halo in another order") {
  // 24 x 16 cells in blocks of 6 x 4, block by block and row by row inside of each.
  const auto rank_of = [](int cell) {
    const int row = cell / 16;
    const int column = cell % 16;
    return (row / 6 * 4 + column / 4) * 24 + row % 6 * 4 + column % 4;
  };
  CHECK(pattern_name(halo_of({24, 16}, {}, rank_of)) == "2-D halo 24 x 16, ranks not in order");
}

TEST_CASE("a shuffled grid that lacks an edge, or has one more, is irregular") {
  const auto order = shuffled_order(96, 11);
  SyntheticProgram lacking(96);
  for (int cell = 0; cell < 96; ++cell) {
    if (cell % 8 < 7 && cell != 35) lacking.send(order(cell), order(cell + 1), 1000);
    if (cell < 88) lacking.send(order(cell), order(cell + 8), 1000);
  }
  CHECK(pattern_of(lacking).kind == PatternKind::irregular);
  SyntheticProgram more = halo_of({12, 8}, {}, order);
  more.send(order(35), order(44), 1 << 20);
  CHECK(pattern_of(more).kind == PatternKind::irregular);
}

TEST_CASE("a shuffled torus is irregular, and says its neighbours") {
  CHECK(pattern_name(halo_of({12, 10}, {true, true}, shuffled_order(120, 3))) ==
        "irregular, 4 neighbours on average");
}

TEST_CASE("partners drawn at random are irregular") {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    std::mt19937 random(seed);
    SyntheticProgram program(96);
    for (int rank = 0; rank < 96; ++rank) {
      for (int k = 0; k < 2; ++k) {
        const int other = static_cast<int>(random() % 95);
        program.send(rank, other < rank ? other : other + 1, 1000);
      }
    }
    CAPTURE(seed);
    CHECK(pattern_of(program).kind == PatternKind::irregular);
  }
}

TEST_CASE("a grid with many edges missing is none") {
  SyntheticProgram program(64);
  for (int cell = 0; cell < 64; ++cell) {
    if (cell % 8 < 7 && cell % 3 != 0) program.send(cell, cell + 1, 1000);
    if (cell < 56 && cell % 3 != 1) program.send(cell, cell + 8, 1000);
  }
  CHECK(pattern_of(program).kind == PatternKind::irregular);
}

}  // namespace hockney::applications
