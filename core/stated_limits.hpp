#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/protocol.hpp"

namespace hockney {

/// Names and values of MPI_T control variables.
using Settings = std::map<std::string, std::string>;

/// No library needs more than this beside the data of an eager message [B].
inline constexpr std::int64_t largest_header_bytes = 256;

/// The variables about eager messages whose value is the limit, or more by a header: what the
/// library itself states about a limit that was measured.
std::vector<StatedLimit> explain_limit(const Settings& settings, std::int64_t limit_bytes);

/// Whether the library states any eager limit above 0.
bool states_eager_limits(const Settings& settings);

}  // namespace hockney
