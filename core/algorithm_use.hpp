#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/point.hpp"
#include "core/provenance.hpp"
#include "core/units.hpp"

namespace hockney {

/// Which algorithm an MPI library ran for a collective operation, as another launch with the same
/// environment told (docs/algorithms.md).
struct AlgorithmUse {
  std::string operation;
  Bytes bytes{};
  int ranks = 0;
  std::string requested;           ///< as the setting names it; "default" where the library chose
  std::optional<std::string> ran;  ///< proven; nullopt where it could not be told
  /// Proven: what was asked for ran, or it is known what the library chose. Ignored: something else
  /// ran than what was asked for. Unproven: it could not be told.
  Proof proof = Proof::unproven;
  std::string evidence;                           ///< one sentence
  std::map<std::string, std::string> parameters;  ///< of the point, those that may choose

  friend bool operator==(const AlgorithmUse&, const AlgorithmUse&) = default;
};

inline constexpr std::string_view library_choice = "default";

/// Of a series: another algorithm ran than the one that was asked for.
inline constexpr std::string_view algorithm_substituted_flag = "algorithm-substituted";
/// Of a series: it could not be told which algorithm ran.
inline constexpr std::string_view algorithm_unproven_flag = "algorithm-unproven";

/// The parameters of a point that may matter to what the library chooses: all but those that say
/// where buffers are and how time is taken.
std::map<std::string, std::string> choosing_parameters(const Point& point);

/// The use that tells of a point; nullptr when none does.
const AlgorithmUse* use_of(const Point& point, const std::vector<AlgorithmUse>& uses);

struct Record;

/// Puts what is known of algorithms into a record: into its key, the points and the series they
/// tell of, and their flags. To do it again changes nothing.
void inscribe(Record& record, const std::vector<AlgorithmUse>& uses);

}  // namespace hockney
