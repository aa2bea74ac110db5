#pragma once

#include <mpi.h>
#include <sched.h>
#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/harness/buffer_memory.hpp"
#include "benchmarks/harness/buffer_ring.hpp"
#include "benchmarks/harness/placement.hpp"
#include "core/provenance.hpp"

namespace hockney::benchmarks {

/// Lets every process of this user read our memory where the kernel asks us (Yama's
/// ptrace_scope 1). Nothing elsewhere.
void admit_readers();

/// Memory of another process on this node.
struct PeerMemory {
  pid_t process = 0;
  std::uint64_t address = 0;
};

/// Copies so many bytes from there with process_vm_readv; 0, or the error number where the kernel
/// refuses.
int read_peer(const PeerMemory& from, std::byte* to, std::size_t bytes);

/// Memory that the ranks of a communicator share, made without MPI's help: zero at first, and gone
/// with its last owner. Ranks must be on one node.
class SharedMemory {
 public:
  /// RunError on every rank when one of them cannot have it. Collective.
  SharedMemory(MPI_Comm comm, std::size_t bytes);

  [[nodiscard]] std::byte* data() const { return memory_.get(); }

 private:
  MappedMemory memory_;
};

/// A number in shared memory that one rank raises and another one waits for. Zeroed memory is a
/// handoff at 0.
class Handoff {
 public:
  void raise_to(std::uint64_t value) { value_.store(value, std::memory_order_release); }

  [[nodiscard]] bool has_reached(std::uint64_t value) const {
    return value_.load(std::memory_order_acquire) >= value;
  }

  /// Until it is `value` or more; what it is then. Spins, and lets others run now and then, in case
  /// they are on the same CPU.
  std::uint64_t wait_for(std::uint64_t value) const {
    constexpr int patience = 1 << 12;  // much longer than a cache line travels
    for (int spins = 0;; ++spins) {
      const std::uint64_t found = value_.load(std::memory_order_acquire);
      if (found >= value) return found;
      if (spins == patience) {
        ::sched_yield();
        spins = 0;
      }
    }
  }

 private:
  std::atomic<std::uint64_t> value_{0};
  static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "other processes wait for it");
};

/// One direction of copying through shared memory, between two ranks: the sender copies a chunk
/// into a slot while the receiver copies the one before out of another slot. Chunks are a quarter
/// of the message, between 1 KiB and 16 KiB; there are eight slots. A slot begins with its handoff,
/// so that a message of up to 56 bytes travels with it in one cache line.
class ChunkChannel {
 public:
  /// In `memory`, zeroed, of so many bytes, which both ranks share; for messages of one size.
  ChunkChannel(std::byte* memory, std::size_t message_bytes);
  static std::size_t bytes_for(std::size_t message_bytes);

  void send(const std::byte* data);
  void receive(std::byte* data);

 private:
  struct Chunk {
    Handoff* filled;
    std::byte* data;
  };

  [[nodiscard]] Chunk chunk(std::uint64_t number) const;

  std::byte* slots_;
  Handoff* drained_;
  std::size_t message_bytes_;
  std::size_t chunk_bytes_;
  std::uint64_t number_ = 0;  ///< of the last chunk, from 1
  std::uint64_t seen_drained_ = 0;
};

/// Of a launch: ranks share a device.
inline constexpr std::string_view device_shared_flag = "device-shared";

/// Whether the MPI library itself says that it takes addresses of a device's memory.
struct GpuAwareness {
  std::optional<bool> says;  ///< nullopt where it has no function that would say
  std::string function;      ///< that said so, or that it lacks
};

/// Asks the functions that Open MPI and MPICH have for it, where they are linked.
GpuAwareness gpu_awareness(MemoryKind kind);

/// What the ranks of a launch were found to have of the memory that was asked for.
struct MemoryFacts {
  /// Why a rank has no such memory, of every rank in order; empty where it has. By name.
  std::map<std::string, std::vector<std::string>> refusals;
  /// Why MPI is not given addresses of such memory. By name; none where it is.
  std::map<std::string, std::string> unsendable;

  /// Why a rank has no such memory, with its rank and host; nullopt when it has.
  [[nodiscard]] std::optional<std::string> obstacle(const Memory& memory, const Site& site) const;
};

/// Tries each memory on every rank, the same on all. Memory of a device is given to MPI where the
/// library says that it takes it, or `asserted` does: one that does not ends in a segmentation
/// fault. Collective.
MemoryFacts find_memory_facts(MPI_Comm comm, const std::vector<MemorySides>& wanted,
                              const std::vector<Site>& sites, bool asserted);

/// What the pools of all ranks took, by what it turned out to be; on every rank. Collective.
std::vector<BufferMemoryUse> gather_buffer_memory(MPI_Comm comm, const BufferPool& pool,
                                                  const std::vector<Site>& sites);

/// Pure part of it, from what pack_evidence() made on each rank.
std::vector<BufferMemoryUse> merge_evidence(const std::vector<std::string>& packed,
                                            const std::vector<Site>& sites);
std::string pack_evidence(const BufferPool& pool);

/// Whether ranks of these shared a device.
bool shares_device(const std::vector<BufferMemoryUse>& buffers);

}  // namespace hockney::benchmarks
