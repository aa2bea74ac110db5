// Everything that makes counting hard, on any number of ranks from two on: each rank keeps its own
// ledger (argument 1: where to), and ends with 1 when MPI shows it anything that it should not.

#include <mpi.h>
#include <string>

#include "tests/components/application/library/trap_self.hpp"

namespace hockney::profile {
namespace {

/// A call that fails counts, and its code reaches the program.
void errors(Self& self) {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int data = 0;
  require(MPI_Send(&data, 1, MPI_INT, self.size + 5, 0, MPI_COMM_WORLD) != MPI_SUCCESS,
          "a send to a rank that is not there succeeds");
  self.ledger.call("Send");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

void run(Self& self) {
  trap_messages(self);
  trap_collectives(self);
#if !defined(HOCKNEY_WITHOUT_ERRORS)
  errors(self);
#endif
  int data = 0;
  PMPI_Bcast(&data, 1, MPI_INT, 0, MPI_COMM_WORLD);  // as wrappers of Fortran do
  self.ledger.call("Bcast", 4);
}

}  // namespace
}  // namespace hockney::profile

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  hockney::profile::Self self;
  MPI_Comm_rank(MPI_COMM_WORLD, &self.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &self.size);
  hockney::profile::run(self);
  self.ledger.save(std::string(argv[1]) + "/ledger." + std::to_string(self.rank));
  MPI_Finalize();
  return 0;
}
