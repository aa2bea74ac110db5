// An MPI library of one rank with as much as the recorder and races.cpp need, so that the threads
// of a program under the thread sanitizer meet in the recorder alone. Handles are pointers, as in
// Open MPI, whose mpi.h the program is compiled with.

#include <unistd.h>
#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>

namespace {

std::array<char, 1 << 16> handles{};
std::atomic<std::size_t> requests{0};
std::atomic<bool> is_waiting{false};

/// Status: source, tag and error begin it.
void fill(int* status) {
  if (status != nullptr) status[0] = status[1] = status[2] = 0;
}

}  // namespace

extern "C" {

std::array<char, 64> ompi_mpi_comm_world{};
std::array<char, 64> ompi_mpi_comm_self{};
std::array<char, 64> ompi_mpi_comm_null{};
std::array<char, 64> ompi_mpi_byte{};
std::array<char, 64> ompi_request_null{};

/// Whether a thread is in an MPI_Recv that never ends.
bool fake_is_waiting() { return is_waiting; }

int MPI_Init_thread(int*, char***, int required, int* provided) {
  *provided = required;
  return 0;
}
int MPI_Finalize() { return 0; }
int MPI_Abort(void*, int code) { std::exit(code); }
int MPI_Pcontrol(int, ...) { return 0; }
int MPI_Send(const void*, int, void*, int, int, void*) { return 0; }
int MPI_Recv(void*, int, void*, int, int tag, void*, int* status) {
  fill(status);
  if (tag == 0) return 0;
  is_waiting = true;
  for (;;) ::pause();
}
int MPI_Irecv(void*, int, void*, int, int, void*, void** request) {
  *request = &handles.at(requests++ % handles.size());
  return 0;
}
int MPI_Wait(void** request, int* status) {
  *request = &ompi_request_null;
  fill(status);
  return 0;
}

int PMPI_Barrier(void*) { return 0; }
int PMPI_Bcast(void*, int, void*, int, void*) { return 0; }
int PMPI_Comm_dup(void* comm, void** copy) {
  *copy = comm;
  return 0;
}
int PMPI_Comm_free(void**) { return 0; }
int PMPI_Comm_group(void*, void** group) {
  *group = handles.data();
  return 0;
}
int PMPI_Comm_rank(void*, int* rank) { return *rank = 0; }
int PMPI_Comm_size(void*, int* size) {
  *size = 1;
  return 0;
}
int PMPI_Comm_test_inter(void*, int* flag) { return *flag = 0; }
int PMPI_Get_elements_x(const void*, void*, long long* count) {
  *count = 4;
  return 0;
}
int PMPI_Get_library_version(char* text, int* length) {
  std::strcpy(text, "Open MPI, a fake");
  *length = static_cast<int>(std::strlen(text));
  return 0;
}
int PMPI_Get_processor_name(char* name, int* length) {
  std::strcpy(name, "fake");
  *length = 4;
  return 0;
}
int PMPI_Get_version(int* version, int* subversion) {
  *version = 3;
  *subversion = 1;
  return 0;
}
int PMPI_Group_free(void**) { return 0; }
int PMPI_Group_size(void*, int* size) {
  *size = 1;
  return 0;
}
int PMPI_Group_translate_ranks(void*, int count, const int* ranks, void*, int* others) {
  std::memcpy(others, ranks, static_cast<std::size_t>(count) * sizeof(int));
  return 0;
}
int PMPI_Query_thread(int* level) {
  *level = 3;
  return 0;
}
int PMPI_Scatter(const void* sent, int count, void*, void* received, int, void*, int, void*) {
  std::memcpy(received, sent, static_cast<std::size_t>(count));
  return 0;
}
int PMPI_Type_size_x(void*, long long* size) {
  *size = 1;
  return 0;
}
}
