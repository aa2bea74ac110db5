#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "benchmarks/harness/buffers.hpp"
#include "benchmarks/harness/device_runtime.hpp"
#include "benchmarks/harness/memory_kind.hpp"

namespace hockney::benchmarks {

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

}  // namespace hockney::benchmarks
