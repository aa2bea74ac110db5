#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/record.hpp"
#include "core/text.hpp"
#include "models/curves.hpp"
#include "models/fit.hpp"

namespace hockney::models {

/// The fits of the curves of some records.
struct FitSet {
  std::vector<Fit> fits;
  std::vector<FitFailure> failures;
  std::size_t records_used = 0;
  std::size_t records_left_out = 0;     ///< interrupted or failed launches
  std::size_t series_without_time = 0;  ///< without a launch median (core/samples.hpp)
};

FitSet fit_curves(const Curves& curves, const FitOptions& options = {});

/// Limits of the reliability of a fit.
enum class FitWarning {
  few_launches,
  unconfirmed_breakpoints,
  rejected_breakpoints,
  missing_cells,
  lines_off
};

constexpr auto words_of(std::type_identity<FitWarning>) {
  return std::to_array<std::string_view>({"few_launches", "unconfirmed_breakpoints",
                                          "rejected_breakpoints", "missing_cells", "lines_off"});
}

std::vector<FitWarning> warnings(const Fit& fit);

/// A size above which a library changes its protocol.
struct KnownLimit {
  std::string name;  ///< "eager limit", "limit of a receiver asleep", "btl_vader_max_send_size"
  std::int64_t bytes = 0;  ///< the largest message below it [B]

  friend bool operator==(const KnownLimit&, const KnownLimit&) = default;
};

/// The limits between ranks of this hop class under this library, from the records of
/// hockney-protocol among `records`. These are the measured limits, and the sizes that the library
/// states for the same component, less the header found in its eager limit. nullopt if no record
/// examined such a pair.
std::optional<std::vector<KnownLimit>> known_limits(std::span<const Record> records,
                                                    const std::string& mpi_library,
                                                    const std::optional<std::string>& hop);

/// Names of the limits between the sizes next to a breakpoint. If there are none, those of limits
/// at most one step of its grid away.
std::vector<std::string> names_of(const FittedBreakpoint& breakpoint,
                                  const std::vector<KnownLimit>& limits);

/// Names the breakpoints whose limits were measured.
void name_breakpoints(FitSet& set, std::span<const Record> records);

}  // namespace hockney::models
