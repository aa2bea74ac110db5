#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "benchmarks/harness/mpi_objects.hpp"
#include "benchmarks/harness/point.hpp"
#include "benchmarks/kernels/grid.hpp"

namespace hockney::benchmarks::kernels {

/// What a kernel does of its work at a point: the value of the parameter "work".
enum class Work {
  none,   ///< communicates only
  alone,  ///< computes only
  after,  ///< computes after it has communicated
  during  ///< computes what it can while it communicates
};

constexpr auto words_of(std::type_identity<Work>) {
  return std::to_array<std::string_view>({"none", "alone", "after", "during"});
}

// What points of all kernels say.
inline constexpr Parameter<Work> work_parameter{hockney::work_parameter};
inline const Parameter<std::string> mapping_parameter{"mapping"};
inline const Parameter<std::string> way_parameter{"way"};
inline constexpr Parameter<Grid> processes_parameter{"grid"};

/// Lets the simulated time go on that a host needs for so many floating-point operations: a
/// simulator takes no time for what is computed. Nothing elsewhere.
inline void pass_simulated_time([[maybe_unused]] double flops) {
#ifdef SMPI_H
  smpi_execute_flops(flops);
#endif
}

/// One side of a block. The datatypes say where cells lie from the beginning of a field on.
struct Face {
  int neighbour = MPI_PROC_NULL;   ///< rank; there is none at the edge of the grid
  UniqueDatatype inner;            ///< the outermost cells of this block, which the neighbour needs
  UniqueDatatype ghosts;           ///< the cells of the neighbour beside them
  UniqueDatatype their_ghosts;     ///< where the neighbour wants the inner ones, in its own field
  MPI_Aint their_field_bytes = 0;  ///< between the beginnings of the neighbour's two fields

  [[nodiscard]] bool has_neighbour() const { return neighbour != MPI_PROC_NULL; }
};

/// The two fields of a block, between which Jacobi's iteration goes to and fro, and its faces: two
/// for each dimension, low before high. Ranks of `comm` are positions.
struct HaloBlock {
  MPI_Comm comm = MPI_COMM_NULL;
  Grid processes;
  std::array<double*, 2> fields{};
  std::size_t field_bytes = 0;  ///< of one; the second follows the first
  std::vector<Face> faces;

  [[nodiscard]] double* field(int which) const {
    return fields.at(static_cast<std::size_t>(which));
  }
  /// The faces where there is a neighbour.
  [[nodiscard]] std::vector<const Face*> open_faces() const;
};

/// Makes the faces of the block at `position`.
std::vector<Face> make_faces(const Decomposition& decomposition, int position);

/// The exchange of ghost cells, in one way of communicating. Fields take turns: nobody begins with
/// one before it has ended with the other. The calls are unchecked: they run inside the timed
/// region, and the data tell whether they did their work.
class Halo {
 public:
  Halo() = default;
  Halo(const Halo&) = delete;
  Halo& operator=(const Halo&) = delete;
  Halo(Halo&&) = delete;
  Halo& operator=(Halo&&) = delete;
  virtual ~Halo() = default;

  /// Starts to send the inner cells of a field, which must not change until end().
  virtual void begin(int field) = 0;
  /// Returns when the field's ghost cells hold the neighbours' cells.
  virtual void end(int field) = 0;
};

/// Whether cells can be computed between begin() and end().
enum class Overlap { impossible, possible };

/// A way of communicating. Making one is collective over the block's communicator.
struct HaloWay {
  std::string name;
  std::string calls;  ///< of MPI, for --list
  Overlap overlap = Overlap::possible;
  std::unique_ptr<Halo> (*make)(const HaloBlock& block) = nullptr;
};

// Each in a file of its own. The block must outlive the exchange.
std::unique_ptr<Halo> make_blocking(const HaloBlock& block);
std::unique_ptr<Halo> make_immediate(const HaloBlock& block);
std::unique_ptr<Halo> make_persistent(const HaloBlock& block);
std::unique_ptr<Halo> make_neighbourhood(const HaloBlock& block);
std::unique_ptr<Halo> make_fence(const HaloBlock& block);
std::unique_ptr<Halo> make_pscw(const HaloBlock& block);
std::unique_ptr<Halo> make_lock(const HaloBlock& block);

/// All ways, the blocking one first.
const std::vector<HaloWay>& halo_ways();
/// InputError naming the nearest for a way there is not.
const HaloWay& find_halo_way(const std::string& name);
/// Why the MPI library cannot go this way; nullopt where it can.
std::optional<std::string> halo_obstacle(const HaloWay& way);

}  // namespace hockney::benchmarks::kernels
