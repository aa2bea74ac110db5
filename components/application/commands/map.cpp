#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "components/application/analysis/rank_orders.hpp"
#include "components/application/commands/commands.hpp"
#include "components/application/page/profile_page.hpp"
#include "components/application/profile/profile_file.hpp"
#include "components/application/screens/projection_report.hpp"
#include "core/atomic_file.hpp"
#include "core/cli/command_line.hpp"
#include "core/error.hpp"
#include "core/quantities.hpp"
#include "core/site_file.hpp"
#include "core/text.hpp"
#include "driver/output/output.hpp"
#include "driver/subcommands.hpp"
#include "placement/machine.hpp"
#include "placement/plan.hpp"
#include "report/table.hpp"

namespace hockney::driver {
namespace {

/// A grid of ranks and their order, as options.
struct GridOrder {
  std::string grid;   ///< "24x16"; empty: a profile is mapped
  std::string nodes;  ///< number of nodes
  std::string hosts;  ///< host names, as in Slurm
  std::string order;  ///< a word of Order; empty: tiles if given, else the best order found
  std::string tiles;  ///< "6x4"
  std::string points;
  std::string bytes = "8";
  bool periodic = false;
  std::string cpus;     ///< a word of CpuOrder; empty: the launcher's
  std::string machine;  ///< a text for hwloc, or a file of lstopo; empty: this machine
};

/// Order in which ranks fill nodes.
enum class Order { compact, scatter, tiles };

constexpr auto words_of(std::type_identity<Order>) {
  return std::to_array<std::string_view>({"compact", "scatter", "tiles"});
}

/// Order in which a node's ranks get its CPUs.
enum class CpuOrder { compact, scatter, numa, l3 };

constexpr auto words_of(std::type_identity<CpuOrder>) {
  return std::to_array<std::string_view>({"compact", "scatter", "numa", "l3"});
}

/// Hosts and how many ranks each is for; without numbers all are for as many.
struct NamedHosts {
  std::vector<std::string> names;
  std::vector<int> slots;  ///< of each, or empty
};

/// The hosts of a file that has a line for each rank, as PBS_NODEFILE, or for each host: "n1",
/// "n1:4", "n1 slots=4".
NamedHosts hosts_in_file(const std::string& file) {
  NamedHosts hosts;
  std::vector<std::string> words;
  for (const std::string& line : split(read_file(file), '\n')) {
    words = split(line.substr(0, line.find('#')), ' ');
    std::erase_if(words, [](const std::string& word) { return word.empty() || word == "\r"; });
    if (words.empty()) continue;
    std::string name = words.front();
    while (name.ends_with('\r')) name.pop_back();
    const std::size_t colon = name.find(':');
    const std::size_t equals = words.back().find('=');
    const std::string count = colon != std::string::npos    ? name.substr(colon + 1)
                              : equals != std::string::npos ? words.back().substr(equals + 1)
                                                            : "1";
    name = name.substr(0, colon);
    const int ranks = parse_count<int>(fmt::format("{}: {}", file, name), count, 1);
    const auto known = std::ranges::find(hosts.names, name);
    if (known == hosts.names.end()) {
      hosts.names.push_back(name);
      hosts.slots.push_back(ranks);
    } else {
      hosts.slots[static_cast<std::size_t>(known - hosts.names.begin())] += ranks;
    }
  }
  if (!hosts.names.empty()) return hosts;
  throw InputError({fmt::format("'{}' names no hosts", file), "it has no line with a name",
                    "write a line for each rank or host"});
}

NamedHosts hosts_named(const GridOrder& order) {
  if (!order.hosts.empty()) {
    if (!order.nodes.empty()) {
      throw InputError({"both --nodes and --hosts", "each says how many nodes there are",
                        "leave one of them out"});
    }
    const bool is_file = std::filesystem::is_regular_file(order.hosts);
    return is_file ? hosts_in_file(order.hosts) : NamedHosts{expand_hosts(order.hosts), {}};
  }
  const char* job = std::getenv("SLURM_JOB_NODELIST");
  if (order.nodes.empty() && job != nullptr) return {expand_hosts(job), {}};
  const char* file = std::getenv("PBS_NODEFILE");
  if (order.nodes.empty() && file != nullptr) return hosts_in_file(file);
  if (order.nodes.empty()) {
    throw InputError({"--grid without --nodes or --hosts", "ranks have to be somewhere",
                      "add --nodes 16, or --hosts 'nid[000-015]'"});
  }
  const int count = parse_count<int>("--nodes", order.nodes, 1);
  std::vector<std::string> hosts;
  hosts.reserve(static_cast<std::size_t>(count));
  for (int node = 0; node < count; ++node) hosts.push_back(fmt::format("node{}", node));
  return {hosts, {}};
}

/// Equal numbers of ranks on all nodes.
std::vector<int> even_slots(int ranks, std::size_t nodes) {
  const auto count = static_cast<int>(nodes);
  std::vector<int> slots(nodes, ranks / count);
  if (ranks % count == 0) return slots;
  throw InputError(
      {fmt::format("{} on {}", report::count_text(static_cast<std::size_t>(ranks), "rank"),
                   report::count_text(nodes, "node")),
       "nodes would have different numbers of them", "take another number of nodes"});
}

/// The ranks of each host, as its file has them; else equal numbers. InputError if the file is for
/// another number of ranks.
std::vector<int> slots_of(const NamedHosts& hosts, int ranks) {
  const int all = std::accumulate(hosts.slots.begin(), hosts.slots.end(), 0);
  if (all == ranks) return hosts.slots;
  const bool is_equal =
      std::ranges::adjacent_find(hosts.slots, std::not_equal_to()) == hosts.slots.end();
  if (is_equal) return even_slots(ranks, hosts.names.size());
  throw InputError(
      {fmt::format("{} of the grid", report::count_text(static_cast<std::size_t>(ranks), "rank")),
       fmt::format("the hosts are for {}, in different numbers", all),
       "take a grid of as many ranks"});
}

applications::RankGrid grid_of(const GridOrder& order) {
  applications::RankGrid grid{.sizes = applications::parse_grid("--grid", order.grid),
                              .periodic = order.periodic};
  const std::map<std::string, std::size_t> dimensions{
      {"3", 1}, {"5", 2}, {"7", 3}, {"9", 2}, {"27", 3}};
  if (order.points.empty()) return grid;
  const auto known = dimensions.find(order.points);
  if (known == dimensions.end() || known->second != grid.sizes.size()) {
    throw InputError({fmt::format("--points {} of a grid with {}", order.points,
                                  report::count_text(grid.sizes.size(), "dimension")),
                      "points have 3 in one dimension, 5 or 9 in two, 7 or 27 in three",
                      "take the points of as many dimensions"});
  }
  grid.diagonals = order.points == "9" || order.points == "27";
  return grid;
}

std::optional<Order> requested_order(const GridOrder& order) {
  if (order.order.empty()) return order.tiles.empty() ? std::nullopt : std::optional(Order::tiles);
  const auto requested = parse_word<Order>(
      order.order, fmt::format("bad --order '{}'", order.order), "no order has this name");
  if ((requested == Order::tiles) == !order.tiles.empty()) return requested;
  throw InputError({requested == Order::tiles ? "--order tiles without --tiles"
                                              : "--tiles with --order " + order.order,
                    "tiles are an order of their own, with a size", "write --tiles 6x4 alone"});
}

/// The requested order; nullopt if none was requested.
std::optional<applications::Mapping> mapping_requested_for(const GridOrder& order,
                                                           const applications::RankGrid& grid,
                                                           const std::vector<int>& slots) {
  const auto requested = requested_order(order);
  if (!requested) return std::nullopt;
  const auto ranks = static_cast<std::size_t>(grid.ranks());
  switch (*requested) {
    case Order::compact:
      return applications::Mapping{
          "compact", applications::filled(applications::in_order(ranks), slots), {}};
    case Order::scatter:
      return applications::Mapping{"scatter", applications::dealt_out(slots, ranks), {}};
    case Order::tiles:
      break;
  }
  const std::vector<int> tile = applications::parse_grid("--tiles", order.tiles);
  return applications::Mapping{"tiles of " + join_numbers(tile, " x "),
                               tiled(grid, tile, static_cast<int>(slots.size())),
                               {}};
}

placement::Topology machine_of(const GridOrder& order) {
  if (order.machine.empty()) return placement::read_live_topology();
  const bool is_file = order.machine.ends_with(".xml");
  return is_file ? placement::read_xml_topology(order.machine)
                 : placement::read_synthetic_topology(order.machine);
}

std::vector<int> cpus_in(CpuOrder order, const placement::Topology& topology) {
  switch (order) {
    case CpuOrder::compact:
      return compact_order(topology);
    case CpuOrder::scatter:
      return scatter_order(topology);
    case CpuOrder::numa:
      return one_per_numa(topology);
    case CpuOrder::l3:
      break;
  }
  return one_per_l3(topology);
}

/// Slots of the local ranks, if an order of CPUs is requested; else empty. InputError if a node has
/// more ranks than the order has slots.
std::vector<report::LocalSlot> local_slots(const GridOrder& order,
                                           const std::vector<int>& of_rank) {
  if (order.cpus.empty()) return {};
  std::map<int, std::size_t> ranks;
  std::size_t most = 0;
  for (const int node : of_rank) most = std::max(most, ++ranks[node]);
  const placement::Topology topology = machine_of(order);
  const std::vector<int> cpus =
      cpus_in(parse_word<CpuOrder>(order.cpus, fmt::format("bad --cpus '{}'", order.cpus),
                                   "no order has this name"),
              topology);
  if (cpus.size() < most) {
    throw InputError(
        {fmt::format("{} on a node for --cpus {}", report::count_text(most, "rank"), order.cpus),
         fmt::format("the machine has {}", report::count_text(cpus.size(), "place")),
         "take fewer ranks on a node, or another order"});
  }
  std::vector<report::LocalSlot> slots;
  for (std::size_t local = 0; local < most; ++local) {
    const auto pu = std::ranges::find(topology.pus, cpus[local], &placement::Pu::os_cpu);
    slots.push_back({.core = pu->core, .cpu = pu->os_cpu});
  }
  return slots;
}

/// InputError if the grid does not fit the nodes.
report::MappingView view_of_grid(const GridOrder& order) {
  const applications::RankGrid grid = grid_of(order);
  const NamedHosts named = hosts_named(order);
  const std::vector<std::string>& hosts = named.names;
  const std::vector<int> slots = slots_of(named, grid.ranks());
  const applications::Nodes nodes{
      .names = hosts,
      .of_rank = applications::filled(
          applications::in_order(static_cast<std::size_t>(grid.ranks())), slots),
      .known = static_cast<int>(hosts.size())};
  report::MappingView view = report::mapping_view_of(grid, parse_bytes(order.bytes).value, nodes,
                                                     mapping_requested_for(order, grid, slots));
  view.slots = local_slots(order, view.advice.best.of_rank);
  return view;
}

void add_grid_options(CommandLine& app, GridOrder& order) {
  app.add_option("--grid", order.grid, "Ranks in a Cartesian grid, the last dimension fastest")
      .type_name("24x16")
      .default_str("none: those of the profile");
  app.add_option("--nodes", order.nodes, "How many nodes, with as many ranks on each")
      .type_name("N")
      .default_str("those of --hosts, else of the Slurm or PBS job");
  app.add_option("--hosts", order.hosts,
                 "Which nodes, as Slurm lists them, or a file of hosts (PBS_NODEFILE)")
      .type_name("HOSTS")
      .default_str("node0, node1, ...");
  app.add_option("--order", order.order, "How ranks fill the nodes")
      .type_name(type_of_choice(valid_words<Order>()))
      .default_str("that of the fewest bytes between nodes");
  app.add_option("--tiles", order.tiles, "A node for each block of the grid of this size")
      .type_name("6x4")
      .default_str("none");
  app.add_option("--points", order.points, "Of the stencil: 3, 5, 7, or with diagonals 9, 27")
      .type_name("3|5|7|9|27")
      .default_str("without diagonals");
  app.add_option("--bytes", order.bytes, "To each neighbour, such as 1K").capture_default_str();
  app.add_flag("--periodic", order.periodic, "The ends of the grid are neighbours");
}

void add_slot_options(CommandLine& app, GridOrder& order) {
  app.add_option("--cpus", order.cpus, "Which CPUs of a node its ranks get; numa, l3: one of each")
      .type_name(type_of_choice(valid_words<CpuOrder>()))
      .default_str("cores in their order");
  app.add_option("--machine", order.machine, "Node as a hwloc text or a file of lstopo (.xml)")
      .type_name("MACHINE")
      .default_str("this machine");
}

struct MapCommand {
  std::string file;
  GridOrder grid;
  std::optional<std::string> output;
  std::optional<std::string> format;
  campaign::OutputOptions forms;
};

report::RankFile format_of(const MapCommand& command, const report::MappingView& view) {
  if (!command.format) return report::usual_rank_file(view.mpi_library);
  return parse_word<report::RankFile>(*command.format,
                                      fmt::format("bad --format '{}'", *command.format),
                                      "launchers read one of four");
}

report::MappingView view_of(const MapCommand& command) {
  if (!command.grid.grid.empty()) {
    if (command.file.empty()) return view_of_grid(command.grid);
    throw InputError(
        {"both a profile and --grid", "each says what is to be mapped", "leave one of them out"});
  }
  if (command.file.empty()) {
    throw InputError({"nothing to map", "neither a profile nor a grid of ranks is named",
                      "name a profile, or --grid 24x16 --nodes 16"});
  }
  report::MappingView view =
      report::mapping_view_of(profile::load_profile(command.file), command.file);
  view.slots = local_slots(command.grid, view.advice.best.of_rank);
  return view;
}

ExitCode map_ranks(const MapCommand& command) {
  if (command.format && !command.output) {
    throw InputError(
        {"--format without -o", "it is that of the file for the launcher", "name a file with -o"});
  }
  const campaign::Output output(command.forms, {command.file});
  report::MappingView view = view_of(command);
  view.command = command.forms.command({"--out", "--format"});
  const report::RankFile format = format_of(command, view);
  if (command.output) {
    OutputFile file(*command.output);
    report::write_rank_file(file.stream(), view.places(), format);
    file.keep();
    std::cerr << word(format) << " written: " << escaped(*command.output) << '\n';
    for (const std::string& line : launches_with(*command.output, view.places(), format)) {
      std::cerr << "  " << line << '\n';
    }
  }
  const auto mappings = [&] { return report::view_of_mappings(report::mappings_of(view)); };
  output.show({.summary = [&] { return report::screen_of(view); },
               .tables =
                   [&](std::ostream& out) {
                     report::print_view(out, "what lies between nodes, by mapping", mappings());
                   },
               .document = [&] { return report::to_json(view); },
               .csv = [&](std::ostream& out) { report::write_csv(out, mappings()); },
               .page = [&] { return page_of(view); }});
  return ExitCode::good;
}

void add_map_options(CommandLine& app, MapCommand& command) {
  app.add_option("FILE", command.file, "Profile of a run of a program")
      .default_str("none: the ranks of --grid");
  tried_first(
      app.add_option("-o,--out", command.output, "File for the launcher: the place of each rank"))
      .type_name("FILE")
      .default_str("none");
  app.add_option("--format", command.format, "What the launcher reads")
      .type_name(type_of_choice(valid_words<report::RankFile>()))
      .default_str("that of the program's MPI library");
  add_under(app, "Without a profile", [&] { add_grid_options(app, command.grid); });
  add_slot_options(app, command.grid);
  add_output_options(app, command.forms, {.file = false, .page = true});
}

}  // namespace

void add_map(CommandLine& driver, Action& chosen) {
  add_command<MapCommand>(driver, chosen, map_beside.name, map_beside.summary, add_map_options,
                          map_ranks,
                          {.examples = {{"hockney map p4.json", "the summary"},
                                        {"hockney map p4.json -o ranks --format rankfile",
                                         "for mpirun --rankfile ranks"},
                                        {"hockney map --grid 24x16 --nodes 16 --tiles 6x4",
                                         "before there is a profile"}},
                           .common = {"FILE", "--out", "--format", "--page", "--grid", "--nodes",
                                      "--tiles", "--order", "--all", "--json"}});
}

}  // namespace hockney::driver
