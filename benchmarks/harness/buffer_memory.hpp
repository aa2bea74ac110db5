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

#include "benchmarks/harness/device_runtime.hpp"
#include "benchmarks/harness/point.hpp"

namespace hockney::benchmarks {

/// Test data: 64-bit words in an arithmetic progression modulo 2^64 whose start and odd step come
/// from `seed`. No two words of a message are equal, so a swapped, shifted or altered block shows.
void fill_pattern(std::span<std::byte> data, std::uint64_t seed);

/// The bitwise complement of the pattern: wrong in every single byte.
void fill_wrong_pattern(std::span<std::byte> data, std::uint64_t seed);

/// Whether every byte is as fill_pattern wrote it.
bool holds_pattern(std::span<const std::byte> data, std::uint64_t seed);

/// The seed of the data that `rank` sends in the measurement block with `block_seed`.
std::uint64_t pattern_seed(std::uint64_t block_seed, int rank);

/// Unmaps memory of a known size.
struct Unmap {
  std::size_t bytes = 0;
  void operator()(std::byte* memory) const;
};
using MappedMemory = std::unique_ptr<std::byte, Unmap>;

/// When the pages of a mapping are allocated.
enum class Pages {
  touched_now,   ///< at once
  on_touch,      ///< at the first access, one by one
  huge_on_touch  ///< the same; huge pages if the system uses them by default
};

/// New memory; RunError if the system refuses it.
MappedMemory map_memory(std::size_t bytes, Pages pages);

/// Kinds of memory for buffers.
enum class MemoryKind {
  host,  ///< ordinary pages of the system, near the rank that touched them first
  huge,  ///< huge pages
  numa,  ///< pages of one NUMA node
  cuda,  ///< from the CUDA runtime
  rocm   ///< from the HIP runtime
};

constexpr auto words_of(std::type_identity<MemoryKind>) {
  return std::to_array<std::string_view>({"host", "huge", "numa", "cuda", "rocm"});
}

/// How a NUMA node is chosen: by number, or by distance from the rank's CPU.
enum class NodeChoice { number, near, far };

/// The kind of memory of a rank's buffers.
struct Memory {
  MemoryKind kind = MemoryKind::host;
  NodeChoice choice = NodeChoice::number;   ///< for numa
  int node = 0;                             ///< for numa by number, as the system numbers nodes
  DevicePlace place = DevicePlace::device;  ///< for cuda and rocm

  friend auto operator<=>(const Memory&, const Memory&) = default;
};

/// The maker of the runtime that allocates it; nullopt for other memory.
inline std::optional<DeviceMaker> maker_of(const Memory& memory) {
  if (memory.kind == MemoryKind::cuda) return DeviceMaker::cuda;
  if (memory.kind == MemoryKind::rocm) return DeviceMaker::rocm;
  return std::nullopt;
}

/// Whether only MPI and the device's runtime use the addresses, not the host's processors. They
/// could use managed memory, and would move its pages to the host.
inline bool is_on_device(const Memory& memory) {
  return maker_of(memory) && memory.place != DevicePlace::pinned;
}

/// The memory of both sides of an operation. The first side is the first rank of a pair, or the
/// first half of the ranks; the second side is all others.
struct MemorySides {
  Memory first;
  Memory second;

  friend bool operator==(const MemorySides&, const MemorySides&) = default;
};

/// "host", "huge", "numa:3", "numa:near", "numa:far", "cuda", "cuda-managed", "rocm-pinned".
std::string memory_name(const Memory& memory);

/// The same for both sides: "cuda-to-host" if they differ.
std::string memory_name(const MemorySides& sides);

/// All names, without node numbers and pairs of different sides.
const std::vector<std::string>& memory_names();

/// InputError that names the nearest memory if none is called `name`.
MemorySides parse_memory(const std::string& name);

inline std::string parameter_text(const MemorySides& sides) { return memory_name(sides); }
inline constexpr Parameter<MemorySides> memory_parameter{"memory"};

/// The memory that the point gives to one of its ranks.
Memory memory_at(const Point& point, int rank);

/// What the system reports about memory that it has allocated.
struct MemoryEvidence {
  bool is_proven = true;  ///< all of it is the requested memory
  std::string text;       ///< description; empty for host memory, which is not checked
  /// The device of the memory, under a name that is the same on all ranks of a node.
  std::optional<std::string> device;
};

/// Releases memory that a runtime allocated.
struct ReleaseToRuntime {
  std::shared_ptr<const DeviceRuntime> runtime;
  DevicePlace place = DevicePlace::device;
  void operator()(std::byte* memory) const { runtime->release(memory, place); }
};

/// Memory from which buffers are drawn, touched and checked. Memory on a device (is_on_device) has
/// an image on the host: the host writes and reads the image, and explicit calls copy it to the
/// device and back.
class BufferMemory {
 public:
  BufferMemory() = default;
  /// RunError if the system, or the device's runtime, refuses. `local_rank`, the rank's number on
  /// its node, selects a device.
  BufferMemory(const Memory& memory, std::size_t bytes, int local_rank);

  /// Address for MPI.
  [[nodiscard]] std::byte* data() const { return runtime_ ? of_runtime_.get() : on_host_.get(); }
  /// Address for the host.
  [[nodiscard]] std::byte* image() const { return on_host_ ? on_host_.get() : of_runtime_.get(); }
  [[nodiscard]] const MemoryEvidence& evidence() const { return evidence_; }
  /// nullptr for memory that no runtime allocates.
  [[nodiscard]] const DeviceRuntime* runtime() const { return runtime_.get(); }

  /// Copies from the image to the device, and back; no effect without an image. RunError if the
  /// runtime refuses.
  void bring_to_device(std::size_t at, std::size_t bytes) const;
  void bring_from_device(std::size_t at, std::size_t bytes) const;

 private:
  void take_huge(std::size_t bytes);
  void take_on_node(const Memory& memory, std::size_t bytes);
  void take_from_runtime(const Memory& memory, std::size_t bytes, int local_rank);

  [[nodiscard]] bool has_image() const { return runtime_ && on_host_; }

  MappedMemory on_host_;
  std::shared_ptr<const DeviceRuntime> runtime_;
  std::unique_ptr<std::byte, ReleaseToRuntime> of_runtime_;
  MemoryEvidence evidence_;
};

/// Allocates, writes and reads a little of such memory. Returns the reason if that fails, else an
/// empty text.
std::string try_memory(const Memory& memory, int local_rank);

/// How many bytes of some memory are in huge pages.
struct HugeBytes {
  std::size_t reserved = 0;     ///< in pages reserved for huge pages (MAP_HUGETLB)
  std::size_t transparent = 0;  ///< lower bound for transparent huge pages
  std::size_t page = 0;         ///< size of a reserved page

  friend bool operator==(const HugeBytes&, const HugeBytes&) = default;
};

/// Computed from the text of /proc/self/smaps, which reports whole mappings. If a mapping is larger
/// than the memory, all its small pages may be in the memory.
HugeBytes huge_bytes(const std::string& smaps, std::uintptr_t begin, std::size_t bytes);

/// The huge pages of some memory, as the kernel reports them now.
HugeBytes huge_bytes_of(const void* memory, std::size_t bytes);

}  // namespace hockney::benchmarks
