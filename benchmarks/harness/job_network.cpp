#include "benchmarks/harness/job_network.hpp"

#include <nlohmann/json.hpp>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/gather.hpp"
#include "core/error.hpp"
#include "core/json_values.hpp"
#include "core/text.hpp"
#include "placement/network/slurm_address.hpp"

namespace hockney::benchmarks {
namespace {

std::optional<SiteFile> told_by_slurm(const JobPlacement& job) {
  std::vector<placement::SlurmAddress> addresses;
  for (const Host& host : job.hosts) {
    const auto address = host.network.find("slurm_address");
    const auto pattern = host.network.find("slurm_pattern");
    if (address == host.network.end() || pattern == host.network.end()) return std::nullopt;
    addresses.push_back({host.name, address->second, pattern->second});
  }
  try {
    return sites_of(addresses, {.source = "slurm-address",
                                .detail = "SLURM_TOPOLOGY_ADDR of every node",
                                .inferred = false});
  } catch (const InputError&) {
    return std::nullopt;  // a flat network, or another node's address
  }
}

/// The file as rank 0 reads it. What is wrong with it is known to all, so that all stop.
SiteFile broadcast_sites(MPI_Comm comm, const std::string& file) {
  std::string text;
  std::string problem;
  if (rank_in(comm) == 0) {
    try {
      text = json_text(to_json(load_sites(file)), -1);
    } catch (const InputError& error) {
      problem = error.what();
    }
  }
  problem = broadcast_text(comm, problem);
  if (!problem.empty()) throw InputError({problem, "", ""});
  return read_sites(parse_json(broadcast_text(comm, text), file));
}

}  // namespace

std::optional<SiteFile> find_network(MPI_Comm comm, JobPlacement& job, const std::string& file) {
  std::optional<SiteFile> network;
  if (job.hosts.size() > 1) network = told_by_slurm(job);
  if (network || file.empty()) return network;
  network = broadcast_sites(comm, file);
  if (job.hosts.size() < 2) return std::nullopt;
  if (!network->origin) {
    network->origin = SiteOrigin{.source = "sites", .detail = file, .inferred = false};
  }
  for (const Host& host : job.hosts) {
    if (has_host(*network, host.name)) continue;
    job.remarks.push_back("the site file '" + inert(file) + "' does not have host '" +
                          inert(host.name) +
                          "' (all pairs of nodes are cross-node) add it to the file");
    return std::nullopt;
  }
  return network;
}

}  // namespace hockney::benchmarks
