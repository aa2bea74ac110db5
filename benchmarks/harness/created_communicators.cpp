#include "benchmarks/harness/created_communicators.hpp"

#include <cstdint>
#include <numeric>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/handle.hpp"
#include "benchmarks/harness/mpi_error.hpp"

namespace hockney::benchmarks {
namespace {

UniqueGroup group_of(MPI_Comm comm) {
  UniqueGroup group;
  mpi_check(MPI_Comm_group(comm, group.out()));
  return group;
}

}  // namespace

std::vector<int> ranks_in_order(int size) {
  std::vector<int> ranks(static_cast<std::size_t>(size));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

bool has_ranks(MPI_Comm made, MPI_Comm parent, const std::vector<int>& ranks) {
  if (made == MPI_COMM_NULL || size_of(made) != static_cast<int>(ranks.size())) return false;
  int relation = MPI_UNEQUAL;
  mpi_check(MPI_Comm_compare(made, parent, &relation));
  if (relation == MPI_IDENT) return false;
  const std::vector<int> own = ranks_in_order(size_of(made));
  std::vector<int> found(own.size(), MPI_UNDEFINED);
  mpi_check(MPI_Group_translate_ranks(group_of(made).get(), size_of(made), own.data(),
                                      group_of(parent).get(), found.data()));
  return found == ranks && found[static_cast<std::size_t>(rank_in(made))] == rank_in(parent);
}

bool adds_up(MPI_Comm made) {
  const std::int64_t own = rank_in(made);
  const std::int64_t size = size_of(made);
  std::int64_t sum = 0;
  mpi_check(MPI_Allreduce(&own, &sum, 1, MPI_INT64_T, MPI_SUM, made));
  return sum == size * (size - 1) / 2;
}

}  // namespace hockney::benchmarks
