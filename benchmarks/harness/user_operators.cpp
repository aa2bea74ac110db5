#include "benchmarks/harness/user_operators.hpp"

#include <cstring>

#include "benchmarks/harness/combining.hpp"
#include "benchmarks/harness/mpi_error.hpp"

namespace hockney {
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
  bool is_done = false;
  visit_predefined(
      [&]<class T>(std::type_identity<T>, const char*, MPI_Datatype handle, DatatypeKind kind) {
        if (is_done || handle != type || kind == DatatypeKind::text) return;
        combine_elements<T>(combine, static_cast<const std::byte*>(in),
                            static_cast<std::byte*>(inout), count);
        is_done = true;
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

}  // namespace hockney
