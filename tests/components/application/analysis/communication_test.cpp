#include <catch2/catch.hpp>
#include <limits>
#include <numeric>
#include <random>
#include <set>

#include "components/application/analysis/communication.hpp"
#include "core/statistics.hpp"
#include "tests/support/synthetic_program.hpp"

namespace hockney::applications {
namespace {

SyntheticProgram mixed_calls() {
  return SyntheticProgram(4)
      .every_time(9, 1)
      .calls("MPI_Send", 10, 100, 0.5)
      .calls("MPI_Send", 30, 5000, 1)
      .calls("MPI_Barrier", 4, 0, 2)
      .calls("MPI_Waitall", 6, 0, 0.25);
}

}  // namespace

TEST_CASE("calls have the class of what they do") {
  for (const char* call : {"MPI_Send", "MPI_Isend", "MPI_Sendrecv", "MPI_Bsend", "MPI_Put",
                           "MPI_Start", "MPI_Sendrecv_replace"}) {
    CAPTURE(call);
    CHECK(class_of(call) == CallClass::send);
  }
  for (const char* call :
       {"MPI_Recv", "MPI_Irecv", "MPI_Mrecv", "MPI_Iprobe", "MPI_Probe", "MPI_Improbe"}) {
    CAPTURE(call);
    CHECK(class_of(call) == CallClass::receive);
  }
  for (const char* call : {"MPI_Wait", "MPI_Waitall", "MPI_Testany", "MPI_Test"}) {
    CAPTURE(call);
    CHECK(class_of(call) == CallClass::completion);
  }
  for (const char* call :
       {"MPI_Bcast", "MPI_Win_wait", "MPI_File_write", "MPI_Barrier", "MPI_Recv_init", "unknown"}) {
    CAPTURE(call);
    CHECK(class_of(call) == CallClass::other);
  }
}

TEST_CASE("calls of a function are added up, those of most time first") {
  const std::vector<FunctionCalls> calls = by_function(mixed_calls().profile());
  REQUIRE(calls.size() == 3);
  CHECK(calls[0].call == "MPI_Barrier");
  CHECK(calls[1].call == "MPI_Send");
  CHECK(calls[1].sums.volume == Volume{40, 151000, 100, 5000});
  CHECK(calls[1].sums.seconds == 1.5);
  CHECK(calls[1].sums.min_seconds == Approx(1.0 / 30));
  CHECK(calls[1].sums.max_seconds == Approx(0.05));
  CHECK(calls[2].call == "MPI_Waitall");
}

TEST_CASE("calls are added up by the place in the code and by region, too") {
  const profile::Profile profile =
      mixed_calls()
          .with([](profile::Profile& all) {
            all.sites.push_back({.module = "/opt/app/poisson", .offset = 0x99, .function = ""});
            all.regions = {{.name = "solve", .entered = 4, .seconds = 8}};
            all.calls[1].site = 1;
            all.calls[1].region = 0;
            all.calls[3].site = std::nullopt;
          })
          .profile();
  const std::vector<SiteCalls> sites = by_site(profile);
  REQUIRE(sites.size() == 4);
  CHECK(sites[1].call == "MPI_Send");
  CHECK(sites[1].site == 1);
  CHECK(sites[1].sums.volume.count == 30);
  CHECK_FALSE(sites[3].site);
  const std::vector<RegionCalls> regions = by_region(profile);
  REQUIRE(regions.size() == 2);
  CHECK_FALSE(regions[0].region);
  CHECK(regions[1].region == 0);
  CHECK(regions[1].sums.seconds == 1);
}

TEST_CASE("the slowest rank is the one of whose time rows tell the most") {
  const auto slow = [](int rank, double seconds) {
    return profile::Calls{.call = "MPI_Recv",
                          .count = 1,
                          .seconds = seconds,
                          .slowest_rank = rank,
                          .slowest_seconds = seconds};
  };
  profile::Profile profile;
  profile.calls = {slow(1, 2), slow(2, 3), slow(1, 2)};
  const CallSums sums = by_function(profile).at(0).sums;
  CHECK(sums.slowest_rank == 1);
  CHECK(sums.slowest_seconds == 4);
}

TEST_CASE("sizes are classes by powers of two") {
  SyntheticProgram program(2);
  for (const std::int64_t bytes : {0, 1, 2, 3, 4, 1023, 1024, 1025}) {
    program.calls("MPI_Send", 1, bytes, 1);
  }
  program.calls("MPI_Bcast", 1, 1024, 1);
  const std::vector<SizeClass> sends = by_size(program.profile(), "MPI_Send");
  std::vector<std::vector<std::int64_t>> found;
  for (const SizeClass& one : sends) {
    found.push_back({one.from_bytes, one.to_bytes, one.volume.count, one.volume.bytes});
  }
  CHECK(found == std::vector<std::vector<std::int64_t>>{{0, 0, 1, 0},
                                                        {1, 1, 1, 1},
                                                        {2, 3, 2, 5},
                                                        {4, 7, 1, 4},
                                                        {512, 1023, 1, 1023},
                                                        {1024, 2047, 2, 2049}});
  // Of all functions, those that carry data.
  const std::vector<SizeClass> all = by_size(program.profile());
  CHECK(all.front().from_bytes == 1);
  CHECK(all.back().volume.count == 3);
}

TEST_CASE("the price is calls x price of their class, in parts of the time of all ranks") {
  const auto with_prices = [](profile::Profile& all) {
    all.overhead = {.send_seconds = 1e-3,
                    .receive_seconds = 1,
                    .completion_seconds = 1e-2,
                    .other_seconds = 0.1};
  };
  const auto price = recording_overhead(mixed_calls().with(with_prices).profile());
  REQUIRE(price);
  CHECK(price->seconds == Approx(40 * 1e-3 + 4 * 0.1 + 6 * 1e-2));
  CHECK(price->seconds_per_call == Approx(price->seconds / 50));
  CHECK(*price->fraction == Approx(price->seconds / 40));

  // Ranks made 10 calls more than rows tell of.
  const auto more =
      recording_overhead(mixed_calls()
                             .with(with_prices)
                             .with([](profile::Profile& all) { all.ranks[0].calls = 60; })
                             .profile());
  CHECK(more->seconds == Approx(price->seconds + 10 * 0.1));
  CHECK_FALSE(recording_overhead(SyntheticProgram(2).profile()));
}

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
