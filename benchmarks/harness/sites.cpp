#include "benchmarks/harness/sites.hpp"

#include <algorithm>
#include <array>

#include "benchmarks/harness/gather.hpp"
#include "benchmarks/harness/mpi_error.hpp"

namespace hockney {

std::vector<Site> number_sites(const std::vector<std::string>& hosts) {
  std::vector<std::string> nodes;
  std::vector<Site> sites;
  for (const std::string& host : hosts) {
    const auto known = std::ranges::find(nodes, host);
    const int node = static_cast<int>(known - nodes.begin());
    if (known == nodes.end()) nodes.push_back(host);
    const auto earlier = std::ranges::count(sites, host, &Site::host);
    sites.push_back({.rank = static_cast<int>(sites.size()),
                     .host = host,
                     .node = node,
                     .local_rank = static_cast<int>(earlier),
                     .local_size = static_cast<int>(std::ranges::count(hosts, host))});
  }
  return sites;
}

std::vector<Site> gather_sites(MPI_Comm comm) {
  std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
  int length = 0;
  mpi_check(MPI_Get_processor_name(name.data(), &length));
  return number_sites(
      gather_texts(comm, std::string(name.data(), static_cast<std::size_t>(length))));
}

}  // namespace hockney
