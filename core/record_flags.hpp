#pragma once

#include <string_view>

namespace hockney {

/// Of a series or a protocol: MPI delivered wrong data at least once.
inline constexpr std::string_view corrupt_flag = "corrupt";
/// Of a point that failed: the same, and there is no series to flag.
inline constexpr std::string_view wrong_data_reason = "wrong data were received";

/// Of a series and its record: another path is proven than the one that was expected, or none.
inline constexpr std::string_view path_differs_flag = "path-differs";

// Of a protocol:

/// The library states eager limits, and none of them explains the measured one.
inline constexpr std::string_view limit_differs_flag = "limit-differs";
/// A larger message was handed over than one that was held, or the other way round.
inline constexpr std::string_view limit_not_single_flag = "limit-not-single";
/// Searching again gave another limit.
inline constexpr std::string_view limit_unsteady_flag = "limit-unsteady";
/// MPI_Ssend returned without a receive: the probe or the library is wrong.
inline constexpr std::string_view control_failed_flag = "control-failed";

}  // namespace hockney
