#include "benchmarks/harness/operators.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "benchmarks/harness/contributions.hpp"
#include "benchmarks/harness/message.hpp"
#include "benchmarks/harness/mpi_error.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace hockney::benchmarks {
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
  return strings_of(operators(), [](const Operator& op) { return std::string(op.name); });
}

const Operator& find_operator(const std::string& name) {
  const auto found = std::ranges::find(operators(), name, &Operator::name);
  if (found != operators().end()) return *found;
  throw InputError({"unknown operator '" + name + "'", "no operator has this name",
                    suggest(name, operator_names())});
}

const Operator& operator_of(const Point& point) {
  const Operator* const op = point.parameters[operator_parameter];
  return op == nullptr ? operators().front() : *op;
}

bool is_defined(const Operator& op, const Datatype& type) {
  const bool is_of_kind = std::ranges::find(op.kinds, type.kind) != op.kinds.end();
  if (op.combine != Combine::ordered) return is_of_kind;
  return is_of_kind && type.is_dense() && type.extent <= sizeof(std::uint64_t);
}

std::optional<std::string> obstacle(const Point& point) {
  const Operator* const op = point.parameters[operator_parameter];
  if (op != nullptr && !is_defined(*op, datatype_of(point))) {
    return "the operator " + std::string(op->name) + " is not defined for " +
           std::string(datatype_of(point).name);
  }
  return size_obstacle(point);
}

namespace {

/// inout[i] = in[i] combined with inout[i], in this order. By memcpy, because MPI need not align.
template <class T>
void combine_elements(Combine combine, const std::byte* in, std::byte* inout, int count) {
  for (int i = 0; i < count; ++i, in += sizeof(T), inout += sizeof(T)) {
    T first{};
    T second{};
    std::memcpy(&first, in, sizeof(T));
    std::memcpy(&second, inout, sizeof(T));
    const T both = combined<T>(combine, first, second);
    std::memcpy(inout, &both, sizeof(T));
  }
}

void combine_data(Combine combine, const void* in, void* inout, int count, MPI_Datatype type) {
  visit_type(type, [&]<class T>(std::type_identity<T>) {
    combine_elements<T>(combine, static_cast<const std::byte*>(in), static_cast<std::byte*>(inout),
                        count);
  });
}

// MPI says what the parameters are. NOLINTBEGIN(readability-non-const-parameter)
extern "C" void add_data(void* in, void* inout, int* count, MPI_Datatype* type) {
  combine_data(Combine::sum, in, inout, *count, *type);
}

extern "C" void multiply_data_in_order(void* in, void* inout, int* count, MPI_Datatype* type) {
  combine_data(Combine::ordered, in, inout, *count, *type);
}
// NOLINTEND(readability-non-const-parameter)

}  // namespace

UniqueOp make_user_operator(const Operator& op) {
  UniqueOp made;
  if (!op.is_user) return made;
  const bool commutes = op.combine != Combine::ordered;
  mpi_check(
      MPI_Op_create(commutes ? &add_data : &multiply_data_in_order, commutes ? 1 : 0, made.out()));
  return made;
}

}  // namespace hockney::benchmarks
