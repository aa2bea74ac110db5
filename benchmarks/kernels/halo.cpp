#include "benchmarks/kernels/halo.hpp"

#include <algorithm>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_error.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace hockney::benchmarks::kernels {
namespace {

enum class Side { low, high };
enum class Layer { inner, ghosts };

/// The cells of a field on one side, in a layer of them.
UniqueDatatype slab(const Layout& layout, std::size_t dimension, Side side, Layer layer) {
  Triple cells = layout.inner().end;
  Triple first{};
  for (std::size_t i = 0; i < 3; ++i) first.at(i) = layout.ghosts(i);
  const int last = first.at(dimension) + cells.at(dimension);
  if (side == Side::low) {
    first.at(dimension) = layer == Layer::inner ? first.at(dimension) : 0;
  } else {
    first.at(dimension) = layer == Layer::inner ? last - 1 : last;
  }
  cells.at(dimension) = 1;
  UniqueDatatype type;
  mpi_check(MPI_Type_create_subarray(3, layout.padded().data(), cells.data(), first.data(),
                                     MPI_ORDER_C, MPI_DOUBLE, type.out()));
  MPI_Datatype handle = type.get();
  mpi_check(MPI_Type_commit(&handle));
  return type;
}

Face make_face(const Decomposition& decomposition, int position, std::size_t dimension, Side side) {
  const int dimensions = decomposition.points.dimensions;
  Triple place = decomposition.place_of(position);
  place.at(dimension) += side == Side::low ? -1 : 1;
  const int neighbour = decomposition.position_of(place);
  Face face;
  if (neighbour < 0) return face;
  const Layout own(decomposition.block_at(position), dimensions);
  const Layout theirs(decomposition.block_at(neighbour), dimensions);
  const Side opposite = side == Side::low ? Side::high : Side::low;
  face.neighbour = neighbour;
  face.inner = slab(own, dimension, side, Layer::inner);
  face.ghosts = slab(own, dimension, side, Layer::ghosts);
  face.their_ghosts = slab(theirs, dimension, opposite, Layer::ghosts);
  face.their_field_bytes = static_cast<MPI_Aint>(theirs.cells() * sizeof(double));
  return face;
}

}  // namespace

std::vector<const Face*> HaloBlock::open_faces() const {
  std::vector<const Face*> open;
  for (const Face& face : faces) {
    if (face.has_neighbour()) open.push_back(&face);
  }
  return open;
}

std::vector<Face> make_faces(const Decomposition& decomposition, int position) {
  std::vector<Face> faces;
  for (std::size_t i = decomposition.points.first(); i < 3; ++i) {
    for (const Side side : {Side::low, Side::high}) {
      faces.push_back(make_face(decomposition, position, i, side));
    }
  }
  return faces;
}

const std::vector<HaloWay>& halo_ways() {
  static const std::vector<HaloWay> ways{
      {"blocking", "MPI_Sendrecv to each side in turn", Overlap::impossible, make_blocking},
      {"immediate", "MPI_Irecv, MPI_Isend, MPI_Waitall", Overlap::possible, make_immediate},
      {"persistent", "MPI_Startall of MPI_Recv_init and MPI_Send_init, MPI_Waitall",
       Overlap::possible, make_persistent},
      {"neighbourhood", "MPI_Ineighbor_alltoallw, MPI_Wait", Overlap::possible, make_neighbourhood},
      {"fence", "MPI_Put, MPI_Win_fence", Overlap::possible, make_fence},
      {"pscw", "MPI_Win_post, MPI_Win_start, MPI_Put, MPI_Win_complete, MPI_Win_wait",
       Overlap::possible, make_pscw},
      {"lock",
       "MPI_Win_lock_all once; MPI_Put, MPI_Win_flush_all, and empty messages that tell of it",
       Overlap::possible, make_lock}};
  return ways;
}

const HaloWay& find_halo_way(const std::string& name) {
  const auto& ways = halo_ways();
  const auto found = std::ranges::find(ways, name, &HaloWay::name);
  if (found != ways.end()) return *found;
  throw InputError({"unknown way '" + name + "'", "no exchange of ghost cells goes it",
                    suggest(name, strings_of(ways, [](const HaloWay& way) { return way.name; }))});
}

std::optional<std::string> halo_obstacle(const HaloWay& way) {
  if (!is_simulated() || way.name != "neighbourhood") return std::nullopt;
  return "SMPI has no neighbourhood collectives";
}

}  // namespace hockney::benchmarks::kernels
