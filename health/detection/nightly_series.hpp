#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/statistics.hpp"
#include "core/words.hpp"

namespace hockney::health {

/// One series in one night.
struct NightlyValue {
  std::int64_t day = 0;  ///< days since 1970-01-01, UTC
  double value =
      0;  ///< > 0 [unit of its series]: the median of the launch medians, or a fitted parameter
  std::optional<Interval> interval;  ///< over launches [the same]
  std::size_t launches = 0;
  std::string environment;  ///< digest of what may change under it; equal text = equal environment
};

/// A control is what MPI has no part in (memcpy, an empty spin, the clock): it changes when the
/// node does.
enum class SeriesRole { subject, control };

constexpr auto words_of(std::type_identity<SeriesRole>) {
  return std::to_array<std::string_view>({"subject", "control"});
}

/// Which direction is bad: times, limits below asked, spreads: larger; bandwidths: smaller.
enum class WorseWhen { larger, smaller };

constexpr auto words_of(std::type_identity<WorseWhen>) {
  return std::to_array<std::string_view>({"larger", "smaller"});
}

/// One figure of a site over its nights, in order of days, at most one a day.
struct NightlySeries {
  std::string name;  ///< unique: operation/point/figure
  std::string unit;  ///< as in keys: "seconds", "seconds_per_byte", "bytes", "ratio"
  SeriesRole role = SeriesRole::subject;
  WorseWhen worse = WorseWhen::larger;
  std::vector<NightlyValue> nights;
  std::string
      where;  ///< the host it belongs to, whose controls speak for it; empty: the whole site
};

}  // namespace hockney::health
