#include "benchmarks/programs/launch/visit_message.hpp"
#include "core/record.hpp"

#include <algorithm>
#include <span>

namespace hockney {
namespace {

constexpr double unknown = -1;  // nothing that may be unknown is negative
constexpr std::ptrdiff_t header = 10;
constexpr std::size_t transport_numbers = 8;

std::optional<double> known(double number) {
  return number == unknown ? std::nullopt : std::optional(number);
}

/// The last numbers of a message: whether anything was counted, and what. Doubles hold counts up to
/// 2^53.
void pack(const std::optional<Transport>& transport, std::vector<double>& numbers) {
  const Transport counts = transport.value_or(Transport{});
  double devices = 0;
  for (std::size_t i = 0; i < silent_devices.size(); ++i) {
    const bool is_open =
        std::ranges::find(counts.devices, silent_devices[i].name) != counts.devices.end();
    if (is_open) devices += static_cast<double>(1U << i);
  }
  numbers.insert(numbers.end(),
                 {transport ? 1.0 : 0.0, static_cast<double>(counts.messages),
                  static_cast<double>(counts.payload_bytes), static_cast<double>(counts.copy_calls),
                  static_cast<double>(counts.copied_bytes), static_cast<double>(counts.tcp_bytes),
                  counts.shares_memory ? 1.0 : 0.0, devices});
}

std::optional<Transport> unpack_transport(std::span<const double> numbers) {
  const auto count = [&](std::size_t i) { return static_cast<std::int64_t>(numbers[i]); };
  if (count(0) == 0) return std::nullopt;
  Transport transport{.messages = count(1),
                      .payload_bytes = count(2),
                      .copy_calls = count(3),
                      .copied_bytes = count(4),
                      .tcp_bytes = count(5),
                      .shares_memory = count(6) != 0};
  for (std::size_t i = 0; i < silent_devices.size(); ++i) {
    if ((count(7) >> i & 1) != 0) transport.devices.emplace_back(silent_devices[i].name);
  }
  return transport;
}

}  // namespace

std::vector<double> pack(const Visit& visit) {
  std::vector<double> numbers{visit.flags.empty() ? 0.0 : 1.0,
                              static_cast<double>(visit.batch),
                              visit.control_seconds.value_or(unknown),
                              visit.skew_seconds.value_or(unknown),
                              static_cast<double>(visit.late_starts),
                              visit.started_seconds.value_or(unknown),
                              visit.page_faults.value_or(unknown),
                              static_cast<double>(visit.deliveries_checked),
                              visit.is_check ? 1.0 : 0.0};
  numbers.push_back(static_cast<double>(visit.locals_seconds.size()));
  numbers.insert(numbers.end(), visit.locals_seconds.begin(), visit.locals_seconds.end());
  numbers.insert(numbers.end(), visit.samples_seconds.begin(), visit.samples_seconds.end());
  pack(visit.transport, numbers);
  return numbers;
}

Visit unpack_visit(std::size_t point, const std::vector<double>& numbers) {
  Visit visit{.point = point,
              .batch = static_cast<std::int64_t>(numbers.at(1)),
              .started_seconds = known(numbers.at(5)),
              .skew_seconds = known(numbers.at(3)),
              .late_starts = static_cast<int>(numbers.at(4)),
              .control_seconds = known(numbers.at(2)),
              .page_faults = known(numbers.at(6)),
              .deliveries_checked = static_cast<std::int64_t>(numbers.at(7)),
              .is_check = numbers.at(8) != 0};
  if (numbers.at(0) != 0) visit.flags.emplace_back(corrupt_flag);
  const auto locals = numbers.begin() + header;
  const auto samples = locals + static_cast<std::ptrdiff_t>(numbers.at(9));
  visit.locals_seconds.assign(locals, samples);
  const auto transport = numbers.end() - static_cast<std::ptrdiff_t>(transport_numbers);
  visit.samples_seconds.assign(samples, transport);
  visit.transport = unpack_transport({transport, numbers.end()});
  return visit;
}

}  // namespace hockney
