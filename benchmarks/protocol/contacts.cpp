#include "benchmarks/protocol/contacts.hpp"

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/memory_use.hpp"
#include "benchmarks/harness/mpi_error.hpp"
#include "benchmarks/protocol/tags.hpp"

namespace hockney {
namespace {

void keep_now(const std::string& moment, int peers, std::vector<MemoryUse>& uses) {
  auto use = read_memory_use();
  if (!use) return;
  use->moment = moment;
  use->peers = peers;
  uses.push_back(*use);
}

}  // namespace

std::vector<MemoryUse> contact_peers(MPI_Comm comm) {
  std::vector<MemoryUse> uses;
  if (is_simulated()) return uses;  // all ranks are one process there
  const int rank = rank_in(comm);
  keep_now("after-init", 0, uses);
  for (int peer = 1; peer < size_of(comm); ++peer) {
    if (rank != 0 && rank != peer) continue;
    const int other = rank == 0 ? peer : 0;
    mpi_check(MPI_Sendrecv(nullptr, 0, MPI_BYTE, other, note_tag, nullptr, 0, MPI_BYTE, other,
                           note_tag, comm, MPI_STATUS_IGNORE));
    keep_now("after-peer", rank == 0 ? peer : 1, uses);
  }
  return uses;
}

}  // namespace hockney
