#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/engine/prepared.hpp"
#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "benchmarks/harness/point.hpp"
#include "benchmarks/kernels/grid.hpp"
#include "benchmarks/kernels/halo.hpp"

namespace hockney::benchmarks::kernels {

/// Size of the problem, processes, and method.
struct PoissonCase {
  Decomposition decomposition;
  std::string mapping{linear_mapping};
  std::string way = "blocking";  ///< one of halo_ways()
  Work work = Work::after;
  int iterations = 10;  ///< Jacobi iterations of one solution, from the start
};

/// The point for the record, and the case of a point. The operation is "halo", and the bytes are
/// those that the busiest rank sends in an iteration.
Point point_of(const PoissonCase& poisson);
PoissonCase poisson_case_of(const Point& point);

/// Jacobi's iteration for Poisson's equation on a grid in blocks. A run of the operation is one
/// solution: `iterations` iterations from the start. Its data are right if they equal a solution
/// without neighbour processes bit by bit.
class Poisson final : public PreparedOperation {
 public:
  /// Collective over `comm`, which has one rank for each process.
  Poisson(MPI_Comm comm, const PoissonCase& poisson, const HaloWay& way);

  void run_batch(std::int64_t iterations) override;
  /// Restores the start, on all ranks.
  void ready() override;
  [[nodiscard]] std::optional<std::int64_t> most_iterations() const override { return {}; }
  void refill(std::uint64_t seed, std::int64_t iterations) override;
  [[nodiscard]] bool verify() override;

 private:
  void communicate();
  void compute();
  void compute_after();
  void compute_during();
  void relax_box(const Box& box);
  void turn();
  [[nodiscard]] bool holds_solution() const;
  [[nodiscard]] bool holds_neighbours(int field) const;

  PoissonCase poisson_;
  UniqueComm comm_;  ///< ranks are positions
  Box box_;          ///< of this rank, in points of the grid
  Layout layout_;
  Peeled peeled_;
  std::vector<double> fields_;  ///< both fields
  HaloBlock block_;
  std::unique_ptr<Halo> halo_;
  Start start_;
  std::vector<double> first_;  ///< restored by ready()
  int now_ = 0;                ///< field of the last completed step
  std::int64_t steps_ = 0;     ///< since ready()
};

/// The operation "halo", for launches. It is not in the catalogue: its points have grids instead of
/// sizes.
const CatalogueEntry& halo_entry();

}  // namespace hockney::benchmarks::kernels
