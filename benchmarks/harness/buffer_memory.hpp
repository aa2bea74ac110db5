#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "benchmarks/harness/point.hpp"

namespace hockney::benchmarks {

/// Test data: 64-bit words in an arithmetic progression modulo 2^64 whose start and odd step come
/// from `seed`. No two words of a message are equal, so a swapped, shifted or altered block shows.
void fill_pattern(std::span<std::byte> data, std::uint64_t seed);

/// The bitwise complement of the pattern: wrong in every single byte.
void fill_wrong_pattern(std::span<std::byte> data, std::uint64_t seed);

/// Whether every byte is as fill_pattern left it.
bool holds_pattern(std::span<const std::byte> data, std::uint64_t seed);

/// The seed of the data that `rank` sends in the measurement block with `block_seed`.
std::uint64_t pattern_seed(std::uint64_t block_seed, int rank);

/// Unmaps memory of a known size.
struct Unmap {
  std::size_t bytes = 0;
  void operator()(std::byte* memory) const;
};
using MappedMemory = std::unique_ptr<std::byte, Unmap>;

/// When the pages of a mapping come into being.
enum class Pages {
  touched_now,   ///< at once
  on_touch,      ///< at the first access, one by one
  huge_on_touch  ///< the same, as huge pages where the system gives them without being asked
};

/// New memory; RunError when the system refuses it.
MappedMemory map_memory(std::size_t bytes, Pages pages);

/// What buffers are made of.
enum class MemoryKind {
  host,  ///< ordinary pages of the system, near the rank that touched them first
  huge,  ///< huge pages
  numa,  ///< pages of one NUMA node
  cuda,  ///< memory of a GPU, by the CUDA runtime
  rocm   ///< the same by the HIP runtime
};

constexpr auto words_of(std::type_identity<MemoryKind>) {
  return std::to_array<std::string_view>({"host", "huge", "numa", "cuda", "rocm"});
}

/// How a NUMA node is chosen: by its number, or by how far it is from where the rank runs.
enum class NodeChoice { number, near, far };

/// The memory that the buffers of a rank are in.
struct Memory {
  MemoryKind kind = MemoryKind::host;
  NodeChoice choice = NodeChoice::number;  ///< of numa
  int node = 0;                            ///< of numa by number, as the system counts them

  friend auto operator<=>(const Memory&, const Memory&) = default;
};

/// Whether the host's processors cannot look at it: MPI may get its addresses, nobody else.
inline bool is_on_device(const Memory& memory) {
  return memory.kind == MemoryKind::cuda || memory.kind == MemoryKind::rocm;
}

/// The memory of both sides of an operation: of the first rank of a pair, or the first half of the
/// ranks, and of the others.
struct MemorySides {
  Memory first;
  Memory second;

  friend bool operator==(const MemorySides&, const MemorySides&) = default;
};

/// "host", "huge", "numa:3", "numa:near", "numa:far", "cuda", "rocm".
std::string memory_name(const Memory& memory);

/// The same, and "cuda-to-host" where the sides differ.
std::string memory_name(const MemorySides& sides);

/// All names, but for the numbers of nodes and for sides that differ.
const std::vector<std::string>& memory_names();

/// InputError naming the nearest memory when there is none called `name`.
MemorySides parse_memory(const std::string& name);

inline std::string parameter_text(const MemorySides& sides) { return memory_name(sides); }
inline constexpr Parameter<MemorySides> memory_parameter{"memory"};

/// The point's memory at one of its ranks.
Memory memory_at(const Point& point, int rank);

/// Which way a copy goes, by the numbers that both runtimes have for it (cudaMemcpyKind,
/// hipMemcpyKind).
enum class CopyWay { to_device = 1, from_device = 2, on_device = 3 };

/// The runtime of a maker's GPUs, CUDA's or HIP's, whose functions differ in name only. It is
/// looked for when one of these is made, so that hockney is built, and runs, where there is none.
class DeviceRuntime {
 public:
  /// RunError when the library or one of its functions is not there.
  explicit DeviceRuntime(MemoryKind kind);

  /// "CUDA" or "ROCm".
  [[nodiscard]] std::string_view maker() const;
  [[nodiscard]] const std::string& library() const { return library_; }

  /// RunError with the runtime's words where it refuses; no device is a count of 0.
  [[nodiscard]] int devices() const;
  void select(int device) const;
  [[nodiscard]] std::string bus_id(int device) const;  ///< of PCI; empty when it is not told
  [[nodiscard]] std::byte* allocate(std::size_t bytes) const;
  void copy(void* to, const void* from, std::size_t bytes, CopyWay way) const;

  /// Copies and waits until it is done; the runtime's error number, 0 for success.
  int try_copy(void* to, const void* from, std::size_t bytes, CopyWay way) const {
    const int error = functions_.copy(to, from, bytes, static_cast<int>(way));
    return error != 0 ? error : functions_.synchronise();
  }

  void release(std::byte* memory) const { functions_.release(memory); }

 private:
  struct Close {
    void operator()(void* handle) const;
  };

  /// CUDA runtime API, chapters "Device Management" and "Memory Management"; HIP's are the same.
  struct Functions {
    int (*count)(int*) = nullptr;
    int (*select)(int) = nullptr;
    int (*bus_id)(char*, int, int) = nullptr;
    int (*allocate)(void**, std::size_t) = nullptr;
    int (*release)(void*) = nullptr;
    int (*copy)(void*, const void*, std::size_t, int) = nullptr;
    int (*synchronise)() = nullptr;
    const char* (*error_text)(int) = nullptr;
  };

  template <class Function>
  void find(Function& function, const std::string& name);
  /// RunError that names the function unless `error` is 0.
  void check(int error, const std::string& function) const;

  MemoryKind kind_;
  std::string library_;
  std::unique_ptr<void, Close> handle_;
  Functions functions_;
};

/// One of the machine's devices, chosen for a rank.
struct ChosenDevice {
  int number = 0;
  int count = 0;       ///< of devices that the rank sees
  std::string bus_id;  ///< of PCI, by which ranks that see different devices tell them apart
};

/// Gives the ranks of a node its devices in turn, and makes the calling thread use its own.
/// RunError when there is none.
ChosenDevice choose_device(const DeviceRuntime& runtime, int local_rank);

/// What the system, asked again, says of memory that it gave.
struct MemoryEvidence {
  bool is_proven = true;  ///< all of it is what was asked for
  std::string text;       ///< what it is; empty for host memory, of which nothing is asked
  /// The device that it is on, by the words that are the same for all ranks of a node.
  std::optional<std::string> device;
};

/// Memory that buffers are drawn from. Its pages are touched; what it turned out to be is known.
/// Memory on a device has an image on the host: what is written there comes to the device, and
/// back, when it is brought.
class BufferMemory {
 public:
  BufferMemory() = default;
  /// RunError when the system, or the device's runtime, refuses. `local_rank` is that among the
  /// ranks of the node, by which a device is chosen.
  BufferMemory(const Memory& memory, std::size_t bytes, int local_rank);

  /// Where MPI finds it.
  [[nodiscard]] std::byte* data() const { return runtime_ ? on_device_.get() : on_host_.get(); }
  /// Where the host may look at it.
  [[nodiscard]] std::byte* image() const { return on_host_.get(); }
  [[nodiscard]] const MemoryEvidence& evidence() const { return evidence_; }
  /// nullptr for memory of the host.
  [[nodiscard]] const DeviceRuntime* runtime() const { return runtime_.get(); }

  /// From the image to the device, and the other way; nothing in memory of the host. RunError when
  /// the runtime refuses.
  void bring_to_device(std::size_t at, std::size_t bytes) const;
  void bring_from_device(std::size_t at, std::size_t bytes) const;

 private:
  void take_huge(std::size_t bytes);
  void take_on_node(const Memory& memory, std::size_t bytes);
  void take_on_device(MemoryKind kind, std::size_t bytes, int local_rank);

  struct FreeOnDevice {
    std::shared_ptr<const DeviceRuntime> runtime;
    void operator()(std::byte* memory) const { runtime->release(memory); }
  };

  MappedMemory on_host_;
  std::shared_ptr<const DeviceRuntime> runtime_;
  std::unique_ptr<std::byte, FreeOnDevice> on_device_;
  MemoryEvidence evidence_;
};

/// Why a rank cannot have such memory: a little of it is taken, written and read back. Empty when
/// it can.
std::string try_memory(const Memory& memory, int local_rank);

/// How much of some memory lies in huge pages [B].
struct HugeBytes {
  std::size_t reserved = 0;     ///< in pages that were set apart for it (MAP_HUGETLB)
  std::size_t transparent = 0;  ///< in pages that the kernel made huge, at least so much
  std::size_t page = 0;         ///< of one of the reserved ones

  friend bool operator==(const HugeBytes&, const HugeBytes&) = default;
};

/// By the text of /proc/self/smaps, which tells of whole mappings: of one that holds more than the
/// memory, what is not in huge pages may all be in this part of it.
HugeBytes huge_bytes(const std::string& smaps, std::uintptr_t begin, std::size_t bytes);

/// New memory in huge pages, reserved ones where there are enough, else transparent ones, as far as
/// the kernel has them; touched. A whole number of huge pages. RunError when the system refuses.
MappedMemory map_huge_memory(std::size_t bytes);

/// What became of it, as the kernel says now.
HugeBytes huge_bytes_of(const void* memory, std::size_t bytes);

}  // namespace hockney::benchmarks
