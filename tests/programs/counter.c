/* Counts messages by itself, to be preloaded before programs of MPICH: what each rank hands to MPI_Send and its like, as
   "E from to bytes messages" in the file HOCKNEY_COUNTER.<rank>. It knows nothing of hockney. */

#define _GNU_SOURCE
#include <dlfcn.h>
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

/* Both names of a function, each before the next of that name; what MPI calls of itself does not count. */
static int depth;
#define NAMED(name, parameters, arguments)                              \
  int name parameters {                                                 \
    static int(*next) parameters;                                       \
    if (next == NULL) next = (int(*) parameters)dlsym(RTLD_NEXT, #name); \
    if (depth == 0) count(number, type, to, comm);                      \
    ++depth;                                                            \
    const int code = next arguments;                                    \
    --depth;                                                            \
    return code;                                                        \
  }
#define SENDS(name, parameters, arguments) \
  NAMED(MPI_##name, parameters, arguments) \
  NAMED(PMPI_##name, parameters, arguments)

#define ENVELOPE const void *data, int number, MPI_Datatype type, int to, int tag, MPI_Comm comm
SENDS(Send, (ENVELOPE), (data, number, type, to, tag, comm))
SENDS(Ssend, (ENVELOPE), (data, number, type, to, tag, comm))
SENDS(Bsend, (ENVELOPE), (data, number, type, to, tag, comm))
SENDS(Rsend, (ENVELOPE), (data, number, type, to, tag, comm))
SENDS(Isend, (ENVELOPE, MPI_Request* request), (data, number, type, to, tag, comm, request))
SENDS(Issend, (ENVELOPE, MPI_Request* request), (data, number, type, to, tag, comm, request))
SENDS(Ibsend, (ENVELOPE, MPI_Request* request), (data, number, type, to, tag, comm, request))
SENDS(Irsend, (ENVELOPE, MPI_Request* request), (data, number, type, to, tag, comm, request))
SENDS(Sendrecv,
      (const void* data, int number, MPI_Datatype type, int to, int tag, void* room, int size, MPI_Datatype came, int from,
       int its_tag, MPI_Comm comm, MPI_Status* status),
      (data, number, type, to, tag, room, size, came, from, its_tag, comm, status))
SENDS(Sendrecv_replace,
      (void* data, int number, MPI_Datatype type, int to, int tag, int from, int its_tag, MPI_Comm comm, MPI_Status* status),
      (data, number, type, to, tag, from, its_tag, comm, status))

static void save(void) {
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
}

#define FINALIZES(name)                                \
  int name(void) {                                     \
    static int (*next)(void);                          \
    if (next == NULL) {                                \
      next = (int (*)(void))dlsym(RTLD_NEXT, #name);   \
      save();                                          \
    }                                                  \
    return next();                                     \
  }
FINALIZES(MPI_Finalize)
FINALIZES(PMPI_Finalize)
