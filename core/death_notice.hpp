#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hockney {

// A dying rank writes two lines, made of these parts:
//   rank 1: died of SIGSEGV (at bcast ranks=2 at 8 bytes) leave it out with --leave-out 'bcast ...'
//   rank 1: died of SIGSEGV in libmpi.so.40
namespace death_words {
inline constexpr std::string_view died_of = ": died of ";
inline constexpr std::string_view at = " (at ";
inline constexpr std::string_view leave_out = ") leave it out with --leave-out '";
inline constexpr std::string_view between_points = " between two points\n";
inline constexpr std::string_view in = " in ";
}  // namespace death_words

/// The death of a rank, from its own words.
struct DeathNotice {
  std::string signal;   ///< "SIGSEGV"
  std::string library;  ///< file name of the library or program; empty if unknown
  std::string point;    ///< PointChoice
};

/// The first death at a point in the log of a launch; nullopt if there is none.
std::optional<DeathNotice> death_in(std::string_view log);

}  // namespace hockney
