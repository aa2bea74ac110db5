#include "benchmarks/harness/placement.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <sstream>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/gather.hpp"
#include "benchmarks/harness/job_network.hpp"
#include "benchmarks/harness/mpi_error.hpp"
#include "core/error.hpp"
#include "core/settings/host_facts.hpp"
#include "core/text.hpp"
#include "placement/binding.hpp"
#include "placement/read_topology.hpp"

namespace hockney::benchmarks {

using placement::Pu;
using placement::Topology;
namespace {

constexpr int missing = -1;

std::optional<int> group(int number) {
  return number == missing ? std::nullopt : std::optional(number);
}

placement::RankSite rank_site(const Site& site) {
  return {site.node, site.pu ? &*site.pu : nullptr};
}

/// What one rank knows about itself after binding.
struct OwnPlace {
  std::optional<Pu> pu;  ///< nullopt when it is not confined to one CPU
  std::optional<int> asked_cpu;
  std::vector<int> actual_cpus;
  std::string problem;  ///< why it is not where it should be; empty when it is
};

void raise(std::vector<std::string>& flags, const std::string& flag) {
  if (std::ranges::find(flags, flag) == flags.end()) flags.push_back(flag);
}

/// The node's topology with the CPUs that any rank of the node may use. Launchers often give each
/// rank its own CPU; the plan is made from all of them.
Topology shared_topology(MPI_Comm comm, const std::vector<Site>& sites, const Site& own) {
  const Topology mine = placement::read_live_topology();
  const auto lists = gather_texts(comm, placement::format_cpus(usable_cpus(mine)));
  std::vector<int> cpus;
  for (const Site& site : sites) {
    if (site.node != own.node) continue;
    const auto more = placement::parse_cpus(lists[static_cast<std::size_t>(site.rank)]);
    cpus.insert(cpus.end(), more.begin(), more.end());
  }
  std::ranges::sort(cpus);
  const auto repeated = std::ranges::unique(cpus);
  cpus.erase(repeated.begin(), repeated.end());
  return restricted_to(mine, cpus);
}

OwnPlace stay_where_launched(const Topology& topology) {
  OwnPlace place{.actual_cpus = placement::read_binding(-1).allowed_cpus};
  if (place.actual_cpus.size() == 1) {
    if (const Pu* pu = find_pu(topology, place.actual_cpus.front())) place.pu = *pu;
  }
  return place;
}

OwnPlace bind_to(const Topology& topology, int cpu, int rank) {
  const std::string who = "rank " + std::to_string(rank);
  OwnPlace place{.asked_cpu = cpu};
  try {
    const placement::Binding binding = bind_this_process(topology, cpu, who);
    place.actual_cpus = binding.allowed_cpus;
    if (const auto differs = verify(binding, who)) place.problem = to_line(*differs);
  } catch (const Error& refused) {
    place.problem = refused.what();
  }
  if (const Pu* pu = find_pu(topology, cpu); pu != nullptr && place.problem.empty()) {
    place.pu = *pu;
  }
  return place;
}

void note_plan(JobPlacement& job, const placement::Plan& plan, const Site& own) {
  for (const placement::UncoveredHop& uncovered : plan.uncovered) {
    if (uncovered.reason != placement::Shortfall::too_few_ranks) continue;
    job.remarks.push_back("hop class " + hop_name(uncovered.hop) + " is not measured (it needs " +
                          std::to_string(uncovered.ranks_needed.value_or(0)) + " ranks on " +
                          own.host + ") start more ranks");
  }
}

/// One pair of ranks for each class, which rank 0 finds for all: it looks at all pairs of a node.
std::vector<placement::RankHop> find_representatives(MPI_Comm comm, const JobPlacement& job) {
  std::string found;
  if (rank_in(comm) == 0) {
    std::vector<placement::RankSite> ranks;
    ranks.reserve(job.sites.size());
    for (const Site& site : job.sites) ranks.push_back(rank_site(site));
    std::optional<placement::NodeNetwork> network;
    if (job.network) {
      network.emplace(*job.network, strings_of(job.hosts, &Host::name));
    }
    std::ostringstream out;
    for (const auto& pair : representative_ranks(ranks, network ? &*network : nullptr)) {
      out << pair.ranks.first << ' ' << pair.ranks.second << ' ';
    }
    found = out.str();
  }
  std::istringstream in(broadcast_text(comm, found));
  std::vector<placement::RankHop> representatives;
  for (placement::RankPair pair; in >> pair.first >> pair.second;) {
    representatives.push_back({pair, hop_of(job, pair)});
  }
  return representatives;
}

/// Gathers every rank's place.
void share(MPI_Comm comm, JobPlacement& job, const OwnPlace& own) {
  const auto requested = gather_texts(comm, own.asked_cpu ? std::to_string(*own.asked_cpu) : "");
  const auto actual = gather_texts(comm, placement::format_cpus(own.actual_cpus));
  const auto pus = gather_texts(comm, own.pu ? pu_text(*own.pu) : "");
  for (Site& site : job.sites) {
    const auto i = static_cast<std::size_t>(site.rank);
    RankPlace place{.rank = site.rank, .host = site.host};
    if (!requested[i].empty()) place.asked_cpu = sent_number<int>(requested[i]);
    if (actual[i] != placement::format_cpus({}))
      place.actual_cpus = placement::parse_cpus(actual[i]);
    if (!pus[i].empty()) {
      site.pu = read_pu(pus[i]);
    } else if (!is_simulated()) {
      raise(job.flags, "unbound");
    }
    job.places.push_back(std::move(place));
  }
  job.representatives = find_representatives(comm, job);
}

void gather_hosts(MPI_Comm comm, JobPlacement& job, const Site& own, const Topology& topology) {
  const std::string digest = topology.pus.empty() ? "" : topology_digest(topology);
  Host mine = read_host(own.host, digest, topology.cpu_model);
  if (is_simulated()) mine.network.clear();  // it is the place of this machine, not of that host
  const auto texts = gather_texts(comm, own.local_rank == 0 ? pack(mine) : "");
  for (const Site& site : job.sites) {
    if (site.local_rank == 0) {
      job.hosts.push_back(unpack_host(texts[static_cast<std::size_t>(site.rank)]));
    }
  }
}

void gather_node_cpus(MPI_Comm comm, JobPlacement& job, const Site& own, const Topology& topology) {
  const auto texts =
      gather_texts(comm, own.local_rank == 0 ? join_numbers(compact_order(topology), ",") : "");
  for (const Site& site : job.sites) {
    if (site.local_rank != 0) continue;
    std::vector<int>& cpus = job.node_cpus.emplace_back();
    for (const std::string& cpu : hockney::split(texts[static_cast<std::size_t>(site.rank)], ',')) {
      cpus.push_back(sent_number<int>(cpu));
    }
  }
}

/// Every rank learns whether any rank is misplaced, so that all stop or none.
void refuse_misplaced(MPI_Comm comm, JobPlacement& job, const std::string& problem, bool allowed) {
  for (const std::string& text : gather_texts(comm, problem)) {
    if (text.empty()) continue;
    if (!allowed) throw InputError({text, "", "or pass --allow-misplaced"});
    raise(job.flags, "misplaced");
    job.remarks.push_back(text);
  }
}

}  // namespace

std::optional<placement::Hop> hop_of(const JobPlacement& job, const placement::RankPair& pair) {
  const auto count = static_cast<int>(job.sites.size());
  if (std::max(pair.first, pair.second) >= count) return std::nullopt;
  return hop_between(rank_site(job.sites[static_cast<std::size_t>(pair.first)]),
                     rank_site(job.sites[static_cast<std::size_t>(pair.second)]));
}

std::string hop_word(const JobPlacement& job, const placement::RankPair& pair, placement::Hop hop) {
  if (hop != placement::Hop::cross_node || !job.network) return hop_name(hop);
  const auto host = [&](int rank) { return job.sites[static_cast<std::size_t>(rank)].host; };
  return network_hop(*job.network, host(pair.first), host(pair.second));
}

std::string pu_text(const Pu& pu) {
  std::ostringstream out;
  out << pu.os_cpu << ' ' << pu.core << ' ' << pu.l2.value_or(missing) << ' '
      << pu.l3.value_or(missing) << ' ' << pu.package;
  for (const int node : pu.numa) out << ' ' << node;
  return out.str();
}

Pu read_pu(const std::string& text) {
  std::istringstream in(text);
  Pu pu;
  int l2 = missing;
  int l3 = missing;
  in >> pu.os_cpu >> pu.core >> l2 >> l3 >> pu.package;
  pu.l2 = group(l2);
  pu.l3 = group(l3);
  for (int node = 0; in >> node;) pu.numa.push_back(node);
  return pu;
}

std::vector<Site> number_sites(const std::vector<std::string>& hosts) {
  struct Node {
    int number = 0;
    int ranks = 0;
  };
  std::map<std::string, Node> nodes;
  std::vector<Site> sites;
  for (const std::string& host : hosts) {
    Node& node = nodes.try_emplace(host, Node{static_cast<int>(nodes.size())}).first->second;
    sites.push_back({.rank = static_cast<int>(sites.size()),
                     .host = host,
                     .node = node.number,
                     .local_rank = node.ranks++});
  }
  for (Site& site : sites) site.local_size = nodes.at(site.host).ranks;
  return sites;
}

std::vector<Site> gather_sites(MPI_Comm comm) {
  std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
  int length = 0;
  mpi_check(MPI_Get_processor_name(name.data(), &length));
  return number_sites(
      gather_texts(comm, std::string(name.data(), static_cast<std::size_t>(length))));
}

JobPlacement place_ranks(MPI_Comm comm, const PlacementOptions& options) {
  JobPlacement job{.sites = gather_sites(comm)};
  const Site own = job.sites[static_cast<std::size_t>(rank_in(comm))];
  Topology topology;
  OwnPlace place;
  if (!is_simulated()) {
    topology = shared_topology(comm, job.sites, own);
    if (options.bind) {
      const placement::Plan plan = make_plan(topology, own.local_size, options.plan);
      note_plan(job, plan, own);
      place = bind_to(topology, plan.cpus[static_cast<std::size_t>(own.local_rank)], own.rank);
    } else {
      place = stay_where_launched(topology);
    }
  }
  refuse_misplaced(comm, job, place.problem, options.allow_misplaced);
  gather_hosts(comm, job, own, topology);
  job.network = find_network(comm, job, options.sites);
  share(comm, job, place);
  if (!is_simulated() && cpu_sharing(job.places)) {
    raise(job.flags, std::string(oversubscribed_flag));
  }
  if (!is_simulated()) gather_node_cpus(comm, job, own, topology);
  if (is_simulated()) {
    job.simulated_on_bytes =
        sent_number<std::size_t>(broadcast_text(comm, std::to_string(free_memory())));
  } else {
    job.memories = gather_memories(comm, topology, place.actual_cpus);
  }
  return job;
}

}  // namespace hockney::benchmarks
