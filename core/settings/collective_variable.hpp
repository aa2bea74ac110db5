#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hockney {

/// Whether a variable of the environment steers MPI, or what it is built on, and is no wiring of a
/// launcher's own.
bool steers_mpi(std::string_view variable);

/// Whether an MPI library takes it for a setting (others, such as LD_PRELOAD, are for the linker).
bool asks_for_setting(std::string_view variable);

/// Whether it is read by the launcher, so that the ranks' library need not know it.
bool is_for_launcher(std::string_view variable);

/// What a setting of a collective operation says.
enum class CollectiveRole {
  algorithm,
  segment,   ///< bytes of one piece of a message
  fanout,    ///< children in a tree, chains, or the radix of an algorithm
  requests,  ///< messages under way at once
  other
};

/// A setting that says how a collective operation is done.
struct CollectiveVariable {
  std::string operation;  ///< as hockney names it: "reduce-scatter-block"
  CollectiveRole role = CollectiveRole::algorithm;
  std::string companion_of;  ///< the part of algorithms' names it is for: "chain"; empty: of all

  friend bool operator==(const CollectiveVariable&, const CollectiveVariable&) = default;
};

/// Of a variable of the environment: OMPI_MCA_coll_tuned_bcast_algorithm and its companions,
/// I_MPI_ADJUST_BCAST, MPIR_CVAR_BCAST_INTRA_ALGORITHM and its companions. nullopt for all others.
std::optional<CollectiveVariable> collective_variable(std::string_view variable);

/// The same of an option of smpirun, "--cfg=smpi/bcast:NAME", with NAME.
struct SimulatedChoice {
  std::string operation;
  std::string algorithm;

  friend bool operator==(const SimulatedChoice&, const SimulatedChoice&) = default;
};
std::optional<SimulatedChoice> simulated_choice(std::string_view argument);

/// The variables of one library that choose an operation's algorithm, for people and campaigns:
/// of Open MPI, Intel MPI and MPICH.
std::vector<std::string> algorithm_variables(std::string_view operation);

}  // namespace hockney
