/* Counts messages by itself, to be preloaded before programs of MPICH: what each rank hands to MPI_Send and its like, as
   "E from to bytes messages" in the file HOCKNEY_COUNTER.<rank>. It knows nothing of hockney, and stands before the names
   MPI_* alone, which is where Fortran comes in under MPICH too. */

#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { most = 1024 };
static long long messages[most], bytes[most];

static void count(int number, MPI_Datatype type, int to, MPI_Comm comm) {
  if (to == MPI_PROC_NULL) return;
  MPI_Group world, group;
  int size, rank = -1, inter;
  PMPI_Comm_test_inter(comm, &inter);
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  (inter ? PMPI_Comm_remote_group : PMPI_Comm_group)(comm, &group);
  PMPI_Group_translate_ranks(group, 1, &to, world, &rank);
  PMPI_Group_free(&group);
  PMPI_Group_free(&world);
  PMPI_Type_size(type, &size);
  if (rank < 0 || rank >= most) abort();
  ++messages[rank];
  bytes[rank] += (long long)number * size;
}

#define SENDS(name)                                                                                   \
  int MPI_##name(const void* data, int number, MPI_Datatype type, int to, int tag, MPI_Comm comm) {   \
    count(number, type, to, comm);                                                                    \
    return PMPI_##name(data, number, type, to, tag, comm);                                            \
  }
#define STARTS(name)                                                                                  \
  int MPI_##name(const void* data, int number, MPI_Datatype type, int to, int tag, MPI_Comm comm,     \
                 MPI_Request* request) {                                                              \
    count(number, type, to, comm);                                                                    \
    return PMPI_##name(data, number, type, to, tag, comm, request);                                   \
  }
SENDS(Send) SENDS(Ssend) SENDS(Bsend) SENDS(Rsend)
STARTS(Isend) STARTS(Issend) STARTS(Ibsend) STARTS(Irsend)

int MPI_Sendrecv(const void* data, int number, MPI_Datatype type, int to, int tag, void* room, int most_of,
                 MPI_Datatype type_of, int from, int tag_of, MPI_Comm comm, MPI_Status* status) {
  count(number, type, to, comm);
  return PMPI_Sendrecv(data, number, type, to, tag, room, most_of, type_of, from, tag_of, comm, status);
}

int MPI_Sendrecv_replace(void* data, int number, MPI_Datatype type, int to, int tag, int from, int tag_of, MPI_Comm comm,
                         MPI_Status* status) {
  count(number, type, to, comm);
  return PMPI_Sendrecv_replace(data, number, type, to, tag, from, tag_of, comm, status);
}

int MPI_Finalize(void) {
  char name[4096];
  int rank;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  snprintf(name, sizeof name, "%s.%d", getenv("HOCKNEY_COUNTER"), rank);
  FILE* file = fopen(name, "w");
  if (file == NULL) abort();
  for (int to = 0; to < most; ++to) {
    if (messages[to] > 0) fprintf(file, "E\t%d\t%d\t%lld bytes\t%lld msgs\n", rank, to, bytes[to], messages[to]);
  }
  if (fclose(file) != 0) abort();
  return PMPI_Finalize();
}
