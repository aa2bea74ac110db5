#include "benchmarks/harness/operators.hpp"

#include <algorithm>
#include <cstdint>

#include "benchmarks/harness/message.hpp"
#include "core/error.hpp"
#include "core/names.hpp"

namespace hockney {
namespace {

/// The table of MPI 3.1, section 5.9.2, without the types of Fortran; and our own.
std::vector<Operator> list_operators() {
  using enum DatatypeKind;
  return {{"sum", MPI_SUM, Combine::sum, {integer, address, floating, complex}},
          {"prod", MPI_PROD, Combine::prod, {integer, address, floating, complex}},
          {"max", MPI_MAX, Combine::max, {integer, address, floating}},
          {"min", MPI_MIN, Combine::min, {integer, address, floating}},
          {"land", MPI_LAND, Combine::land, {integer, logical}},
          {"lor", MPI_LOR, Combine::lor, {integer, logical}},
          {"lxor", MPI_LXOR, Combine::lxor, {integer, logical}},
          {"band", MPI_BAND, Combine::band, {integer, address, byte}},
          {"bor", MPI_BOR, Combine::bor, {integer, address, byte}},
          {"bxor", MPI_BXOR, Combine::bxor, {integer, address, byte}},
          {"maxloc", MPI_MAXLOC, Combine::maxloc, {pair}},
          {"minloc", MPI_MINLOC, Combine::minloc, {pair}},
          {"user-sum", MPI_OP_NULL, Combine::sum, {integer, address, floating, complex}, true},
          {"user-ordered", MPI_OP_NULL, Combine::ordered, {integer, address, floating}, true}};
}

}  // namespace

const std::vector<Operator>& operators() {
  static const std::vector<Operator> all = list_operators();
  return all;
}

std::vector<std::string> operator_names() {
  std::vector<std::string> names;
  for (const Operator& op : operators()) names.emplace_back(op.name);
  return names;
}

const Operator& find_operator(const std::string& name) {
  const auto found = std::ranges::find(operators(), name, &Operator::name);
  if (found != operators().end()) return *found;
  throw InputError({"unknown operator '" + name + "'", "no operator has this name",
                    suggest(name, operator_names())});
}

bool is_defined(const Operator& op, const Datatype& type) {
  const bool is_of_kind = std::ranges::find(op.kinds, type.kind) != op.kinds.end();
  if (op.combine != Combine::ordered) return is_of_kind;
  return is_of_kind && type.is_dense() && type.extent <= sizeof(std::uint64_t);
}

std::optional<std::string> obstacle(const Point& point) {
  const auto named = point.parameters.find("operator");
  if (named != point.parameters.end() &&
      !is_defined(find_operator(named->second), datatype_of(point))) {
    return "the operator " + named->second + " is not defined for " +
           std::string(datatype_of(point).name);
  }
  return size_obstacle(point);
}

}  // namespace hockney
