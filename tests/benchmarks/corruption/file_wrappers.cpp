#include "tests/benchmarks/corruption/shim.hpp"

/// Calls on files, before the library's own. What is written is another rank's to find, so that it
/// is spoiled on its way into the file.
using namespace hockney::benchmarks::shim;

namespace {

/// What a split collective will have read at its end.
Delivery& split_read() {
  static Delivery delivery{nullptr, 0, MPI_BYTE};
  return delivery;
}

}  // namespace

extern "C" {

#define HOCKNEY_READ(name, parameters, arguments)                                          \
  int MPI_File_##name(HOCKNEY_LIST parameters, void* buffer, int count, MPI_Datatype type, \
                      MPI_Status* status) {                                                \
    return finish(PMPI_File_##name(HOCKNEY_LIST arguments, buffer, count, type, status),   \
                  received(buffer, count, type));                                          \
  }
#define HOCKNEY_WRITE(name, request, parameters, arguments)                                    \
  int MPI_File_##name(HOCKNEY_LIST parameters, const void* data, int count, MPI_Datatype type, \
                      MPI_##request* request) {                                                \
    return PMPI_File_##name(HOCKNEY_LIST arguments, given(data, count, type), count, type,     \
                            request);                                                          \
  }
/// To read and to write in one way, which waits or does not.
#define HOCKNEY_FILE_CALLS(way, parameters, arguments)                                           \
  HOCKNEY_READ(read##way, parameters, arguments)                                                 \
  HOCKNEY_WRITE(write##way, Status, parameters, arguments)                                       \
  HOCKNEY_WRITE(iwrite##way, Request, parameters, arguments)                                     \
  int MPI_File_iread##way(HOCKNEY_LIST parameters, void* buffer, int count, MPI_Datatype type,   \
                          MPI_Request* request) {                                                \
    const int code = PMPI_File_iread##way(HOCKNEY_LIST arguments, buffer, count, type, request); \
    return begin(code, *request, received(buffer, count, type));                                 \
  }

HOCKNEY_FILE_CALLS(, (MPI_File file), (file))
HOCKNEY_FILE_CALLS(_at, (MPI_File file, MPI_Offset offset), (file, offset))
HOCKNEY_FILE_CALLS(_shared, (MPI_File file), (file))
HOCKNEY_FILE_CALLS(_all, (MPI_File file), (file))
HOCKNEY_FILE_CALLS(_at_all, (MPI_File file, MPI_Offset offset), (file, offset))
HOCKNEY_READ(read_ordered, (MPI_File file), (file))
HOCKNEY_WRITE(write_ordered, Status, (MPI_File file), (file))

int MPI_File_read_ordered_begin(MPI_File file, void* buffer, int count, MPI_Datatype type) {
  split_read() = {buffer, count, type};
  return PMPI_File_read_ordered_begin(file, buffer, count, type);
}

int MPI_File_read_ordered_end(MPI_File file, void* buffer, MPI_Status* status) {
  return finish(PMPI_File_read_ordered_end(file, buffer, status), split_read());
}

int MPI_File_write_ordered_begin(MPI_File file, const void* data, int count, MPI_Datatype type) {
  return PMPI_File_write_ordered_begin(file, given(data, count, type), count, type);
}

/// Some libraries want the buffer of the beginning.
int MPI_File_write_ordered_end(MPI_File file, const void* data, MPI_Status* status) {
  return PMPI_File_write_ordered_end(file, data, status);
}

}  // extern "C"
