#include <catch2/catch.hpp>
#include <memory>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "benchmarks/kernels/cannon.hpp"
#include "core/error.hpp"

namespace hockney::benchmarks::kernels {
namespace {

/// Whether all ranks of a communicator say so.
bool by_all(MPI_Comm comm, bool is_good) {
  int all = is_good ? 1 : 0;
  mpi_check(MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, comm));
  return all == 1;
}

TEST_CASE("products of blocks are added, worked out by hand") {
  const std::vector<double> a{1, 2, 3, 4};
  const std::vector<double> b{5, 6, 7, 8};
  std::vector<double> c{100, 0, 0, 0};
  multiply_add(2, a.data(), b.data(), c.data());
  CHECK(c == std::vector<double>{119, 22, 43, 50});
}

TEST_CASE("factors are whole numbers from -4 to 4, each of them") {
  const Factors factors{.seed = 3};
  std::vector<int> seen(9, 0);
  for (int i = 0; i < 30; ++i) {
    for (int j = 0; j < 30; ++j) {
      ++seen.at(static_cast<std::size_t>(factors.a(i, j) + 4));
      CHECK(factors.b(i, j) == static_cast<int>(factors.b(i, j)));
    }
  }
  for (const int count : seen) CHECK(count > 0);
  CHECK(Factors{.seed = 4}.a(1, 1) + 10 * Factors{.seed = 4}.a(1, 2) !=
        factors.a(1, 1) + 10 * factors.a(1, 2));
}

/// The sums of the definition, each by itself, for a block that is longer than multiply_add() takes
/// at a time.
TEST_CASE("a serial product is the sums of the definition, and that of whole matrices too") {
  constexpr int rows = 70;
  const Factors factors{.seed = 5};
  std::vector<double> a;
  std::vector<double> b;
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < rows; ++j) {
      a.push_back(factors.a(i, j));
      b.push_back(factors.b(i, j));
    }
  }
  std::vector<double> whole(a.size(), 0.0);
  multiply_add(rows, a.data(), b.data(), whole.data());
  const std::vector<double> part =
      serial_product(factors, {.first_row = 7, .first_column = 14, .size = 3}, 0, rows);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      double sum = 0;
      for (int k = 0; k < rows; ++k) sum += factors.a(7 + i, k) * factors.b(k, 14 + j);
      CHECK(part[static_cast<std::size_t>(3 * i + j)] == sum);
      CHECK(whole[static_cast<std::size_t>((7 + i) * rows + 14 + j)] == sum);
    }
  }
}

/// The ranks of the largest square, the others idle.
UniqueComm square(int side) {
  UniqueComm comm;
  const int rank = rank_in(MPI_COMM_WORLD);
  mpi_check(
      MPI_Comm_split(MPI_COMM_WORLD, rank < side * side ? 0 : MPI_UNDEFINED, rank, comm.out()));
  return comm;
}

bool goes(const ShiftWay& way, Work work) {
  return work != Work::during || way.overlap == Overlap::possible;
}

TEST_CASE("every way gives the bits of the serial product") {
  const int side = size_of(MPI_COMM_WORLD) >= 4 ? 2 : 1;
  const UniqueComm comm = square(side);
  if (!comm) return;
  std::uint64_t seed = 1;
  for (const ShiftWay& way : shift_ways()) {
    if (side == 1 && way.name == "fence") continue;  // Open MPI 4.1 has no windows of one rank
    for (const Work work : {Work::none, Work::alone, Work::after, Work::during}) {
      if (!goes(way, work)) continue;
      for (const char* const mapping : {"linear", "2x1"}) {
        if (side == 1 && mapping != std::string("linear")) continue;
        const CannonCase cannon{
            .rows = 6 * side, .side = side, .mapping = mapping, .way = way.name, .work = work};
        INFO(curve_name(point_of(cannon)));
        Cannon solver(comm.get(), cannon, way);
        solver.refill(seed++, 1);
        solver.run_batch(3);
        CHECK(by_all(comm.get(), solver.verify()));
        solver.ready();
        solver.run_batch(1);
        CHECK(by_all(comm.get(), solver.verify()));
      }
    }
  }
}

/// Passes on both factors, but on one rank one of them stays away.
class ForgetfulShift final : public Shift {
 public:
  inline static std::size_t forgotten = 0;  ///< the factor

  explicit ForgetfulShift(const FactorBlocks& blocks)
      : blocks_(blocks), shift_(find_shift_way("immediate").make(blocks)) {}

  void begin(int turn) override {
    double* const next = blocks_.block(1 - turn, forgotten);
    before_.assign(next, next + blocks_.elements);
    shift_->begin(turn);
  }
  void end(int turn) override {
    shift_->end(turn);
    if (rank_in(blocks_.comm) != 1) return;
    std::ranges::copy(before_, blocks_.block(1 - turn, forgotten));
  }

 private:
  const FactorBlocks& blocks_;
  std::unique_ptr<Shift> shift_;
  std::vector<double> before_;
};

TEST_CASE("a block that stays away is noticed") {
  if (size_of(MPI_COMM_WORLD) < 4) return;
  const UniqueComm comm = square(2);
  if (!comm) return;
  const ShiftWay forgetful{.name = "forgetful",
                           .calls = "",
                           .overlap = Overlap::possible,
                           .make = [](const FactorBlocks& blocks) -> std::unique_ptr<Shift> {
                             return std::make_unique<ForgetfulShift>(blocks);
                           }};
  for (const std::size_t factor : {std::size_t{0}, std::size_t{1}}) {
    ForgetfulShift::forgotten = factor;
    for (const Work work : {Work::none, Work::after, Work::during}) {
      Cannon solver(comm.get(), {.rows = 8, .side = 2, .work = work}, forgetful);
      solver.refill(2, 1);
      solver.run_batch(1);
      CHECK_FALSE(by_all(comm.get(), solver.verify()));
    }
  }
}

TEST_CASE("the point of a product has the bytes of a block") {
  const CannonCase cannon{.rows = 30, .side = 3, .way = "immediate", .work = Work::during};
  const Point point = point_of(cannon);
  CHECK(point.bytes.value == 10 * 10 * 8);
  CHECK(point.ranks == 9);
  CHECK(point_of(cannon_case_of(point)) == point);
  CHECK(recorded(point).parameters.at("multiply") == multiplier());
  // Nine ranks pass two blocks on twice.
  CHECK(cannon_entry().volume(point).bytes.value == 9 * 2 * 2 * 800);
  CHECK_THROWS_WITH(find_shift_way("blockin"), Catch::Contains("blocking"));
}

}  // namespace
}  // namespace hockney::benchmarks::kernels
