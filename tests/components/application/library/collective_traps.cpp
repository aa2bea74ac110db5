#include <mpi.h>
#include <array>
#include <numeric>
#include <vector>

#include "tests/components/application/library/trap_self.hpp"

namespace hockney::profile {
namespace {

void derived_types(Self& self) {
  MPI_Datatype column{};
  MPI_Type_vector(5, 2, 10, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  std::vector<double> data(100);
  MPI_Sendrecv_replace(data.data(), 1, column, self.right(), 60, self.left(), 60, MPI_COMM_WORLD,
                       MPI_STATUS_IGNORE);
  self.ledger.send("Sendrecv_replace", self.right(), 80);
  MPI_Bcast(data.data(), 1, column, 0, MPI_COMM_WORLD);
  self.ledger.call("Bcast", 80);
  MPI_Type_free(&column);
}

void collectives(Self& self, MPI_Comm comm) {
  int size = 0;
  int rank = 0;
  MPI_Comm_size(comm, &size);
  MPI_Comm_rank(comm, &rank);
  const auto ranks = static_cast<std::size_t>(size);
  std::vector<double> one(ranks * ranks, 1);
  std::vector<double> all(ranks * ranks, 1);
  std::vector<int> counts(ranks);
  std::iota(counts.begin(), counts.end(), 1);  // 1, 2, ...: sum size (size + 1) / 2
  std::vector<int> ones(ranks, rank + 1);
  std::vector<int> places(ranks);
  std::partial_sum(counts.begin(), counts.end() - 1, places.begin() + 1);
  const int sum = size * (size + 1) / 2;
  const bool is_root = rank == 0;
  Ledger& ledger = self.ledger;
  MPI_Barrier(comm);
  ledger.call("Barrier");
  MPI_Reduce(one.data(), all.data(), 3, MPI_DOUBLE, MPI_SUM, 0, comm);
  ledger.call("Reduce", 24);
  MPI_Reduce(is_root ? MPI_IN_PLACE : one.data(), one.data(), 3, MPI_DOUBLE, MPI_SUM, 0, comm);
  ledger.call("Reduce", 24);
  MPI_Allreduce(MPI_IN_PLACE, one.data(), 2, MPI_DOUBLE, MPI_MAX, comm);
  ledger.call("Allreduce", 16);
  MPI_Gather(one.data(), 1, MPI_DOUBLE, all.data(), 1, MPI_DOUBLE, 0, comm);
  ledger.call("Gather", 8);
  MPI_Gather(is_root ? MPI_IN_PLACE : one.data(), is_root ? 0 : 1, MPI_DOUBLE, all.data(),
             is_root ? 1 : 0, MPI_DOUBLE, 0, comm);
  ledger.call("Gather", 8);
  MPI_Gatherv(one.data(), rank + 1, MPI_DOUBLE, all.data(), is_root ? counts.data() : nullptr,
              is_root ? places.data() : nullptr, MPI_DOUBLE, 0, comm);
  ledger.call("Gatherv", 8 * (rank + 1));
  MPI_Scatter(one.data(), 2, MPI_DOUBLE, all.data(), 2, MPI_DOUBLE, 0, comm);
  ledger.call("Scatter", is_root ? 16 * size : 16);
  MPI_Scatterv(is_root ? one.data() : nullptr, is_root ? counts.data() : nullptr,
               is_root ? places.data() : nullptr, MPI_DOUBLE, all.data(), rank + 1, MPI_DOUBLE, 0,
               comm);
  ledger.call("Scatterv", 8 * (is_root ? sum : rank + 1));
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all.data(), 1, MPI_DOUBLE, comm);
  ledger.call("Allgather", 8);
  MPI_Allgatherv(one.data(), rank + 1, MPI_DOUBLE, all.data(), counts.data(), places.data(),
                 MPI_DOUBLE, comm);
  ledger.call("Allgatherv", 8 * (rank + 1));
  MPI_Alltoall(one.data(), 1, MPI_DOUBLE, all.data(), 1, MPI_DOUBLE, comm);
  ledger.call("Alltoall", 8 * size);
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all.data(), 1, MPI_DOUBLE, comm);
  ledger.call("Alltoall", 8 * size);
  std::vector<int> mine(ranks);
  for (std::size_t i = 0; i < ranks; ++i) mine[i] = static_cast<int>(i) * (rank + 1);
  MPI_Alltoallv(one.data(), counts.data(), places.data(), MPI_DOUBLE, all.data(), ones.data(),
                mine.data(), MPI_DOUBLE, comm);
  ledger.call("Alltoallv", 8 * sum);
  std::vector<MPI_Datatype> types(ranks, MPI_DOUBLE);
  std::vector<int> same(ranks, 1);
  std::vector<int> offsets(ranks);
  for (std::size_t i = 0; i < ranks; ++i) offsets[i] = static_cast<int>(8 * i);
  MPI_Alltoallw(one.data(), same.data(), offsets.data(), types.data(), all.data(), same.data(),
                offsets.data(), types.data(), comm);
  ledger.call("Alltoallw", 8 * size);
  MPI_Reduce_scatter(one.data(), all.data(), counts.data(), MPI_DOUBLE, MPI_SUM, comm);
  ledger.call("Reduce_scatter", 8 * sum);
  MPI_Reduce_scatter_block(one.data(), all.data(), 1, MPI_DOUBLE, MPI_SUM, comm);
  ledger.call("Reduce_scatter_block", 8 * size);
  MPI_Scan(one.data(), all.data(), 1, MPI_DOUBLE, MPI_SUM, comm);
  ledger.call("Scan", 8);
  MPI_Exscan(one.data(), all.data(), 1, MPI_DOUBLE, MPI_SUM, comm);
  ledger.call("Exscan", 8);
  MPI_Request request{};
  MPI_Ibcast(one.data(), 3, MPI_DOUBLE, 0, comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  ledger.call("Ibcast", 24);
  ledger.call("Wait");
  MPI_Iallreduce(one.data(), all.data(), 3, MPI_DOUBLE, MPI_SUM, comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  ledger.call("Iallreduce", 24);
  ledger.call("Wait");
}

/// Ranks of other communicators are others in the world.
void communicators(Self& self) {
  MPI_Comm reversed{};
  MPI_Comm_split(MPI_COMM_WORLD, 0, -self.rank, &reversed);
  self.ledger.call("Comm_split");
  int data = 1;
  int rank = 0;
  MPI_Comm_rank(reversed, &rank);
  MPI_Sendrecv_replace(&data, 1, MPI_INT, (rank + 1) % self.size, 0,
                       (rank + self.size - 1) % self.size, 0, reversed, MPI_STATUS_IGNORE);
  self.ledger.send("Sendrecv_replace", self.left(), 4);
  MPI_Comm copy{};
  MPI_Comm_dup(reversed, &copy);
  self.ledger.call("Comm_dup");
  collectives(self, copy);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&reversed);
  self.ledger.call("Comm_free", 0, 2);

#if !defined(HOCKNEY_SIMULATED_PROFILE)  // it has no inter-communicators
  // Two sides: even and odd ranks.
  MPI_Comm side{};
  MPI_Comm_split(MPI_COMM_WORLD, self.rank % 2, self.rank, &side);
  self.ledger.call("Comm_split");
  MPI_Comm both{};
  MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, 1 - self.rank % 2, 9, &both);
  self.ledger.call("Intercomm_create");
  int others = 0;
  MPI_Comm_rank(side, &rank);
  MPI_Comm_remote_size(both, &others);
  if (rank == 0) {
    MPI_Sendrecv_replace(&data, 1, MPI_INT, 0, 0, 0, 0, both, MPI_STATUS_IGNORE);
    self.ledger.send("Sendrecv_replace", 1 - self.rank % 2, 4);
  }
  std::vector<int> from(static_cast<std::size_t>(others));
  MPI_Allgather(&data, 1, MPI_INT, from.data(), 1, MPI_INT, both);
  self.ledger.call("Allgather", 4);
  MPI_Comm merged{};
  MPI_Intercomm_merge(both, self.rank % 2, &merged);
  self.ledger.call("Intercomm_merge");
  MPI_Comm_free(&merged);
  MPI_Comm_free(&both);
  MPI_Comm_free(&side);
  self.ledger.call("Comm_free", 0, 3);
#endif
}

void neighbours(Self& self) {
  int periodic = 1;
  MPI_Comm ring{};
  MPI_Cart_create(MPI_COMM_WORLD, 1, &self.size, &periodic, 0, &ring);
  self.ledger.call("Cart_create");
  std::array<int, 2> data{};
  std::array<int, 2> came{};
#if !defined(HOCKNEY_SIMULATED_PROFILE)  // nor neighbourhoods
  MPI_Neighbor_alltoall(data.data(), 1, MPI_INT, came.data(), 1, MPI_INT, ring);
  self.ledger.call("Neighbor_alltoall", 8);
  MPI_Neighbor_allgather(data.data(), 1, MPI_INT, came.data(), 1, MPI_INT, ring);
  self.ledger.call("Neighbor_allgather", 8);
#endif
  MPI_Comm_free(&ring);
  self.ledger.call("Comm_free");
}

void one_sided(Self& self) {
  std::array<double, 8> memory{};
  std::array<double, 8> data{};
  MPI_Win window{};
  MPI_Win_create(memory.data(), sizeof memory, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD,
                 &window);
  self.ledger.call("Win_create");
  MPI_Win_fence(0, window);
  MPI_Put(data.data(), 4, MPI_DOUBLE, self.right(), 0, 4, MPI_DOUBLE, window);
  MPI_Get(data.data(), 2, MPI_DOUBLE, self.left(), 4, 2, MPI_DOUBLE, window);
  MPI_Win_fence(0, window);
  MPI_Accumulate(data.data(), 3, MPI_DOUBLE, self.right(), 0, 3, MPI_DOUBLE, MPI_SUM, window);
  MPI_Win_fence(0, window);
  self.ledger.call("Win_fence", 0, 3);
  self.ledger.call("Put", 32);
  self.ledger.call("Get", 16);
  self.ledger.call("Accumulate", 24);
  MPI_Win_free(&window);
  self.ledger.call("Win_free");
}

}  // namespace

void trap_collectives(Self& self) {
  derived_types(self);
  collectives(self, MPI_COMM_WORLD);
  communicators(self);
  neighbours(self);
  one_sided(self);
}

}  // namespace hockney::profile
