#include <vector>

#include "benchmarks/harness/buffers.hpp"
#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/memory_kind.hpp"
#include "benchmarks/harness/message.hpp"

/// What a transfer between host and device costs by itself, beside the messages that need one: the
/// first rank copies in memory of its own, and waits for its device; the second rank does nothing.
namespace hockney::benchmarks {
namespace {

template <CopyWay way>
class DeviceCopy {
 public:
  static Volume volume(const Point& point) { return {.operations = 1, .bytes = point.bytes}; }

  static std::optional<std::string> obstacle(const Point& point) {
    if (is_on_device(memory_at(point, 0))) return std::nullopt;
    return "it copies to or from a device: --memory cuda, or rocm";
  }

  DeviceCopy(const Context& context, const Point& point)
      : is_first_(context.rank == 0),
        ring_(context.buffers),
        bytes_(message_of(point).extent()),
        on_host_(bytes_) {
    const auto buffers = context.buffers.draw({bytes_, bytes_});
    from_ = buffers[0];
    to_ = buffers[1];
  }

  void run() {
    if (is_first_) error_ = ring_.runtime()->try_copy(target(), source(), bytes_, way);
  }

  void refill(std::uint64_t seed) {
    fill_pattern(from_.bytes(), seed);
    fill_wrong_pattern(to_.bytes(), seed);
    way == CopyWay::to_device ? fill_pattern(on_host_, seed) : fill_wrong_pattern(on_host_, seed);
    error_ = 0;
  }

  [[nodiscard]] bool verify(std::uint64_t seed) const {
    if (!is_first_) return true;
    const std::span<const std::byte> arrived =
        way == CopyWay::from_device ? std::span<const std::byte>(on_host_) : to_.bytes();
    return error_ == 0 && holds_pattern(arrived, seed);
  }

 private:
  [[nodiscard]] const void* source() const {
    return way == CopyWay::to_device ? on_host_.data() : from_.data();
  }
  [[nodiscard]] void* target() {
    return way == CopyWay::from_device ? on_host_.data() : to_.data();
  }

  bool is_first_;
  BufferRing& ring_;
  std::size_t bytes_;
  std::vector<std::byte> on_host_;
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

class FloorHostToDevice : public DeviceCopy<CopyWay::to_device> {
 public:
  static constexpr Descriptor descriptor =
      describe_copy("floor-host-to-device",
                    "cudaMemcpy or hipMemcpy of one rank from pageable memory of the host to its "
                    "device, until the device is idle; no MPI");
  using DeviceCopy::DeviceCopy;
};

class FloorDeviceToHost : public DeviceCopy<CopyWay::from_device> {
 public:
  static constexpr Descriptor descriptor =
      describe_copy("floor-device-to-host",
                    "cudaMemcpy or hipMemcpy of one rank from its device to pageable memory of the "
                    "host, until the device is idle; no MPI");
  using DeviceCopy::DeviceCopy;
};

class FloorDeviceToDevice : public DeviceCopy<CopyWay::on_device> {
 public:
  static constexpr Descriptor descriptor = describe_copy(
      "floor-device-to-device",
      "cudaMemcpy or hipMemcpy of one rank within its device, until the device is idle; "
      "no MPI");
  using DeviceCopy::DeviceCopy;
};

const Registration<FloorHostToDevice> floor_host_to_device;
const Registration<FloorDeviceToHost> floor_device_to_host;
const Registration<FloorDeviceToDevice> floor_device_to_device;

}  // namespace
}  // namespace hockney::benchmarks
