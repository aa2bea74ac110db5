// What a language's binding of MPI does: translates arguments, calls the function of C and
// translates what it gave. One of its functions calls through another, as those of mpi_f08 do.

#include <mpi.h>
#include <array>
#include <numeric>

extern "C" void bound_barrier(int* error) {
  std::array<volatile char, 200> arguments{};
  arguments[7] = 1;
  *error = MPI_Barrier(MPI_COMM_WORLD) + arguments[8];
}

extern "C" void bound_sum(int numbers, int* error) {
  std::array<int, 64> values{};
  std::iota(values.begin(), values.end(), 0);
  *error = PMPI_Allreduce(MPI_IN_PLACE, values.data(), numbers, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

extern "C" void bound_f08_sum(int numbers, int* error) {
  int result = 1;
  bound_sum(numbers, &result);
  *error = result;
}
