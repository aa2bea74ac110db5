#include "benchmarks/harness/floor_obstacles.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/gather.hpp"
#include "benchmarks/harness/handle.hpp"
#include "benchmarks/harness/mpi_error.hpp"
#include "benchmarks/harness/peer_memory.hpp"
#include "benchmarks/harness/shared_memory.hpp"
#include "benchmarks/harness/sites.hpp"
#include "core/error.hpp"

namespace hockney {
namespace {

UniqueComm ranks_of_node(MPI_Comm comm) {
  const int rank = rank_in(comm);
  UniqueComm node;
  const auto sites = gather_sites(comm);
  mpi_check(MPI_Comm_split(comm, sites[static_cast<std::size_t>(rank)].node, rank, node.out()));
  return node;
}

std::string try_sharing(MPI_Comm node) {
  try {
    const SharedMemory memory(node, sizeof(int));
  } catch (const RunError&) {
    return "the ranks of a node cannot share memory (shm_open or mmap failed)";
  }
  return {};
}

/// Every rank reads a number from the next one: a process of that number on another machine, or in
/// another container, would not have it.
std::string try_reading(MPI_Comm node) {
  const auto next = static_cast<std::size_t>((rank_in(node) + 1) % size_of(node));
  const std::array<std::int64_t, 2> word{0x5EED, rank_in(node)};
  const std::array<std::int64_t, 2> own{::getpid(), reinterpret_cast<std::int64_t>(word.data())};
  std::vector<std::int64_t> all(2 * static_cast<std::size_t>(size_of(node)));
  admit_readers();
  // NOLINTNEXTLINE(mpi-type-mismatch): the checker knows one of the two names of long
  mpi_check(MPI_Allgather(own.data(), 2, MPI_INT64_T, all.data(), 2, MPI_INT64_T, node));
  std::array<std::int64_t, 2> found{};
  const int error = read_peer({.process = static_cast<pid_t>(all[2 * next]),
                               .address = static_cast<std::uint64_t>(all[2 * next + 1])},
                              reinterpret_cast<std::byte*>(found.data()), sizeof found);
  mpi_check(MPI_Barrier(node));  // the word is alive until everybody has read
  if (error != 0) {
    return "process_vm_readv is not permitted between the ranks (" +
           std::string(std::strerror(error)) + ")";
  }
  if (found == std::array<std::int64_t, 2>{word[0], static_cast<std::int64_t>(next)}) return {};
  return "process_vm_readv reads from another process (the ranks number processes differently)";
}

/// The first reason that any rank gives.
std::optional<std::string> any_of(MPI_Comm comm, const std::string& own) {
  for (const std::string& reason : gather_texts(comm, own)) {
    if (!reason.empty()) return reason;
  }
  return std::nullopt;
}

}  // namespace

const std::optional<std::string>& FloorObstacles::of(Carrier carrier) const {
  static const std::optional<std::string> none;
  if (carrier == Carrier::mpi) return none;
  return carrier == Carrier::shared_memory || shared_memory ? shared_memory : peer_memory;
}

FloorObstacles find_floor_obstacles(MPI_Comm comm) {
  if (is_simulated()) {
    const std::string reason = "a simulator moves no data, so that there is no floor";
    return {.shared_memory = reason, .peer_memory = reason};
  }
  const UniqueComm node = ranks_of_node(comm);
  return {.shared_memory = any_of(comm, try_sharing(node.get())),
          .peer_memory = any_of(comm, try_reading(node.get()))};
}

}  // namespace hockney
