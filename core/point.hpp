#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/units.hpp"

namespace hockney {

/// One parameter combination of an operation. What was not established is nullopt, never a guess.
struct Point {
  std::string operation;
  Bytes bytes{};                         ///< message size [B]
  int ranks = 0;                         ///< ranks that take part
  std::optional<std::string> hop;        ///< hop class of the ranks: smt, l2, l3, ... cross-node
  std::optional<std::string> path;       ///< proven transport path (core/transport.hpp)
  std::optional<std::string> algorithm;  ///< proven algorithm
  std::vector<int> pair;  ///< world ranks of the pair; empty when all ranks take part
  std::map<std::string, std::string> parameters;  ///< further axes, such as window

  friend bool operator==(const Point&, const Point&) = default;
};

/// The point without its size, as the identity of a curve over sizes: "pingpong hop=l3 ranks=2".
/// The path is not part of it: it is what was found, not what was asked, and may be another one at
/// another size, or in another launch.
std::string curve_name(const Point& point);

/// Keeps the path of `pooled` if it is that of `other`, which is pooled with it, too.
void keep_common_path(Point& pooled, const Point& other);

}  // namespace hockney
