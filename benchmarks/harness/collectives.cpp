#include "benchmarks/harness/collectives.hpp"

#include <unistd.h>

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "benchmarks/harness/communicators.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/memory_facts.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "benchmarks/harness/payload.hpp"
#include "benchmarks/harness/placement.hpp"
#include "benchmarks/harness/rank_work.hpp"
#include "benchmarks/harness/traffic.hpp"
#include "core/error.hpp"

namespace hockney::benchmarks {
namespace {

std::optional<std::string> root_obstacle(const Point& point) {
  if (root_of(point) >= point.ranks) {
    return fmt::format("there is no rank {} among {}", root_of(point), point.ranks);
  }
  if (root_rotates(point) && has_rotating_buffers(point)) {
    return "the root rotates with hot buffers only";
  }
  return std::nullopt;
}

std::optional<std::string> in_place_obstacle(const Descriptor& descriptor, const Point& point) {
  if (descriptor.in_place != InPlace::consumed || !is_in_place(point)) return std::nullopt;
  if (has_rotating_buffers(point)) {
    return "in place, data are put back before each call, which would warm its buffers up";
  }
  if (point.parameters[cadence_parameter] == Cadence::streaming) {
    return "in place, each call would start from what the one before left";
  }
  if (descriptor.blocks && point.parameters[counts_parameter] != Distribution::equal) {
    return "in place, two ranks exchange blocks of one length";
  }
  return std::nullopt;
}

/// Elements of the largest block of any rank, computed for the mean block.
double largest_block(const Descriptor& descriptor, const Point& point) {
  const auto mean = static_cast<double>(message_of(point).count);
  if (!descriptor.divides) return mean;
  constexpr int shares = 1 << 20;  // as fine as a real number; an int for 1000 ranks
  const Division division = divide(shares, point.ranks, point.parameters[counts_parameter]);
  return mean * point.ranks * division.largest() / shares;
}

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

/// Every rank reads a number from the next rank. A process with the same number on another machine,
/// or in another container, does not contain it.
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
  mpi_check(MPI_Barrier(node));  // the word must exist until all ranks have read it
  if (error != 0) {
    return fmt::format("process_vm_readv is not permitted between the ranks ({})",
                       std::strerror(error));
  }
  if (found == std::array<std::int64_t, 2>{word[0], static_cast<std::int64_t>(next)}) return {};
  return "process_vm_readv reads from another process (the ranks number processes differently)";
}

/// The first reason that any rank has.
std::optional<std::string> any_of(MPI_Comm comm, const std::string& own) {
  for (const std::string& reason : gather_texts(comm, own)) {
    if (!reason.empty()) return reason;
  }
  return std::nullopt;
}

}  // namespace

double messages_under_way(const Descriptor& descriptor, const Point& point) {
  double messages = descriptor.windowed ? window_of(point) : 1;
  // With contention one rank at most has a message for each other rank; the others have one.
  if (descriptor.one_sided) messages = std::max<double>(messages, point.ranks);
  return messages * threads_of(point);
}

double buffer_count(const Descriptor& descriptor, const Point& point) {
  const bool puts_alone = descriptor.changes_target && !descriptor.accumulates;
  if (puts_alone) return 1;  // with the data of all calls; received data are in a window
  return threads_of(point) + messages_under_way(descriptor, point);
}

double buffer_bytes(const Descriptor& descriptor, const Point& point) {
  const MessageShape message = message_of(point);
  const auto extent = static_cast<double>(message.type->extent);
  if (!descriptor.blocks) {
    return (threads_of(point) + messages_under_way(descriptor, point)) * message.count * extent;
  }
  return (message.count + largest_block(descriptor, point)) * point.ranks * extent;
}

std::optional<std::string> call_obstacle(const Descriptor& descriptor, const Point& point) {
  if (point.parameters[work_parameter] != Work::none && is_simulated())
    return "work takes no time in a simulator";
  if (descriptor.rooted) {
    if (auto reason = root_obstacle(point)) return reason;
  }
  if (auto reason = in_place_obstacle(descriptor, point)) return reason;
  const double block = descriptor.blocks ? largest_block(descriptor, point) : 0;
  const double bytes = block * point.ranks * static_cast<double>(message_of(point).type->extent);
  if (bytes <= std::numeric_limits<int>::max()) return std::nullopt;
  return "the blocks of all ranks are larger than MPI 3 counts, 2147483647 bytes";
}

std::optional<std::string> persistent_obstacle(const Point& point) {
  if (std::is_null_pointer_v<decltype(HOCKNEY_PERSISTENT(Bcast))>) {
    return "this MPI has no persistent collectives, which came with MPI 4";
  }
  if (root_rotates(point)) return "a persistent request has one root";
  if (has_rotating_buffers(point)) return "a persistent request has one place for its buffers";
  return std::nullopt;
}

const std::optional<std::string>& FloorObstacles::of(Carrier carrier) const {
  static const std::optional<std::string> none;
  if (carrier == Carrier::mpi || carrier == Carrier::device) return none;
  if (carrier == Carrier::none) return work;
  return carrier == Carrier::shared_memory || shared_memory ? shared_memory : peer_memory;
}

FloorObstacles find_floor_obstacles(MPI_Comm comm) {
  if (is_simulated()) {
    const std::string reason = "a simulator moves no data, so that there is no floor";
    return {.shared_memory = reason,
            .peer_memory = reason,
            .work = "computing takes no time in a simulator"};
  }
  const UniqueComm node = ranks_of_node(comm);
  return {.shared_memory = any_of(comm, try_sharing(node.get())),
          .peer_memory = any_of(comm, try_reading(node.get())),
          .work = {}};
}

}  // namespace hockney::benchmarks
