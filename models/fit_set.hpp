#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
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

/// What became of the curves of some records.
struct FitSet {
  std::vector<Fit> fits;
  std::vector<FitFailure> failures;
  std::size_t records_used = 0;
  std::size_t records_left_out = 0;     ///< interrupted or failed launches
  std::size_t series_without_time = 0;  ///< without a launch median (core/samples.hpp)
};

FitSet fit_curves(const Curves& curves, const FitOptions& options = {});

/// What a reader of a fit must know before believing it.
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

/// A size above which a library does something else.
struct KnownLimit {
  std::string name;  ///< "eager limit", "limit of a receiver asleep", "btl_vader_max_send_size"
  std::int64_t bytes = 0;  ///< the largest message below it [B]

  friend bool operator==(const KnownLimit&, const KnownLimit&) = default;
};

/// The limits between ranks so far apart under this library, by the records of hockney-protocol
/// among `records`: those that were measured, and the sizes that the library states for the same
/// component, less the header that its eager limit was found to have. nullopt when none of the
/// records examined such a pair.
std::optional<std::vector<KnownLimit>> known_limits(std::span<const Record> records,
                                                    const std::string& mpi_library,
                                                    const std::optional<std::string>& hop);

/// Names of the limits that lie between the sizes next to a breakpoint; when there are none, of
/// those at most one step of its grid away.
std::vector<std::string> names_of(const FittedBreakpoint& breakpoint,
                                  const std::vector<KnownLimit>& limits);

/// Gives every breakpoint its names, where they can be known.
void name_breakpoints(FitSet& set, std::span<const Record> records);

inline constexpr std::string_view fit_schema = "hockney.fit/1";

/// The document of `hockney fit --json`. Errors, shares and noise are fractions of 1; what is not
/// known is null.
nlohmann::json to_json(const FitSet& set);

}  // namespace hockney::models
