#include "where/mending.hpp"

#include <algorithm>

#include "campaign/config.hpp"
#include "core/text.hpp"

namespace hockney::where {
namespace {

using campaign::append;
using campaign::LauncherKind;

/// What has to be laid out on each node.
struct Layout {
  std::size_t ranks = 1;    ///< of a node, once they are spread over all
  std::size_t threads = 1;  ///< of a rank
  Domain domain = Domain::node;
  bool fills_parts = true;  ///< ranks one after the other on the next cores stay in their parts
};

std::size_t fewest_cores(const Whereabouts& all) { return smallest_part(all, Domain::node); }

Layout layout_of(const Whereabouts& all, bool spreads) {
  Layout layout{.threads = most_threads(all)};
  const std::size_t nodes = all.nodes.size() + (spreads ? all.empty_hosts.size() : 0);
  for (const NodeCpus& node : all.nodes) {
    layout.ranks = std::max(layout.ranks, ranks_on(all, node.host).size());
  }
  if (spreads) layout.ranks = (all.ranks.size() + nodes - 1) / nodes;
  layout.threads =
      std::max<std::size_t>(1, std::min(layout.threads, fewest_cores(all) / layout.ranks));
  layout.domain = tightest_domain(all);
  const std::size_t part = smallest_part(all, layout.domain);
  layout.fills_parts = layout.domain == Domain::node || part % layout.threads == 0;
  return layout;
}

/// How launchers call the parts of a node.
std::string part_name(Domain domain, LauncherKind kind) {
  switch (domain) {
    case Domain::l3:
      return "l3cache";
    case Domain::numa:
      return "numa";
    case Domain::package:
      return kind == LauncherKind::openmpi5 ? "package" : "socket";
    case Domain::node:
      break;
  }
  return "slot";
}

Words open_mpi_options(const Layout& layout, bool spreads, LauncherKind kind) {
  const std::string part = layout.fills_parts ? "slot" : part_name(layout.domain, kind);
  const std::string where = spreads ? "ppr:" + std::to_string(layout.ranks) + ":node" : part;
  return {"--map-by", where + ":PE=" + std::to_string(layout.threads), "--bind-to", "core"};
}

Words hydra_options(const Layout& layout) {
  Words options{"-bind-to", "core:" + std::to_string(layout.threads)};
  if (!layout.fills_parts) {
    append(options, {"-map-by", part_name(layout.domain, LauncherKind::mpich)});
  }
  return options;
}

Words slurm_options(const Layout& layout) {
  return {"--cpus-per-task=" + std::to_string(layout.threads), "--cpu-bind=cores",
          "--distribution=block:block", "--hint=nomultithread"};
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
      mending.variables["I_MPI_PIN_CELL"] = "core";
      mending.variables["I_MPI_PIN_DOMAIN"] = std::to_string(layout.threads) + ":compact";
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
      return {};  // of Open MPI it is one option with the binding
  }
}

bool has(const std::vector<Fault>& faults, FaultKind kind) {
  return std::ranges::count(faults, kind, &Fault::kind) > 0;
}

/// Options that give ranks a variable, as the launcher takes them.
Words variable_options(const std::map<std::string, std::string>& variables, LauncherKind kind) {
  Words options;
  for (const auto& [name, value] : variables) {
    if (campaign::dialect_of(kind) == campaign::Dialect::openmpi) {
      append(options, {"-x", name + "=" + value});
    } else if (campaign::dialect_of(kind) == campaign::Dialect::hydra) {
      append(options, {"-genv", name, value});
    }
  }
  return options;
}

/// The words with the variables that they set, "NAME=value" or Hydra's "-genv NAME value", set to
/// these values where they stand: what comes later counts.
Words with_variables(Words words, const std::map<std::string, std::string>& variables) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::size_t equals = words[i].find('=');
    const auto variable = variables.find(words[i].substr(0, equals));
    if (variable == variables.end()) continue;
    if (equals != std::string::npos) {
      words[i] = variable->first + "=" + variable->second;
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
  // Ranks that are each on a node of their own are on as many as they can be.
  const bool spreads = has(faults, FaultKind::empty_node) && all.ranks.size() > all.nodes.size();
  const auto is_bound_otherwise = [&](const Fault& fault) {
    return fault.kind == FaultKind::far_memory || (fault.kind == FaultKind::empty_node && !spreads);
  };
  if (std::ranges::all_of(faults, is_bound_otherwise)) return mending;
  const Layout layout = layout_of(all, spreads);
  bind_ranks(layout, spreads, kind, mending);
  mending.spreads = spreads;
  if (spreads) mending.spreading = spreading_options(layout, kind);
  if (most_threads(all) > 1) {
    mending.variables["OMP_PLACES"] = "cores";
    mending.variables["OMP_PROC_BIND"] = "close";
  }
  if (layout.threads < most_threads(all)) {
    mending.variables["OMP_NUM_THREADS"] = std::to_string(layout.threads);
  }
  return mending;
}

std::string remedy(const Mending& mending, FaultKind kind, LauncherKind launcher) {
  if (kind == FaultKind::far_memory) {
    const bool is_slurm = launcher == LauncherKind::slurm;
    return is_slurm ? "--mem-bind=local" : "numactl --localalloc, in place of another policy";
  }
  const Words& options = kind == FaultKind::empty_node && !mending.spreading.empty()
                             ? mending.spreading
                             : mending.binding;
  Words parts;
  if (!options.empty()) parts.push_back(join(options, " "));
  if (kind != FaultKind::empty_node && !mending.variables.empty()) {
    parts.push_back(assignments(mending.variables));
  }
  return join(parts, ", ");
}

PlacedCommand mended(const PlacedCommand& command, const Mending& mending, LauncherKind kind,
                     Words& left_out) {
  const auto program = command.words.begin() + static_cast<std::ptrdiff_t>(command.program);
  const Words before = without_placement(Words(command.words.begin(), program), kind, left_out);
  PlacedCommand result;
  result.words = {before.front()};
  append(result.words, mending.binding);
  append(result.words, mending.spreading);
  append(result.words, variable_options(mending.variables, kind));
  append(result.words, with_variables(Words(before.begin() + 1, before.end()), mending.variables));
  result.program = result.words.size();
  result.words.insert(result.words.end(), program, command.words.end());
  return result;
}

}  // namespace hockney::where
