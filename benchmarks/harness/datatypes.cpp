#include "benchmarks/harness/datatypes.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "benchmarks/harness/buffer_memory.hpp"
#include "benchmarks/harness/buffer_ring.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "benchmarks/harness/reductions.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace hockney::benchmarks {
namespace {

/// Bytes of a number without padding: 10 for the x87 long double.
template <class T>
constexpr std::size_t value_bytes() {
  constexpr bool is_x87 = std::is_floating_point_v<T> && std::numeric_limits<T>::digits == 64;
  return is_x87 ? 10 : sizeof(T);
}

template <class T>
std::vector<ByteRange> significant_bytes() {
  if constexpr (is_complex<T>) {
    using Part = typename T::value_type;
    return {{0, value_bytes<Part>()}, {sizeof(Part), value_bytes<Part>()}};
  } else if constexpr (is_pair<T>) {
    return {{0, value_bytes<decltype(T::value)>()}, {offsetof(T, place), sizeof(int)}};
  } else {
    return {{0, value_bytes<T>()}};
  }
}

/// Reads size and extent from the library; false if its layout differs from C's.
bool measure(Datatype& type, std::size_t c_bytes) {
  int size = 0;
  MPI_Aint lower_bound = 0;
  MPI_Aint extent = 0;
  mpi_check(MPI_Type_size(type.handle, &size));
  mpi_check(MPI_Type_get_extent(type.handle, &lower_bound, &extent));
  type.size = static_cast<std::size_t>(size);
  type.extent = static_cast<std::size_t>(extent);
  return size > 0 && lower_bound == 0 && type.extent == c_bytes;
}

std::vector<std::string> list_names() {
  std::vector<std::string> names;
  visit_predefined([&](auto, const char* name, MPI_Datatype handle, DatatypeKind) {
    if (handle != MPI_DATATYPE_NULL) names.emplace_back(name);
  });
  return names;
}

std::vector<Datatype> list_datatypes() {
  std::vector<Datatype> types;
  visit_predefined([&]<class T>(std::type_identity<T>, const char* name, MPI_Datatype handle,
                                DatatypeKind kind) {
    if (handle == MPI_DATATYPE_NULL) return;
    Datatype type{
        .name = name, .handle = handle, .kind = kind, .significant = significant_bytes<T>()};
    if (measure(type, sizeof(T))) types.push_back(std::move(type));
  });
  return types;
}

[[noreturn]] void refuse(const std::string& name, const std::vector<std::string>& names) {
  throw InputError({fmt::format("unknown datatype '{}'", name),
                    "no predefined datatype has this name", suggest(name, names)});
}

/// The table of MPI 3.1, section 5.9.2, without Fortran's types, and hockney's own operators.
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

/// inout[i] = in[i] combined with inout[i], in this order. With memcpy, as MPI need not align data.
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

const std::vector<std::string>& datatype_names() {
  static const std::vector<std::string> names = list_names();
  return names;
}

const std::vector<Datatype>& datatypes() {
  static const std::vector<Datatype> types = list_datatypes();
  return types;
}

const Datatype& find_datatype(const std::string& name) {
  const auto found = std::ranges::find(datatypes(), name, &Datatype::name);
  if (found == datatypes().end()) refuse(name, datatype_names());
  return *found;
}

void check_datatype_name(const std::string& name) {
  const auto& names = datatype_names();
  if (std::ranges::find(names, name) == names.end()) refuse(name, names);
}

bool has_rotating_buffers(const Point& point) {
  return point.parameters[cache_parameter] != CacheState::hot;
}

const Datatype& datatype_of(const Point& point) {
  return find_datatype(std::string(point.parameters[datatype_parameter]));
}

std::optional<std::string> size_obstacle(const Point& point) {
  const Datatype& type = datatype_of(point);
  if (point.bytes.value % static_cast<std::int64_t>(type.size) == 0) return std::nullopt;
  return fmt::format("it is no whole number of elements: one {} has {} bytes", type.name,
                     type.size);
}

MessageShape message_of(const Point& point) {
  if (const auto obstacle = size_obstacle(point)) throw std::logic_error(*obstacle);
  const Datatype& type = datatype_of(point);
  const std::int64_t count = point.bytes.value / static_cast<std::int64_t>(type.size);
  return {.type = &type, .count = static_cast<int>(count)};
}

bool is_same_message(std::span<const std::byte> data, std::span<const std::byte> right,
                     const Datatype& type) {
  for (std::size_t element = 0; element < data.size(); element += type.extent) {
    const auto is_right = [&](const ByteRange& range) {
      const std::size_t at = element + range.offset;
      return std::memcmp(&data[at], &right[at], range.bytes) == 0;
    };
    if (!std::ranges::all_of(type.significant, is_right)) return false;
  }
  return true;
}

bool holds_message(std::span<const std::byte> data, const Datatype& type, std::uint64_t seed) {
  if (type.is_dense()) return holds_pattern(data, seed);
  std::vector<std::byte> expected(data.size());
  fill_pattern(expected, seed);
  return is_same_message(data, expected, type);
}

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
  throw InputError({fmt::format("unknown operator '{}'", name), "no operator has this name",
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
    return fmt::format("the operator {} is not defined for {}", op->name, datatype_of(point).name);
  }
  return size_obstacle(point);
}

UniqueOp make_user_operator(const Operator& op) {
  UniqueOp made;
  if (!op.is_user) return made;
  const bool commutes = op.combine != Combine::ordered;
  mpi_check(
      MPI_Op_create(commutes ? &add_data : &multiply_data_in_order, commutes ? 1 : 0, made.out()));
  return made;
}

}  // namespace hockney::benchmarks
