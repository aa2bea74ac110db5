#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace hockney {

/// MPI libraries with variables for the algorithms of collectives.
enum class Library { open_mpi, intel, mpich };

/// The data that a rank contributes, of a scatter the root. A point has the bytes of the vector or
/// of one block; of the mean block if counts differ.
enum class Contribution {
  none,
  vector,
  block,
  blocks  ///< one for each rank
};

/// The key of a size in a library: none that grows with the message, the bytes of a point, or these
/// times the ranks.
enum class SizeKey { none, bytes, times_ranks };

/// The size keys of an operation in the libraries' rules.
struct SizeKeys {
  SizeKey open_mpi = SizeKey::none;
  SizeKey intel = SizeKey::none;
  SizeKey mpich = SizeKey::none;
};

/// Numbers of the last algorithms in releases of Open MPI; 0: all.
struct LastAlgorithms {
  int in_4 = 0;  ///< 4.1
  int in_5 = 0;  ///< 5.0
};

/// Algorithms by their numbers from 1 on; 0 is the library's own choice.
using AlgorithmNames = std::array<std::string_view, 12>;

/// A collective operation.
struct Collective {
  std::string_view name;       ///< MPI's in lower case, with - for _
  std::string_view regular{};  ///< has the same messages if all counts are equal; empty: itself
  Contribution data = Contribution::none;
  bool rooted = false;
  SizeKeys keys{};
  AlgorithmNames open_mpi{};  ///< selectable in coll/tuned
  LastAlgorithms last{};
  AlgorithmNames intel{};  ///< presets, which the library itself only numbers
};

// By their numbers in Open MPI's rules files, the enumeration of coll/base.
// Open MPI's algorithms: `ompi_info --param coll tuned --level 9` and coll_tuned_*_decision.c; from
// 4.1 to 5.0 and 6.0 they were only added. Its size keys: coll_tuned_decision_dynamic.c of 4.1 and
// 5.0; scans have the size of one element times the ranks.
// Intel MPI's presets: Developer Reference, 2019 to 2021; its "topology aware" is "topology" here.
// Intel MPI's size keys: "Message Collective Functions" in older references, which do not cover
// all.
// MPICH's size keys: avg_msg_size or total_msg_size; those of gather and scatter count elements as
// bytes.
inline constexpr std::array<Collective, 22> all_collectives{
    {{.name = "allgather",
      .data = Contribution::block,
      .keys = {SizeKey::times_ranks, SizeKey::bytes, SizeKey::times_ranks},
      .open_mpi = {"linear", "bruck", "recursive_doubling", "ring", "neighbor", "two_proc",
                   "sparbit", "direct-messaging"},
      .last = {6, 7},
      .intel = {"recursive doubling", "Bruck", "ring", "topology gatherv + bcast", "knomial"}},
     {.name = "allgatherv",
      .regular = "allgather",
      .data = Contribution::block,
      .keys = {SizeKey::bytes, SizeKey::times_ranks, SizeKey::times_ranks},
      .open_mpi = {"default", "bruck", "ring", "neighbor", "two_proc", "sparbit"},
      .last = {5}},
     {.name = "allreduce",
      .data = Contribution::vector,
      .keys = {SizeKey::bytes, SizeKey::bytes, SizeKey::bytes},
      .open_mpi = {"basic_linear", "nonoverlapping", "recursive_doubling", "ring", "segmented_ring",
                   "rabenseifner", "allgather_reduce"},
      .last = {6, 6},
      .intel = {"recursive doubling", "Rabenseifner", "reduce + bcast", "topology reduce + bcast",
                "binomial gather + scatter", "topology binomial gather + scatter", "Shumilin ring",
                "ring", "knomial", "topology flat, shared memory",
                "topology knomial, shared memory", "topology k-ary, shared memory"}},
     {.name = "alltoall",
      .data = Contribution::blocks,
      .keys = {SizeKey::times_ranks, SizeKey::bytes, SizeKey::bytes},
      .open_mpi = {"linear", "pairwise", "modified_bruck", "linear_sync", "two_proc"},
      .intel = {"Bruck", "Isend/Irecv + waitall", "pairwise exchange", "Plum"}},
     {.name = "alltoallv",
      .regular = "alltoall",
      .data = Contribution::blocks,
      .keys = {SizeKey::none, SizeKey::times_ranks, SizeKey::none},
      .open_mpi = {"basic_linear", "pairwise"}},
     {.name = "alltoallw",
      .regular = "alltoall",
      .data = Contribution::blocks,
      .keys = {SizeKey::none, SizeKey::times_ranks, SizeKey::none}},
     {.name = "barrier",
      .open_mpi = {"linear", "double_ring", "recursive_doubling", "bruck", "two_proc", "tree"},
      .intel = {"dissemination", "recursive doubling", "topology dissemination",
                "topology recursive doubling", "binomial gather + scatter",
                "topology binomial gather + scatter", "topology flat, shared memory",
                "topology knomial, shared memory", "topology k-ary, shared memory"}},
     {.name = "bcast",
      .data = Contribution::vector,
      .rooted = true,
      .keys = {SizeKey::bytes, SizeKey::bytes, SizeKey::bytes},
      .open_mpi = {"basic_linear", "chain", "pipeline", "split_binary_tree", "binary_tree",
                   "binomial", "knomial", "scatter_allgather", "scatter_allgather_ring"},
      .intel = {"binomial", "recursive doubling", "ring", "topology binomial",
                "topology recursive doubling", "topology ring", "Shumilin", "knomial",
                "topology flat, shared memory", "topology knomial, shared memory",
                "topology k-ary, shared memory"}},
     {.name = "exscan", .data = Contribution::vector, .open_mpi = {"linear", "recursive_doubling"}},
     {.name = "gather",
      .data = Contribution::block,
      .rooted = true,
      .keys = {SizeKey::times_ranks, SizeKey::bytes, SizeKey::none},
      .open_mpi = {"basic_linear", "binomial", "linear_sync"}},
     {.name = "gatherv", .regular = "gather", .data = Contribution::block, .rooted = true},
     {.name = "reduce",
      .data = Contribution::vector,
      .rooted = true,
      .keys = {SizeKey::bytes, SizeKey::bytes, SizeKey::bytes},
      .open_mpi = {"linear", "chain", "pipeline", "binary", "binomial", "in-order_binary",
                   "rabenseifner", "knomial"},
      .last = {7, 7},
      .intel = {"Shumilin", "binomial", "topology Shumilin", "topology binomial", "Rabenseifner",
                "topology Rabenseifner", "knomial", "topology flat, shared memory",
                "topology knomial, shared memory", "topology k-ary, shared memory",
                "topology binomial, shared memory"}},
     {.name = "reduce-scatter",
      .data = Contribution::vector,
      .keys = {SizeKey::bytes, SizeKey::bytes, SizeKey::bytes},
      .open_mpi = {"non-overlapping", "recursive_halving", "ring", "butterfly"}},
     {.name = "reduce-scatter-block",
      .data = Contribution::blocks,
      .keys = {SizeKey::times_ranks, SizeKey::none, SizeKey::times_ranks},
      .open_mpi = {"basic_linear", "recursive_doubling", "recursive_halving", "butterfly"}},
     {.name = "scan", .data = Contribution::vector, .open_mpi = {"linear", "recursive_doubling"}},
     {.name = "scatter",
      .data = Contribution::blocks,
      .rooted = true,
      .keys = {SizeKey::times_ranks, SizeKey::bytes, SizeKey::none},
      .open_mpi = {"basic_linear", "binomial", "linear_nb"}},
     {.name = "scatterv", .regular = "scatter", .data = Contribution::blocks, .rooted = true},
     {.name = "neighbor-allgather", .data = Contribution::block},
     {.name = "neighbor-allgatherv", .regular = "neighbor-allgather", .data = Contribution::block},
     {.name = "neighbor-alltoall", .data = Contribution::blocks},
     {.name = "neighbor-alltoallv", .regular = "neighbor-alltoall", .data = Contribution::blocks},
     {.name = "neighbor-alltoallw", .regular = "neighbor-alltoall", .data = Contribution::blocks}}};

/// Whether all ranks communicate, so that libraries have algorithms to choose from; otherwise only
/// neighbours do.
constexpr bool is_of_all_ranks(const Collective& collective) {
  return !collective.name.starts_with("neighbor");
}

/// Whether the operation has algorithms of its own in models; an irregular one has those of its
/// regular form.
constexpr bool has_schedules(const Collective& collective) {
  return is_of_all_ranks(collective) && collective.regular.empty();
}

/// Whether a table has one row for each operation with schedules, in order.
template <class Rows>
constexpr bool covers_schedules(const Rows& rows) {
  auto row = std::begin(rows);
  for (const Collective& collective : all_collectives) {
    if (!has_schedules(collective)) continue;
    if (row == std::end(rows) || row->operation != collective.name) return false;
    ++row;
  }
  return row == std::end(rows);
}

/// The names without the unused ones at the end.
std::span<const std::string_view> known_names(const AlgorithmNames& names);

/// "reduce-scatter" from any spelling: "reduce_scatter", "REDUCE_SCATTER".
std::string plain_name(std::string_view operation);

/// "reduce_scatter".
std::string lower_name(std::string_view operation);

/// "REDUCE_SCATTER".
std::string upper_name(std::string_view operation);

/// By a name in any spelling; nullptr for another operation.
const Collective* find_collective(std::string_view operation);

/// By an MPI function without "MPI_": "Allgatherv", "Iallgatherv", "Allgatherv_init"; nullptr for a
/// function that is no collective operation.
const Collective* find_collective_call(std::string_view function);

/// The operation whose schedules it has if all counts are equal; nullptr without schedules.
const Collective* scheduled_form(const Collective& collective);

/// The environment variable that chooses the algorithm of an operation, by its name in any
/// spelling.
std::string algorithm_variable(Library library, std::string_view operation);

/// The role of a variable that a library reads for one collective.
enum class CollectiveRole {
  algorithm,
  segment,   ///< bytes of one piece of a message
  fanout,    ///< children in a tree, number of chains, or radix of an algorithm
  requests,  ///< messages under way at once
  other,     ///< another parameter of an algorithm
  unknown
};

/// A variable that a library reads for one collective.
struct CollectiveVariable {
  Library library = Library::open_mpi;
  std::string_view operation;  ///< as hockney names it: "reduce-scatter-block"
  CollectiveRole role = CollectiveRole::algorithm;
  /// Part of the names of algorithms it applies to: "chain"; empty: all.
  std::string_view companion_of;

  friend bool operator==(const CollectiveVariable&, const CollectiveVariable&) = default;
};

/// The meaning of OMPI_MCA_coll_tuned_bcast_algorithm, I_MPI_ADJUST_BCAST or
/// MPIR_CVAR_BCAST_INTRA_ALGORITHM, and of all others that begin with the name of a collective;
/// nullopt for other variables.
std::optional<CollectiveVariable> collective_variable(std::string_view variable);

/// Whether the variable sets an algorithm or a known parameter of it.
bool steers_algorithm(std::string_view variable);

/// The algorithm of a preset of I_MPI_ADJUST_<operation>, `variable`; empty for an unknown one.
std::string_view intel_preset_name(std::string_view variable, std::int64_t preset);

/// The meaning of an option of smpirun, "--cfg=smpi/bcast:NAME".
struct SimulatedChoice {
  std::string operation;
  std::string algorithm;

  friend bool operator==(const SimulatedChoice&, const SimulatedChoice&) = default;
};
std::optional<SimulatedChoice> simulated_choice(std::string_view argument);

}  // namespace hockney
