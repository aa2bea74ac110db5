#include "tests/benchmarks/corruption/shim.hpp"

/// Every nonblocking collective, before the library's own.
using namespace hockney::benchmarks::shim;

extern "C" {

#define HOCKNEY_COLLECTIVE(name, lower, parameters, arguments, delivery) \
  int MPI_I##lower(HOCKNEY_LIST parameters, MPI_Request* request) {      \
    const int code = PMPI_I##lower(HOCKNEY_LIST arguments, request);     \
    return begin(code, *request, delivery);                              \
  }
#define HOCKNEY_REDUCTION(name, lower, parameters, arguments, given, delivery) \
  int MPI_I##lower(HOCKNEY_LIST parameters, MPI_Request* request) {            \
    send = contribution(send, HOCKNEY_LIST given);                             \
    const int code = PMPI_I##lower(HOCKNEY_LIST arguments, request);           \
    return begin(code, *request, delivery);                                    \
  }
#include "tests/benchmarks/corruption/collectives.def"

}  // extern "C"
