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

int MPI_File_read(MPI_File file, void* buffer, int count, MPI_Datatype type, MPI_Status* status) {
  return finish(PMPI_File_read(file, buffer, count, type, status), {buffer, count, type});
}

int MPI_File_read_at(MPI_File file, MPI_Offset offset, void* buffer, int count, MPI_Datatype type,
                     MPI_Status* status) {
  return finish(PMPI_File_read_at(file, offset, buffer, count, type, status),
                {buffer, count, type});
}

int MPI_File_read_shared(MPI_File file, void* buffer, int count, MPI_Datatype type,
                         MPI_Status* status) {
  return finish(PMPI_File_read_shared(file, buffer, count, type, status), {buffer, count, type});
}

int MPI_File_read_all(MPI_File file, void* buffer, int count, MPI_Datatype type,
                      MPI_Status* status) {
  return finish(PMPI_File_read_all(file, buffer, count, type, status), {buffer, count, type});
}

int MPI_File_read_at_all(MPI_File file, MPI_Offset offset, void* buffer, int count,
                         MPI_Datatype type, MPI_Status* status) {
  return finish(PMPI_File_read_at_all(file, offset, buffer, count, type, status),
                {buffer, count, type});
}

int MPI_File_read_ordered(MPI_File file, void* buffer, int count, MPI_Datatype type,
                          MPI_Status* status) {
  return finish(PMPI_File_read_ordered(file, buffer, count, type, status), {buffer, count, type});
}

int MPI_File_iread(MPI_File file, void* buffer, int count, MPI_Datatype type,
                   MPI_Request* request) {
  const int code = PMPI_File_iread(file, buffer, count, type, request);
  return begin(code, *request, {buffer, count, type});
}

int MPI_File_iread_at(MPI_File file, MPI_Offset offset, void* buffer, int count, MPI_Datatype type,
                      MPI_Request* request) {
  const int code = PMPI_File_iread_at(file, offset, buffer, count, type, request);
  return begin(code, *request, {buffer, count, type});
}

int MPI_File_iread_shared(MPI_File file, void* buffer, int count, MPI_Datatype type,
                          MPI_Request* request) {
  const int code = PMPI_File_iread_shared(file, buffer, count, type, request);
  return begin(code, *request, {buffer, count, type});
}

int MPI_File_iread_all(MPI_File file, void* buffer, int count, MPI_Datatype type,
                       MPI_Request* request) {
  const int code = PMPI_File_iread_all(file, buffer, count, type, request);
  return begin(code, *request, {buffer, count, type});
}

int MPI_File_iread_at_all(MPI_File file, MPI_Offset offset, void* buffer, int count,
                          MPI_Datatype type, MPI_Request* request) {
  const int code = PMPI_File_iread_at_all(file, offset, buffer, count, type, request);
  return begin(code, *request, {buffer, count, type});
}

int MPI_File_read_ordered_begin(MPI_File file, void* buffer, int count, MPI_Datatype type) {
  split_read() = {buffer, count, type};
  return PMPI_File_read_ordered_begin(file, buffer, count, type);
}

int MPI_File_read_ordered_end(MPI_File file, void* buffer, MPI_Status* status) {
  return finish(PMPI_File_read_ordered_end(file, buffer, status), split_read());
}

int MPI_File_write(MPI_File file, const void* data, int count, MPI_Datatype type,
                   MPI_Status* status) {
  return PMPI_File_write(file, given(data, count, type), count, type, status);
}

int MPI_File_write_at(MPI_File file, MPI_Offset offset, const void* data, int count,
                      MPI_Datatype type, MPI_Status* status) {
  return PMPI_File_write_at(file, offset, given(data, count, type), count, type, status);
}

int MPI_File_write_shared(MPI_File file, const void* data, int count, MPI_Datatype type,
                          MPI_Status* status) {
  return PMPI_File_write_shared(file, given(data, count, type), count, type, status);
}

int MPI_File_write_all(MPI_File file, const void* data, int count, MPI_Datatype type,
                       MPI_Status* status) {
  return PMPI_File_write_all(file, given(data, count, type), count, type, status);
}

int MPI_File_write_at_all(MPI_File file, MPI_Offset offset, const void* data, int count,
                          MPI_Datatype type, MPI_Status* status) {
  return PMPI_File_write_at_all(file, offset, given(data, count, type), count, type, status);
}

int MPI_File_write_ordered(MPI_File file, const void* data, int count, MPI_Datatype type,
                           MPI_Status* status) {
  return PMPI_File_write_ordered(file, given(data, count, type), count, type, status);
}

int MPI_File_iwrite(MPI_File file, const void* data, int count, MPI_Datatype type,
                    MPI_Request* request) {
  return PMPI_File_iwrite(file, given(data, count, type), count, type, request);
}

int MPI_File_iwrite_at(MPI_File file, MPI_Offset offset, const void* data, int count,
                       MPI_Datatype type, MPI_Request* request) {
  return PMPI_File_iwrite_at(file, offset, given(data, count, type), count, type, request);
}

int MPI_File_iwrite_shared(MPI_File file, const void* data, int count, MPI_Datatype type,
                           MPI_Request* request) {
  return PMPI_File_iwrite_shared(file, given(data, count, type), count, type, request);
}

int MPI_File_iwrite_all(MPI_File file, const void* data, int count, MPI_Datatype type,
                        MPI_Request* request) {
  return PMPI_File_iwrite_all(file, given(data, count, type), count, type, request);
}

int MPI_File_iwrite_at_all(MPI_File file, MPI_Offset offset, const void* data, int count,
                           MPI_Datatype type, MPI_Request* request) {
  return PMPI_File_iwrite_at_all(file, offset, given(data, count, type), count, type, request);
}

int MPI_File_write_ordered_begin(MPI_File file, const void* data, int count, MPI_Datatype type) {
  return PMPI_File_write_ordered_begin(file, given(data, count, type), count, type);
}

/// Some libraries want the buffer of the beginning.
int MPI_File_write_ordered_end(MPI_File file, const void* data, MPI_Status* status) {
  return PMPI_File_write_ordered_end(file, data, status);
}

}  // extern "C"
