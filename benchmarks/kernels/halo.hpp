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

/// Which parts of a kernel run at a point: the value of the parameter "work".
enum class Work {
  none,   ///< communication only
  alone,  ///< computation only
  after,  ///< computation after communication
  during  ///< computation during communication, as far as possible
};

constexpr auto words_of(std::type_identity<Work>) {
  return std::to_array<std::string_view>({"none", "alone", "after", "during"});
}

// Parameters of all kernels' points.
inline constexpr Parameter<Work> work_parameter{hockney::work_parameter};
inline const Parameter<std::string> mapping_parameter{"mapping"};
inline const Parameter<std::string> way_parameter{"way"};
inline constexpr Parameter<Grid> processes_parameter{"grid"};

/// Advances simulated time by that of `flops` floating-point operations: a simulator takes no time
/// for computations. No effect without a simulator.
inline void pass_simulated_time([[maybe_unused]] double flops) {
#ifdef SMPI_H
  smpi_execute_flops(flops);
#endif
}

/// One side of a block. The datatypes are relative to the start of a field.
struct Face {
  int neighbour = MPI_PROC_NULL;   ///< rank; null at the grid's edge
  UniqueDatatype inner;            ///< outermost cells of this block, which the neighbour needs
  UniqueDatatype ghosts;           ///< the neighbour's cells beside them
  UniqueDatatype their_ghosts;     ///< place of the inner cells in the neighbour's field
  MPI_Aint their_field_bytes = 0;  ///< distance between the neighbour's two fields

  [[nodiscard]] bool has_neighbour() const { return neighbour != MPI_PROC_NULL; }
};

/// The two fields of a block, between which Jacobi's iteration alternates, and its faces: two for
/// each dimension, low before high. Ranks of `comm` are positions.
struct HaloBlock {
  MPI_Comm comm = MPI_COMM_NULL;
  Grid processes;
  std::array<double*, 2> fields{};
  std::size_t field_bytes = 0;  ///< of one field; the second follows the first
  std::vector<Face> faces;

  [[nodiscard]] double* field(int which) const {
    return fields.at(static_cast<std::size_t>(which));
  }
  /// The faces with a neighbour.
  [[nodiscard]] std::vector<const Face*> open_faces() const;
};

/// Makes the faces of the block at `position`.
std::vector<Face> make_faces(const Decomposition& decomposition, int position);

/// The exchange of ghost cells, in one way of communicating. Fields alternate: no rank begins an
/// exchange before it has ended the one of the other field. Return codes are not checked in the
/// timed region; the data show whether the calls worked.
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
  /// Returns when the field's ghost cells have the neighbours' values.
  virtual void end(int field) = 0;
};

/// Whether cells can be computed between begin() and end().
enum class Overlap { impossible, possible };

/// A way of communicating. Construction is collective over the block's communicator. The block must
/// outlive the exchange.
struct HaloWay {
  std::string name;
  std::string calls;  ///< MPI functions, for --list
  Overlap overlap = Overlap::possible;
  std::unique_ptr<Halo> (*make)(const HaloBlock& block) = nullptr;
};

/// All ways, the blocking one first.
const std::vector<HaloWay>& halo_ways();
/// InputError that names the nearest way if none is called `name`.
const HaloWay& find_halo_way(const std::string& name);
/// Why the MPI library cannot communicate in this way; nullopt if it can.
std::optional<std::string> halo_obstacle(const HaloWay& way);

}  // namespace hockney::benchmarks::kernels
