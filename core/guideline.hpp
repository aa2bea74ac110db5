#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>

#include "core/words.hpp"

namespace hockney {

/// Which sizes or teams of the two sides of a guideline belong together.
enum class SideMap {
  same,       ///< the same bytes and ranks on both sides
  next_size,  ///< right: the next larger size that was measured
  parts,  ///< left: the next larger size that is a multiple, k times right's; right counts k times
  more_ranks,       ///< right: the next larger number of ranks that was measured
  threads_as_ranks  ///< right: as many ranks of one thread as left has threads on all ranks
};

constexpr auto words_of(std::type_identity<SideMap>) {
  return std::to_array<std::string_view>(
      {"same", "next_size", "parts", "more_ranks", "threads_as_ranks"});
}

/// One side of a guideline: the points of an operation that have these parameters.
struct GuidelineSide {
  std::string operation;
  std::map<std::string, std::string> parameters;

  friend bool operator==(const GuidelineSide&, const GuidelineSide&) = default;
};

/// A self-consistent performance guideline (Traeff, Gropp, Thakur 2010): the left side must not
/// take longer than `factor` times the right one. Wherever both sides were measured it applies.
struct Guideline {
  std::string name;  ///< such as "allgather <= gather + bcast"
  GuidelineSide left;
  GuidelineSide right;
  SideMap map = SideMap::same;
  double factor = 1;  ///< > 0

  friend bool operator==(const Guideline&, const Guideline&) = default;
};

}  // namespace hockney
