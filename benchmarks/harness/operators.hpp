#pragma once

#include <mpi.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/harness/datatypes.hpp"
#include "benchmarks/harness/handle.hpp"
#include "benchmarks/harness/point.hpp"

namespace hockney::benchmarks {

/// What a reduction does with two elements.
enum class Combine {
  sum,
  prod,
  max,
  min,
  land,
  lor,
  lxor,
  band,
  bor,
  bxor,
  maxloc,
  minloc,
  ordered  ///< the order matters (ordered.hpp)
};

/// A reduction operator, and the groups of datatypes it is defined for.
struct Operator {
  std::string_view name;
  MPI_Op handle;  ///< of a predefined one
  Combine combine;
  std::vector<DatatypeKind> kinds;
  bool is_user = false;  ///< made by MPI_Op_create (user_operators.hpp)
};

/// Every operator. Needs no MPI_Init.
const std::vector<Operator>& operators();
std::vector<std::string> operator_names();

/// InputError naming the nearest operator when there is none called `name`.
const Operator& find_operator(const std::string& name);

bool is_defined(const Operator& op, const Datatype& type);

inline std::string parameter_text(const Operator* op) { return std::string(op->name); }
/// Of reductions; null: a sum.
inline constexpr Parameter<const Operator*> operator_parameter{"operator"};
const Operator& operator_of(const Point& point);

/// Why a point cannot be measured: its size is no whole number of elements, or its operator is not
/// defined for its datatype. nullopt when it can be. Only after MPI_Init.
std::optional<std::string> obstacle(const Point& point);

/// The MPI handle of an operator of our own, by MPI_Op_create; none for a predefined one.
UniqueOp make_user_operator(const Operator& op);

}  // namespace hockney::benchmarks
