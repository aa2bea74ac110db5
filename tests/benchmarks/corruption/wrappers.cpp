#include "tests/benchmarks/corruption/shim.hpp"

/// Every function by which operations receive, before the library's own.
using namespace hockney::benchmarks::shim;

extern "C" {

int MPI_Recv(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
             MPI_Status* status) {
  return finish(PMPI_Recv(buffer, count, type, source, tag, comm, status), {buffer, count, type});
}

int MPI_Sendrecv(const void* send, int sent, MPI_Datatype send_type, int to, int send_tag,
                 void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                 MPI_Status* status) {
  return finish(PMPI_Sendrecv(send, sent, send_type, to, send_tag, buffer, count, type, from, tag,
                              comm, status),
                {buffer, count, type});
}

int MPI_Irecv(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
              MPI_Request* request) {
  const int code = PMPI_Irecv(buffer, count, type, source, tag, comm, request);
  return begin(code, *request, {buffer, count, type});
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  const std::vector<MPI_Request> waited{*request};
  const int code = PMPI_Wait(request, status);
  finish_all(waited);
  return code;
}

int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  const std::vector<MPI_Request> tested{*request};
  const int code = PMPI_Test(request, flag, status);
  if (*flag != 0) finish_all(tested);
  return code;
}

int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
  const std::vector<MPI_Request> waited(requests, requests + count);
  const int code = PMPI_Waitall(count, requests, statuses);
  finish_all(waited);
  return code;
}

int MPI_Waitany(int count, MPI_Request* requests, int* index, MPI_Status* status) {
  const std::vector<MPI_Request> waited(requests, requests + count);
  const int code = PMPI_Waitany(count, requests, index, status);
  if (*index != MPI_UNDEFINED) finish_all({waited[static_cast<std::size_t>(*index)]});
  return code;
}

int MPI_Waitsome(int count, MPI_Request* requests, int* done, int* indices, MPI_Status* statuses) {
  const std::vector<MPI_Request> waited(requests, requests + count);
  const int code = PMPI_Waitsome(count, requests, done, indices, statuses);
  for (int i = 0; *done != MPI_UNDEFINED && i < *done; ++i) {
    finish_all({waited[static_cast<std::size_t>(indices[i])]});
  }
  return code;
}

int MPI_Testall(int count, MPI_Request* requests, int* flag, MPI_Status* statuses) {
  const std::vector<MPI_Request> tested(requests, requests + count);
  const int code = PMPI_Testall(count, requests, flag, statuses);
  if (*flag != 0) finish_all(tested);
  return code;
}

int MPI_Mrecv(void* buffer, int count, MPI_Datatype type, MPI_Message* message,
              MPI_Status* status) {
  return finish(PMPI_Mrecv(buffer, count, type, message, status), {buffer, count, type});
}

int MPI_Sendrecv_replace(void* buffer, int count, MPI_Datatype type, int to, int send_tag, int from,
                         int tag, MPI_Comm comm, MPI_Status* status) {
  const int code =
      PMPI_Sendrecv_replace(buffer, count, type, to, send_tag, from, tag, comm, status);
  return finish(code, {buffer, count, type});
}

int MPI_Reduce_local(const void* given, void* buffer, int count, MPI_Datatype type, MPI_Op op) {
  const void* taken = contribution(given, buffer, count, type);
  return finish(PMPI_Reduce_local(taken, buffer, count, type, op), {buffer, count, type});
}

#define HOCKNEY_COLLECTIVE(name, lower, parameters, arguments, delivery) \
  int MPI_##name parameters { return finish(PMPI_##name arguments, delivery); }
#define HOCKNEY_REDUCTION(name, lower, parameters, arguments, given, delivery) \
  int MPI_##name parameters {                                                  \
    send = contribution(send, HOCKNEY_LIST given);                             \
    return finish(PMPI_##name arguments, delivery);                            \
  }
#define HOCKNEY_BLOCKING
#include "tests/benchmarks/corruption/collectives.def"

}  // extern "C"
