#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "components/tune/rules.hpp"

namespace hockney::tune {

/// "reduce-scatter" from any spelling: "reduce_scatter", "REDUCE_SCATTER".
std::string plain_name(std::string_view operation);

/// "reduce_scatter".
std::string lower_name(std::string_view operation);

/// "REDUCE_SCATTER".
std::string upper_name(std::string_view operation);

// hockney's bytes of a point are one rank's block if every rank has a block (allgather, alltoall,
// gather, scatter, reduce_scatter_block). Vector forms use the mean block. Other operations use the
// whole vector (bcast, reduce, allreduce, scan, exscan, reduce_scatter).

/// The key of a size in a library: none that grows with the message, hockney's bytes, or these
/// times the ranks.
enum class SizeKey { none, bytes, times_ranks };

/// The key of a message.
std::int64_t key_of(SizeKey key, int ranks, std::int64_t bytes);

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

/// A collective operation of MPI.
struct Collective {
  std::string_view name;  ///< in hockney
  SizeKeys keys{};
  std::vector<std::string> algorithms{};  ///< selectable in Open MPI's coll/tuned, from number 1
  LastAlgorithms last{};
};

/// All of MPI, by their numbers in Open MPI's rules files.
const std::vector<Collective>& collectives();

/// By a name in any spelling; without name for another operation.
const Collective& find_collective(std::string_view operation);

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

/// A release of Open MPI. The default is newer than all.
struct OpenMpiRelease {
  int major = 99;
  int minor = 0;
  int patch = 0;

  auto operator<=>(const OpenMpiRelease&) const = default;
};

/// The release in the library's description, "Open MPI v4.1.4, package: ..."; the default if it has
/// none.
OpenMpiRelease open_mpi_release(std::string_view library);

/// The name in messages: "Open MPI 4.1"; "Open MPI" for the default.
std::string title(const OpenMpiRelease& release);

/// The number in rules files; nullopt for an operation without selectable algorithms.
std::optional<int> open_mpi_collective(const std::string& operation);

/// The algorithms of an operation, in order of their numbers, which start at 1.
const std::vector<std::string>& open_mpi_algorithms(const std::string& operation);

/// The largest number of an algorithm of the operation in that release.
int last_open_mpi_algorithm(const std::string& operation, const OpenMpiRelease& release);

/// The number of a choice: its own, or that of its name. nullopt if neither is known.
std::optional<int> open_mpi_number(const std::string& operation, const Choice& choice);

/// The name of a number, else the number as text.
std::string open_mpi_name(const std::string& operation, int number);

}  // namespace hockney::tune
