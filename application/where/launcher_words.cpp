#include "application/where/launcher_words.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <span>
#include <string>
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

/// Options without a value and with two, where they are not of placement; all others have one.
struct OptionArity {
  std::vector<std::string> alone;
  std::vector<std::string> with_two;
};

const OptionArity& options_of_open_mpi() {
  static const OptionArity options{
      split("V version v verbose q quiet d tv debug debug-daemons debug-daemons-file debug-devel "
            "leave-session-attached nolocal no-local nooversubscribe no-oversubscribe "
            "oversubscribe noprefix report-bindings display-map display-devel-map display-topo "
            "display-allocation display-devel-allocation display-diffable-map do-not-launch do- "
            "not-resolve enable-recovery disable-recovery index-argv-by-rank tag-output "
            "timestamp-output allow-run-as-root use-hwthread-cpus use-regexp novm loadbalance "
            "continuous merge-stderr-to-stdout preload-binary s xml report-child-jobs-separately "
            "get-stack-traces staged display-vm no-ready-msg set-sid daemonize persistent",
            ' '),
      split("mca gmca omca gomca prtemca gprtemca pmixmca gpmixmca", ' ')};
  return options;
}

const OptionArity& options_of_hydra() {
  static const OptionArity options{
      split("verbose v V version info print-all-exitcodes print-rank-map profile prepend-rank l "
            "disable-auto-cleanup disable-hostname-propagation genvnone genvall envnone envall "
            "enable-x disable-x skip-launch-node local check-mpi aps ilp64 nolocal",
            ' '),
      split("genv env", ' ')};
  return options;
}

const OptionArity& options_of_slurm() {
  static const OptionArity options{
      split("label l unbuffered u verbose v vv vvv quiet Q overcommit O oversubscribe s exclusive "
            "exact overlap multi-prog pty kill-on-bad-exit disable-status X preserve-env E hold H "
            "no-allocate Z no-kill k immediate I contiguous spread-job use-min-nodes propagate "
            "compress whole share no-rotate reboot test-only",
            ' '),
      {}};
  return options;
}

const OptionArity& other_options(Dialect dialect) {
  static const OptionArity none;
  switch (dialect) {
    case Dialect::openmpi:
      return options_of_open_mpi();
    case Dialect::hydra:
      return options_of_hydra();
    case Dialect::srun:
      return options_of_slurm();
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

/// srun takes "-n4" for "-n 4".
bool has_value_attached(const std::string& word, Dialect dialect) {
  return dialect == Dialect::srun && word.size() > 2 && word[1] != '-';
}

template <class Names>
bool contains(const Names& names, std::string_view name) {
  return !name.empty() && std::ranges::find(names, name) != names.end();
}

/// The same of a dialect: "c" of srun's "-c2".
std::string_view option_name(std::string_view word, Dialect dialect) {
  const bool is_attached = word.starts_with('-') && has_value_attached(std::string(word), dialect);
  return is_attached ? word.substr(1, 1) : option_name(word);
}

/// How many of the next words belong to the option at a place.
std::size_t values_after(const Words& words, std::size_t place, Dialect dialect) {
  const std::string& word = words[place];
  const std::string_view name = option_name(word, dialect);
  const OptionArity& others = other_options(dialect);
  const bool is_alone =
      contains(others.alone, name) || contains(placement_options(dialect).alone, name);
  if (is_alone || has_value_inside(word) || has_value_attached(word, dialect)) return 0;
  // Hydra takes "-genv NAME=VALUE", too.
  const bool is_pair = place + 1 < words.size() && has_value_inside(words[place + 1]);
  return contains(others.with_two, name) && !is_pair ? 2 : 1;
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

std::size_t end_of_options(const Words& words, campaign::LauncherKind kind) {
  std::size_t i = 1;
  while (i < words.size() && words[i].starts_with('-')) {
    i += 1 + values_after(words, i, campaign::dialect_of(kind));
  }
  return std::min(i, words.size());
}

bool has_option(const Words& words, const std::vector<std::string_view>& names) {
  return std::ranges::any_of(
      words, [&](const std::string& word) { return contains(names, option_name(word)); });
}

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
  const Dialect dialect = campaign::dialect_of(kind);
  const PlacementOptions& options = placement_options(dialect);
  Words kept;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view name = option_name(words[i], dialect);
    const bool takes_value = contains(options.with_value, name);
    if (!takes_value && !contains(options.alone, name)) {
      kept.push_back(words[i]);
      continue;
    }
    left_out.push_back(words[i]);
    const bool is_whole = has_value_inside(words[i]) || has_value_attached(words[i], dialect);
    if (takes_value && !is_whole && i + 1 < words.size()) {
      left_out.push_back(words[++i]);
    }
  }
  return kept;
}

}  // namespace hockney::where
