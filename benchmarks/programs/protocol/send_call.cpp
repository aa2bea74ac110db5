#include "benchmarks/programs/protocol/send_call.hpp"

#include "benchmarks/harness/mpi_error.hpp"

namespace hockney::benchmarks::programs {
namespace {

template <class Enum, std::size_t count>
Enum parse_choice(const std::string& option, const std::string& name,
                  const NamedValues<Enum, count>& names) {
  return value_in(names, name, "bad value '" + name + "' for " + option, "there is no such one");
}

void send_persistent(const void* data, const SentMessage& message, int to, int tag, MPI_Comm comm) {
  UniqueRequest request;
  mpi_check(MPI_Send_init(data, message.count(), message.type(), to, tag, comm, request.out()));
  MPI_Request started = request.get();
  mpi_check(MPI_Start(&started));
  // NOLINTNEXTLINE(clang-analyzer-optin.mpi.MPI-Checker): it knows no persistent requests
  mpi_check(MPI_Wait(&started, MPI_STATUS_IGNORE));
}

void send_immediate(const void* data, const SentMessage& message, int to, int tag, MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  mpi_check(MPI_Isend(data, message.count(), message.type(), to, tag, comm, &request));
  mpi_check(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

}  // namespace

SendCall parse_call(const std::string& name) { return parse_choice("--calls", name, call_names); }

MessageLayout parse_layout(const std::string& name) {
  return parse_choice("--layouts", name, layout_names);
}

SentMessage::SentMessage(MessageLayout layout, std::int64_t bytes) {
  const int size = static_cast<int>(bytes);
  switch (layout) {
    case MessageLayout::bytes:
      count_ = size;
      return;
    case MessageLayout::contiguous:
      mpi_check(MPI_Type_contiguous(size, MPI_BYTE, derived_.out()));
      break;
    case MessageLayout::strided:
      mpi_check(MPI_Type_vector(size, 1, 2, MPI_BYTE, derived_.out()));
      break;
  }
  MPI_Datatype type = derived_.get();
  mpi_check(MPI_Type_commit(&type));
}

void send_message(SendCall call, const void* data, const SentMessage& message, int to, int tag,
                  MPI_Comm comm) {
  switch (call) {
    case SendCall::send:
      return mpi_check(MPI_Send(data, message.count(), message.type(), to, tag, comm));
    case SendCall::isend:
      return send_immediate(data, message, to, tag, comm);
    case SendCall::persistent:
      return send_persistent(data, message, to, tag, comm);
    case SendCall::ssend:
      return mpi_check(MPI_Ssend(data, message.count(), message.type(), to, tag, comm));
  }
}

}  // namespace hockney::benchmarks::programs
