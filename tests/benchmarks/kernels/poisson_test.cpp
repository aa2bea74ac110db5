#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <vector>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "benchmarks/kernels/poisson.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace hockney::benchmarks::kernels {
namespace {

/// Whether all ranks say so.
bool everywhere(bool is_good) {
  int all = is_good ? 1 : 0;
  mpi_check(MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD));
  return all == 1;
}

PoissonCase made(const std::string& points, const std::string& processes, int iterations = 5) {
  return {
      .decomposition = {.points = parse_grid("", points), .processes = parse_grid("", processes)},
      .iterations = iterations};
}

/// Grids for as many ranks as there are: stripes both ways, blocks that differ in size, blocks of a
/// single row, three dimensions.
std::vector<PoissonCase> cases() {
  if (size_of(MPI_COMM_WORLD) == 2) {
    return {made("7x6", "1x2"), made("7x6", "2x1"), made("2x2", "2x1"), made("5x4x3", "2x1x1"),
            made("5x4x3", "1x1x2")};
  }
  std::vector<PoissonCase> all{made("16x9", "1x4"), made("17x9", "4x1"),    made("7x5", "2x2"),
                               made("4x3", "4x1"),  made("5x6x7", "2x2x1"), made("5x6x7", "1x2x2")};
  all.push_back(made("7x5", "2x2"));
  all.back().mapping = "2x1";
  return all;
}

bool is_possible(const HaloWay& way, Work work) {
  return work != Work::during || way.overlap == Overlap::possible;
}

TEST_CASE("every way gives the bits of the serial solution, however the grid is cut") {
  std::uint64_t seed = 1;
  for (const HaloWay& way : halo_ways()) {
    for (PoissonCase poisson : cases()) {
      for (const Work work : {Work::none, Work::alone, Work::after, Work::during}) {
        if (!is_possible(way, work)) continue;
        poisson.work = work;
        poisson.way = way.name;
        INFO(curve_name(point_of(poisson)));
        Poisson solver(MPI_COMM_WORLD, poisson, way);
        solver.refill(seed++, 1);
        solver.run_batch(3);
        CHECK(everywhere(solver.verify()));
        solver.ready();
        solver.run_batch(1);
        CHECK(everywhere(solver.verify()));
      }
    }
  }
}

TEST_CASE("a solution has as many iterations as were asked for, or none yet") {
  for (const int iterations : {1, 6}) {
    PoissonCase poisson = cases().front();
    poisson.iterations = iterations;
    Poisson solver(MPI_COMM_WORLD, poisson, halo_ways().front());
    solver.refill(1, 1);
    CHECK(everywhere(solver.verify()));
    solver.run_batch(1);
    CHECK(everywhere(solver.verify()));
  }
}

/// The exchange by immediate calls, of which one leaves its ghosts as they were: as if its message
/// had not been sent.
class ForgetfulHalo final : public Halo {
 public:
  inline static int forgotten = 0;  ///< the exchange, counted from 0

  explicit ForgetfulHalo(const HaloBlock& block)
      : block_(block), halo_(find_halo_way("immediate").make(block)) {}

  void begin(int field) override {
    const Face* const face = block_.open_faces().front();
    double* const cells = block_.field(field);
    before_.resize(block_.field_bytes);
    int place = 0;
    MPI_Pack(cells, 1, face->ghosts.get(), before_.data(), static_cast<int>(before_.size()), &place,
             block_.comm);
    halo_->begin(field);
  }
  void end(int field) override {
    halo_->end(field);
    const bool forgets = calls_++ == forgotten && rank_in(block_.comm) == 1;
    if (!forgets) return;
    int place = 0;
    MPI_Unpack(before_.data(), static_cast<int>(before_.size()), &place, block_.field(field), 1,
               block_.open_faces().front()->ghosts.get(), block_.comm);
  }

 private:
  const HaloBlock& block_;
  std::unique_ptr<Halo> halo_;
  std::vector<char> before_;
  int calls_ = 0;
};

TEST_CASE("one message that is left out is noticed, whichever it is") {
  const HaloWay forgetful{.name = "forgetful",
                          .calls = "",
                          .overlap = Overlap::possible,
                          .make = [](const HaloBlock& block) -> std::unique_ptr<Halo> {
                            return std::make_unique<ForgetfulHalo>(block);
                          }};
  for (PoissonCase poisson : cases()) {
    for (const Work work : {Work::after, Work::during}) {
      poisson.work = work;
      for (const int forgotten : {0, 1, 4}) {
        INFO(curve_name(point_of(poisson)) << " " << forgotten);
        ForgetfulHalo::forgotten = forgotten;
        Poisson solver(MPI_COMM_WORLD, poisson, forgetful);
        solver.refill(3, 1);
        solver.run_batch(1);
        CHECK_FALSE(everywhere(solver.verify()));
      }
    }
  }
  PoissonCase exchange = cases().front();
  exchange.work = Work::none;
  exchange.iterations = 2;
  for (const int forgotten : {0, 1}) {
    ForgetfulHalo::forgotten = forgotten;
    Poisson solver(MPI_COMM_WORLD, exchange, forgetful);
    solver.refill(3, 1);
    solver.run_batch(1);
    CHECK_FALSE(everywhere(solver.verify()));
  }
}

TEST_CASE("a point says what is solved, and what is sent") {
  PoissonCase poisson = made("7x5", "3x2", 4);
  poisson.way = "pscw";
  poisson.work = Work::during;
  const Point point = point_of(poisson);
  CHECK(point.operation == "halo");
  CHECK(point.ranks == 6);
  // The block in the middle of the left column has 2 rows of 3 points: both rows, and one column.
  CHECK(point.bytes.value == 8 * (3 + 3 + 2));
  CHECK(curve_name(point) ==
        "halo ranks=6 grid=3x2 iterations=4 mapping=linear points=7x5 way=pscw work=during");
  CHECK(point_of(poisson_case_of(point)) == point);
  const Volume volume = halo_entry().volume(point);
  CHECK(volume.operations == 4);
  // Seven rows and two cuts of five points, each both ways.
  CHECK(volume.bytes.value == 8 * 2 * (7 + 2 * 5));
}

TEST_CASE("an unknown way is refused by name") {
  CHECK(find_halo_way("pscw").name == "pscw");
  CHECK_THROWS_WITH(find_halo_way("imediate"), Catch::Contains("immediate"));
}

}  // namespace
}  // namespace hockney::benchmarks::kernels
