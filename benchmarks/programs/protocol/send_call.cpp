#include "benchmarks/programs/protocol/send_call.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "benchmarks/harness/mpi_error.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace hockney {
namespace {

constexpr std::array<std::string_view, 4> call_names{"send", "isend", "persistent", "ssend"};
constexpr std::array<std::string_view, 3> layout_names{"bytes", "contiguous", "strided"};

/// Enumerators by their names, each once, in the order of the enumeration.
template <class Enum, std::size_t size>
std::vector<Enum> parse_choice(const std::string& option, const std::string& text,
                               const std::array<std::string_view, size>& names) {
  const std::vector<std::string> known(names.begin(), names.end());
  const std::vector<std::string> asked = text == "all" ? known : split(text, ',');
  const auto unknown = std::ranges::find_if(asked, [&](const std::string& name) {
    return std::ranges::find(known, name) == known.end();
  });
  if (unknown != asked.end()) {
    throw InputError({"bad value '" + *unknown + "' for " + option, "there is no such one",
                      suggest(*unknown, known)});
  }
  std::vector<Enum> chosen;
  for (std::size_t i = 0; i < size; ++i) {
    if (std::ranges::find(asked, known[i]) != asked.end()) chosen.push_back(static_cast<Enum>(i));
  }
  return chosen;
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

std::string call_name(SendCall call) {
  return std::string(call_names.at(static_cast<std::size_t>(call)));
}

std::string layout_name(MessageLayout layout) {
  return std::string(layout_names.at(static_cast<std::size_t>(layout)));
}

std::vector<SendCall> parse_calls(const std::string& text) {
  return parse_choice<SendCall>("--calls", text, call_names);
}

std::vector<MessageLayout> parse_layouts(const std::string& text) {
  return parse_choice<MessageLayout>("--layouts", text, layout_names);
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

}  // namespace hockney
