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

/// What is solved, by which processes, and how.
struct PoissonCase {
  Decomposition decomposition;
  std::string mapping{linear_mapping};
  std::string way = "blocking";  ///< one of halo_ways()
  Work work = Work::after;
  int iterations = 10;  ///< of Jacobi's in one solution, from the start
};

/// The point of the record: operation "halo", its bytes those that the rank with most of them sends
/// in an iteration; and back.
Point point_of(const PoissonCase& poisson);
PoissonCase poisson_case_of(const Point& point);

/// Jacobi's iteration for Poisson's equation on a grid in blocks. A run of the operation
/// is one solution: so many iterations from the start. Its data are right when they are, bit by
/// bit, those of a solution without any neighbours.
class Poisson final : public PreparedOperation {
 public:
  /// Collective over `comm`, which has as many ranks as there are processes.
  Poisson(MPI_Comm comm, const PoissonCase& poisson, const HaloWay& way);

  void run_batch(std::int64_t iterations) override;
  /// Back to the start, on all ranks.
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
  std::vector<double> fields_;  ///< both
  HaloBlock block_;
  std::unique_ptr<Halo> halo_;
  Start start_;
  std::vector<double> first_;  ///< what ready() brings back
  int now_ = 0;                ///< the field of the step that is done
  std::int64_t steps_ = 0;     ///< since ready()
};

/// The operation "halo", for launches. It is in no catalogue: its points have grids in place of
/// sizes.
const CatalogueEntry& halo_entry();

}  // namespace hockney::benchmarks::kernels
