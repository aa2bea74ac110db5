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

/// The multiplication's source: "blas" if the build found a BLAS with CBLAS, else "own".
std::string_view multiplier();

/// C += A B of square row-major matrices with n rows, on one core.
void multiply_add(int n, const double* a, const double* b, double* c);

/// Floating-point operations of multiply_add().
inline double flops_of_product(int n) { return 2.0 * n * n * n; }

/// The two factors of a product. Elements are random whole numbers between -4 and 4, so that sums
/// are exact in any order.
struct Factors {
  std::uint64_t seed = 0;

  [[nodiscard]] double a(int row, int column) const;
  [[nodiscard]] double b(int row, int column) const;
};

/// Rows and columns of one block of a matrix.
struct MatrixBlock {
  int first_row = 0;
  int first_column = 0;
  int size = 0;  ///< number of rows, and of columns
};

/// A block of a product over inner indices from `begin` to `end`, computed one element after the
/// other.
std::vector<double> serial_product(const Factors& factors, const MatrixBlock& block, int begin,
                                   int end);

/// Two blocks of each factor: the current one, and room for the next. Blocks of A move left in
/// their row of processes, those of B up in their column, both cyclically.
struct FactorBlocks {
  MPI_Comm comm = MPI_COMM_NULL;
  int elements = 0;                 ///< in a block
  std::array<double*, 4> memory{};  ///< of A, of B, of the next A, of the next B, one after the
                                    ///< other
  std::array<int, 2> to{};          ///< ranks that receive this rank's blocks of A and B
  std::array<int, 2> from{};        ///< ranks that send the next blocks

  /// The block of A (0) or of B (1) in one of the two turns.
  [[nodiscard]] double* block(int turn, std::size_t factor) const {
    return memory.at(2 * static_cast<std::size_t>(turn) + factor);
  }
};

/// Passes blocks on, in one way of communicating. Return codes are not checked in the timed region.
class Shift {
 public:
  Shift() = default;
  Shift(const Shift&) = delete;
  Shift& operator=(const Shift&) = delete;
  Shift(Shift&&) = delete;
  Shift& operator=(Shift&&) = delete;
  virtual ~Shift() = default;

  /// Starts to send the blocks of a turn, which may be read, but not changed, until end().
  virtual void begin(int turn) = 0;
  /// Returns when the blocks of the other turn have been received.
  virtual void end(int turn) = 0;
};

/// A way of communicating. Construction is collective.
struct ShiftWay {
  std::string name;
  std::string calls;  ///< MPI functions, for --list
  Overlap overlap = Overlap::possible;
  std::unique_ptr<Shift> (*make)(const FactorBlocks& blocks) = nullptr;
};

/// All ways, the blocking one first.
const std::vector<ShiftWay>& shift_ways();
/// InputError that names the nearest way if none is called `name`.
const ShiftWay& find_shift_way(const std::string& name);

/// Size of the matrices, number of processes, and method.
struct CannonCase {
  int rows = 0;  ///< of the whole square matrices
  int side = 0;  ///< of the square of processes; divides `rows`
  std::string mapping{linear_mapping};
  std::string way = "blocking";  ///< one of shift_ways()
  Work work = Work::after;

  [[nodiscard]] Grid processes() const { return {.dimensions = 2, .extents = {1, side, side}}; }
  [[nodiscard]] int block_rows() const { return rows / side; }
};

/// The point for the record, and the case of a point. The operation is "cannon", and the bytes are
/// those of a block, which is one message.
Point point_of(const CannonCase& cannon);
CannonCase cannon_case_of(const Point& point);

/// Cannon's product of square matrices on a square of processes. A run of the operation is one
/// product: `side` products of blocks, and between them side - 1 shifts of a block of each factor
/// to a neighbour. The blocks start in the algorithm's initial alignment. The data are right if
/// they equal a serial product bit by bit.
class Cannon final : public PreparedOperation {
 public:
  /// Collective over `comm`, which has one rank for each process.
  Cannon(MPI_Comm comm, const CannonCase& cannon, const ShiftWay& way);

  void run_batch(std::int64_t iterations) override;
  /// Restores factors and product, on all ranks.
  void ready() override;
  [[nodiscard]] std::optional<std::int64_t> most_iterations() const override { return {}; }
  void refill(std::uint64_t seed, std::int64_t iterations) override;
  [[nodiscard]] bool verify() override;

 private:
  void run_after();
  void run_during();
  void pass_on();
  void multiply();
  /// Index of the blocks after this many shifts: rows of B and columns of A.
  [[nodiscard]] int inner_block(std::int64_t shifts) const;
  [[nodiscard]] std::vector<double> factor_block(std::size_t factor, std::int64_t shifts) const;
  [[nodiscard]] bool holds_product() const;
  [[nodiscard]] bool holds_factors() const;

  CannonCase cannon_;
  UniqueComm comm_;  ///< ranks are positions
  int row_;          ///< of this process
  int column_;
  std::vector<double> memory_;  ///< blocks of the factors
  FactorBlocks blocks_;
  std::unique_ptr<Shift> shift_;
  std::vector<double> product_;
  Factors factors_;
  std::vector<double> first_;  ///< the factors' first blocks, restored by ready()
  int turn_ = 0;
  std::int64_t products_ = 0;  ///< since ready()
};

/// The operation "cannon", for launches; like "halo" it is not in the catalogue.
const CatalogueEntry& cannon_entry();

}  // namespace hockney::benchmarks::kernels
