#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace hockney::benchmarks {

/// Makers of GPUs, by the names of their runtimes.
enum class DeviceMaker { cuda, rocm };

/// Memory that a runtime allocates.
enum class DevicePlace {
  device,   ///< on the device; the host cannot access it
  managed,  ///< pages that move to the device or the host that accesses them
  pinned    ///< pages of the host that are locked for copies to and from the device
};

constexpr auto words_of(std::type_identity<DevicePlace>) {
  return std::to_array<std::string_view>({"device", "managed", "pinned"});
}

/// Direction of a copy, as both runtimes number it (cudaMemcpyKind, hipMemcpyKind).
enum class CopyWay { to_device = 1, from_device = 2, on_device = 3 };

/// The runtime of a maker's GPUs, CUDA's or HIP's, whose functions differ only in name. It is
/// loaded at construction, so that hockney builds and runs on machines without GPUs.
class DeviceRuntime {
 public:
  /// RunError if the library or one of its functions is missing.
  explicit DeviceRuntime(DeviceMaker maker);

  /// "CUDA" or "ROCm".
  [[nodiscard]] std::string_view maker() const;
  [[nodiscard]] const std::string& library() const { return library_; }

  /// RunError with the runtime's message if it fails; 0 without devices.
  [[nodiscard]] int devices() const;
  void select(int device) const;
  [[nodiscard]] std::string bus_id(int device) const;  ///< PCI address; empty if not reported
  [[nodiscard]] std::byte* allocate(std::size_t bytes, DevicePlace place) const;
  void release(std::byte* memory, DevicePlace place) const;
  /// What the runtime reports about an address. nullopt if it is none of its memory, and of HIP,
  /// whose releases number the kinds of memory differently.
  [[nodiscard]] std::optional<DevicePlace> place_of(const std::byte* memory) const;
  void copy(void* to, const void* from, std::size_t bytes, CopyWay way) const;

  /// Copies and waits for completion. Returns the runtime's error number, 0 for success.
  int try_copy(void* to, const void* from, std::size_t bytes, CopyWay way) const {
    const int error = functions_.copy(to, from, bytes, static_cast<int>(way));
    return error != 0 ? error : functions_.synchronise();
  }

 private:
  friend class CopyStream;

  struct Close {
    void operator()(void* handle) const;
  };

  /// CUDA runtime API, chapters "Device Management", "Stream Management", "Memory Management" and
  /// "Unified Addressing"; HIP's are the same.
  struct Functions {
    int (*count)(int*) = nullptr;
    int (*select)(int) = nullptr;
    int (*bus_id)(char*, int, int) = nullptr;
    int (*allocate)(void**, std::size_t) = nullptr;
    int (*allocate_managed)(void**, std::size_t, unsigned) = nullptr;
    int (*allocate_pinned)(void**, std::size_t, unsigned) = nullptr;
    int (*release)(void*) = nullptr;
    int (*release_pinned)(void*) = nullptr;
    int (*attributes)(void*, const void*) = nullptr;
    int (*copy)(void*, const void*, std::size_t, int) = nullptr;
    int (*copy_in_stream)(void*, const void*, std::size_t, int, void*) = nullptr;
    int (*create_stream)(void**) = nullptr;
    int (*synchronise_stream)(void*) = nullptr;
    int (*destroy_stream)(void*) = nullptr;
    int (*synchronise)() = nullptr;
    const char* (*error_text)(int) = nullptr;
  };

  template <class Function>
  void find(Function& function, std::string_view name);
  void find_functions();
  /// RunError that names the function, unless `error` is 0.
  void check(int error, std::string_view function) const;

  DeviceMaker maker_;
  std::string library_;
  std::unique_ptr<void, Close> handle_;
  Functions functions_;
};

/// A stream of asynchronous copies.
class CopyStream {
 public:
  /// RunError if the runtime refuses it. The runtime must exist as long as the stream.
  explicit CopyStream(const DeviceRuntime& runtime);
  CopyStream(const CopyStream&) = delete;
  CopyStream& operator=(const CopyStream&) = delete;
  CopyStream(CopyStream&&) = delete;
  CopyStream& operator=(CopyStream&&) = delete;
  ~CopyStream();

  /// Starts a copy and waits for it. Returns the runtime's error number, 0 for success.
  int try_copy(void* to, const void* from, std::size_t bytes, CopyWay way) const {
    const auto& functions = runtime_->functions_;
    const int error = functions.copy_in_stream(to, from, bytes, static_cast<int>(way), stream_);
    return error != 0 ? error : functions.synchronise_stream(stream_);
  }

 private:
  const DeviceRuntime* runtime_;
  void* stream_ = nullptr;
};

/// The device chosen for a rank.
struct ChosenDevice {
  int number = 0;
  int count = 0;       ///< devices visible to the rank
  std::string bus_id;  ///< PCI address; identifies a device among ranks that see different ones
};

/// Distributes the devices of a node over its ranks in turn, and makes the calling thread use its
/// own. RunError if there is no device.
ChosenDevice choose_device(const DeviceRuntime& runtime, int local_rank);

}  // namespace hockney::benchmarks
