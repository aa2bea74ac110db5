/* A plug-in whose function has a name of its own, and the place of those of its kind. */
#include <mpi.h>

void HOCKNEY_PLUGIN(int times);
void HOCKNEY_PLUGIN(int times) {
  volatile double sum = 0;
  int given = 1;
  int all = 0;
  for (int i = 0; i < times * 1000000; ++i) sum += i;
  for (int i = 0; i < times; ++i) MPI_Allreduce(&given, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}
