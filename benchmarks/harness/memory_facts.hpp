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
#include "benchmarks/harness/device_places.hpp"
#include "benchmarks/harness/placement.hpp"
#include "core/provenance.hpp"

namespace hockney::benchmarks {

/// Permits every process of this user to read this one's memory, which Yama's ptrace_scope 1
/// otherwise forbids. No effect on other systems.
void admit_readers();

/// Memory of another process on this node.
struct PeerMemory {
  pid_t process = 0;
  std::uint64_t address = 0;
};

/// Copies `bytes` bytes with process_vm_readv; returns 0, or the error number if the kernel
/// refuses.
int read_peer(const PeerMemory& from, std::byte* to, std::size_t bytes);

/// Memory that the ranks of a communicator share, allocated without MPI: zeroed, and removed with
/// its last owner. The ranks must be on one node.
class SharedMemory {
 public:
  /// RunError on every rank if one of them cannot map it. Collective.
  SharedMemory(MPI_Comm comm, std::size_t bytes);

  [[nodiscard]] std::byte* data() const { return memory_.get(); }

 private:
  MappedMemory memory_;
};

/// A counter in shared memory that one rank increases and another waits for. Zeroed memory is a
/// handoff at 0.
class Handoff {
 public:
  void raise_to(std::uint64_t value) { value_.store(value, std::memory_order_release); }

  [[nodiscard]] bool has_reached(std::uint64_t value) const {
    return value_.load(std::memory_order_acquire) >= value;
  }

  static constexpr int short_patience = 1 << 12;  ///< much longer than the transfer of a cache line
  static constexpr int long_patience = 1 << 18;   ///< about a tenth of a millisecond

  /// Waits until the counter is at least `value`, and returns it. Yields after each `patience`
  /// spins, in case both ranks are on the same CPU.
  std::uint64_t wait_for(std::uint64_t value, int patience = short_patience) const {
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

/// A cache line that two ranks raise in turn: one call of run() is a round trip.
class LineTrip {
 public:
  /// With long patience a rank keeps its CPU while the other one waits for a CPU. Two ranks on one
  /// CPU need the short one.
  LineTrip(Handoff& flag, bool is_first, int patience = Handoff::short_patience)
      : first_(is_first), patience_(patience), flag_(&flag) {}

  void run() {
    if (first_) {
      flag_->raise_to(++turn_);
      seen_ = flag_->wait_for(++turn_, patience_);
    } else {
      seen_ = flag_->wait_for(++turn_, patience_);
      flag_->raise_to(++turn_);
    }
  }

  void forget() { seen_ = 0; }
  /// Whether the last trip since forget() saw the other rank's value.
  [[nodiscard]] bool is_good() const { return seen_ == (first_ ? turn_ : turn_ - 1); }

 private:
  bool first_;
  int patience_;
  Handoff* flag_;
  std::uint64_t turn_ = 0;
  std::uint64_t seen_ = 0;
};

/// One direction of copying through shared memory between two ranks. The sender copies a chunk into
/// one slot while the receiver copies the previous one out of another slot. Chunks are a quarter of
/// the message, between 1 KiB and 16 KiB; there are eight slots. A slot begins with its handoff, so
/// that a message of up to 56 bytes shares its cache line.
class ChunkChannel {
 public:
  /// `memory` is zeroed and shared by both ranks, for messages of one size.
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
  std::uint64_t number_ = 0;  ///< number of the last chunk, from 1
  std::uint64_t seen_drained_ = 0;
};

/// Flag of a launch: ranks share a device.
inline constexpr std::string_view device_shared_flag = "device-shared";

/// Whether the MPI library reports that it accepts addresses of a device's memory.
struct GpuAwareness {
  std::optional<bool> says;  ///< nullopt if it has no function that reports it
  std::string function;      ///< the function that reported it, or that is missing
};

/// Calls the functions of Open MPI and MPICH that report it, if they are linked.
GpuAwareness gpu_awareness(MemoryKind kind);

/// Which of the requested memory the ranks of a launch can have.
struct MemoryFacts {
  /// For each memory by name: the reason why a rank cannot have it, for all ranks in order; empty
  /// if it can.
  std::map<std::string, std::vector<std::string>> refusals;
  /// Why MPI is not given addresses of such memory, by name; missing if it is.
  std::map<std::string, std::string> unsendable;
  DevicePlaces devices;  ///< of the ranks, if memory of devices is wanted

  /// Why the rank at `site` cannot have such memory, with rank and host; nullopt if it can.
  [[nodiscard]] std::optional<std::string> obstacle(const Memory& memory, const Site& site) const;
};

/// Tries each memory on every rank; the same result on all. MPI is given device memory only if the
/// library reports that it accepts it, or `asserted` is true: otherwise the process may end in a
/// segmentation fault. Collective.
MemoryFacts find_memory_facts(MPI_Comm comm, const std::vector<MemorySides>& wanted,
                              const std::vector<Site>& sites, bool asserted);

/// The memory that the pools of all ranks took, grouped by evidence; on every rank. Collective.
std::vector<BufferMemoryUse> gather_buffer_memory(MPI_Comm comm, const BufferPool& pool,
                                                  const std::vector<Site>& sites);

/// The part without MPI, from the results of pack_evidence() on each rank.
std::vector<BufferMemoryUse> merge_evidence(const std::vector<std::string>& packed,
                                            const std::vector<Site>& sites);

/// Whether ranks of these share a device.
bool shares_device(const std::vector<BufferMemoryUse>& buffers);

}  // namespace hockney::benchmarks
