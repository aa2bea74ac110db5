#include "benchmarks/harness/gather.hpp"

#include <numeric>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_error.hpp"

namespace hockney::benchmarks {
namespace {

constexpr int bytes_tag = 7;

}  // namespace

std::vector<std::string> gather_texts(MPI_Comm comm, const std::string& text) {
  const auto ranks = static_cast<std::size_t>(size_of(comm));
  const int length = static_cast<int>(text.size());
  std::vector<int> lengths(ranks);
  mpi_check(MPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, comm));
  mpi_check(MPI_Bcast(lengths.data(), size_of(comm), MPI_INT, 0, comm));
  std::vector<int> starts(ranks);
  std::exclusive_scan(lengths.begin(), lengths.end(), starts.begin(), 0);
  std::string all(static_cast<std::size_t>(starts.back() + lengths.back()), '\0');
  // Not an allgather: under a simulator it is a message between any two ranks.
  mpi_check(MPI_Gatherv(text.data(), length, MPI_CHAR, all.data(), lengths.data(), starts.data(),
                        MPI_CHAR, 0, comm));
  // SimGrid's pipelined broadcast divides by the number of elements.
  if (!all.empty())
    mpi_check(MPI_Bcast(all.data(), static_cast<int>(all.size()), MPI_CHAR, 0, comm));
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < ranks; ++i) {
    texts.push_back(
        all.substr(static_cast<std::size_t>(starts[i]), static_cast<std::size_t>(lengths[i])));
  }
  return texts;
}

std::string broadcast_text(MPI_Comm comm, const std::string& text) {
  int length = static_cast<int>(text.size());
  mpi_check(MPI_Bcast(&length, 1, MPI_INT, 0, comm));
  std::string shared = text;
  shared.resize(static_cast<std::size_t>(length));
  if (length > 0) mpi_check(MPI_Bcast(shared.data(), length, MPI_CHAR, 0, comm));
  return shared;
}

void send_bytes(MPI_Comm comm, int rank, std::span<const std::byte> bytes) {
  mpi_check(
      MPI_Send(bytes.data(), static_cast<int>(bytes.size()), MPI_CHAR, rank, bytes_tag, comm));
}

std::vector<std::byte> receive_bytes(MPI_Comm comm, int rank) {
  MPI_Status status;
  mpi_check(MPI_Probe(rank, bytes_tag, comm, &status));
  int count = 0;
  mpi_check(MPI_Get_count(&status, MPI_CHAR, &count));
  std::vector<std::byte> bytes(static_cast<std::size_t>(count));
  mpi_check(MPI_Recv(bytes.data(), count, MPI_CHAR, rank, bytes_tag, comm, MPI_STATUS_IGNORE));
  return bytes;
}

}  // namespace hockney::benchmarks
