#pragma once

#include <mpi.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "benchmarks/harness/mpi_objects.hpp"
#include "benchmarks/harness/point.hpp"

namespace hockney::benchmarks {

/// Groups of MPI 3.1, section 5.9.2, for which reduction operators are defined. `address` is the
/// standard's multi-language types; `text` has no reduction.
enum class DatatypeKind { byte, text, integer, address, logical, floating, complex, pair };

/// Bytes of an element that carry its value.
struct ByteRange {
  std::size_t offset;  ///< [B] from the start of the element
  std::size_t bytes;
};

/// A predefined datatype of MPI.
struct Datatype {
  std::string_view name;
  MPI_Datatype handle;
  DatatypeKind kind;
  std::vector<ByteRange> significant;  ///< bytes that MPI must deliver: no gaps of pairs, no
                                       ///< padding
  std::size_t size = 0;                ///< MPI_Type_size [B]
  std::size_t extent = 0;              ///< MPI_Type_get_extent, distance between elements [B]

  /// Whether every byte of a message is significant.
  [[nodiscard]] bool is_dense() const {
    return significant.size() == 1 && significant[0].bytes == extent;
  }
};

/// Names of the datatypes of this MPI library; may be called before MPI_Init.
const std::vector<std::string>& datatype_names();

/// Every datatype of this MPI library with the same layout as in C. Only after MPI_Init.
const std::vector<Datatype>& datatypes();

/// InputError that names the nearest datatype if none is called `name`. Only after MPI_Init.
const Datatype& find_datatype(const std::string& name);

/// The same error, before MPI_Init.
void check_datatype_name(const std::string& name);

/// The C struct of MPI_FLOAT_INT and similar datatypes.
template <class T>
struct ValueAndPlace {
  T value;
  int place;
};

template <class T>
inline constexpr bool is_complex = false;
template <class T>
inline constexpr bool is_complex<std::complex<T>> = true;
template <class T>
inline constexpr bool is_pair = false;
template <class T>
inline constexpr bool is_pair<ValueAndPlace<T>> = true;

/// Calls `visit(std::type_identity<C type>, name, handle, kind)` for every whole-number datatype.
template <class Visit>
void visit_integers(Visit visit) {
  using enum DatatypeKind;
  visit(std::type_identity<signed char>(), "signed-char", MPI_SIGNED_CHAR, integer);
  visit(std::type_identity<unsigned char>(), "unsigned-char", MPI_UNSIGNED_CHAR, integer);
  visit(std::type_identity<short>(), "short", MPI_SHORT, integer);
  visit(std::type_identity<unsigned short>(), "unsigned-short", MPI_UNSIGNED_SHORT, integer);
  visit(std::type_identity<int>(), "int", MPI_INT, integer);
  visit(std::type_identity<unsigned>(), "unsigned", MPI_UNSIGNED, integer);
  visit(std::type_identity<long>(), "long", MPI_LONG, integer);
  visit(std::type_identity<unsigned long>(), "unsigned-long", MPI_UNSIGNED_LONG, integer);
  visit(std::type_identity<long long>(), "long-long", MPI_LONG_LONG, integer);
  visit(std::type_identity<unsigned long long>(), "unsigned-long-long", MPI_UNSIGNED_LONG_LONG,
        integer);
  visit(std::type_identity<std::int8_t>(), "int8", MPI_INT8_T, integer);
  visit(std::type_identity<std::int16_t>(), "int16", MPI_INT16_T, integer);
  visit(std::type_identity<std::int32_t>(), "int32", MPI_INT32_T, integer);
  visit(std::type_identity<std::int64_t>(), "int64", MPI_INT64_T, integer);
  visit(std::type_identity<std::uint8_t>(), "uint8", MPI_UINT8_T, integer);
  visit(std::type_identity<std::uint16_t>(), "uint16", MPI_UINT16_T, integer);
  visit(std::type_identity<std::uint32_t>(), "uint32", MPI_UINT32_T, integer);
  visit(std::type_identity<std::uint64_t>(), "uint64", MPI_UINT64_T, integer);
  visit(std::type_identity<MPI_Aint>(), "aint", MPI_AINT, address);
  visit(std::type_identity<MPI_Offset>(), "offset", MPI_OFFSET, address);
  visit(std::type_identity<MPI_Count>(), "count", MPI_COUNT, address);
}

/// The same for pairs of a value and a place.
template <class Visit>
void visit_pairs(Visit visit) {
  using enum DatatypeKind;
  visit(std::type_identity<ValueAndPlace<float>>(), "float-int", MPI_FLOAT_INT, pair);
  visit(std::type_identity<ValueAndPlace<double>>(), "double-int", MPI_DOUBLE_INT, pair);
  visit(std::type_identity<ValueAndPlace<long>>(), "long-int", MPI_LONG_INT, pair);
  visit(std::type_identity<ValueAndPlace<short>>(), "short-int", MPI_SHORT_INT, pair);
  visit(std::type_identity<ValueAndPlace<int>>(), "2int", MPI_2INT, pair);
  visit(std::type_identity<ValueAndPlace<long double>>(), "long-double-int", MPI_LONG_DOUBLE_INT,
        pair);
}

/// The same for every predefined datatype of C.
template <class Visit>
void visit_predefined(Visit visit) {
  using enum DatatypeKind;
  visit(std::type_identity<unsigned char>(), "byte", MPI_BYTE, byte);
  visit(std::type_identity<char>(), "char", MPI_CHAR, text);
  visit(std::type_identity<wchar_t>(), "wchar", MPI_WCHAR, text);
  visit_integers(visit);
  visit(std::type_identity<bool>(), "bool", MPI_C_BOOL, logical);
  visit(std::type_identity<float>(), "float", MPI_FLOAT, floating);
  visit(std::type_identity<double>(), "double", MPI_DOUBLE, floating);
  visit(std::type_identity<long double>(), "long-double", MPI_LONG_DOUBLE, floating);
  visit(std::type_identity<std::complex<float>>(), "float-complex", MPI_C_FLOAT_COMPLEX, complex);
  visit(std::type_identity<std::complex<double>>(), "double-complex", MPI_C_DOUBLE_COMPLEX,
        complex);
  visit(std::type_identity<std::complex<long double>>(), "long-double-complex",
        MPI_C_LONG_DOUBLE_COMPLEX, complex);
  visit_pairs(visit);
}

/// Calls `visit(std::type_identity<C type>)` for the predefined datatype with this handle; not for
/// text, which has no arithmetic.
template <class Visit>
void visit_type(MPI_Datatype type, Visit visit) {
  bool is_done = false;
  visit_predefined(
      [&]<class T>(std::type_identity<T>, const char*, MPI_Datatype handle, DatatypeKind kind) {
        if (is_done || handle != type || kind == DatatypeKind::text) return;
        is_done = true;
        visit(std::type_identity<T>());
      });
}

/// The name of the datatype of messages, one of datatypes().
inline constexpr Parameter<std::string_view> datatype_parameter{"datatype", "byte"};

/// Whether the point's buffers are at another place in each iteration: cold or fresh buffers.
bool has_rotating_buffers(const Point& point);

/// The content of one message: whole elements of one datatype. A point's size counts the bytes of
/// MPI_Type_size, without gaps; memory needs `extent()` bytes.
struct MessageShape {
  const Datatype* type;
  int count;  ///< [elements]

  [[nodiscard]] std::size_t extent() const {
    return static_cast<std::size_t>(count) * type->extent;
  }
};

/// The datatype of the point; InputError if unknown.
const Datatype& datatype_of(const Point& point);

/// Why the point's size cannot be sent: it is no whole number of elements. nullopt if it can.
std::optional<std::string> size_obstacle(const Point& point);

/// The message of a point; std::logic_error if it has a size_obstacle.
MessageShape message_of(const Point& point);

/// Whether the significant bytes of every element are equal in both, which have the same size.
bool is_same_message(std::span<const std::byte> data, std::span<const std::byte> right,
                     const Datatype& type);

/// Like holds_pattern, but compares only the significant bytes of every element.
bool holds_message(std::span<const std::byte> data, const Datatype& type, std::uint64_t seed);

/// How a reduction combines two elements.
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
  ordered  ///< the order matters (reductions.hpp)
};

/// A reduction operator, and the groups of datatypes for which it is defined.
struct Operator {
  std::string_view name;
  MPI_Op handle;  ///< if predefined
  Combine combine;
  std::vector<DatatypeKind> kinds;
  bool is_user = false;  ///< made with MPI_Op_create (make_user_operator)
};

/// Every operator. Does not need MPI_Init.
const std::vector<Operator>& operators();
std::vector<std::string> operator_names();

/// InputError that names the nearest operator if none is called `name`.
const Operator& find_operator(const std::string& name);

bool is_defined(const Operator& op, const Datatype& type);

inline std::string parameter_text(const Operator* op) { return std::string(op->name); }
/// Operator of reductions; null: sum.
inline constexpr Parameter<const Operator*> operator_parameter{"operator"};
const Operator& operator_of(const Point& point);

/// Why a point cannot be measured: its size is no whole number of elements, or its operator is not
/// defined for its datatype. nullopt if it can. Only after MPI_Init.
std::optional<std::string> obstacle(const Point& point);

/// The MPI handle of one of hockney's operators, from MPI_Op_create; empty for a predefined one.
UniqueOp make_user_operator(const Operator& op);

}  // namespace hockney::benchmarks
