#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hockney::tune {

/// "reduce-scatter" from any spelling: "reduce_scatter", "REDUCE_SCATTER".
std::string plain_name(std::string_view operation);

/// "reduce_scatter".
std::string lower_name(std::string_view operation);

/// "REDUCE_SCATTER".
std::string upper_name(std::string_view operation);

/// Whether a file can choose the algorithm of the collective, in any spelling.
bool has_algorithms(std::string_view operation);

/// The operation and the role of an environment variable, such as
/// "OMPI_MCA_coll_tuned_reduce_scatter_block_algorithm", whose role is "algorithm". Variables that
/// do not affect the algorithm of an operation give nullopt.
struct VariableMeaning {
  std::string operation;  ///< a plain name
  std::string what;       ///< "algorithm", "algorithm_segmentsize", ...; lower case
};
std::optional<VariableMeaning> meaning_of(std::string_view variable);

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

/// Formats of selection rules. Open MPI has classic rules (4.1, 5.0) and JSON (6.0); Intel MPI has
/// strings for I_MPI_ADJUST_*. MPICH has control variables (one algorithm per operation) and a
/// selection tree; SimGrid has options of smpirun.
enum class Target { openmpi, openmpi6, intel, mpich, mpich_json, smpi };

std::string_view word(Target target);

/// InputError with the nearest word for an unknown one.
Target parse_target(const std::string& text);

/// The target of a library by its description; InputError for a library without selection rules.
Target target_of_library(const std::string& library);

/// Whether campaigns with that library use the target's names of algorithms.
bool speaks_of(Target target, const std::string& library);

// hockney's bytes of a point are one rank's block if every rank has a block (allgather, alltoall,
// gather, scatter, reduce_scatter_block). Vector forms use the mean block. Other operations use the
// whole vector (bcast, reduce, allreduce, scan, exscan, reduce_scatter).

/// The key of a size in a target: hockney's bytes, these times the ranks, or none that grows with
/// the message.
enum class SizeKey { bytes, times_ranks, none };

/// The size key of an operation, by its name in hockney.
SizeKey size_key(Target target, const std::string& operation);

/// The key of a message.
std::int64_t key_of(SizeKey key, int ranks, std::int64_t bytes);

/// A rule that a target cannot express.
struct Inexpressible {
  std::string operation;
  std::string why;
};

struct KeyedRules {
  Rules rules;
  std::vector<Inexpressible> inexpressible;
};

/// The rules by a target's keys, with the ranks of the measurements. If sizes do not count, all
/// measured sizes must have one choice, or the library decides.
KeyedRules keyed(Target target, const Rules& rules);

}  // namespace hockney::tune
