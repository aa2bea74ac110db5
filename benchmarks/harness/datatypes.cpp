#include "benchmarks/harness/datatypes.hpp"

#include <algorithm>

#include "benchmarks/harness/mpi_error.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace hockney::benchmarks {
namespace {

/// Bytes of a number that hold it: the x87 long double has 10, the rest is padding.
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

/// Asks the library; false where it lays the type out in another way than C.
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
  throw InputError({"unknown datatype '" + name + "'", "no predefined datatype has this name",
                    suggest(name, names)});
}

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

}  // namespace hockney::benchmarks
