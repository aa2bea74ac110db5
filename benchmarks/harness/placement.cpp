#include "benchmarks/harness/placement.hpp"

#include <sys/resource.h>

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "core/environment.hpp"
#include "core/error.hpp"
#include "core/json_node.hpp"
#include "core/json_values.hpp"
#include "core/text.hpp"
#include "placement/machine.hpp"
#include "placement/network/node_addresses.hpp"

namespace hockney::benchmarks {

using placement::Pu;
using placement::Topology;

namespace {

constexpr std::int64_t kibibyte = 1024;

/// The value of the line "Key:   123 kB" [B].
std::optional<std::int64_t> find_size(const std::string& text, const std::string& key) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(key + ":")) continue;
    std::istringstream value(line.substr(key.size() + 1));
    if (std::int64_t kibibytes = 0; value >> kibibytes) return kibibytes * kibibyte;
  }
  return std::nullopt;
}

std::string read_text(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

/// The number in a file; nullopt if the file is missing or has a word such as "max".
std::optional<std::size_t> number_in(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::size_t number = 0;
  return in >> number ? std::optional(number) : std::nullopt;
}

/// The files of one version of control groups, and the line of memory.stat for reclaimable pages.
struct GroupFiles {
  const char* most;
  const char* taken;
  const char* droppable;
};
constexpr GroupFiles version_2{"memory.max", "memory.current", "inactive_file"};
constexpr GroupFiles version_1{"memory.limit_in_bytes", "memory.usage_in_bytes",
                               "total_inactive_file"};

/// Bytes that one group leaves [B].
std::optional<std::size_t> left_in(const std::filesystem::path& folder, const GroupFiles& files) {
  const auto most = number_in(folder / files.most);
  const auto taken = number_in(folder / files.taken);
  if (!most || !taken) return std::nullopt;
  std::ifstream statistics(folder / "memory.stat");
  std::size_t droppable = 0;
  std::size_t number = 0;
  for (std::string key; statistics >> key >> number;) {
    if (key == files.droppable) droppable = number;
  }
  return *most - std::min(*most, *taken - std::min(*taken, droppable));
}

/// The least that a group or any of its parents leaves [B]. Inside a container the group's path may
/// not exist; then its existing parents count, down to the root.
std::optional<std::size_t> left_up_from(std::filesystem::path group, const std::string& root,
                                        const GroupFiles& files) {
  std::optional<std::size_t> least;
  for (;; group = group.parent_path()) {
    const auto left = left_in(root / group.relative_path(), files);
    if (left) least = std::min(*left, least.value_or(*left));
    if (group == group.parent_path()) return least;
  }
}

constexpr int changing = -1;

std::string packed_memory(const RankMemory& memory) {
  return fmt::format("{} {} {} {} {}", memory.cache.value_or(changing), memory.cache_bytes,
                     memory.line_bytes, memory.inner_bytes, memory.free_bytes);
}

RankMemory unpack_memory(const std::string& text) {
  std::istringstream in(text);
  RankMemory memory;
  int cache = changing;
  in >> cache >> memory.cache_bytes >> memory.line_bytes >> memory.inner_bytes >> memory.free_bytes;
  if (cache != changing) memory.cache = cache;
  return memory;
}

constexpr int missing = -1;

std::optional<int> group(int number) {
  return number == missing ? std::nullopt : std::optional(number);
}

placement::RankSite rank_site(const Site& site) {
  return {site.node, site.pu ? &*site.pu : nullptr};
}

/// Facts of one rank after binding.
struct OwnPlace {
  std::optional<Pu> pu;  ///< nullopt when it is not confined to one CPU
  std::optional<int> requested_cpu;
  std::vector<int> actual_cpus;
  std::string problem;  ///< why it is misplaced; empty if it is not
};

void raise(std::vector<std::string>& flags, const std::string& flag) {
  if (std::ranges::find(flags, flag) == flags.end()) flags.push_back(flag);
}

/// The node's topology with the CPUs that any rank of the node may use. Launchers often give each
/// rank only its own CPU; the plan needs all of them.
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
  const std::string who = fmt::format("rank {}", rank);
  OwnPlace place{.requested_cpu = cpu};
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
    job.remarks.push_back(
        fmt::format("hop class {} is not measured (it needs {} ranks on {}) start more ranks",
                    hop_name(uncovered.hop), uncovered.ranks_needed.value_or(0), own.host));
  }
}

/// One pair of ranks for each class. Rank 0 searches all pairs of a node and sends the result.
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
    for (const auto& pair : representative_ranks(ranks, network ? &*network : nullptr)) {
      found += fmt::format("{} {} ", pair.ranks.first, pair.ranks.second);
    }
  }
  std::istringstream in(broadcast_text(comm, found));
  std::vector<placement::RankHop> representatives;
  for (placement::RankPair pair; in >> pair.first >> pair.second;) {
    representatives.push_back({pair, hop_of(job, pair)});
  }
  return representatives;
}

/// Gathers the places of all ranks.
void share(MPI_Comm comm, JobPlacement& job, const OwnPlace& own) {
  const auto requested =
      gather_texts(comm, own.requested_cpu ? std::to_string(*own.requested_cpu) : "");
  const auto actual = gather_texts(comm, placement::format_cpus(own.actual_cpus));
  const auto pus = gather_texts(comm, own.pu ? pu_text(*own.pu) : "");
  for (Site& site : job.sites) {
    const auto i = static_cast<std::size_t>(site.rank);
    RankPlace place{.rank = site.rank, .host = site.host};
    if (!requested[i].empty()) place.requested_cpu = sent_number<int>(requested[i]);
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
  if (is_simulated()) {
    mine.network.clear();  // it describes this machine, not the simulated host
  } else if (own.local_rank == 0) {
    add_hardware(mine);
  }
  const auto texts = gather_texts(comm, own.local_rank == 0 ? pack(mine) : "");
  for (const Site& site : job.sites) {
    if (site.local_rank == 0) {
      job.hosts.push_back(unpack_host(texts[static_cast<std::size_t>(site.rank)]));
    }
  }
}

/// The list of each node's first rank, in order of nodes.
std::vector<std::vector<int>> gather_lists(MPI_Comm comm, const JobPlacement& job, const Site& own,
                                           const std::vector<int>& mine) {
  const auto texts = gather_texts(comm, own.local_rank == 0 ? join_numbers(mine, ",") : "");
  std::vector<std::vector<int>> lists;
  for (const Site& site : job.sites) {
    if (site.local_rank != 0) continue;
    std::vector<int>& numbers = lists.emplace_back();
    for (const std::string& text :
         hockney::split(texts[static_cast<std::size_t>(site.rank)], ',')) {
      numbers.push_back(sent_number<int>(text));
    }
  }
  return lists;
}

void gather_node_cpus(MPI_Comm comm, JobPlacement& job, const Site& own, const Topology& topology) {
  job.node_cpus = gather_lists(comm, job, own, compact_order(topology));
  job.node_cores = gather_lists(comm, job, own, placement::one_per_core(topology));
  std::size_t cache_bytes = 0;
  for (const placement::LastCache& cache : topology.last_caches) cache_bytes += cache.bytes;
  const auto texts = gather_texts(comm, std::to_string(cache_bytes));
  for (const Site& site : job.sites) {
    if (site.local_rank != 0) continue;
    job.node_cache_bytes.push_back(
        sent_number<std::size_t>(texts[static_cast<std::size_t>(site.rank)]));
  }
}

/// All ranks get the problems of all, so that all stop or none.
void refuse_misplaced(MPI_Comm comm, JobPlacement& job, const std::string& problem, bool allowed) {
  for (const std::string& text : gather_texts(comm, problem)) {
    if (text.empty()) continue;
    if (!allowed) throw InputError({text, "", "or pass --allow-misplaced"});
    raise(job.flags, "misplaced");
    job.remarks.push_back(text);
  }
}

std::optional<SiteFile> reported_by_slurm(const JobPlacement& job) {
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

/// The file as rank 0 reads it. All ranks get its error, so that all stop.
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

std::optional<MemoryUse> parse_memory_use(const std::string& rollup, const std::string& status) {
  const auto rss = find_size(rollup, "Rss");
  const auto pss = find_size(rollup, "Pss");
  const auto shared = find_size(status, "RssShmem");
  if (!rss || !pss || !shared) return std::nullopt;
  return MemoryUse{.rss_bytes = *rss, .pss_bytes = *pss, .shared_bytes = *shared};
}

std::optional<MemoryUse> read_memory_use() {
  return parse_memory_use(read_text("/proc/self/smaps_rollup"), read_text("/proc/self/status"));
}

std::int64_t page_faults() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;  // NOLINT(cppcoreguidelines-pro-type-union-access): glibc has it in one
}

RankMemory describe_caches(const placement::Topology& topology, const std::vector<int>& os_cpus) {
  RankMemory memory;
  int near = 0;
  const auto is_own = [&](int cpu) { return std::ranges::find(os_cpus, cpu) != os_cpus.end(); };
  for (std::size_t i = 0; i < topology.last_caches.size(); ++i) {
    const placement::LastCache& cache = topology.last_caches[i];
    if (std::ranges::none_of(cache.os_cpus, is_own)) continue;
    memory.cache = ++near == 1 ? std::optional(static_cast<int>(i)) : std::nullopt;
    memory.cache_bytes = std::max(memory.cache_bytes, cache.bytes);
    memory.line_bytes = std::max(memory.line_bytes, cache.line_bytes);
    memory.inner_bytes = std::max(memory.inner_bytes, cache.inner_bytes);
  }
  return memory;
}

std::size_t available_memory(const std::string& meminfo) {
  const std::string key = "MemAvailable:";
  const std::size_t at = meminfo.find(key);
  if (at == std::string::npos) return 0;
  std::istringstream in(meminfo.substr(at + key.size()));
  std::size_t kibibytes = 0;
  in >> kibibytes;
  return kibibytes * 1024;
}

std::optional<std::size_t> left_in_groups(const std::string& groups, const std::string& root) {
  std::optional<std::size_t> least;
  std::istringstream lines(groups);
  for (std::string line; std::getline(lines, line);) {  // "0::/user.slice", "4:cpu,memory:/docker"
    const std::vector<std::string> parts = hockney::split(line, ':');
    if (parts.size() < 3) continue;
    const std::vector<std::string> controllers = hockney::split(parts[1], ',');
    const bool is_2 = parts[0] == "0";
    if (!is_2 && std::ranges::find(controllers, "memory") == controllers.end()) continue;
    const auto left = is_2 ? left_up_from(parts[2], root, version_2)
                           : left_up_from(parts[2], root + "/memory", version_1);
    if (left) least = std::min(*left, least.value_or(*left));
  }
  return least;
}

std::size_t free_memory() {
  const std::size_t free = available_memory(read_text("/proc/meminfo"));
  const auto left = left_in_groups(read_text("/proc/self/cgroup"), "/sys/fs/cgroup");
  return std::min(free, left.value_or(free));
}

std::vector<RankMemory> gather_memories(MPI_Comm comm, const placement::Topology& topology,
                                        const std::vector<int>& os_cpus) {
  RankMemory own = describe_caches(topology, os_cpus);
  own.free_bytes = free_memory();
  std::vector<RankMemory> memories;
  for (const std::string& text : gather_texts(comm, packed_memory(own))) {
    memories.push_back(unpack_memory(text));
  }
  return memories;
}

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
  std::string text = fmt::format("{} {} {} {} {}", pu.os_cpu, pu.core, pu.l2.value_or(missing),
                                 pu.l3.value_or(missing), pu.package);
  for (const int node : pu.numa) text += fmt::format(" {}", node);
  return text;
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

std::optional<SiteFile> find_network(MPI_Comm comm, JobPlacement& job, const std::string& file) {
  std::optional<SiteFile> network;
  if (job.hosts.size() > 1) network = reported_by_slurm(job);
  if (network || file.empty()) return network;
  network = broadcast_sites(comm, file);
  if (job.hosts.size() < 2) return std::nullopt;
  if (!network->origin) {
    network->origin = SiteOrigin{.source = "sites", .detail = file, .inferred = false};
  }
  for (const Host& host : job.hosts) {
    if (has_host(*network, host.name)) continue;
    job.remarks.push_back(
        fmt::format("the site file '{}' does not have host '{}' (all pairs of nodes are "
                    "cross-node) add it to the file",
                    escaped(file), escaped(host.name)));
    return std::nullopt;
  }
  return network;
}

}  // namespace hockney::benchmarks
