#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "application/profile/profile.hpp"

namespace hockney::applications {

/// Calls or messages together: how many, their bytes, and the smallest and the largest of them [B].
/// Sums stop at the largest number there is.
struct Volume {
  std::int64_t count = 0;
  std::int64_t bytes = 0;
  std::int64_t min_bytes = 0;
  std::int64_t max_bytes = 0;

  void add(const Volume& other) {
    if (other.count == 0) return;
    min_bytes = count == 0 ? other.min_bytes : std::min(min_bytes, other.min_bytes);
    max_bytes = std::max(max_bytes, other.max_bytes);
    count = profile::capped_sum(count, other.count);
    bytes = profile::capped_sum(bytes, other.bytes);
  }

  /// [B]; nullopt of nothing.
  [[nodiscard]] std::optional<double> mean_bytes() const {
    if (count == 0) return std::nullopt;
    return static_cast<double>(bytes) / static_cast<double>(count);
  }

  friend bool operator==(const Volume&, const Volume&) = default;
};

/// `part` of `whole`; nullopt where there is no whole.
inline std::optional<double> share_of(double part, double whole) {
  return whole > 0 ? std::optional(part / whole) : std::nullopt;
}
inline std::optional<double> share_of(std::int64_t part, std::int64_t whole) {
  return share_of(static_cast<double>(part), static_cast<double>(whole));
}

}  // namespace hockney::applications
