#include "components/application/where/launcher_options.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <string_view>

#include "core/site_file.hpp"
#include "core/text.hpp"
#include "driver/campaign/preload.hpp"

namespace hockney::where {
namespace {

/// Options of a launcher by the number of their values, with blanks between; all that are not
/// listed take one. The first two place ranks on a node or bind them.
struct OptionNames {
  LauncherKind kind;
  LauncherKind alike;          ///< another kind, or the same
  std::string_view placing{};  ///< one value
  std::string_view placing_alone{};
  std::string_view alone{};
  std::string_view with_two{};
  bool attaches = false;  ///< accepts "-n4" for "-n 4"
};

constexpr std::array launcher_options{
    // Of Open MPI 4.1 (mpirun --help) and 5. Open MPI and Hydra accept one or two dashes.
    OptionNames{
        .kind = LauncherKind::openmpi4,
        .alike = LauncherKind::openmpi5,
        .placing = "map-by bind-to rank-by rankfile rf cpu-set cpu-list cpus-per-proc "
                   "cpus-per-rank npernode npersocket N ppr",
        .placing_alone = "bind-to-core bind-to-socket bind-to-none bycore bysocket byslot bynode "
                         "bind-to-numa pernode",
        .alone = "V version v verbose q quiet d tv debug debug-daemons debug-daemons-file "
                 "debug-devel leave-session-attached nolocal no-local nooversubscribe "
                 "no-oversubscribe oversubscribe noprefix report-bindings display-map "
                 "display-devel-map display-topo display-allocation display-devel-allocation "
                 "display-diffable-map do-not-launch do-not-resolve enable-recovery "
                 "disable-recovery index-argv-by-rank tag-output timestamp-output "
                 "allow-run-as-root use-hwthread-cpus use-regexp novm loadbalance continuous "
                 "merge-stderr-to-stdout preload-binary s xml report-child-jobs-separately "
                 "get-stack-traces staged display-vm no-ready-msg set-sid daemonize persistent "
                 "dvm enable-instant-on-support fwd-mpirun-port output-proctable "
                 "report-state-on-timeout set-cwd-to-session-dir show-progress",
        .with_two = "mca gmca omca gomca prtemca gprtemca pmixmca gpmixmca"},
    // Of MPICH and Intel MPI (mpiexec.hydra -help).
    OptionNames{
        .kind = LauncherKind::mpich,
        .alike = LauncherKind::intel,
        .placing = "bind-to map-by binding ppn perhost",
        .placing_alone = "rr",
        .alone = "verbose v V version info print-all-exitcodes print-rank-map profile "
                 "prepend-rank l disable-auto-cleanup disable-hostname-propagation genvnone "
                 "genvall envnone envall enable-x disable-x skip-launch-node local check-mpi aps "
                 "ilp64 nolocal pmi-port",
        .with_two = "genv env"},
    // srun(1).
    OptionNames{.kind = LauncherKind::slurm,
                .alike = LauncherKind::slurm,
                .placing = "cpu-bind cpu_bind cpus-per-task c distribution m ntasks-per-node "
                           "ntasks-per-core ntasks-per-socket hint threads-per-core mem-bind",
                .alone =
                    "label l unbuffered u verbose v vv vvv quiet Q overcommit O oversubscribe s "
                    "exclusive exact overlap multi-prog pty kill-on-bad-exit K disable-status X "
                    "preserve-env E hold H no-allocate Z no-kill k immediate I contiguous "
                    "spread-job use-min-nodes propagate compress whole share no-rotate reboot "
                    "test-only quit-on-interrupt bcast send-libs nice x11 stepmgr",
                .attaches = true},
    // flux-run(1). "-o cpu-affinity=..." places, too.
    OptionNames{.kind = LauncherKind::flux,
                .alike = LauncherKind::flux,
                .placing = "c cores-per-task tasks-per-node tasks-per-core",
                .alone =
                    "x exclusive l label-io u unbuffered v vv verbose dry-run debug quiet wait "
                    "wait-event bcc cc",
                .attaches = true},
    // mpiexec(1) of PALS.
    OptionNames{.kind = LauncherKind::pals,
                .alike = LauncherKind::pals,
                .placing = "ppn d depth cpu-bind mem-bind",
                .alone =
                    "l label line-buffer b abort-on-failure no-abort-on-failure envall envnone "
                    "genvall genvnone exclusive shared v verbose q quiet no-transfer",
                .with_two = "genv"},
    // aprun(1): two letters behind one dash are a name, too.
    OptionNames{.kind = LauncherKind::aprun,
                .alike = LauncherKind::aprun,
                .placing = "N d cc cp S sn sl j pes-per-node depth cpu-binding",
                .placing_alone = "ss",
                .alone = "q b B R T F quiet batch-args bypass-app-transfer",
                .attaches = true},
    // ccc_mprun(1).
    OptionNames{.kind = LauncherKind::ccc_mprun,
                .alike = LauncherKind::ccc_mprun,
                .placing = "c",
                .alone = "x v",
                .attaches = true},
    OptionNames{.kind = LauncherKind::simgrid, .alike = LauncherKind::other}};

const OptionNames& options_of(LauncherKind kind) {
  return *std::ranges::find_if(launcher_options, [kind](const OptionNames& one) {
    return one.kind == kind || one.alike == kind;
  });
}

/// Name of an option: "map-by" of "--map-by", "-map-by" and "--map-by=slot"; empty for other words.
std::string_view option_name(std::string_view word) {
  if (!word.starts_with('-')) return {};
  word.remove_prefix(word.starts_with("--") ? 2 : 1);
  return word.substr(0, word.find('='));
}

bool has_value_inside(const std::string& word) { return word.find('=') != std::string::npos; }

template <class Names>
bool contains(const Names& names, std::string_view name) {
  return !name.empty() && std::ranges::find(names, name) != names.end();
}

/// Whether a list with blanks has a name.
bool lists(std::string_view names, std::string_view name) {
  return contains(split(names, ' '), name);
}

/// How many values an option has, in the order of the lists.
enum class Use { placing, placing_alone, alone, with_two, unknown };

Use use_of(const OptionNames& options, std::string_view name) {
  if (lists(options.placing, name)) return Use::placing;
  if (lists(options.placing_alone, name)) return Use::placing_alone;
  if (lists(options.alone, name)) return Use::alone;
  return lists(options.with_two, name) ? Use::with_two : Use::unknown;
}

/// An option of a launcher.
struct LauncherOption {
  std::string_view name;  ///< "c" of "-c2"
  bool is_whole = false;  ///< its value is in its word: "--map-by=slot", "-c2"
  Use use = Use::unknown;
};

LauncherOption option_in(const std::string& word, LauncherKind kind) {
  const OptionNames& options = options_of(kind);
  LauncherOption option{.name = option_name(word), .is_whole = has_value_inside(word)};
  option.use = use_of(options, option.name);
  const bool is_short = options.attaches && word.size() > 2 && word[1] != '-';
  if (!is_short || option.use != Use::unknown) return option;
  option.name = std::string_view(word).substr(1, 1);
  option.is_whole = true;
  option.use = use_of(options, option.name);
  return option;
}

/// Whether a word behind an option of an unknown launcher is a program rather than its value.
bool is_program_file(const std::string& word) {
  return word.find('/') != std::string::npos && campaign::find_executable(word, {}).has_value();
}

/// Number of words after an option that are its values.
std::size_t values_after(const Words& words, std::size_t place, LauncherKind kind) {
  const LauncherOption option = option_in(words[place], kind);
  const bool is_alone = option.use == Use::alone || option.use == Use::placing_alone;
  if (is_alone || option.is_whole) return 0;
  const bool is_last = place + 1 >= words.size();
  // Hydra accepts "-genv NAME=VALUE", too.
  if (option.use == Use::with_two && (is_last || !has_value_inside(words[place + 1]))) return 2;
  const bool may_be_alone = kind == LauncherKind::other && !is_last;
  const bool is_followed =
      may_be_alone && (words[place + 1].starts_with('-') || is_program_file(words[place + 1]));
  return is_followed ? 0 : 1;
}

/// Values of the options with one of these names.
Words values_of(const Words& words, const std::vector<std::string_view>& names) {
  Words values;
  for (std::size_t i = 0; i < words.size(); ++i) {
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

/// Adds the hosts of a list in Slurm's format, or in that of launchers: "node1:2,node2".
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

/// The kind of a launcher whose file is known by its name only.
std::optional<LauncherKind> site_launcher(const std::string& name) {
  if (name == "aprun") return LauncherKind::aprun;
  if (name == "ccc_mprun") return LauncherKind::ccc_mprun;
  if (name == "yhrun") return LauncherKind::slurm;  // Slurm of Tianhe
  const std::vector<std::string_view> others{"ibrun",      "jsrun",  "lrun",
                                             "mpirun_rsh", "mpprun", "poe"};
  return contains(others, name) ? std::optional(LauncherKind::other) : std::nullopt;
}

}  // namespace

std::string base_name(const std::string& word) { return word.substr(word.rfind('/') + 1); }

std::optional<campaign::MpiFamily> family_of(LauncherKind kind) {
  switch (kind) {
    case LauncherKind::openmpi4:
    case LauncherKind::openmpi5:
      return campaign::MpiFamily::openmpi;
    case LauncherKind::mpich:
    case LauncherKind::intel:
      return campaign::MpiFamily::mpich;
    case LauncherKind::simgrid:
      return campaign::MpiFamily::simgrid;
    default:
      return std::nullopt;
  }
}

std::optional<NamedLauncher> launcher_at(const Words& words, std::size_t place,
                                         const campaign::VersionProbe& version_of) {
  const std::string name = base_name(words[place]);
  if (name == "flux") {
    std::size_t next = place + 1;
    if (next < words.size() && words[next] == "mini") ++next;  // before flux-core 0.48
    const bool runs = next < words.size() && words[next] == "run";
    return runs ? std::optional(NamedLauncher{LauncherKind::flux, next + 1 - place}) : std::nullopt;
  }
  if (const auto site = site_launcher(name)) return NamedLauncher{*site};
  // The first kinds are those of campaigns, in their order.
  std::string version;
  const auto kind = campaign::launcher_named(words[place], [&](const std::string& command) {
    version = version_of(command);
    return version;
  });
  if (kind) return NamedLauncher{static_cast<LauncherKind>(*kind)};
  if (version.find("PALS") != std::string::npos) return NamedLauncher{LauncherKind::pals};
  return std::nullopt;
}

std::size_t end_of_options(const Words& words, std::size_t begin, std::size_t end,
                           LauncherKind kind) {
  std::size_t i = begin;
  while (i < end && words[i].starts_with('-')) i += 1 + values_after(words, i, kind);
  return std::min(i, end);
}

bool has_option(const Words& words, const std::vector<std::string_view>& names) {
  return std::ranges::any_of(
      words, [&](const std::string& word) { return contains(names, option_name(word)); });
}

std::vector<std::string> requested_hosts(const Words& words, LauncherKind kind) {
  Words all;
  if (family_of(kind) || kind == LauncherKind::pals) {
    for (const std::string& file :
         values_of(words, {"hostfile", "machinefile", "machine", "f", "default-hostfile"})) {
      add_file(file, all);
    }
    for (const std::string& list : values_of(words, {"host", "H", "hosts"})) add_list(list, all);
  } else if (kind == LauncherKind::slurm) {
    for (const std::string& list : values_of(words, {"nodelist", "w"})) add_list(list, all);
  }
  if (const char* nodes = std::getenv("SLURM_JOB_NODELIST"); all.empty() && nodes != nullptr) {
    add_list(nodes, all);
  }
  if (const char* file = std::getenv("PBS_NODEFILE"); all.empty() && file != nullptr) {
    add_file(file, all);
  }
  Words hosts;
  for (const std::string& host : all) {
    if (is_name(host) && std::ranges::find(hosts, host) == hosts.end()) hosts.push_back(host);
  }
  return hosts;
}

Words without_placement(const Words& words, LauncherKind kind, Words& left_out) {
  Words kept;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const LauncherOption option = option_in(words[i], kind);
    const bool has_value = !option.is_whole && i + 1 < words.size();
    const bool binds_in_flux =
        kind == LauncherKind::flux && (option.name == "o" || option.name == "setopt") &&
        (has_value ? words[i + 1] : words[i]).find("cpu-affinity") != std::string::npos;
    const bool takes_value = option.use == Use::placing || binds_in_flux;
    if (!takes_value && option.use != Use::placing_alone) {
      kept.push_back(words[i]);
      continue;
    }
    left_out.push_back(words[i]);
    if (takes_value && has_value) left_out.push_back(words[++i]);
  }
  return kept;
}

}  // namespace hockney::where
