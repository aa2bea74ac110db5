#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hockney::tune {

/// How an operation is to be done.
struct Choice {
  std::string algorithm;      ///< as its MPI library names it; empty: the library decides
  std::optional<int> number;  ///< by which the library counts it, where that is known
  std::int64_t segment = 0;   ///< messages are cut into pieces of this size [B]; 0: whole
  int fanout = 0;             ///< children of a node; 0: the algorithm has no such parameter
  int requests = 0;           ///< that may be outstanding; 0: as many as the library likes
  std::map<std::string, std::string> variables;  ///< of the environment, that it needs besides

  /// Whether the decision is left to the library.
  [[nodiscard]] bool is_default() const { return algorithm.empty(); }
  friend bool operator==(const Choice&, const Choice&) = default;
};

/// "chain segment=8K fanout=4", "linear_sync requests=4", or "default" for the library's own
/// decision.
std::string describe(const Choice& choice);

/// Of messages of `from` bytes on, up to the next rule.
struct SizeRule {
  std::int64_t from = 0;  ///< [B], as hockney counts them or as a target's key does
  Choice choice;
  bool measured = true;  ///< and not filled in below, above or between what was

  /// Whether they say the same.
  friend bool operator==(const SizeRule& a, const SizeRule& b) {
    return a.from == b.from && a.choice == b.choice;
  }
};

/// Of communicators of `from` ranks on, up to the next rule. Sizes ascend, the first is 0.
struct RanksRule {
  int from = 2;
  int measured = 0;  ///< ranks that its sizes were measured with; 0 where nothing was
  std::vector<SizeRule> sizes;

  friend bool operator==(const RanksRule& a, const RanksRule& b) {
    return a.from == b.from && a.sizes == b.sizes;
  }
};

/// Ranks ascend, the first is 2: nothing travels where there is one.
struct OperationRules {
  std::string operation;
  std::vector<RanksRule> ranks;

  friend bool operator==(const OperationRules&, const OperationRules&) = default;
};

using Rules = std::vector<OperationRules>;

/// What the rules say: those of the largest number of ranks that is not above `ranks` (of the first
/// where all are), and of these the largest size that is not above `size`. The library's own
/// decision for an operation without rules.
Choice decide(const Rules& rules, const std::string& operation, int ranks, std::int64_t size);

/// Neighbours that say the same become one: sizes first, then ranks. Operations that are left to
/// the library throughout are dropped.
Rules merged(Rules rules);

/// The largest size of the rule at `index`; nullopt for the last, which has no end.
std::optional<std::int64_t> last_size(const RanksRule& rule, std::size_t index);

/// The same of ranks.
std::optional<int> last_ranks(const OperationRules& rules, std::size_t index);

}  // namespace hockney::tune
