#include "components/application/where/placement_fix.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "components/application/where/faults.hpp"
#include "components/application/where/launcher_options.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "driver/campaign/config.hpp"
#include "placement/machine.hpp"

namespace hockney::where {
namespace {

using campaign::append;

/// Sentences of this file.
namespace words {

constexpr std::string_view ranks_need = "{} {} cores, {} has {}";
constexpr std::string_view fewer_threads = "{}; nothing but fewer threads fixes it";
constexpr std::string_view fewer_ranks = "{}; nothing but fewer ranks or more nodes fixes it";
constexpr std::string_view fewer_ranks_there =
    "{}; nothing but fewer ranks there fixes it (free cores on other nodes: {})";
constexpr std::string_view need_time =
    "{} the time of {}, a control group of {} allows {}; nothing but a higher limit or fewer ranks "
    "fixes it";
constexpr std::string_view binds_launcher = "`{}` binds the launcher and its ranks to {}";
constexpr std::string_view binds_ranks = "`{}` binds {}";

}  // namespace words

/// Resource for each thread.
enum class Unit { core, hardware_thread };

/// Ranks and threads to place on each node.
struct RankLayout {
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

std::vector<NodeLoad> loads_of(const RankBindings& all, bool spreads) {
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
std::size_t fixed_threads(const RankBindings& all) {
  std::size_t most = 1;
  for (const RankPlace& rank : all.ranks) {
    if (rank.openmp_runtime.empty()) most = std::max(most, rank.threads.size());
  }
  return most;
}

bool has_openmp(const RankBindings& all) {
  return std::ranges::any_of(all.ranks,
                             [](const RankPlace& rank) { return !rank.openmp_runtime.empty(); });
}

/// The first node whose ranks need more than its hardware threads. If hardware threads suffice,
/// layout_of() uses these instead of cores.
std::optional<Shortage> shortage_of(const RankBindings& all, const std::vector<NodeLoad>& loads) {
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

/// The first limit of a control group that the ranks exceed with the threads that no variable
/// changes.
std::optional<Shortage> shortage_of_time(const RankBindings& all,
                                         const std::vector<Fault>& faults) {
  const std::size_t threads = fixed_threads(all);
  for (const Fault& fault : faults) {
    if (!fault.limit) continue;
    const double needed = static_cast<double>(fault.ranks.size() * threads);
    if (needed <= fault.limit->cpus) continue;
    return Shortage{.ranks = fault.ranks.size(),
                    .threads = threads,
                    .host = all.nodes.size() == 1 ? "" : fault.host,
                    .limit = fault.limit->cpus};
  }
  return std::nullopt;
}

RankLayout layout_of(const RankBindings& all, const std::vector<NodeLoad>& loads,
                     const std::vector<Fault>& faults) {
  RankLayout layout{.threads = most_threads(all)};
  for (const NodeLoad& load : loads) {
    layout.ranks = std::max(layout.ranks, load.ranks);
    const bool has_room = load.ranks * fixed_threads(all) <= load.cores;
    if (!has_room) layout.unit = Unit::hardware_thread;
  }
  for (const NodeLoad& load : loads) {
    const std::size_t units = layout.unit == Unit::core ? load.cores : load.node->pus.size();
    if (load.ranks > 0) layout.threads = std::min(layout.threads, units / load.ranks);
  }
  for (const Fault& fault : faults) {
    if (!fault.limit) continue;
    const double each = fault.limit->cpus / static_cast<double>(fault.ranks.size());
    layout.threads = std::min(layout.threads, static_cast<std::size_t>(each));
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
Words open_mpi_thread_options(const RankLayout& layout, bool spreads, LauncherKind kind) {
  const std::string map = fmt::format(
      "{}:PE={}", spreads ? fmt::format("ppr:{}:node", layout.ranks) : "slot", layout.threads);
  if (kind == LauncherKind::openmpi5) {
    return {"--map-by", map + ":HWTCPUS", "--bind-to", "hwthread"};
  }
  return {"--use-hwthread-cpus", "--map-by", map, "--bind-to", "hwthread"};
}

Words open_mpi_options(const RankLayout& layout, bool spreads, LauncherKind kind) {
  if (layout.unit == Unit::hardware_thread) return open_mpi_thread_options(layout, spreads, kind);
  const std::string part = layout.fills_parts ? "slot" : part_name(layout.domain, kind);
  const std::string where = spreads ? fmt::format("ppr:{}:node", layout.ranks) : part;
  return {"--map-by", fmt::format("{}:PE={}", where, layout.threads), "--bind-to", "core"};
}

Words hydra_options(const RankLayout& layout) {
  const char* const unit = layout.unit == Unit::core ? "core" : "hwthread";
  Words options{"-bind-to", fmt::format("{}:{}", unit, layout.threads)};
  if (!layout.fills_parts) {
    append(options, {"-map-by", part_name(layout.domain, LauncherKind::mpich)});
  }
  return options;
}

Words slurm_options(const RankLayout& layout) {
  const bool by_core = layout.unit == Unit::core;
  return {fmt::format("--cpus-per-task={}", layout.threads),
          by_core ? "--cpu-bind=cores" : "--cpu-bind=threads", "--distribution=block:block",
          by_core ? "--hint=nomultithread" : "--hint=multithread"};
}

void bind_ranks(const RankLayout& layout, bool spreads, LauncherKind kind, PlacementFix& fix) {
  switch (kind) {
    case LauncherKind::openmpi4:
    case LauncherKind::openmpi5:
      fix.binding = open_mpi_options(layout, spreads, kind);
      break;
    case LauncherKind::mpich:
      fix.binding = hydra_options(layout);
      break;
    case LauncherKind::intel:
      fix.variables["I_MPI_PIN"] = "1";
      fix.variables["I_MPI_PIN_CELL"] = layout.unit == Unit::core ? "core" : "unit";
      fix.variables["I_MPI_PIN_DOMAIN"] = fmt::format("{}:compact", layout.threads);
      break;
    case LauncherKind::slurm:
      fix.binding = slurm_options(layout);
      break;
    case LauncherKind::flux:
      fix.binding = {fmt::format("--cores-per-task={}", layout.threads), "-o",
                     "cpu-affinity=per-task"};
      break;
    case LauncherKind::pals:
      fix.binding = {fmt::format("--depth={}", layout.threads), "--cpu-bind=depth"};
      break;
    case LauncherKind::aprun:
      fix.binding = {"-d", std::to_string(layout.threads), "-cc", "depth"};
      break;
    case LauncherKind::ccc_mprun:
      fix.binding = {"-c", std::to_string(layout.threads), "-E",
                     "--cpu-bind=cores --distribution=block:block --hint=nomultithread"};
      break;
    case LauncherKind::simgrid:
    case LauncherKind::other:
      break;
  }
}

Words spreading_options(const RankLayout& layout, LauncherKind kind) {
  const std::string ranks = std::to_string(layout.ranks);
  switch (kind) {
    case LauncherKind::mpich:
    case LauncherKind::intel:
    case LauncherKind::pals:
      return {"-ppn", ranks};
    case LauncherKind::slurm:
      return {"--ntasks-per-node=" + ranks};
    case LauncherKind::aprun:
      return {"-N", ranks};
    default:
      return {};  // in Open MPI one option does both
  }
}

bool has(const std::vector<Fault>& faults, FaultKind kind) {
  return std::ranges::count(faults, kind, &Fault::kind) > 0;
}

using Variables = std::map<std::string, std::string>;

/// Options of the launcher that set variables for the ranks of a program; `is_only`: of all.
Words variable_options(const Variables& variables, LauncherKind kind, bool is_only) {
  const auto family = family_of(kind);
  Words options;
  for (const auto& [name, value] : variables) {
    if (family == campaign::MpiFamily::openmpi) {
      append(options, {"-x", fmt::format("{}={}", name, value)});
    } else if (family == campaign::MpiFamily::mpich) {
      append(options, {is_only ? "-genv" : "-env", name, value});
    }
  }
  return options;
}

/// The variables of the fix for one program.
Variables variables_of(const PlacementFix& fix, std::size_t program) {
  Variables variables = fix.variables;
  if (fix.narrow.contains(static_cast<int>(program))) variables.erase("OMP_NUM_THREADS");
  return variables;
}

/// Replaces the values of variables that the words set, by "NAME=value" or Hydra's "-genv NAME
/// value". Later settings override earlier ones, so each is replaced in its place.
Words with_variables(Words words, const Variables& variables) {
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

/// The programs none of whose ranks has more than some threads.
std::set<int> narrow_programs(const RankBindings& all, std::size_t threads) {
  std::set<int> narrow;
  for (const RankPlace& rank : all.ranks) narrow.insert(rank.program);
  for (const RankPlace& rank : all.ranks) {
    if (rank.threads.size() > threads) narrow.erase(rank.program);
  }
  return narrow;
}

std::string assignments(const Variables& variables) { return join_assignments(variables, " "); }

Words range_of(const Words& words, std::size_t begin, std::size_t end) {
  return {words.begin() + static_cast<std::ptrdiff_t>(begin),
          words.begin() + static_cast<std::ptrdiff_t>(end)};
}

/// Whether some words set a variable, by "NAME=value" or Hydra's "-genv NAME value".
bool sets(const Words& words, const std::string& name) {
  return std::ranges::any_of(
      words, [&](const std::string& word) { return word.substr(0, word.find('=')) == name; });
}

/// Open MPI and Hydra take their options for binding once, before those of the first program.
bool binds_all_at_once(LauncherKind kind) { return family_of(kind).has_value(); }

/// The wrappers of a program without those that bind, and with variables that no option sets.
Words fixed_wrappers(const PlacedCommand& command, const PlacedProgram& program,
                     const Variables& variables) {
  std::size_t place = program.place;
  const Words kept = without_binders(command.words, program.wrappers, place);
  Words wrappers = with_variables(range_of(kept, program.launched, place), variables);
  if (!variables.empty() && !binds_all_at_once(command.kind)) {
    Words setting{"env"};
    for (const auto& [name, value] : variables)
      setting.push_back(fmt::format("{}={}", name, value));
    wrappers.insert(wrappers.begin(), setting.begin(), setting.end());
  }
  return wrappers;
}

/// "CPU 0", "CPUs 0-1".
std::string cpus_text(const std::string& cpus) {
  const bool is_one = cpus.find_first_of(",-") == std::string::npos;
  return (is_one ? "CPU " : "CPUs ") + cpus;
}

using Ranks = std::vector<const RankPlace*>;

/// The ranks of one program.
Ranks ranks_of_program(const RankBindings& all, std::size_t program) {
  Ranks ranks;
  for (const RankPlace& rank : all.ranks) {
    if (rank.program == static_cast<int>(program)) ranks.push_back(&rank);
  }
  return ranks;
}

/// "both ranks", "all 4 ranks", "rank 0"; of several programs "ranks 0-1".
std::string ranks_text(const Ranks& ranks, std::size_t of_all) {
  if (ranks.size() == 1) return fmt::format("rank {}", ranks.front()->rank);
  if (ranks.size() < of_all) {
    std::vector<int> numbers;
    for (const RankPlace* rank : ranks) numbers.push_back(rank->rank);
    return "ranks " + placement::format_cpus(numbers);
  }
  return of_all == 2 ? "both ranks" : fmt::format("all {} ranks", of_all);
}

/// Effect of a wrapper: "both ranks to CPU 0", "rank 0 to CPU 0, rank 1 to CPU 1".
std::string bound_text(const Ranks& ranks, std::size_t of_all, std::size_t wrapper) {
  const auto& first = ranks.front()->started_on.at(wrapper + 1);
  const bool is_same = std::ranges::all_of(
      ranks, [&](const RankPlace* rank) { return rank->started_on.at(wrapper + 1) == first; });
  if (is_same) return fmt::format("{} to {}", ranks_text(ranks, of_all), cpus_text(first));
  constexpr std::size_t most = 3;
  std::vector<std::string> parts;
  for (const RankPlace* rank : ranks) {
    if (parts.size() == most) break;
    parts.push_back(
        fmt::format("rank {} to {}", rank->rank, cpus_text(rank->started_on.at(wrapper + 1))));
  }
  if (ranks.size() <= most) return join(parts);
  return fmt::format("{} and {} more", join(parts), ranks.size() - most);
}

/// Whether each rank of a program recorded its CPUs at each wrapper. A wrapper that clears the
/// environment prevents that.
bool is_noted(const PlacedProgram& program, const Ranks& ranks) {
  return !ranks.empty() && std::ranges::all_of(ranks, [&](const RankPlace* rank) {
    return rank->started_on.size() == program.wrappers.size() + 1;
  });
}

/// A copy in which all threads of the ranks of a program, or of all, have other CPUs.
RankBindings moved(RankBindings all, std::optional<std::size_t> program, const auto& cpus_of_rank) {
  for (RankPlace& rank : all.ranks) {
    if (program && rank.program != static_cast<int>(*program)) continue;
    const std::vector<int> cpus = cpus_of_rank(rank);
    for (ThreadPlace& thread : rank.threads) thread.allowed_cpus = cpus;
  }
  return all;
}

/// Whether no fault of the worst kind is left.
bool is_better(const RankBindings& all, const std::vector<Fault>& faults) {
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

/// Marks the wrappers of a program that bind, and adds them. Without them its ranks would be on the
/// CPUs before the first.
void add_wrappers(PlacedCommand& command, std::size_t number, const RankBindings& all,
                  Binders& binders) {
  PlacedProgram& program = command.programs[number];
  const Ranks ranks = ranks_of_program(all, number);
  if (!is_noted(program, ranks)) return;
  bool is_first = true;
  for (std::size_t i = 0; i < program.wrappers.size(); ++i) {
    Wrapper& wrapper = program.wrappers[i];
    wrapper.binds = std::ranges::any_of(ranks, [&](const RankPlace* rank) {
      return rank->started_on[i] != rank->started_on[i + 1];
    });
    if (!wrapper.binds) continue;
    if (std::exchange(is_first, false)) {
      binders.without = moved(std::move(binders.without), number, [&](const RankPlace& rank) {
        return placement::parse_cpus(rank.started_on[i]);
      });
    }
    binders.wrappers.push_back(wrapper_text(command.words, wrapper));
    binders.texts.push_back(fmt::format(words::binds_ranks, binders.wrappers.back(),
                                        bound_text(ranks, all.ranks.size(), i)));
  }
}

}  // namespace

PlacementFix fix_of(const RankBindings& all, const std::vector<Fault>& faults, LauncherKind kind) {
  PlacementFix fix;
  // With one rank per node all possible nodes are in use.
  const bool spreads = has(faults, FaultKind::empty_node) && all.ranks.size() > all.nodes.size();
  const auto is_bound_otherwise = [&](const Fault& fault) {
    return fault.kind == FaultKind::far_memory || fault.kind == FaultKind::other_job ||
           (fault.kind == FaultKind::empty_node && !spreads);
  };
  if (std::ranges::all_of(faults, is_bound_otherwise)) return fix;
  const std::vector<NodeLoad> loads = loads_of(all, spreads);
  fix.shortage = shortage_of(all, loads);
  if (!fix.shortage) fix.shortage = shortage_of_time(all, faults);
  if (fix.shortage) return fix;
  const RankLayout layout = layout_of(all, loads, faults);
  const bool is_misplaced = std::ranges::any_of(
      faults, [](const Fault& fault) { return fault.kind != FaultKind::cpu_limit; });
  if (is_misplaced) bind_ranks(layout, spreads, kind, fix);
  fix.spreads = spreads;
  if (spreads) fix.spreading = spreading_options(layout, kind);
  if (is_misplaced && most_threads(all) > 1 && has_openmp(all)) {
    fix.variables["OMP_PLACES"] = "cores";
    fix.variables["OMP_PROC_BIND"] = "close";
  }
  if (layout.threads < most_threads(all)) {
    fix.variables["OMP_NUM_THREADS"] = std::to_string(layout.threads);
    fix.narrow = narrow_programs(all, layout.threads);
  }
  return fix;
}

std::string shortage_text(const Shortage& shortage) {
  const std::string threads =
      shortage.threads == 1 ? "" : fmt::format(" of {} threads", shortage.threads);
  const std::size_t needed = shortage.ranks * shortage.threads;
  const std::string where = shortage.host.empty() ? "this node" : shortage.host;
  const std::string ranks = shortage.ranks == 1
                                ? fmt::format("1 rank{} needs", threads)
                                : fmt::format("{} ranks{} need", shortage.ranks, threads);
  if (shortage.limit) {
    const std::string cpus = fmt::format("{} CPU{}", needed, needed == 1 ? "" : "s");
    return fmt::format(words::need_time, ranks, cpus, where, *shortage.limit);
  }
  const std::string lack = fmt::format(words::ranks_need, ranks, needed, where, shortage.cores);
  if (shortage.threads > shortage.cores) return fmt::format(words::fewer_threads, lack);
  if (shortage.free_cores > 0) {
    return fmt::format(words::fewer_ranks_there, lack, shortage.free_cores);
  }
  return fmt::format(words::fewer_ranks, lack);
}

std::string remedy(const PlacementFix& fix, FaultKind kind, LauncherKind launcher) {
  if (fix.shortage || kind == FaultKind::other_job) return {};
  if (kind == FaultKind::far_memory) {
    const bool is_slurm = launcher == LauncherKind::slurm;
    return is_slurm ? "--mem-bind=local" : "numactl --localalloc, in place of another policy";
  }
  const Words& options =
      kind == FaultKind::empty_node && !fix.spreading.empty() ? fix.spreading : fix.binding;
  Words parts;
  if (!fix.without.empty() && kind != FaultKind::empty_node) {
    parts.push_back(fmt::format("leaving out `{}`", join(fix.without, "` and `")));
  }
  if (!options.empty()) parts.push_back(join(options, " "));
  if (kind != FaultKind::empty_node && !fix.variables.empty()) {
    parts.push_back(assignments(fix.variables));
  }
  return join(parts, ", ");
}

PlacedCommand corrected(const PlacedCommand& command, const PlacementFix& fix, Words& left_out) {
  PlacedCommand result = command;
  result.words = range_of(command.words, 0, command.options);
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < command.programs.size(); ++i) {
    const PlacedProgram& program = command.programs[i];
    const Variables variables = variables_of(fix, i);
    if (i > 0) result.words.emplace_back(":");
    if (i == 0 || !binds_all_at_once(command.kind)) {
      append(result.words, fix.binding);
      append(result.words, fix.spreading);
    }
    Words options = range_of(command.words, program.begin, program.launched);
    if (!fix.binding.empty()) options = without_placement(options, command.kind, left_out);
    Variables others = variables;
    std::erase_if(others, [&](const auto& variable) { return sets(options, variable.first); });
    append(result.words, variable_options(others, command.kind, command.programs.size() == 1));
    append(result.words, with_variables(std::move(options), variables));
    append(result.words, fixed_wrappers(command, program, variables));
    places.push_back(result.words.size());
    append(result.words, range_of(command.words, program.place, program.end));
  }
  std::size_t end = command.before.size();
  result.before = without_binders(command.before, command.wrappers_before, end);
  result.wrappers_before.clear();
  place_programs(result, places);
  return result;
}

std::vector<std::string> binding_wrappers(const PlacedCommand& command) {
  std::vector<std::string> wrappers;
  for (const PlacedProgram& program : command.programs) {
    for (const Wrapper& wrapper : program.wrappers) {
      if (wrapper.binds) wrappers.push_back(wrapper_text(command.words, wrapper));
    }
  }
  return wrappers;
}

bool launcher_is_bound(const PlacedCommand& command, const RankBindings& all,
                       const std::string& own_host, const std::vector<int>& own_cpus) {
  if (command.wrappers_before.empty()) return false;
  return std::ranges::any_of(all.nodes, [&](const NodeCpus& node) {
    return node.host == own_host && !node.launcher_cpus.empty() && node.launcher_cpus != own_cpus &&
           std::ranges::includes(own_cpus, node.launcher_cpus);
  });
}

Binders find_binders(PlacedCommand& command, const RankBindings& all,
                     const std::vector<Fault>& faults, bool bound_launcher,
                     const std::vector<int>& own_cpus) {
  Binders binders;
  if (faults.empty()) return binders;
  if (bound_launcher && stays_on_its_cpus(all, all.nodes.front())) {
    RankBindings without = moved(all, std::nullopt, [&](const RankPlace&) { return own_cpus; });
    if (is_better(without, faults)) {
      mark_before(command);
      add_before(command, all.nodes.front().launcher_cpus, binders);
      binders.without = std::move(without);
      return binders;
    }
  }
  binders.without = all;
  for (std::size_t i = 0; i < command.programs.size(); ++i) {
    add_wrappers(command, i, all, binders);
  }
  return binders.wrappers.empty() || is_better(binders.without, faults) ? binders : Binders{};
}

}  // namespace hockney::where
