#include "benchmarks/harness/transport_witness.hpp"

#include <algorithm>
#include <array>

#include "benchmarks/harness/clock_identity.hpp"
#include "benchmarks/harness/gather.hpp"
#include "benchmarks/harness/mpi_error.hpp"
#include "benchmarks/harness/open_files.hpp"
#include "benchmarks/harness/tcp_bytes.hpp"
#include "core/names.hpp"

namespace hockney {
namespace {

constexpr char separator = '|';

/// Every rank's names.
std::vector<std::vector<std::string>> gather_names(MPI_Comm pair,
                                                   const std::vector<std::string>& own) {
  std::vector<std::vector<std::string>> all;
  for (const std::string& names : gather_texts(pair, join(own, std::string(1, separator)))) {
    all.push_back(names.empty() ? std::vector<std::string>() : split(names, separator));
  }
  return all;
}

/// Whether there is something that all ranks map; numbers of inodes mean something on one machine.
bool have_common(MPI_Comm pair, const std::vector<std::string>& mapped) {
  const std::vector<std::string> machines = gather_texts(pair, clock_identity());
  const auto mappings = gather_names(pair, mapped);
  if (std::ranges::count(machines, machines.front()) != std::ssize(machines)) return false;
  return std::ranges::any_of(mappings.front(), [&](const std::string& name) {
    return std::ranges::all_of(
        mappings, [&](const auto& names) { return std::ranges::find(names, name) != names.end(); });
  });
}

}  // namespace

TransportWitness::TransportWitness() : copies_(copy_calls()), tcp_bytes_(tcp_bytes_sent()) {}

Transport TransportWitness::end(MPI_Comm pair, const Exchanged& exchanged) const {
  const CopyCalls copies = copy_calls();
  std::array<std::int64_t, 3> counts{copies.calls - copies_.calls, copies.bytes - copies_.bytes,
                                     std::max<std::int64_t>(0, tcp_bytes_sent() - tcp_bytes_)};
  mpi_check(MPI_Allreduce(MPI_IN_PLACE, counts.data(), static_cast<int>(counts.size()), MPI_INT64_T,
                          MPI_SUM, pair));
  const Mappings mappings = read_mappings();
  Transport transport{
      .messages = exchanged.messages,
      .payload_bytes = exchanged.messages * std::max<std::int64_t>(1, exchanged.message_bytes),
      .copy_calls = counts[0],
      .copied_bytes = counts[1],
      .tcp_bytes = counts[2],
      .shares_memory = have_common(pair, mappings.shared)};
  for (const auto& devices : gather_names(pair, mappings.devices)) {
    add(transport, {.devices = devices});
  }
  return transport;
}

}  // namespace hockney
