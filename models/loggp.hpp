#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/record.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"

namespace hockney::models {

/// One parameter: the median over launches, with its interval where there are enough of them.
struct LogGpParameter {
  double value = 0;
  std::optional<Interval> interval;
};

/// Where a model contradicts what was measured, or itself.
enum class LogGpWarning {
  negative_latency,  ///< the overheads alone take longer than a message
  gap_below_send,    ///< messages follow each other faster than they can be sent
  gap_below_receive  ///< or received
};

constexpr auto words_of(std::type_identity<LogGpWarning>) {
  return std::to_array<std::string_view>(
      {"negative_latency", "gap_below_send", "gap_below_receive"});
}

/// LogGP of one pair of ranks: T(n) = o_s + L + (n - s) G + o_r. o_s, o_r and L are those of the
/// smallest size measured, s. From launches of hockney-protocol.
struct LogGp {
  std::string setting;
  std::string mpi_library;
  std::string host;  ///< of a node that measured itself; else empty
  std::optional<std::string> hop;
  std::vector<int> pair;
  std::size_t launches = 0;
  std::int64_t bytes = 0;                              ///< the smallest size [B]
  LogGpParameter send_overhead_seconds;                ///< o_s
  LogGpParameter receive_overhead_seconds;             ///< o_r
  LogGpParameter latency_seconds;                      ///< L = T(s) - o_s - o_r
  LogGpParameter gap_seconds;                          ///< g: between messages of the smallest size
  std::optional<LogGpParameter> gap_seconds_per_byte;  ///< G: slope of the gap over sizes
  /// Largest |T(n) predicted - measured| / measured over the sizes measured; nullopt without G.
  std::optional<double> largest_error;
  std::vector<LogGpWarning> warnings;
};

/// One for each setting, library, host and pair whose launches measured all four; others are left
/// out.
std::vector<LogGp> fit_loggp(std::span<const Record> records);

}  // namespace hockney::models
