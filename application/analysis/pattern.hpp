#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/words.hpp"
#include "application/analysis/message_matrix.hpp"

namespace hockney::applications {

/// What the messages of a program look like as a graph. `irregular`: none of the others.
enum class PatternKind { none, ring, chain, halo, all_to_all, master_worker, irregular };

constexpr auto words_of(std::type_identity<PatternKind>) {
  return std::to_array<std::string_view>(
      {"none", "ring", "chain", "halo", "all-to-all", "master-worker", "irregular"});
}

/// How the ranks of a grid are numbered.
enum class RankOrder {
  rows,  ///< row by row, the last dimension counting fastest
  other
};

struct Pattern {
  PatternKind kind = PatternKind::none;
  std::vector<int> grid;       ///< ranks along each dimension of a ring, chain or halo
  std::vector<bool> periodic;  ///< whether the ends of each dimension are neighbours
  bool diagonals = false;      ///< whether a halo's corners are exchanged, too
  RankOrder order = RankOrder::rows;
  std::optional<int> root;  ///< of master-worker
  int ranks = 0;            ///< that exchange what counts; others have few small messages, or none
  double neighbours = 0;    ///< of these ranks, mean; few small messages make no neighbour
  double explained = 0;     ///< share of the bytes between different ranks that the pattern carries
};

/// The pattern that carries at least nine tenths of the bytes (of the messages, where they are all
/// empty) and of which nearly all edges are there. A grid is found in the order of ranks, periodic
/// or not; in any other order where it is not periodic, or has one dimension.
Pattern find_pattern(const MessageMatrix& by_rank);

/// "2-D halo 24 x 16", "ring of 8", "master-worker, master 0", "irregular, 5.2 neighbours on
/// average", "none".
std::string name_of(const Pattern& pattern);

}  // namespace hockney::applications
