#include "placement/network/sources.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <system_error>
#include <utility>

#include "core/error.hpp"
#include "core/json_node.hpp"
#include "core/text.hpp"
#include "placement/network/described_network.hpp"
#include "placement/network/infiniband.hpp"
#include "placement/network/lldp.hpp"
#include "placement/network/node_addresses.hpp"
#include "placement/network/slurm_topology.hpp"

namespace hockney::placement {
namespace {

namespace fs = std::filesystem;

SiteOrigin reported_by(NetworkSource source, const std::string& detail) {
  return {.source = std::string(word(source)), .detail = detail, .inferred = false};
}

std::string text_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    throw InputError(
        {fmt::format("cannot read '{}'", escaped(file)), "it is missing or not a file",
         "name a description of a network, or a source: " + join(valid_words<NetworkSource>())});
  }
  return {std::istreambuf_iterator<char>(in), {}};
}

FoundNetwork found(DescribedNetwork network) {
  return {.sites = std::move(network.sites), .notes = std::move(network.notes)};
}

enum class TextFormat { slurm_lines, slurm_yaml, infiniband, lldp, cray, slurm_address };

bool is_one_of(std::string_view word, const std::vector<std::string_view>& words) {
  return std::ranges::count(words, word) > 0;
}

/// The first word of a line, which is the key in many formats, and the next character after blanks.
struct KeyOfLine {
  std::string key;  ///< in lower case, without quotes
  char after = '\0';
  bool has_blanks = false;
};

KeyOfLine key_of(std::string_view line) {
  const std::size_t end = std::min(line.find_first_of(" \t=:"), line.size());
  const std::size_t next = std::min(line.find_first_not_of(" \t", end), line.size());
  std::string key(line.substr(0, end));
  std::ranges::transform(key, key.begin(), [](unsigned char at) { return std::tolower(at); });
  std::erase(key, '"');
  return {std::move(key), next < line.size() ? line[next] : '\0', next > end};
}

bool is_slurm_line(const KeyOfLine& line) {
  const std::vector<std::string_view> keys{"switchname",      "blockname", "blocksizes",
                                           "aggregatedblock", "ringname",  "torusname"};
  return (is_one_of(line.key, keys) && line.after == '=') ||
         (line.key == "include" && line.has_blanks);
}

bool is_fabric_line(const KeyOfLine& line) {
  const bool is_fact =
      is_one_of(line.key, {"vendid", "devid", "sysimgguid", "switchguid", "caguid"});
  const bool is_node = is_one_of(line.key, {"switch", "ca", "rt"}) && line.has_blanks;
  return (is_fact && line.after == '=') || (is_node && line.after != ':');
}

bool is_yaml_line(const KeyOfLine& line) {
  const std::vector<std::string_view> keys{"topology", "cluster_default", "tree", "block",
                                           "ring",     "torus3d"};
  return (line.key == "-" && line.has_blanks) || (is_one_of(line.key, keys) && line.after == ':');
}

/// The format that a line shows; nullopt if it shows none.
std::optional<TextFormat> format_of(std::string_view line) {
  const KeyOfLine key = key_of(line);
  if (is_slurm_line(key)) return TextFormat::slurm_lines;
  if (is_fabric_line(key)) return TextFormat::infiniband;
  if (is_yaml_line(key)) return TextFormat::slurm_yaml;
  if (key.key.starts_with("lldp.") && key.after == '=') return TextFormat::lldp;
  const std::vector<std::string> words = words_of_line(line);
  if (std::ranges::any_of(words, [](const auto& each) { return cray_place(each).has_value(); })) {
    return TextFormat::cray;
  }
  const bool is_address =
      words.size() >= 3 && (words.back() == "node" || words.back().ends_with(".node"));
  return is_address ? std::optional(TextFormat::slurm_address) : std::nullopt;
}

/// Reads a file of an include line from the folder of the including file.
IncludedText files_beside(const std::string& path) {
  return [folder = fs::path(path).parent_path()](const std::string& name) {
    std::ifstream in(folder / name, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    return in.is_open() && !in.bad() ? std::optional(std::move(text)) : std::nullopt;
  };
}

/// The first line that shows the format decides; the format's reader handles lines before it, such
/// as warnings.
DescribedNetwork read_text(const NetworkText& text, const NetworkChoice& choice) {
  std::optional<TextFormat> format;
  NumberedLines lines(text);
  while (!format && lines.next()) format = format_of(lines.line());
  if (!format) {
    NumberedLines first(text);
    first.next();
    throw first.error("no description of a network that is known",
                      "it is none of Slurm's, of ibnetdiscover, of lldpctl, no names of a Cray's "
                      "nodes and no hockney.sites/1",
                      "docs/how-to/place-ranks.md shows them");
  }
  switch (*format) {
    case TextFormat::slurm_lines:
      return read_slurm_topology(text, files_beside(text.name));
    case TextFormat::slurm_yaml:
      return read_slurm_yaml(text, choice.topology);
    case TextFormat::infiniband:
      return sites_of(read_ibnetdiscover(text), choice.hosts,
                      reported_by(NetworkSource::infiniband, text.name), choice.interface);
    case TextFormat::lldp:
      return sites_of({{fs::path(text.name).stem().string(), read_lldp_lines(text)}},
                      reported_by(NetworkSource::lldp, text.name), {}, choice.interface);
    case TextFormat::cray:
      return read_cray_names(text);
    case TextFormat::slurm_address:
      break;
  }
  return read_slurm_addresses(text);
}

/// Whether a file's name fits a folder of lldpctl output: <host>.json, or <host>.txt.
bool is_lldp_name(const fs::path& file) {
  return file.extension() == ".json" || file.extension() == ".txt";
}

/// Whether a file has output of lldpctl; nullopt if that is unclear or the file cannot be read. In
/// that case the reader of the folder names its host.
std::optional<bool> prints_of_lldp(const std::string& file) {
  try {
    if (fs::path(file).extension() == ".txt") {
      return text_of(file).starts_with("lldp.") ? std::optional(true) : std::nullopt;
    }
    const JsonNode document = load_json(file);
    if (!document.is_object()) return std::nullopt;
    if (document.find("lldp")) return true;
    return document.find("schema") ? std::optional(false) : std::nullopt;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

/// The neighbours of one host, from output of lldpctl.
std::vector<LldpNeighbour> load_lldp(const std::string& file) {
  if (fs::path(file).extension() == ".json") return read_lldp(load_json(file));
  return read_lldp_lines({text_of(file), file});
}

/// The network from a folder with lldpctl output of each host.
DescribedNetwork read_lldp_folder(const std::string& folder, const std::string& interface) {
  LldpHosts hosts;
  NetworkNotes notes;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (!is_lldp_name(entry.path())) continue;
    const std::string host = entry.path().stem().string();
    try {
      hosts[host] = load_lldp(entry.path().string());
    } catch (const InputError& error) {
      notes.leave_out("host", "without readable output of lldpctl (place unknown)",
                      fmt::format("{} ({})", host, error.what()));
    }
  }
  if (hosts.empty()) {
    throw InputError({fmt::format("no network in the folder '{}'", escaped(folder)),
                      "it has neither records nor <host>.json or <host>.txt of lldpctl",
                      "name a folder of records, or gather lldpctl -f json of every host"});
  }
  return sites_of(hosts, reported_by(NetworkSource::lldp, folder), std::move(notes), interface);
}

DescribedNetwork read_json_network(const std::string& path, const std::string& interface) {
  const JsonNode document = load_json(path);
  if (document.is_object() && document.find("lldp")) {
    const std::string host = fs::path(path).stem().string();
    return sites_of({{host, read_lldp(document)}}, reported_by(NetworkSource::lldp, path), {},
                    interface);
  }
  SiteFile sites = read_sites(document);
  if (!sites.origin) sites.origin = reported_by(NetworkSource::sites, path);
  return {.sites = std::move(sites)};
}

std::vector<std::string> words_for(NetworkSource source) {
  if (source == NetworkSource::slurm_topology) return {"scontrol", "show", "topology"};
  return {"ibnetdiscover"};
}

/// The lines of /etc/hosts with places of Cray nodes.
std::string cray_lines(const std::string& hosts) {
  std::string kept;
  NumberedLines lines({hosts, "/etc/hosts"});
  while (lines.next()) {
    const auto words = words_of_line(lines.line());
    const bool has_place = std::ranges::any_of(
        words, [](const std::string& each) { return cray_place(each).has_value(); });
    if (has_place) kept += fmt::format("{}\n", lines.line());
  }
  return kept;
}

/// Queries a source; InputError with the reason first if it has no network.
DescribedNetwork query(NetworkSource source, const Machine& machine) {
  if (source == NetworkSource::cray) {
    std::ifstream in(machine.root + "/etc/hosts");
    const std::string text = cray_lines({std::istreambuf_iterator<char>(in), {}});
    if (text.empty()) throw InputError({"/etc/hosts names no places of a Cray's nodes", "", ""});
    return read_cray_names({text, "/etc/hosts"});
  }
  const std::vector<std::string> command = words_for(source);
  const auto said = machine.output_of(command);
  if (!said) throw InputError({command.front() + " is not here, or fails", "", ""});
  const NetworkText text{*said, join(command, " ")};
  if (source == NetworkSource::slurm_topology) return read_slurm_topology(text);
  return sites_of(read_ibnetdiscover(text), {}, reported_by(source, text.name));
}

/// Why a source is not queried here by default.
std::optional<std::string> why_not_unasked(NetworkSource source, const Machine& machine) {
  if (source == NetworkSource::slurm_topology && !machine.is_in_job) {
    return "this is no job of Slurm";
  }
  const bool has_fabric = fs::exists(machine.root + "/sys/class/infiniband");
  if (source == NetworkSource::infiniband && !has_fabric) {
    return "this machine has no InfiniBand adapter";
  }
  return std::nullopt;
}

/// Why a source cannot be queried from one node; nullopt if it can.
std::optional<std::string> why_not_here(NetworkSource source) {
  switch (source) {
    case NetworkSource::slurm_address:
      return "it has one node; launches collect it from all nodes";
    case NetworkSource::lldp:
      return "it has one node; name a folder with lldpctl -f json of each";
    case NetworkSource::sites:
      return "no file is named";
    case NetworkSource::latencies:
      return "no records are named";
    case NetworkSource::slurm_topology:
    case NetworkSource::infiniband:
    case NetworkSource::cray:
      break;
  }
  return std::nullopt;
}

/// Each host of the records once, from its first record.
std::vector<Host> hosts_in(const std::vector<Record>& records) {
  std::vector<Host> hosts;
  for (const Record& record : records) {
    for (const Host& host : record.provenance.hosts) {
      if (std::ranges::count(hosts, host.name, &Host::name) == 0) hosts.push_back(host);
    }
  }
  return hosts;
}

/// A required fact of a host.
const std::string& fact(const Host& host, const std::string& name) {
  const auto found = host.network.find(name);
  if (found != host.network.end()) return found->second;
  throw InputError({fmt::format("host '{}' did not report it", escaped(host.name)), "", ""});
}

SiteFile reported_by_hosts(NetworkSource source, const std::vector<Host>& hosts,
                           const std::string& name) {
  if (source == NetworkSource::slurm_address) {
    std::vector<SlurmAddress> addresses;
    addresses.reserve(hosts.size());
    for (const Host& host : hosts) {
      addresses.push_back({host.name, fact(host, "slurm_address"), fact(host, "slurm_pattern")});
    }
    return sites_of(addresses, reported_by(source, name));
  }
  std::vector<CrayNode> nodes;
  nodes.reserve(hosts.size());
  for (const Host& host : hosts) nodes.push_back({host.name, fact(host, "cray_name")});
  return sites_of(nodes, reported_by(source, name));
}

}  // namespace

std::optional<FoundNetwork> query_machine(const Machine& machine, std::vector<UnusedSource>& unused,
                                          std::optional<NetworkSource> only) {
  for (std::size_t i = 0; i < enum_words<NetworkSource>.size(); ++i) {
    const auto source = static_cast<NetworkSource>(i);
    if (only && source != *only) continue;
    auto why = why_not_here(source);
    if (!why && !only) why = why_not_unasked(source, machine);
    if (why) {
      unused.push_back({source, *why});
      continue;
    }
    try {
      FoundNetwork network = found(query(source, machine));
      network.unused = unused;
      return network;
    } catch (const InputError& error) {
      unused.push_back({source, error.what()});
    }
  }
  return std::nullopt;
}

bool is_lldp_folder(const std::string& folder) {
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    if (!is_lldp_name(entry.path())) continue;
    const auto is_lldp = prints_of_lldp(entry.path().string());
    if (is_lldp) return *is_lldp;
  }
  return false;
}

HostsOfGuids load_guid_lines(const std::string& file) {
  return read_guid_lines({text_of(file), file});
}

HostsOfGuids hosts_of_guids(const std::vector<Record>& records) {
  HostsOfGuids known;
  for (const Host& host : hosts_in(records)) {
    const auto guids = host.network.find("infiniband_guids");
    if (guids == host.network.end()) continue;
    for (const std::string& guid : words_of_line(guids->second)) known[guid] = host.name;
  }
  return known;
}

FoundNetwork read_network(const std::string& path, const NetworkChoice& choice) {
  if (fs::is_directory(path)) return found(read_lldp_folder(path, choice.interface));
  const std::string text = text_of(path);
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin != std::string::npos && text[begin] == '{') {
    return found(read_json_network(path, choice.interface));
  }
  return found(read_text({text, path}, choice));
}

FoundNetwork network_of(const std::vector<Record>& records, const std::string& name) {
  const std::vector<Host> hosts = hosts_in(records);
  std::vector<UnusedSource> unused;
  for (const NetworkSource source : {NetworkSource::slurm_address, NetworkSource::cray}) {
    try {
      if (hosts.empty()) throw InputError({"the records name no hosts", "", ""});
      return {.sites = reported_by_hosts(source, hosts, name), .unused = unused};
    } catch (const InputError& error) {
      unused.push_back({source, error.what()});
    }
  }
  InferredSites guess = infer_sites(host_latencies(records), name);
  SiteFile sites = guess.sites;
  return {.sites = std::move(sites), .guess = std::move(guess), .unused = std::move(unused)};
}

}  // namespace hockney::placement
