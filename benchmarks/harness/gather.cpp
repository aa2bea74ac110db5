#include "benchmarks/harness/gather.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_error.hpp"
#include "core/error.hpp"

namespace hockney::benchmarks {
namespace {

constexpr int bytes_tag = 7;

using Bytes = std::vector<std::byte>;
/// The length of an entry of a list of byte strings, which comes before it.
using EntryLength = std::uint64_t;

int message_length(std::size_t bytes) {
  if (bytes <= std::numeric_limits<int>::max()) return static_cast<int>(bytes);
  throw RunError({std::to_string(bytes) + " bytes of one message",
                  "an MPI message counts up to 2^31 - 1", "measure fewer points or samples"});
}

void send(MPI_Comm comm, int rank, const Bytes& bytes) {
  mpi_check(MPI_Send(bytes.data(), message_length(bytes.size()), MPI_CHAR, rank, bytes_tag, comm));
}

/// Appends what `rank` has sent.
void receive(MPI_Comm comm, int rank, Bytes& bytes) {
  MPI_Status status;
  mpi_check(MPI_Probe(rank, bytes_tag, comm, &status));
  int count = 0;
  mpi_check(MPI_Get_count(&status, MPI_CHAR, &count));
  const std::size_t before = bytes.size();
  bytes.resize(before + static_cast<std::size_t>(count));
  mpi_check(
      MPI_Recv(bytes.data() + before, count, MPI_CHAR, rank, bytes_tag, comm, MPI_STATUS_IGNORE));
}

/// The entries of `ranks`, each behind its length, on the first of them.
Bytes gather_entries(MPI_Comm comm, std::span<const int> ranks, std::span<const std::byte> own) {
  const EntryLength length = own.size();
  Bytes entries(sizeof length);
  std::memcpy(entries.data(), &length, sizeof length);
  entries.insert(entries.end(), own.begin(), own.end());
  const auto position =
      static_cast<std::size_t>(std::ranges::find(ranks, rank_in(comm)) - ranks.begin());
  for (std::size_t step = 1; step < ranks.size(); step *= 2) {
    if ((position & step) != 0) {
      send(comm, ranks[position - step], entries);
      return {};
    }
    if (position + step < ranks.size()) receive(comm, ranks[position + step], entries);
  }
  return entries;
}

std::vector<int> all_ranks(MPI_Comm comm) {
  std::vector<int> ranks(static_cast<std::size_t>(size_of(comm)));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

/// Calls `take` with each entry.
template <class Take>
void for_each_entry(std::span<const std::byte> entries, Take take) {
  while (!entries.empty()) {
    EntryLength length = 0;
    if (entries.size() >= sizeof length) std::memcpy(&length, entries.data(), sizeof length);
    if (entries.size() < sizeof length || length > entries.size() - sizeof length) {
      refuse_message("a list whose entries are longer than itself");
    }
    take(entries.subspan(sizeof length, length));
    entries = entries.subspan(sizeof length + length);
  }
}

/// The entries of so many ranks.
void check_count(std::size_t entries, std::size_t ranks) {
  if (entries == ranks) return;
  refuse_message("a list of " + std::to_string(entries) + " entries for " + std::to_string(ranks) +
                 " ranks");
}

}  // namespace

void refuse_message(const std::string& what) {
  throw RunError({"ranks have sent " + what, "it is not what they had", std::string(suspects)});
}

std::vector<Bytes> gather_bytes(MPI_Comm comm, std::span<const int> ranks,
                                std::span<const std::byte> own) {
  std::vector<Bytes> all;
  for_each_entry(gather_entries(comm, ranks, own),
                 [&](auto entry) { all.emplace_back(entry.begin(), entry.end()); });
  if (!all.empty()) check_count(all.size(), ranks.size());
  return all;
}

std::vector<Bytes> gather_bytes(MPI_Comm comm, std::span<const std::byte> own) {
  return gather_bytes(comm, all_ranks(comm), own);
}

std::vector<std::string> gather_texts(MPI_Comm comm, const std::string& text) {
  Bytes entries = gather_entries(comm, all_ranks(comm), std::as_bytes(std::span(text)));
  std::uint64_t length = entries.size();
  mpi_check(MPI_Bcast(&length, 1, MPI_UINT64_T, 0, comm));
  const int count = message_length(length);
  entries.resize(length);
  mpi_check(MPI_Bcast(entries.data(), count, MPI_CHAR, 0, comm));
  std::vector<std::string> texts;
  for_each_entry(entries, [&](auto entry) {
    texts.emplace_back(reinterpret_cast<const char*>(entry.data()), entry.size());
  });
  check_count(texts.size(), static_cast<std::size_t>(size_of(comm)));
  return texts;
}

std::string broadcast_text(MPI_Comm comm, const std::string& text) {
  std::uint64_t bytes = text.size();
  mpi_check(MPI_Bcast(&bytes, 1, MPI_UINT64_T, 0, comm));
  const int length = message_length(bytes);
  std::string shared = text;
  shared.resize(bytes);
  if (length > 0) mpi_check(MPI_Bcast(shared.data(), length, MPI_CHAR, 0, comm));
  return shared;
}

}  // namespace hockney::benchmarks
