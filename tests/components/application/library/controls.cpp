// Calls of MPI_Pcontrol with names, with other arguments, and with what would be a name if
// recording were not off: a call without arguments would find the same in a register.

#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Pcontrol(1, "named");
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Pcontrol(-1, "named");
  MPI_Pcontrol(7, 1, 2L, "three", 4.5, 6.5);
  MPI_Pcontrol(0);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Pcontrol(1, "not a name");
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
