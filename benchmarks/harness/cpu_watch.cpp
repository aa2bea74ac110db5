#include "benchmarks/harness/cpu_watch.hpp"

#include <unistd.h>
#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>

#include "benchmarks/harness/environment.hpp"

namespace hockney::benchmarks {
namespace {

/// The use on one host, as it is sent to rank 0.
struct SentUse {
  int node = 0;
  int is_known = 0;
  double cpus = 0;
  double steal_cpus = 0;
  double command_cpus = 0;
  std::array<char, 32> command{};  ///< Linux has up to 15 letters
};
static_assert(std::is_trivially_copyable_v<SentUse>);

SentUse sent(int node, const OtherUse& use) {
  SentUse made{.node = node,
               .is_known = 1,
               .cpus = use.cpus,
               .steal_cpus = use.steal_cpus,
               .command_cpus = use.command_cpus};
  std::memcpy(made.command.data(), use.command.data(),
              std::min(use.command.size(), made.command.size() - 1));
  return made;
}

OtherUse received(const SentUse& use) {
  return {.cpus = use.cpus,
          .steal_cpus = use.steal_cpus,
          .command = use.command.data(),
          .command_cpus = use.command_cpus};
}

}  // namespace

CpuWatch::CpuWatch(MPI_Comm comm, const JobPlacement& job)
    : comm_(comm), node_(0), nodes_(job.hosts.size()), reads_(false) {
  const Site& own = job.sites[static_cast<std::size_t>(rank_in(comm))];
  node_ = own.node;
  reads_ = own.local_rank == 0;
  UniqueComm host;
  mpi_check(MPI_Comm_split(comm, node_, own.rank, host.out()));
  const int process = static_cast<int>(::getpid());
  std::vector<int> processes(static_cast<std::size_t>(own.local_size));
  mpi_check(MPI_Gather(&process, 1, MPI_INT, processes.data(), 1, MPI_INT, 0, host.get()));
  if (!reads_) return;
  own_.processes = {processes.begin(), processes.end()};
  for (const Site& site : job.sites) {
    if (site.node != node_) continue;
    const RankPlace& place = job.places[static_cast<std::size_t>(site.rank)];
    own_.cpus.insert(place.actual_cpus.begin(), place.actual_cpus.end());
  }
  before_ = read_cpus();
}

std::vector<std::optional<OtherUse>> CpuWatch::finish() const {
  SentUse own;
  if (reads_ && !before_.cpus.empty()) {
    own = sent(node_, use_by_others(before_, read_cpus(), own_));
  }
  int ranks = 0;
  mpi_check(MPI_Comm_size(comm_, &ranks));
  const bool is_first = rank_in(comm_) == 0;
  std::vector<SentUse> all(is_first ? static_cast<std::size_t>(ranks) : 0);
  constexpr int bytes = sizeof(SentUse);
  mpi_check(MPI_Gather(&own, bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, 0, comm_));
  std::vector<std::optional<OtherUse>> uses(is_first ? nodes_ : 0);
  for (const SentUse& use : all) {
    if (use.is_known != 0) uses[static_cast<std::size_t>(use.node)] = received(use);
  }
  return uses;
}

}  // namespace hockney::benchmarks
