#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hockney::tune {

/// "reduce-scatter", however it is spelt: "reduce_scatter", "REDUCE_SCATTER".
std::string plain_name(std::string_view operation);

/// "reduce_scatter".
std::string lower_name(std::string_view operation);

/// "REDUCE_SCATTER".
std::string upper_name(std::string_view operation);

/// Whether it is a collective whose algorithm a file can choose, however it is spelt.
bool has_algorithms(std::string_view operation);

/// The operation that a variable of the environment, such as
/// "OMPI_MCA_coll_tuned_reduce_scatter_block_algorithm", is about and what it says of it:
/// "algorithm". nullopt for variables that are not about the algorithm of an operation.
struct VariableMeaning {
  std::string operation;  ///< a plain name
  std::string what;       ///< "algorithm", "algorithm_segmentsize", ...; lower case
};
std::optional<VariableMeaning> meaning_of(std::string_view variable);

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

/// What selection rules are written for. Classic rules of Open MPI (4.1, 5.0) and its JSON (6.0),
/// strings for I_MPI_ADJUST_*, control variables of MPICH (one algorithm for an operation) and its
/// selection tree, and options of SimGrid's smpirun.
enum class Target { openmpi, openmpi6, intel, mpich, mpich_json, smpi };

std::string_view word(Target target);

/// InputError naming the nearest word for anything unknown.
Target parse_target(const std::string& text);

/// The target of the library that describes itself so; InputError for one that takes no rules.
Target target_of_library(const std::string& library);

/// Whether the settings of a campaign of that library name algorithms as the target does.
bool speaks_of(Target target, const std::string& library);

// hockney's bytes of a point are the block of one rank where every rank has one of its own
// (allgather, alltoall, gather, scatter, reduce_scatter_block; of the vector forms the mean), and
// the whole vector otherwise (bcast, reduce, allreduce, scan, exscan, reduce_scatter).

/// What a target looks a size up by, as a multiple of hockney's bytes: the same, times the ranks,
/// or nothing that grows with the message.
enum class SizeKey { bytes, times_ranks, none };

/// Of an operation, by its name in hockney.
SizeKey size_key(Target target, const std::string& operation);

/// The key of a message.
std::int64_t key_of(SizeKey key, int ranks, std::int64_t bytes);

/// Something the rules say that a target cannot.
struct Inexpressible {
  std::string operation;
  std::string why;
};

struct KeyedRules {
  Rules rules;
  std::vector<Inexpressible> inexpressible;
};

/// The rules by a target's own keys, with the ranks they were measured with. Where sizes do not
/// count, all measured sizes must have one choice, or else the library decides.
KeyedRules keyed(Target target, const Rules& rules);

}  // namespace hockney::tune
