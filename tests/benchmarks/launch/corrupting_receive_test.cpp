#include "tests/benchmarks/launch/corrupting_receive.hpp"

#include <mpi.h>

namespace {

bool corrupting = false;

}  // namespace

extern "C" int MPI_Recv(void* buffer, int count, MPI_Datatype type, int source, int tag,
                        MPI_Comm comm, MPI_Status* status) {
  const int code = PMPI_Recv(buffer, count, type, source, tag, comm, status);
  if (corrupting && type == MPI_BYTE && count > 0)
    static_cast<unsigned char*>(buffer)[count - 1] ^= 4U;
  return code;
}

namespace hockney {

CorruptingReceive::CorruptingReceive() { corrupting = true; }
CorruptingReceive::~CorruptingReceive() { corrupting = false; }

}  // namespace hockney
