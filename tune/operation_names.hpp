#pragma once

#include <optional>
#include <string>
#include <string_view>

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

}  // namespace hockney::tune
