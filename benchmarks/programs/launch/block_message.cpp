#include "benchmarks/programs/launch/block_message.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "benchmarks/harness/mpi_objects.hpp"
#include "benchmarks/harness/transport_watch.hpp"
#include "core/record.hpp"
#include "core/text.hpp"

namespace hockney::benchmarks::programs {
namespace {

/// The counts of a pair's messages. Devices are bits, by their index in the table of silent
/// devices; the next bit is that of copies without a counter.
struct PackedTransport {
  std::int64_t messages = 0;
  std::int64_t payload_bytes = 0;
  std::int64_t copy_calls = 0;
  std::int64_t copied_bytes = 0;
  std::int64_t tcp_bytes = 0;
  bool shares_memory = false;
  std::uint32_t devices = 0;
};

/// The start of the message. The ranks' own times and the samples follow as doubles, then the
/// flags.
struct BlockHeader {
  std::int64_t batch = 1;
  std::optional<double> started_seconds;
  std::optional<double> skew_seconds;
  std::optional<double> noise_probe_seconds;
  std::optional<double> page_faults;
  std::int64_t deliveries_checked = 0;
  std::optional<PackedTransport> transport;
  std::size_t locals = 0;   ///< number of ranks' own times
  std::size_t samples = 0;  ///< number of samples after them
  int late_starts = 0;
  bool is_check = false;
};
static_assert(std::is_trivially_copyable_v<BlockHeader>, "it travels byte by byte");

std::string_view device_at(std::size_t place) {
  return place < silent_devices.size() ? silent_devices[place].name : uncounted_copies;
}

PackedTransport pack(const Transport& counts) {
  PackedTransport packed{.messages = counts.messages,
                         .payload_bytes = counts.payload_bytes,
                         .copy_calls = counts.copy_calls,
                         .copied_bytes = counts.copied_bytes,
                         .tcp_bytes = counts.tcp_bytes,
                         .shares_memory = counts.shares_memory};
  for (std::size_t i = 0; i <= silent_devices.size(); ++i) {
    const bool is_open = std::ranges::find(counts.devices, device_at(i)) != counts.devices.end();
    if (is_open) packed.devices |= 1U << i;
  }
  return packed;
}

Transport unpack(const PackedTransport& packed) {
  Transport counts{.messages = packed.messages,
                   .payload_bytes = packed.payload_bytes,
                   .copy_calls = packed.copy_calls,
                   .copied_bytes = packed.copied_bytes,
                   .tcp_bytes = packed.tcp_bytes,
                   .shares_memory = packed.shares_memory};
  for (std::size_t i = 0; i <= silent_devices.size(); ++i) {
    if ((packed.devices >> i & 1U) != 0) counts.devices.emplace_back(device_at(i));
  }
  return counts;
}

void append(std::vector<std::byte>& bytes, std::span<const std::byte> more) {
  std::ranges::copy(more, std::back_inserter(bytes));
}

/// Removes the next `count` numbers from `bytes`, and returns them.
std::vector<double> take_numbers(std::span<const std::byte>& bytes, std::size_t count) {
  if (count > bytes.size() / sizeof(double)) refuse_message("a block without its numbers");
  std::vector<double> numbers(count);
  if (count > 0) std::memcpy(numbers.data(), bytes.data(), count * sizeof(double));
  bytes = bytes.subspan(count * sizeof(double));
  return numbers;
}

}  // namespace

std::vector<std::byte> pack(const MeasurementBlock& block) {
  BlockHeader header{.batch = block.batch,
                     .started_seconds = block.started_seconds,
                     .skew_seconds = block.skew_seconds,
                     .noise_probe_seconds = block.noise_probe_seconds,
                     .page_faults = block.page_faults,
                     .deliveries_checked = block.deliveries_checked,
                     .locals = block.locals_seconds.size(),
                     .samples = block.samples_seconds.size(),
                     .late_starts = block.late_starts,
                     .is_check = block.is_check};
  if (block.transport) header.transport = pack(*block.transport);
  std::vector<std::byte> bytes;
  append(bytes, std::as_bytes(std::span(&header, 1)));
  append(bytes, std::as_bytes(std::span(block.locals_seconds)));
  append(bytes, std::as_bytes(std::span(block.samples_seconds)));
  const std::string flags = join(block.flags, ",");
  append(bytes, std::as_bytes(std::span(flags)));
  return bytes;
}

MeasurementBlock unpack_block(std::size_t point, const std::vector<std::byte>& bytes) {
  BlockHeader header;
  if (bytes.size() < sizeof header) refuse_message("a block without its beginning");
  std::memcpy(&header, bytes.data(), sizeof header);
  std::span<const std::byte> rest = std::span(bytes).subspan(sizeof header);
  MeasurementBlock block{.point = point,
                         .batch = header.batch,
                         .started_seconds = header.started_seconds,
                         .skew_seconds = header.skew_seconds,
                         .late_starts = header.late_starts,
                         .noise_probe_seconds = header.noise_probe_seconds,
                         .page_faults = header.page_faults,
                         .deliveries_checked = header.deliveries_checked,
                         .is_check = header.is_check};
  block.locals_seconds = take_numbers(rest, header.locals);
  block.samples_seconds = take_numbers(rest, header.samples);
  if (header.transport) block.transport = unpack(*header.transport);
  if (rest.empty()) return block;
  const std::string flags(reinterpret_cast<const char*>(rest.data()), rest.size());
  block.flags = split(flags, ',');
  return block;
}

}  // namespace hockney::benchmarks::programs
