#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/harness/buffer_memory.hpp"
#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/traffic.hpp"

/// Floors: transfers between the host and a device, without MPI.
namespace hockney::benchmarks {
namespace {

/// Pageable memory of the host, and copies that return when they are done.
class Pageable {
 public:
  Pageable(const DeviceRuntime& runtime, std::size_t bytes) : runtime_(&runtime), data_(bytes) {}

  [[nodiscard]] std::span<std::byte> bytes() { return data_; }
  [[nodiscard]] std::span<const std::byte> bytes() const { return data_; }
  int try_copy(void* to, const void* from, std::size_t bytes, CopyWay way) const {
    return runtime_->try_copy(to, from, bytes, way);
  }

 private:
  const DeviceRuntime* runtime_;
  std::vector<std::byte> data_;
};

struct ReleasePinned {
  const DeviceRuntime* runtime;
  void operator()(std::byte* memory) const { runtime->release(memory, DevicePlace::pinned); }
};

/// Pinned memory of the host, and asynchronous copies, as MPI libraries stage messages.
class Pinned {
 public:
  Pinned(const DeviceRuntime& runtime, std::size_t bytes)
      : stream_(runtime),
        data_(runtime.allocate(std::max<std::size_t>(1, bytes), DevicePlace::pinned),
              ReleasePinned{&runtime}),
        bytes_(bytes) {}

  [[nodiscard]] std::span<std::byte> bytes() const { return {data_.get(), bytes_}; }
  int try_copy(void* to, const void* from, std::size_t bytes, CopyWay way) const {
    return stream_.try_copy(to, from, bytes, way);
  }

 private:
  CopyStream stream_;
  std::unique_ptr<std::byte, ReleasePinned> data_;
  std::size_t bytes_;
};

/// A transfer between host and device. The first rank copies in its own memory and waits for its
/// device; the second rank is idle.
template <CopyWay way, class Host>
class DeviceCopy {
 public:
  static Volume volume(const Point& point) { return {.operations = 1, .bytes = point.bytes}; }

  static std::optional<std::string> obstacle(const Point& point) {
    if (is_on_device(memory_at(point, 0))) return std::nullopt;
    return "it copies to or from a device: --memory cuda, or rocm";
  }

  DeviceCopy(const Context& context, const Point& point)
      : is_first_(context.rank == 0), ring_(context.buffers), bytes_(message_of(point).extent()) {
    const auto buffers = context.buffers.draw({bytes_, bytes_});
    from_ = buffers[0];
    to_ = buffers[1];
  }

  void run() {
    if (is_first_) error_ = host_->try_copy(target(), source(), bytes_, way);
  }

  void refill(std::uint64_t seed) {
    fill_pattern(from_.bytes(), seed);
    fill_wrong_pattern(to_.bytes(), seed);
    error_ = 0;
    if (!is_first_) return;
    if (!host_) host_ = std::make_unique<Host>(*ring_.runtime(), bytes_);
    way == CopyWay::to_device ? fill_pattern(host_->bytes(), seed)
                              : fill_wrong_pattern(host_->bytes(), seed);
  }

  [[nodiscard]] bool verify(std::uint64_t seed) const {
    if (!is_first_) return true;
    const std::span<const std::byte> arrived =
        way == CopyWay::from_device ? std::span<const std::byte>(host_->bytes()) : to_.bytes();
    return error_ == 0 && holds_pattern(arrived, seed);
  }

 private:
  [[nodiscard]] const void* source() const {
    return way == CopyWay::to_device ? host_->bytes().data() : from_.data();
  }
  [[nodiscard]] void* target() {
    return way == CopyWay::from_device ? host_->bytes().data() : to_.data();
  }

  bool is_first_;
  BufferRing& ring_;
  std::size_t bytes_;
  std::unique_ptr<Host> host_;  ///< on the first rank, once the ring has its memory
  Buffer from_;
  Buffer to_;
  int error_ = 0;
};

constexpr Descriptor describe_copy(std::string_view name, std::string_view summary) {
  return {.name = name,
          .summary = summary,
          .counts = "the message once",
          .shape = GroupShape::pair,
          .timing = Timing::first_rank,
          .carrier = Carrier::device};
}

class FloorHostToDevice : public DeviceCopy<CopyWay::to_device, Pageable> {
 public:
  static constexpr Descriptor descriptor =
      describe_copy("floor-host-to-device",
                    "cudaMemcpy or hipMemcpy of one rank from pageable memory of the host to its "
                    "device, until the device is idle; no MPI");
  using DeviceCopy::DeviceCopy;
};

class FloorDeviceToHost : public DeviceCopy<CopyWay::from_device, Pageable> {
 public:
  static constexpr Descriptor descriptor =
      describe_copy("floor-device-to-host",
                    "cudaMemcpy or hipMemcpy of one rank from its device to pageable memory of the "
                    "host, until the device is idle; no MPI");
  using DeviceCopy::DeviceCopy;
};

class FloorDeviceToDevice : public DeviceCopy<CopyWay::on_device, Pageable> {
 public:
  static constexpr Descriptor descriptor = describe_copy(
      "floor-device-to-device",
      "cudaMemcpy or hipMemcpy of one rank within its device, until the device is idle; "
      "no MPI");
  using DeviceCopy::DeviceCopy;
};

class FloorPinnedToDevice : public DeviceCopy<CopyWay::to_device, Pinned> {
 public:
  static constexpr Descriptor descriptor =
      describe_copy("floor-pinned-to-device",
                    "cudaMemcpyAsync or hipMemcpyAsync of one rank from pinned memory of the host "
                    "to its device, until its stream is idle; no MPI");
  using DeviceCopy::DeviceCopy;
};

class FloorDeviceToPinned : public DeviceCopy<CopyWay::from_device, Pinned> {
 public:
  static constexpr Descriptor descriptor =
      describe_copy("floor-device-to-pinned",
                    "cudaMemcpyAsync or hipMemcpyAsync of one rank from its device to pinned "
                    "memory of the host, until its stream is idle; no MPI");
  using DeviceCopy::DeviceCopy;
};

const Registration<FloorHostToDevice> floor_host_to_device;
const Registration<FloorDeviceToHost> floor_device_to_host;
const Registration<FloorDeviceToDevice> floor_device_to_device;
const Registration<FloorPinnedToDevice> floor_pinned_to_device;
const Registration<FloorDeviceToPinned> floor_device_to_pinned;

}  // namespace
}  // namespace hockney::benchmarks
