#pragma once

#include <cstddef>
#include <optional>

#include "core/statistics.hpp"

namespace hockney {

/// Events in so many series-years, with the exact interval of a Poisson rate (Garwood 1936) at 95
/// %. nullopt without series-years.
struct YearlyRate {
  std::size_t events = 0;
  double series_years = 0;

  [[nodiscard]] std::optional<double> per_year() const;
  [[nodiscard]] std::optional<Interval> interval() const;
};

}  // namespace hockney
