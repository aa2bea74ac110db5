#include "where/launcher_words.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <span>
#include <string_view>

#include "core/host_list.hpp"
#include "core/text.hpp"

namespace hockney::where {
namespace {

using campaign::Dialect;

/// Options that take one value, but for those in `alone`. Open MPI and Hydra take one dash or two.
struct PlacementOptions {
  std::vector<std::string_view> with_value;
  std::vector<std::string_view> alone;
};

const PlacementOptions& placement_options(Dialect dialect) {
  static const PlacementOptions open_mpi{
      {"map-by", "bind-to", "rank-by", "rankfile", "rf", "cpu-set", "cpu-list", "cpus-per-proc",
       "cpus-per-rank", "npernode", "npersocket", "N", "ppr"},
      {"bind-to-core", "bind-to-socket", "bind-to-none", "bycore", "bysocket", "byslot", "bynode",
       "bind-to-numa", "pernode"}};
  static const PlacementOptions hydra{{"bind-to", "map-by", "binding", "ppn", "perhost"}, {"rr"}};
  static const PlacementOptions slurm{
      {"cpu-bind", "cpu_bind", "cpus-per-task", "c", "distribution", "m", "ntasks-per-node",
       "ntasks-per-core", "ntasks-per-socket", "hint", "threads-per-core", "mem-bind"},
      {}};
  static const PlacementOptions none;
  switch (dialect) {
    case Dialect::openmpi:
      return open_mpi;
    case Dialect::hydra:
      return hydra;
    case Dialect::srun:
      return slurm;
    case Dialect::smpirun:
      break;
  }
  return none;
}

/// The name of an option: "map-by" of "--map-by", "-map-by" and "--map-by=slot"; empty of others.
std::string_view option_name(std::string_view word) {
  if (!word.starts_with('-')) return {};
  word.remove_prefix(word.starts_with("--") ? 2 : 1);
  return word.substr(0, word.find('='));
}

bool has_value_inside(const std::string& word) { return word.find('=') != std::string::npos; }

bool contains(const std::vector<std::string_view>& names, std::string_view name) {
  return !name.empty() && std::ranges::find(names, name) != names.end();
}

/// Whether a word is a program that starts another with options of its own.
bool is_wrapper(const std::string& word) {
  static const Words wrappers{"env", "numactl", "taskset", "hwloc-bind", "nice", "time", "timeout"};
  return std::ranges::find(wrappers, word.substr(word.rfind('/') + 1)) != wrappers.end();
}

/// The values of options with one of these names.
Words values_of(const Words& words, const std::vector<std::string_view>& names) {
  Words values;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (!contains(names, option_name(words[i]))) continue;
    if (has_value_inside(words[i])) {
      values.push_back(words[i].substr(words[i].find('=') + 1));
    } else if (i + 1 < words.size()) {
      values.push_back(words[i + 1]);
    }
  }
  return values;
}

/// "node1" of "node1:4", "node1 slots=4" and "node1 # the first".
std::string host_of(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_first_of(" \t:#", begin) - begin);
}

void add_file(const std::string& file, Words& hosts) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) hosts.push_back(host_of(line));
}

/// A list as Slurm writes it, or as launchers do: "node1:2,node2".
void add_list(const std::string& list, Words& hosts) {
  try {
    for (const std::string& host : expand_hosts(list)) hosts.push_back(host_of(host));
  } catch (const HostListError&) {
    for (const std::string& host : split(list, ',')) hosts.push_back(host_of(host));
  }
}

bool is_name(const std::string& host) {
  const bool is_address = host.find_first_not_of("0123456789.") == std::string::npos;
  return !is_address && host != "localhost";
}

}  // namespace

std::vector<std::string> hosts_asked_for(const Words& words, campaign::LauncherKind kind) {
  Words all;
  const bool is_slurm = kind == campaign::LauncherKind::slurm;
  const Words files =
      is_slurm ? Words{}
               : values_of(words, {"hostfile", "machinefile", "machine", "f", "default-hostfile"});
  for (const std::string& file : files) add_file(file, all);
  const Words lists =
      is_slurm ? values_of(words, {"nodelist", "w"}) : values_of(words, {"host", "H", "hosts"});
  for (const std::string& list : lists) add_list(list, all);
  if (const char* nodes = std::getenv("SLURM_JOB_NODELIST"); all.empty() && nodes != nullptr) {
    add_list(nodes, all);
  }
  Words hosts;
  for (const std::string& host : all) {
    if (is_name(host) && std::ranges::find(hosts, host) == hosts.end()) hosts.push_back(host);
  }
  return hosts;
}

Words without_placement(const Words& words, campaign::LauncherKind kind, Words& left_out) {
  const PlacementOptions& options = placement_options(campaign::dialect_of(kind));
  Words kept;
  const auto end =
      static_cast<std::size_t>(std::ranges::find_if(words, is_wrapper) - words.begin());
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view name = i < end ? option_name(words[i]) : std::string_view();
    const bool takes_value = contains(options.with_value, name);
    if (!takes_value && !contains(options.alone, name)) {
      kept.push_back(words[i]);
      continue;
    }
    left_out.push_back(words[i]);
    if (takes_value && !has_value_inside(words[i]) && i + 1 < words.size()) {
      left_out.push_back(words[++i]);
    }
  }
  return kept;
}

}  // namespace hockney::where
