#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace hockney {

/// How an operation is to be done.
struct Choice {
  std::string algorithm;      ///< as its MPI library names it; empty: the library decides
  std::optional<int> number;  ///< by which the library counts it, where that is known
  std::int64_t segment = 0;   ///< messages are cut into pieces of this size [B]; 0: whole
  int fanout = 0;             ///< children of a node; 0: the algorithm has no such parameter
  std::map<std::string, std::string> variables;  ///< of the environment, that it needs besides

  /// Whether the decision is left to the library.
  [[nodiscard]] bool is_default() const { return algorithm.empty(); }
  friend bool operator==(const Choice&, const Choice&) = default;
};

/// "chain segment=8K fanout=4", or "default" for the library's own decision.
std::string describe(const Choice& choice);

}  // namespace hockney
