#include "application/where/mending.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "application/where/faults.hpp"
#include "campaign/config.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "placement/machine.hpp"

namespace hockney::where {
namespace {

using campaign::append;
using campaign::LauncherKind;

/// Sentences of this file.
namespace words {

constexpr std::string_view rank_needs = "1 rank{} needs {} cores, {} has {}";
constexpr std::string_view ranks_need = "{} ranks{} need {} cores, {} has {}";
constexpr std::string_view fewer_threads = "{}; nothing but fewer threads fixes it";
constexpr std::string_view fewer_ranks = "{}; nothing but fewer ranks or more nodes fixes it";
constexpr std::string_view fewer_ranks_there =
    "{}; nothing but fewer ranks there fixes it (free cores on other nodes: {})";
constexpr std::string_view binds_launcher = "`{}` binds the launcher and its ranks to {}";
constexpr std::string_view binds_ranks = "`{}` binds {}";

}  // namespace words

/// Resource for each thread.
enum class Unit { core, hardware_thread };

/// Ranks and threads to place on each node.
struct Layout {
  std::size_t ranks = 1;    ///< per node, once they are spread over all nodes
  std::size_t threads = 1;  ///< per rank
  Unit unit = Unit::core;   ///< for each thread
  Domain domain = Domain::node;
  bool fills_parts = true;  ///< consecutive ranks on consecutive cores stay inside their parts
};

/// A node and its ranks.
struct NodeLoad {
  const NodeCpus* node = nullptr;
  std::size_t ranks = 0;
  std::size_t cores = 0;
};

std::vector<NodeLoad> loads_of(const Whereabouts& all, bool spreads) {
  const std::size_t nodes = all.nodes.size() + all.empty_hosts.size();
  std::vector<NodeLoad> loads;
  for (const NodeCpus& node : all.nodes) {
    const std::size_t now = ranks_on(all, node.host).size();
    loads.push_back({.node = &node,
                     .ranks = spreads ? (all.ranks.size() + nodes - 1) / nodes : now,
                     .cores = Occupancy(all, node).cores_by_part(Domain::node).begin()->second});
  }
  return loads;
}

/// Threads of a rank that OMP_NUM_THREADS does not change, as they are not OpenMP threads.
std::size_t fixed_threads(const Whereabouts& all) {
  std::size_t most = 1;
  for (const RankPlace& rank : all.ranks) {
    if (rank.openmp_runtime.empty()) most = std::max(most, rank.threads.size());
  }
  return most;
}

bool has_openmp(const Whereabouts& all) {
  return std::ranges::any_of(all.ranks,
                             [](const RankPlace& rank) { return !rank.openmp_runtime.empty(); });
}

/// The first node whose ranks need more than its hardware threads. If hardware threads suffice,
/// layout_of() uses these instead of cores.
std::optional<Shortage> shortage_of(const Whereabouts& all, const std::vector<NodeLoad>& loads) {
  const std::size_t threads = fixed_threads(all);
  std::optional<Shortage> found;
  std::size_t free = 0;
  for (const NodeLoad& load : loads) {
    const std::size_t needed = load.ranks * threads;
    if (needed <= load.cores) free += load.cores - needed;
    if (found || needed <= load.node->pus.size()) continue;
    found = Shortage{.ranks = load.ranks,
                     .threads = threads,
                     .cores = load.cores,
                     .host = all.nodes.size() == 1 ? "" : load.node->host};
  }
  if (found) found->free_cores = free;
  return found;
}

Layout layout_of(const Whereabouts& all, const std::vector<NodeLoad>& loads) {
  Layout layout{.threads = most_threads(all)};
  for (const NodeLoad& load : loads) {
    layout.ranks = std::max(layout.ranks, load.ranks);
    const bool has_room = load.ranks * fixed_threads(all) <= load.cores;
    if (!has_room) layout.unit = Unit::hardware_thread;
  }
  for (const NodeLoad& load : loads) {
    const std::size_t units = layout.unit == Unit::core ? load.cores : load.node->pus.size();
    if (load.ranks > 0) layout.threads = std::min(layout.threads, units / load.ranks);
  }
  layout.threads = std::max<std::size_t>(1, layout.threads);
  layout.domain = tightest_domain(all);
  const std::size_t part = smallest_part(all, layout.domain);
  layout.fills_parts = layout.unit == Unit::hardware_thread || layout.domain == Domain::node ||
                       part % layout.threads == 0;
  return layout;
}

/// The launcher's name for a part of a node.
std::string part_name(Domain domain, LauncherKind kind) {
  switch (domain) {
    case Domain::l3:
      return "l3cache";
    case Domain::numa:
      return "numa";
    case Domain::package:
      return kind == LauncherKind::openmpi5 ? "package" : "socket";
    case Domain::kind:
    case Domain::node:
      break;
  }
  return "slot";
}

/// Open MPI numbers hyperthreads core by core, as hwloc does.
Words open_mpi_thread_options(const Layout& layout, bool spreads, LauncherKind kind) {
  const std::string map = fmt::format(
      "{}:PE={}", spreads ? fmt::format("ppr:{}:node", layout.ranks) : "slot", layout.threads);
  if (kind == LauncherKind::openmpi5) {
    return {"--map-by", map + ":HWTCPUS", "--bind-to", "hwthread"};
  }
  return {"--use-hwthread-cpus", "--map-by", map, "--bind-to", "hwthread"};
}

Words open_mpi_options(const Layout& layout, bool spreads, LauncherKind kind) {
  if (layout.unit == Unit::hardware_thread) return open_mpi_thread_options(layout, spreads, kind);
  const std::string part = layout.fills_parts ? "slot" : part_name(layout.domain, kind);
  const std::string where = spreads ? fmt::format("ppr:{}:node", layout.ranks) : part;
  return {"--map-by", fmt::format("{}:PE={}", where, layout.threads), "--bind-to", "core"};
}

Words hydra_options(const Layout& layout) {
  const char* const unit = layout.unit == Unit::core ? "core" : "hwthread";
  Words options{"-bind-to", fmt::format("{}:{}", unit, layout.threads)};
  if (!layout.fills_parts) {
    append(options, {"-map-by", part_name(layout.domain, LauncherKind::mpich)});
  }
  return options;
}

Words slurm_options(const Layout& layout) {
  const bool by_core = layout.unit == Unit::core;
  return {fmt::format("--cpus-per-task={}", layout.threads),
          by_core ? "--cpu-bind=cores" : "--cpu-bind=threads", "--distribution=block:block",
          by_core ? "--hint=nomultithread" : "--hint=multithread"};
}

void bind_ranks(const Layout& layout, bool spreads, LauncherKind kind, Mending& mending) {
  switch (kind) {
    case LauncherKind::openmpi4:
    case LauncherKind::openmpi5:
      mending.binding = open_mpi_options(layout, spreads, kind);
      break;
    case LauncherKind::mpich:
      mending.binding = hydra_options(layout);
      break;
    case LauncherKind::intel:
      mending.variables["I_MPI_PIN"] = "1";
      mending.variables["I_MPI_PIN_CELL"] = layout.unit == Unit::core ? "core" : "unit";
      mending.variables["I_MPI_PIN_DOMAIN"] = fmt::format("{}:compact", layout.threads);
      break;
    case LauncherKind::slurm:
      mending.binding = slurm_options(layout);
      break;
    case LauncherKind::simgrid:
      break;
  }
}

Words spreading_options(const Layout& layout, LauncherKind kind) {
  const std::string ranks = std::to_string(layout.ranks);
  switch (campaign::dialect_of(kind)) {
    case campaign::Dialect::hydra:
      return {"-ppn", ranks};
    case campaign::Dialect::srun:
      return {"--ntasks-per-node=" + ranks};
    default:
      return {};  // in Open MPI one option does both
  }
}

bool has(const std::vector<Fault>& faults, FaultKind kind) {
  return std::ranges::count(faults, kind, &Fault::kind) > 0;
}

/// Options of the launcher that set variables for ranks.
Words variable_options(const std::map<std::string, std::string>& variables, LauncherKind kind) {
  Words options;
  for (const auto& [name, value] : variables) {
    if (campaign::dialect_of(kind) == campaign::Dialect::openmpi) {
      append(options, {"-x", fmt::format("{}={}", name, value)});
    } else if (campaign::dialect_of(kind) == campaign::Dialect::hydra) {
      append(options, {"-genv", name, value});
    }
  }
  return options;
}

/// Replaces the values of variables that the words set, by "NAME=value" or Hydra's "-genv NAME
/// value". Later settings override earlier ones, so each is replaced in its place.
Words with_variables(Words words, const std::map<std::string, std::string>& variables) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::size_t equals = words[i].find('=');
    const auto variable = variables.find(words[i].substr(0, equals));
    if (variable == variables.end()) continue;
    if (equals != std::string::npos) {
      words[i] = fmt::format("{}={}", variable->first, variable->second);
    } else if (i > 0 && words[i - 1].ends_with("env") && i + 1 < words.size()) {
      words[i + 1] = variable->second;
    }
  }
  return words;
}

std::string assignments(const std::map<std::string, std::string>& variables) {
  return join_assignments(variables, " ");
}

}  // namespace

Mending mending_of(const Whereabouts& all, const std::vector<Fault>& faults, LauncherKind kind) {
  Mending mending;
  // With one rank per node all possible nodes are in use.
  const bool spreads = has(faults, FaultKind::empty_node) && all.ranks.size() > all.nodes.size();
  const auto is_bound_otherwise = [&](const Fault& fault) {
    return fault.kind == FaultKind::far_memory || fault.kind == FaultKind::other_job ||
           (fault.kind == FaultKind::empty_node && !spreads);
  };
  if (std::ranges::all_of(faults, is_bound_otherwise)) return mending;
  const std::vector<NodeLoad> loads = loads_of(all, spreads);
  mending.shortage = shortage_of(all, loads);
  if (mending.shortage) return mending;
  const Layout layout = layout_of(all, loads);
  bind_ranks(layout, spreads, kind, mending);
  mending.spreads = spreads;
  if (spreads) mending.spreading = spreading_options(layout, kind);
  if (most_threads(all) > 1 && has_openmp(all)) {
    mending.variables["OMP_PLACES"] = "cores";
    mending.variables["OMP_PROC_BIND"] = "close";
  }
  if (layout.threads < most_threads(all)) {
    mending.variables["OMP_NUM_THREADS"] = std::to_string(layout.threads);
  }
  return mending;
}

std::string shortage_text(const Shortage& shortage) {
  const std::string threads =
      shortage.threads == 1 ? "" : fmt::format(" of {} threads", shortage.threads);
  const std::size_t needed = shortage.ranks * shortage.threads;
  const std::string where = shortage.host.empty() ? "this node" : shortage.host;
  const std::string lack =
      shortage.ranks == 1
          ? fmt::format(words::rank_needs, threads, needed, where, shortage.cores)
          : fmt::format(words::ranks_need, shortage.ranks, threads, needed, where, shortage.cores);
  if (shortage.threads > shortage.cores) return fmt::format(words::fewer_threads, lack);
  if (shortage.free_cores > 0) {
    return fmt::format(words::fewer_ranks_there, lack, shortage.free_cores);
  }
  return fmt::format(words::fewer_ranks, lack);
}

std::string remedy(const Mending& mending, FaultKind kind, LauncherKind launcher) {
  if (mending.shortage || kind == FaultKind::other_job) return {};
  if (kind == FaultKind::far_memory) {
    const bool is_slurm = launcher == LauncherKind::slurm;
    return is_slurm ? "--mem-bind=local" : "numactl --localalloc, in place of another policy";
  }
  const Words& options = kind == FaultKind::empty_node && !mending.spreading.empty()
                             ? mending.spreading
                             : mending.binding;
  Words parts;
  if (!mending.without.empty() && kind != FaultKind::empty_node) {
    parts.push_back(fmt::format("leaving out `{}`", join(mending.without, "` and `")));
  }
  if (!options.empty()) parts.push_back(join(options, " "));
  if (kind != FaultKind::empty_node && !mending.variables.empty()) {
    parts.push_back(assignments(mending.variables));
  }
  return join(parts, ", ");
}

PlacedCommand mended(const PlacedCommand& command, const Mending& mending, LauncherKind kind,
                     Words& left_out) {
  const std::size_t place = std::min(end_of_options(command.words, kind), command.program);
  const auto launched = command.words.begin() + static_cast<std::ptrdiff_t>(place);
  Words before(command.words.begin(), launched);
  if (!mending.binding.empty()) before = without_placement(before, kind, left_out);
  PlacedCommand result = command;
  result.words = {before.front()};
  append(result.words, mending.binding);
  append(result.words, mending.spreading);
  append(result.words, variable_options(mending.variables, kind));
  append(result.words, with_variables(Words(before.begin() + 1, before.end()), mending.variables));
  std::size_t program = command.program;
  Words behind = without_binders(command.words, command.wrappers, program);
  behind.erase(behind.begin(), behind.begin() + static_cast<std::ptrdiff_t>(place));
  program -= place;
  const auto own = behind.begin() + static_cast<std::ptrdiff_t>(program);
  const Words wrappers = with_variables(Words(behind.begin(), own), mending.variables);
  const std::size_t options = result.words.size();
  append(result.words, wrappers);
  result.words.insert(result.words.end(), own, behind.end());
  std::size_t end = command.before.size();
  result.before = without_binders(command.before, command.wrappers_before, end);
  result.wrappers_before.clear();
  place_program(result, options + program, kind);
  return result;
}

namespace {

/// "CPU 0", "CPUs 0-1".
std::string cpus_text(const std::string& cpus) {
  const bool is_one = cpus.find_first_of(",-") == std::string::npos;
  return (is_one ? "CPU " : "CPUs ") + cpus;
}

/// "both ranks", "all 4 ranks", "rank 0".
std::string all_ranks_text(std::size_t ranks) {
  if (ranks == 1) return "rank 0";
  return ranks == 2 ? "both ranks" : fmt::format("all {} ranks", ranks);
}

/// Effect of a wrapper: "both ranks to CPU 0", "rank 0 to CPU 0, rank 1 to CPU 1".
std::string bound_text(const Whereabouts& all, std::size_t wrapper) {
  const auto& first = all.ranks.front().started_on.at(wrapper + 1);
  const bool is_same = std::ranges::all_of(
      all.ranks, [&](const RankPlace& rank) { return rank.started_on.at(wrapper + 1) == first; });
  if (is_same) return fmt::format("{} to {}", all_ranks_text(all.ranks.size()), cpus_text(first));
  constexpr std::size_t most = 3;
  std::vector<std::string> parts;
  for (const RankPlace& rank : all.ranks) {
    if (parts.size() == most) break;
    parts.push_back(
        fmt::format("rank {} to {}", rank.rank, cpus_text(rank.started_on.at(wrapper + 1))));
  }
  if (all.ranks.size() <= most) return join(parts);
  return fmt::format("{} and {} more", join(parts), all.ranks.size() - most);
}

/// Whether each rank recorded its CPUs at each wrapper. A wrapper that clears the environment
/// prevents that.
bool is_noted(const PlacedCommand& command, const Whereabouts& all) {
  return std::ranges::all_of(all.ranks, [&](const RankPlace& rank) {
    return rank.started_on.size() == command.wrappers.size() + 1;
  });
}

/// A copy in which all threads of each rank have other CPUs.
Whereabouts moved(Whereabouts all, const auto& cpus_of_rank) {
  for (RankPlace& rank : all.ranks) {
    const std::vector<int> cpus = cpus_of_rank(rank);
    for (ThreadPlace& thread : rank.threads) thread.allowed_cpus = cpus;
  }
  return all;
}

/// Whether no fault of the worst kind is left.
bool is_better(const Whereabouts& all, const std::vector<Fault>& faults) {
  const std::vector<Fault> left = find_faults(all);
  return std::ranges::count(left, faults.front().kind, &Fault::kind) == 0;
}

void mark_before(PlacedCommand& command) {
  bool has_name = false;
  for (Wrapper& wrapper : command.wrappers_before) {
    wrapper.binds = is_binder_by_name(command.before, wrapper);
    has_name = has_name || wrapper.binds;
  }
  if (!has_name && !command.wrappers_before.empty()) command.wrappers_before.back().binds = true;
}

void add_before(const PlacedCommand& command, const std::vector<int>& cpus, Binders& binders) {
  for (const Wrapper& wrapper : command.wrappers_before) {
    if (!wrapper.binds) continue;
    binders.wrappers.push_back(wrapper_text(command.before, wrapper));
    binders.texts.push_back(fmt::format(words::binds_launcher, binders.wrappers.back(),
                                        cpus_text(placement::format_cpus(cpus))));
  }
}

}  // namespace

bool launcher_is_bound(const PlacedCommand& command, const Whereabouts& all,
                       const std::string& own_host, const std::vector<int>& own_cpus) {
  if (command.wrappers_before.empty()) return false;
  return std::ranges::any_of(all.nodes, [&](const NodeCpus& node) {
    return node.host == own_host && !node.launcher_cpus.empty() && node.launcher_cpus != own_cpus &&
           std::ranges::includes(own_cpus, node.launcher_cpus);
  });
}

Binders find_binders(PlacedCommand& command, const Whereabouts& all,
                     const std::vector<Fault>& faults, bool bound_launcher,
                     const std::vector<int>& own_cpus) {
  Binders binders;
  if (faults.empty()) return binders;
  if (bound_launcher && stays_on_its_cpus(all, all.nodes.front())) {
    Whereabouts without = moved(all, [&](const RankPlace&) { return own_cpus; });
    if (is_better(without, faults)) {
      mark_before(command);
      add_before(command, all.nodes.front().launcher_cpus, binders);
      binders.without = std::move(without);
      return binders;
    }
  }
  if (!is_noted(command, all)) return binders;
  for (std::size_t i = 0; i < command.wrappers.size(); ++i) {
    Wrapper& wrapper = command.wrappers[i];
    wrapper.binds = std::ranges::any_of(all.ranks, [&](const RankPlace& rank) {
      return rank.started_on[i] != rank.started_on[i + 1];
    });
    if (!wrapper.binds) continue;
    if (binders.wrappers.empty()) {
      binders.without = moved(
          all, [&](const RankPlace& rank) { return placement::parse_cpus(rank.started_on[i]); });
    }
    binders.wrappers.push_back(wrapper_text(command.words, wrapper));
    binders.texts.push_back(
        fmt::format(words::binds_ranks, binders.wrappers.back(), bound_text(all, i)));
  }
  if (binders.wrappers.empty() || is_better(binders.without, faults)) return binders;
  for (Wrapper& wrapper : command.wrappers) wrapper.binds = false;
  return {};
}

}  // namespace hockney::where
