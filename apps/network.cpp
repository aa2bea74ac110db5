#include "apps/network.hpp"

#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "campaign/app/network_here.hpp"
#include "core/atomic_file.hpp"
#include "core/json_values.hpp"
#include "core/record_file.hpp"
#include "placement/network/sources.hpp"
#include "report/screens/network.hpp"

namespace hockney::apps {
namespace {

constexpr const char* any_source = "any";

/// A record, or a folder of them.
bool holds_records(const std::string& path) {
  namespace fs = std::filesystem;
  if (fs::is_directory(path)) return !placement::is_lldp_folder(path);
  if (fs::path(path).extension() == ".cbor") return true;
  if (fs::path(path).extension() != ".json" || !fs::exists(path)) return false;
  const JsonNode document = load_json(path);
  const auto schema = document.is_object() ? document.find("schema") : std::nullopt;
  return schema && schema->is_text() && schema->text() == record_schema;
}

/// Hosts by GUIDs, of records or of lines that a person wrote.
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

/// The source and what chooses in it, for a command that does the same again.
std::string asked_words(const NetworkOptions& options) {
  std::string words = options.source;
  const auto add = [&](const char* option, const std::optional<std::string>& value) {
    if (value) words += std::string(" ") + option + " " + *value;
  };
  add("--guids", options.guids);
  add("--topology", options.topology);
  add("--interface", options.interface);
  return words;
}

report::NetworkView view_of(const NetworkOptions& options) {
  report::NetworkView view{.found = {}, .unused = {}, .asked = asked_words(options)};
  const auto source = find_word<placement::NetworkSource>(options.source);
  if (options.source.empty() || source) {
    view.found = ask_machine(campaign::this_machine(), view.unused, source);
  } else {
    view.found = network_in(options);
    view.unused = view.found->unused;
  }
  return view;
}

void write_site_file(const std::string& file, const report::NetworkView& view) {
  if (!view.found) {
    throw InputError({"no site file can be written to '" + inert(file) + "'",
                      "nothing tells where hosts are in the network",
                      "name a source with --network SOURCE"});
  }
  write_atomically(file, json_text(to_json(view.found->sites)) + "\n");
  std::cerr << "site file written: " << inert(file) << '\n';
}

}  // namespace

void add_network_options(CLI::App& app, NetworkOptions& options) {
  CLI::Option* network = app.add_option_function<std::vector<std::string>>(
                                "--network",
                                [&options](const std::vector<std::string>& words) {
                                  options.is_asked = true;
                                  if (!words.empty() && words.front() != any_source)
                                    options.source = words.front();
                                },
                                "Hop classes between nodes: from a file (scontrol show topology, "
                                "topology.conf or .yaml, ibnetdiscover, a site file), a folder "
                                "with lldpctl -f json of each host as HOST.json, records, a source "
                                "by its name (" +
                                    join(valid_words<placement::NetworkSource>()) +
                                    "), or the first source that tells anything")
                             ->type_name("SOURCE")
                             ->expected(0, 1)
                             ->default_str(any_source);
  app.add_option("--guids", options.guids,
                 "Hosts by the GUIDs of their InfiniBand adapters: records, or a file of lines "
                 "'HOST GUID'")
      ->type_name("FILE")
      ->needs(network)
      ->default_str("none: hosts are what adapters call themselves");
  app.add_option("--topology", options.topology, "Name of one topology of Slurm's topology.yaml")
      ->type_name("NAME")
      ->needs(network)
      ->default_str("the cluster's default");
  app.add_option("--interface", options.interface,
                 "Interface on which hosts hear their switches by LLDP, several with commas")
      ->type_name("NAME")
      ->needs(network)
      ->default_str("the fastest, or those whose switches part the hosts");
  tried_first(app.add_option("-o,--out", options.output, "File for the sites, which --sites reads"))
      ->type_name("FILE")
      ->needs(network)
      ->default_str("none");
  add_screen_options(app, options.screen);
  for (const char* option : {"--all", "--quiet"}) app.get_option(option)->needs(network);
}

ExitCode show_network(const NetworkOptions& options, bool json) {
  const report::NetworkView view = view_of(options);
  if (options.output) write_site_file(*options.output, view);
  if (json) {
    std::cout << json_text(report::to_json(view)) << '\n';
    return ExitCode::good;
  }
  show_screen(
      std::cout, options.screen, [&] { return report::screen_of(view); },
      [&](std::ostream& out) { report::print_network_table(out, view); });
  return ExitCode::good;
}

}  // namespace hockney::apps
