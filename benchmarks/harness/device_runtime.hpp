#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "benchmarks/harness/memory_kind.hpp"

namespace hockney::benchmarks {

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

}  // namespace hockney::benchmarks
