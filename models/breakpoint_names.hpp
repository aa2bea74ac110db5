#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/record.hpp"
#include "models/fit_set.hpp"

namespace hockney {

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

}  // namespace hockney
