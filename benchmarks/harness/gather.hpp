#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace hockney::benchmarks {

/// Every rank's text, in order of ranks, on every rank. Collective.
std::vector<std::string> gather_texts(MPI_Comm comm, const std::string& text);

/// The text of rank 0, on every rank. Collective.
std::string broadcast_text(MPI_Comm comm, const std::string& text);

/// Bytes to `rank`, and those that `rank` sent.
void send_bytes(MPI_Comm comm, int rank, std::span<const std::byte> bytes);
std::vector<std::byte> receive_bytes(MPI_Comm comm, int rank);

/// A list of values to `rank`, byte by byte; received by receive_values there.
template <class Value>
void send_values(MPI_Comm comm, int rank, const std::vector<Value>& values) {
  static_assert(std::is_trivially_copyable_v<Value>);
  send_bytes(comm, rank, std::as_bytes(std::span(values)));
}
template <class Value>
std::vector<Value> receive_values(MPI_Comm comm, int rank) {
  static_assert(std::is_trivially_copyable_v<Value>);
  const std::vector<std::byte> bytes = receive_bytes(comm, rank);
  std::vector<Value> values(bytes.size() / sizeof(Value));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

}  // namespace hockney::benchmarks
