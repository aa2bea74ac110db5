#include <fmt/format.h>
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/atomic_file.hpp"
#include "core/cli/command_line.hpp"
#include "core/error.hpp"
#include "core/json_values.hpp"
#include "core/record_file.hpp"
#include "core/shell.hpp"
#include "core/text.hpp"
#include "driver/output/campaign_command.hpp"
#include "driver/screens/answers.hpp"
#include "driver/subcommands.hpp"
#include "placement/machine.hpp"
#include "placement/network/sources.hpp"
#include "placement/plan.hpp"
#include "placement/rank_pairs.hpp"
#include "placement/tables/topo_table.hpp"

namespace hockney::driver {
namespace {

/// Options of `hockney topo --network`.
struct NetworkOptions {
  bool is_requested = false;
  std::string source;                ///< a word, a file or records; empty: any source
  std::optional<std::string> guids;  ///< records or lines of hosts and the GUIDs of their adapters
  std::optional<std::string> topology;   ///< one of topology.yaml
  std::optional<std::string> interface;  ///< on which hosts hear switches
  std::optional<std::string> output;     ///< for a site file
};

constexpr const char* any_source = "any";

/// Whether the path is a record, or a folder of records.
bool holds_records(const std::string& path) {
  namespace fs = std::filesystem;
  if (fs::is_directory(path)) return !placement::is_lldp_folder(path);
  if (fs::path(path).extension() == ".cbor") return true;
  if (fs::path(path).extension() != ".json" || !fs::exists(path)) return false;
  const JsonNode document = load_json(path);
  const auto schema = document.is_object() ? document.find("schema") : std::nullopt;
  return schema && schema->is_text() &&
         (schema->text() == record_schema || schema->text() == former_record_schema);
}

/// Hosts by GUID, from records or from a file of lines.
placement::HostsOfGuids guids_in(const std::string& path) {
  if (!std::filesystem::is_regular_file(path) || holds_records(path)) {
    return placement::hosts_of_guids(load_records({path}, Kept::times));
  }
  return placement::load_guid_lines(path);
}

placement::FoundNetwork network_in(const NetworkOptions& options) {
  if (holds_records(options.source)) {
    return placement::network_of(load_records({options.source}, Kept::times), options.source);
  }
  return placement::read_network(
      options.source,
      {.hosts = options.guids ? guids_in(*options.guids) : placement::HostsOfGuids(),
       .topology = options.topology.value_or(""),
       .interface = options.interface.value_or("")});
}

/// The source and its options, for a command that repeats this one.
std::string requested_words(const NetworkOptions& options) {
  std::vector<std::string> words;
  if (!options.source.empty()) words.push_back(options.source);
  const auto add = [&](const char* option, const std::optional<std::string>& value) {
    if (value) words.insert(words.end(), {option, *value});
  };
  add("--guids", options.guids);
  add("--topology", options.topology);
  add("--interface", options.interface);
  return shell_words(words);
}

report::NetworkView view_of(const NetworkOptions& options) {
  report::NetworkView view{.found = {}, .unused = {}, .requested = requested_words(options)};
  const auto source = find_word<placement::NetworkSource>(options.source);
  if (options.source.empty() || source) {
    view.found = query_machine(campaign::this_machine(), view.unused, source);
  } else {
    view.found = network_in(options);
    view.unused = view.found->unused;
  }
  return view;
}

void write_site_file(const std::string& file, const report::NetworkView& view) {
  if (!view.found) {
    throw InputError({fmt::format("no site file can be written to '{}'", escaped(file)),
                      "no source has the places of hosts in the network",
                      "name a source with --network SOURCE"});
  }
  write_atomically(file, json_text(to_json(view.found->sites)) + "\n");
  std::cerr << "site file written: " << escaped(file) << '\n';
}

void add_network_options(CommandLine& app, NetworkOptions& options) {
  const CommandOption network =
      app.add_texts(
             "--network",
             [&options](const std::vector<std::string>& words) {
               options.is_requested = true;
               if (!words.empty() && words.front() != any_source) options.source = words.front();
             },
             fmt::format("Hop classes between nodes: from a file (scontrol show topology, "
                         "topology.conf or .yaml, ibnetdiscover, a site file), a folder "
                         "with lldpctl -f json of each host as HOST.json, records, a source "
                         "by its name ({}), or the first source with a result",
                         join(valid_words<placement::NetworkSource>())))
          .type_name("SOURCE")
          .expected(0, 1)
          .default_str(any_source);
  app.add_option("--guids", options.guids,
                 "Hosts by the GUIDs of their InfiniBand adapters: records, or a file of lines "
                 "'HOST GUID'")
      .type_name("FILE")
      .needs(network)
      .default_str("none: hosts are what adapters call themselves");
  app.add_option("--topology", options.topology, "Name of one topology of Slurm's topology.yaml")
      .type_name("NAME")
      .needs(network)
      .default_str("the cluster's default");
  app.add_option("--interface", options.interface,
                 "Interface on which hosts receive LLDP of switches, several with commas; or the "
                 "device of InfiniBand adapters, such as mlx5_0")
      .type_name("NAME")
      .needs(network)
      .default_str("the fastest, or those whose switches part the hosts");
  tried_first(app.add_option("-o,--out", options.output, "File for the sites, which --sites reads"))
      .type_name("FILE")
      .needs(network)
      .default_str("none");
}

report::Page page_of(const std::string& title, const std::string& name, nlohmann::json document,
                     const std::string& command) {
  return {.title = title,
          .made_by = command + " --page page.html",
          .documents = {{name, std::move(document)}}};
}

/// Shows the places of hosts in the network. InputError for an unreadable source, and for a site
/// file without any source. `command` does the same, for the page.
ExitCode show_network(const NetworkOptions& options, const campaign::Output& output,
                      const std::string& command) {
  const report::NetworkView view = view_of(options);
  if (options.output) write_site_file(*options.output, view);
  output.show({.summary = [&] { return report::screen_of(view); },
               .tables = [&](std::ostream& out) { report::print_network_table(out, view); },
               .document = [&] { return report::to_json(view); },
               .csv = [&](std::ostream& out) { write_csv(out, report::hosts_of(view)); },
               .page =
                   [&] {
                     return page_of("Hop classes between nodes", "network",
                                    report::with_summary(report::to_json(view), screen_of(view)),
                                    command);
                   }});
  return ExitCode::good;
}

struct TopoOptions {
  NetworkOptions network;
  std::optional<std::string> xml;
  std::optional<std::string> synthetic;
  std::optional<int> ranks;
  std::string pairs = "representative";
  campaign::OutputOptions output;
};

placement::Topology read_topology(const TopoOptions& options) {
  if (options.xml) return placement::read_xml_topology(*options.xml);
  if (options.synthetic) return placement::read_synthetic_topology(*options.synthetic);
  return placement::read_live_topology();
}

void check_pairs_word(const std::string& word) {
  const std::vector<std::string> valid{"representative", "all"};
  if (std::ranges::find(valid, word) != valid.end()) return;
  throw InputError({fmt::format("unknown value '{}' of --pairs", word),
                    "it says which pairs to list", suggest(word, valid)});
}

/// Every class of the machine with the pair that needs the fewest ranks.
std::vector<report::TopoHop> hops_of(const placement::Topology& topology,
                                     const placement::Plan& covering) {
  std::vector<report::TopoHop> hops;
  for (const placement::HopCount& count : count_pairs(topology)) {
    hops.push_back(
        {count.pairs, *std::ranges::find(covering.covered, count.hop, &placement::HopPair::hop)});
  }
  return hops;
}

report::TopoView view_of(placement::Topology topology, const TopoOptions& options) {
  const placement::Plan covering = make_plan(topology, ranks_to_cover_all(topology));
  report::TopoView view;
  view.hops = hops_of(topology, covering);
  if (options.pairs == "all") view.pairs = all_pairs(topology);
  view.plan = options.ranks ? make_plan(topology, *options.ranks) : covering;
  view.topology = std::move(topology);
  return view;
}

ExitCode run_topo(const TopoOptions& options) {
  const campaign::Output output(options.output);
  if (options.network.is_requested) {
    return show_network(options.network, output, options.output.command({"--out"}));
  }
  check_pairs_word(options.pairs);
  const report::TopoView view = view_of(read_topology(options), options);
  const auto print = [&](std::ostream& out) { print_topo(out, view); };
  const auto summary = [&] {
    return report::Screen{.answer = report::lines_printed(print),
                          .verdict = report::topo_verdict(view)};
  };
  output.show({.summary = summary,
               .tables = print,
               .document = [&] { return topo_json(view); },
               .csv =
                   [&](std::ostream& out) {
                     report::write_csv(out, view.pairs.empty() ? report::view_of(view.hops)
                                                               : report::view_of(view.pairs));
                   },
               .page =
                   [&] {
                     return page_of("Hop classes of a node", "topology",
                                    report::with_summary(topo_json(view), summary()),
                                    options.output.command({}));
                   }});
  return ExitCode::good;
}

void add_options(CommandLine& app, TopoOptions& options) {
  const CommandOption xml = app.add_option("--xml", options.xml, "Machine in a file lstopo wrote")
                                .type_name("FILE")
                                .default_str("none: this machine");
  app.add_option("--synthetic", options.synthetic, "Machine as a hwloc text: 'pack:2 core:4'")
      .type_name("TEXT")
      .default_str("none: this machine")
      .excludes(xml);
  app.add_option("--ranks", options.ranks, "Ranks to place on the node")
      .type_name("N")
      .default_str("the fewest that show every hop class");
  app.add_option("--pairs", options.pairs, "Pairs to list: representative or all")
      .type_name(type_of_choice({"representative", "all"}))
      .capture_default_str();
  add_output_options(app, options.output, {.file = false, .page = true});
  add_under(app, "Between nodes", [&] { add_network_options(app, options.network); });
}

}  // namespace

void add_topo(CommandLine& driver, Action& chosen) {
  add_command<TopoOptions>(
      driver, chosen, "topo",
      "List hop classes and representative pairs of this or a described machine, or of a network",
      add_options, run_topo,
      {.examples = {{"hockney topo", "hop classes of this machine"},
                    {"hockney topo --synthetic 'pack:2 core:4 pu:2' --pairs all",
                     "of a machine that is described"},
                    {"hockney topo --network topology.conf", "hop classes between nodes"}}});
}

}  // namespace hockney::driver
