#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>

#include "benchmarks/harness/handle.hpp"
#include "core/named_values.hpp"

namespace hockney::benchmarks::programs {

/// The ways of sending one message, from the call to the moment the buffer may be used again.
enum class SendCall {
  send,        ///< MPI_Send
  isend,       ///< MPI_Isend and MPI_Wait
  persistent,  ///< MPI_Send_init, MPI_Start and MPI_Wait
  ssend        ///< MPI_Ssend: never without a receive
};

/// How the bytes of a message lie in memory.
enum class MessageLayout {
  bytes,       ///< n of MPI_BYTE
  contiguous,  ///< one element of MPI_Type_contiguous
  strided      ///< one element of MPI_Type_vector: every other byte
};

inline constexpr NamedValues<SendCall, 4> call_names{{{SendCall::send, "send"},
                                                      {SendCall::isend, "isend"},
                                                      {SendCall::persistent, "persistent"},
                                                      {SendCall::ssend, "ssend"}}};

inline constexpr NamedValues<MessageLayout, 3> layout_names{
    {{MessageLayout::bytes, "bytes"},
     {MessageLayout::contiguous, "contiguous"},
     {MessageLayout::strided, "strided"}}};

/// InputError naming the nearest for an unknown one.
SendCall parse_call(const std::string& name);
MessageLayout parse_layout(const std::string& name);

/// A message of `bytes` bytes: count elements of a type.
class SentMessage {
 public:
  SentMessage(MessageLayout layout, std::int64_t bytes);

  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] MPI_Datatype type() const { return derived_ ? derived_.get() : MPI_BYTE; }

 private:
  UniqueDatatype derived_;
  int count_ = 1;
};

/// Sends it, and returns when the call does.
void send_message(SendCall call, const void* data, const SentMessage& message, int to, int tag,
                  MPI_Comm comm);

}  // namespace hockney::benchmarks::programs
