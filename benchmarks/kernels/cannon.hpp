#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/engine/prepared.hpp"
#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "benchmarks/harness/point.hpp"
#include "benchmarks/kernels/grid.hpp"
#include "benchmarks/kernels/halo.hpp"

namespace hockney::benchmarks::kernels {

/// Who multiplies: "blas" where the build found a BLAS with CBLAS, "own" elsewhere.
std::string_view multiplier();

/// C += A B of square matrices with n rows, one row after the other, on one core.
void multiply_add(int n, const double* a, const double* b, double* c);

/// Floating-point operations of multiply_add().
inline double flops_of_product(int n) { return 2.0 * n * n * n; }

/// The two factors of a product: whole numbers between -4 and 4 drawn for each element, so that
/// sums are exact in whichever order they are taken.
struct Factors {
  std::uint64_t seed = 0;

  [[nodiscard]] double a(int row, int column) const;
  [[nodiscard]] double b(int row, int column) const;
};

/// Rows and columns of one block of a matrix.
struct MatrixBlock {
  int first_row = 0;
  int first_column = 0;
  int size = 0;  ///< of rows, and of columns
};

/// That block of a product whose inner index goes from `begin` to `end`, one element after the
/// other.
std::vector<double> serial_product(const Factors& factors, const MatrixBlock& block, int begin,
                                   int end);

/// A block of each factor twice: what is multiplied, and room for what comes next. Blocks of A go
/// to the left in their row of processes, those of B up in their column, all round.
struct FactorBlocks {
  MPI_Comm comm = MPI_COMM_NULL;
  int elements = 0;                 ///< of a block
  std::array<double*, 4> memory{};  ///< of A, of B, of A next, of B next, one after the other
  std::array<int, 2> to{};          ///< ranks that take this rank's blocks of A and of B
  std::array<int, 2> from{};        ///< whose blocks come next

  /// The block of A (0) or of B (1) of one of the two turns.
  [[nodiscard]] double* block(int turn, std::size_t factor) const {
    return memory.at(2 * static_cast<std::size_t>(turn) + factor);
  }
};

/// Passes blocks on, in one way of communicating. The calls are unchecked: they run inside the
/// timed region.
class Shift {
 public:
  Shift() = default;
  Shift(const Shift&) = delete;
  Shift& operator=(const Shift&) = delete;
  Shift(Shift&&) = delete;
  Shift& operator=(Shift&&) = delete;
  virtual ~Shift() = default;

  /// Starts to send the blocks of a turn, which may be read, but not change, until end().
  virtual void begin(int turn) = 0;
  /// Returns when the blocks of the other turn are those of the neighbours.
  virtual void end(int turn) = 0;
};

/// A way of communicating. Making one is collective.
struct ShiftWay {
  std::string name;
  std::string calls;  ///< of MPI, for --list
  Overlap overlap = Overlap::possible;
  std::unique_ptr<Shift> (*make)(const FactorBlocks& blocks) = nullptr;
};

/// All ways, the blocking one first.
const std::vector<ShiftWay>& shift_ways();
/// InputError naming the nearest for a way there is not.
const ShiftWay& find_shift_way(const std::string& name);

/// What is multiplied, by how many processes, and how.
struct CannonCase {
  int rows = 0;  ///< of the whole matrices, which are square
  int side = 0;  ///< of the square of processes; divides the rows
  std::string mapping{linear_mapping};
  std::string way = "blocking";  ///< one of shift_ways()
  Work work = Work::after;

  [[nodiscard]] Grid processes() const { return {.dimensions = 2, .extents = {1, side, side}}; }
  [[nodiscard]] int block_rows() const { return rows / side; }
};

/// The point of the record: operation "cannon", its bytes those of a block, which is one message;
/// and back.
Point point_of(const CannonCase& cannon);
CannonCase cannon_case_of(const Point& point);

/// Cannon's product of square matrices on a square of processes. A run of the operation is one
/// product: `side` products of blocks, and between them side - 1 times a block of each factor to a
/// neighbour. The blocks begin where the algorithm's first alignment would put them. Data are right
/// when they are, bit by bit, those of a serial product.
class Cannon final : public PreparedOperation {
 public:
  /// Collective over `comm`, which has as many ranks as there are processes.
  Cannon(MPI_Comm comm, const CannonCase& cannon, const ShiftWay& way);

  void run_batch(std::int64_t iterations) override;
  /// Factors and product as at the start, on all ranks.
  void ready() override;
  [[nodiscard]] std::optional<std::int64_t> most_iterations() const override { return {}; }
  void refill(std::uint64_t seed, std::int64_t iterations) override;
  [[nodiscard]] bool verify() override;

 private:
  void run_after();
  void run_during();
  void pass_on();
  void multiply();
  /// Of the blocks that are here after so many shifts, the rows of B and the columns of A.
  [[nodiscard]] int inner_block(std::int64_t shifts) const;
  [[nodiscard]] std::vector<double> factor_block(std::size_t factor, std::int64_t shifts) const;
  [[nodiscard]] bool holds_product() const;
  [[nodiscard]] bool holds_factors() const;

  CannonCase cannon_;
  UniqueComm comm_;  ///< ranks are positions
  int row_;          ///< of this process
  int column_;
  std::vector<double> memory_;  ///< of the blocks of the factors
  FactorBlocks blocks_;
  std::unique_ptr<Shift> shift_;
  std::vector<double> product_;
  Factors factors_;
  std::vector<double> first_;  ///< of the factors, what ready() brings back
  int turn_ = 0;
  std::int64_t products_ = 0;  ///< since ready()
};

/// The operation "cannon", for launches; in no catalogue, like "halo".
const CatalogueEntry& cannon_entry();

}  // namespace hockney::benchmarks::kernels
