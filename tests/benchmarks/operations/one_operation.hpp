#pragma once

#include <mpi.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/datatypes.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/epochs.hpp"
#include "benchmarks/harness/file_access.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "benchmarks/harness/traffic.hpp"

namespace hockney::benchmarks {

/// The first two ranks for pair operations, everybody for the others; null where this rank is out.
inline UniqueComm team_for(const Descriptor& descriptor) {
  const int rank = rank_in(MPI_COMM_WORLD);
  const int ranks = size_of(MPI_COMM_WORLD);
  bool in = descriptor.shape != GroupShape::pair || rank < 2;
  if (descriptor.shape == GroupShape::pairs && ranks % 2 != 0) in = rank < ranks - 1;
  UniqueComm team;
  mpi_check(MPI_Comm_split(MPI_COMM_WORLD, in ? 0 : MPI_UNDEFINED, rank, team.out()));
  return team;
}

/// Whether the data of an operation travel by calls of MPI, where a shim can corrupt them.
inline bool goes_by_mpi(const Descriptor& descriptor) { return descriptor.carrier == Carrier::mpi; }

/// A point has the size of so many elements of its datatype, or of the one that it works on.
inline Point with_elements(Point point, const Descriptor& descriptor, std::size_t elements) {
  const std::size_t count = descriptor.one_element ? 1 : elements;
  point.bytes = Bytes{static_cast<std::int64_t>(count * datatype_of(point).size)};
  return point;
}

inline Point point_for(const Descriptor& descriptor, Bytes bytes, int ranks) {
  Point point{.operation = std::string(descriptor.name), .bytes = bytes, .ranks = ranks};
  if (descriptor.windowed) point.parameters.set(window_parameter, 5);
  if (descriptor.reduces) {
    point.parameters.set(
        {{datatype_parameter, "double"}, {operator_parameter, &find_operator("sum")}});
  }
  if (descriptor.one_sided) {
    point.parameters.set(window_kind_parameter, WindowKind::created);
  }
  if (descriptor.files) point.parameters.set(file_path_parameter, "/tmp");
  if (!descriptor.one_element) return point;
  point.parameters.set(datatype_parameter, descriptor.usual_datatype);
  return with_elements(point, descriptor, 1);
}

/// Persistent collectives that do not do their work, in programs of ten lines, too: of MPICH 4.0.2
/// and of Intel MPI 2021.18 (docs/reference/mpi-libraries.md).
inline bool is_broken(const Descriptor& descriptor) {
  const auto names = {"persistent-allgather", "persistent-gather", "persistent-scatter"};
  const std::string library = mpi_library();
  return std::ranges::find(names, descriptor.name) != names.end() &&
         (library.find("\t4.0") != std::string::npos || library.find("Intel") != std::string::npos);
}

/// Intel MPI 2021.18 does not change the target where MPI_Get_accumulate should, if elements have
/// gaps: in a program of ten lines, too (docs/reference/mpi-libraries.md).
inline bool is_broken(const Descriptor& descriptor, const Point& point) {
  const Datatype& type = datatype_of(point);
  return descriptor.name.starts_with("get-accumulate") && type.extent != type.size &&
         mpi_library().find("Intel") != std::string::npos;
}

/// Whether this library can do the operation with buffers in a cache state.
inline bool is_possible(const CatalogueEntry& entry, Point point, const CachePlan& cache = {}) {
  if (is_broken(entry.descriptor) || is_broken(entry.descriptor, point)) return false;
  point.parameters.set(cache_parameter, cache.state);
  return !entry.obstacle(point);
}

/// Every cache state, with rings that are small enough to go round many times.
inline std::vector<CachePlan> small_rings() {
  constexpr std::size_t bytes = std::size_t{128} << 10;
  return {{.state = CacheState::hot},
          {.state = CacheState::cold, .bytes = bytes},
          {.state = CacheState::fresh, .bytes = std::size_t{64} << 20}};
}

inline bool all_of(MPI_Comm comm, bool value) {
  int all = value ? 1 : 0;
  mpi_check(PMPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, comm));
  return all == 1;
}

inline bool any_of(MPI_Comm comm, bool value) { return !all_of(comm, !value); }

}  // namespace hockney::benchmarks
