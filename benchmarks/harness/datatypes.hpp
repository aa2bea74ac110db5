#pragma once

#include <mpi.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hockney {

/// Groups of MPI 3.1, section 5.9.2, by which reduction operators are defined; `address` is what
/// the standard calls multi-language types, `text` is for no reduction.
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
  std::vector<ByteRange> significant;  ///< what MPI must deliver: no gaps of pairs, no padding
  std::size_t size = 0;                ///< MPI_Type_size [B]
  std::size_t extent = 0;              ///< MPI_Type_get_extent [B], from one element to the next

  /// Whether every byte of a message is significant.
  [[nodiscard]] bool is_dense() const {
    return significant.size() == 1 && significant[0].bytes == extent;
  }
};

/// Names of the datatypes of this library; may be called before MPI_Init.
const std::vector<std::string>& datatype_names();

/// Every datatype that this library has, and lays out as C does. Only after MPI_Init.
const std::vector<Datatype>& datatypes();

/// InputError naming the nearest datatype when there is none called `name`. Only after MPI_Init.
const Datatype& find_datatype(const std::string& name);

/// The same error, before MPI_Init.
void check_datatype_name(const std::string& name);

}  // namespace hockney
