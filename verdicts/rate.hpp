#pragma once

#include <optional>

#include "core/statistics.hpp"

namespace hockney {

/// How often something happened, with the exact interval of the probability (Clopper and Pearson
/// 1934) at 95 %, as if trials were independent; nullopt without trials.
struct Rate {
  int hits = 0;
  int trials = 0;

  [[nodiscard]] std::optional<double> share() const;
  [[nodiscard]] std::optional<Interval> interval() const;

  friend bool operator==(const Rate&, const Rate&) = default;
};

}  // namespace hockney
