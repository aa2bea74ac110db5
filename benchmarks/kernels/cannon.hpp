#pragma once

#include <mpi.h>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/engine/prepared.hpp"
#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/handle.hpp"
#include "benchmarks/harness/point.hpp"
#include "benchmarks/kernels/grid.hpp"
#include "benchmarks/kernels/product.hpp"
#include "benchmarks/kernels/shift.hpp"
#include "benchmarks/kernels/work.hpp"

namespace hockney::benchmarks::kernels {

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
