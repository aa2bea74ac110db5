#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace hockney::tune {

/// The requested algorithm of an operation.
struct Choice {
  std::string algorithm;      ///< name in its MPI library; empty: the library decides
  std::optional<int> number;  ///< in the library, if known
  std::int64_t segment = 0;   ///< messages are cut into pieces of this size [B]; 0: whole
  int fanout = 0;             ///< children of a node; 0: the algorithm has no such parameter
  int requests = 0;           ///< maximum outstanding; 0: the library's default
  std::map<std::string, std::string> variables;  ///< further environment variables that it needs

  /// Whether the decision is left to the library.
  [[nodiscard]] bool is_default() const { return algorithm.empty(); }
  friend bool operator==(const Choice&, const Choice&) = default;
};

/// "chain segment=8K fanout=4", "linear_sync requests=4", or "default" for the library's own
/// decision.
std::string describe(const Choice& choice);

/// A rule for messages from `from` bytes up to the next rule.
struct SizeRule {
  std::int64_t from = 0;  ///< [B], in hockney's count or by a target's key
  Choice choice;
  bool measured = true;  ///< false if filled in below, above or between measured sizes

  /// Equal rules; `measured` does not matter.
  friend bool operator==(const SizeRule& a, const SizeRule& b) {
    return a.from == b.from && a.choice == b.choice;
  }
};

/// Rules for communicators from `from` ranks up to the next rule. Sizes ascend; the first is 0.
struct RanksRule {
  int from = 2;
  int measured = 0;  ///< ranks of the measurements; 0 without any
  std::vector<SizeRule> sizes;

  friend bool operator==(const RanksRule& a, const RanksRule& b) {
    return a.from == b.from && a.sizes == b.sizes;
  }
};

/// Ranks ascend; the first is 2, since one rank sends no messages.
struct OperationRules {
  std::string operation;
  std::vector<RanksRule> ranks;

  friend bool operator==(const OperationRules&, const OperationRules&) = default;
};

using Rules = std::vector<OperationRules>;

/// The choice of the rules for `ranks` and `size`. Uses the largest number of ranks up to `ranks`
/// (else the first), and of these the largest size up to `size`. Operations without rules are the
/// library's decision.
Choice decide(const Rules& rules, const std::string& operation, int ranks, std::int64_t size);

/// Merges equal neighbours, sizes first, then ranks. Drops operations that are left to the library
/// everywhere.
Rules merged(Rules rules);

/// The largest size of the rule at `index`; nullopt for the last rule, which is open.
std::optional<std::int64_t> last_size(const RanksRule& rule, std::size_t index);

/// The largest number of ranks of the rule at `index`; nullopt for the last rule.
std::optional<int> last_ranks(const OperationRules& rules, std::size_t index);

/// Formats of selection rules (components/tune/formats.hpp).
enum class Target { openmpi, intel, mpich, mpich_json };

constexpr auto words_of(std::type_identity<Target>) {
  return std::to_array<std::string_view>({"openmpi", "intel", "mpich", "mpich-json"});
}

/// A rule that a target cannot express.
struct Inexpressible {
  std::string operation;
  std::string why;
};

}  // namespace hockney::tune
