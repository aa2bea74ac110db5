#include "core/site_file.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>

#include "core/error.hpp"
#include "core/json_fields.hpp"
#include "core/record_json.hpp"
#include "core/text.hpp"

namespace hockney {
namespace {

class HostList {
 public:
  explicit HostList(std::string_view text) : text_(text) {}

  std::vector<std::string> hosts() {
    std::vector<std::string> all;
    for (const std::string_view name : parts(text_)) {
      for (std::string& host : names_of(name)) all.push_back(std::move(host));
      check_count(all.size());
    }
    return all;
  }

 private:
  [[noreturn]] void reject(const std::string& why, const std::string& suggestion) const {
    throw HostListError({fmt::format("the hosts '{}'", text_), why, suggestion});
  }

  void check_count(std::size_t count) const {
    if (count <= most_hosts) return;
    reject(fmt::format("they are more than {}", most_hosts), "check the numbers");
  }

  /// Splits at commas outside of brackets.
  [[nodiscard]] std::vector<std::string_view> parts(std::string_view text) const {
    std::vector<std::string_view> found;
    bool inside = false;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
      const char at = i < text.size() ? text[i] : ',';
      if (at == (inside ? '[' : ']')) reject("a bracket has no partner", "write \"nid[0-3]\"");
      if (at == '[') inside = true;
      if (at == ']') inside = false;
      if (at != ',' || (inside && i < text.size())) continue;
      if (inside) reject("a bracket has no partner", "write \"nid[0-3]\"");
      if (i == begin) reject("a name is missing", "separate names by single commas");
      found.push_back(text.substr(begin, i - begin));
      begin = i + 1;
    }
    return found;
  }

  [[nodiscard]] std::vector<std::string> names_of(std::string_view name) const {
    const std::size_t open = name.find('[');
    if (open == std::string_view::npos) return {std::string(name)};
    const std::size_t close = name.find(']', open);
    const std::vector<std::string> numbers = numbers_of(name.substr(open + 1, close - open - 1));
    const std::string_view rest = name.substr(close + 1);
    const std::vector<std::string> ends =
        rest.empty() ? std::vector<std::string>{""} : names_of(rest);
    check_count(numbers.size() * ends.size());
    std::vector<std::string> names;
    names.reserve(numbers.size() * ends.size());
    for (const std::string& number : numbers) {
      for (const std::string& end : ends) {
        names.push_back(fmt::format("{}{}{}", name.substr(0, open), number, end));
      }
    }
    return names;
  }

  /// "1-3,07" to "1", "2", "3", "07".
  [[nodiscard]] std::vector<std::string> numbers_of(std::string_view ranges) const {
    std::vector<std::string> numbers;
    for (const std::string_view range : parts(ranges)) {
      const std::size_t dash = range.find('-');
      const std::string_view first = range.substr(0, dash);
      const std::string_view last = dash == std::string_view::npos ? first : range.substr(dash + 1);
      const std::int64_t low = number(first);
      const std::int64_t high = number(last);
      if (high < low) {
        reject("they end before they begin", "write the first number before the last");
      }
      check_count(static_cast<std::size_t>(high - low) + 1 + numbers.size());
      for (std::int64_t i = low; i <= high; ++i) {
        numbers.push_back(fmt::format("{:0{}}", i, first.size()));
      }
    }
    return numbers;
  }

  [[nodiscard]] std::int64_t number(std::string_view digits) const {
    constexpr std::size_t most_digits = 18;  // of any 64-bit integer
    const bool is_number = !digits.empty() && std::ranges::all_of(digits, [](char at) {
      return at >= '0' && at <= '9';
    });
    if (!is_number) reject("a range is written \"nid[0-3]\"", "write the numbers of hosts");
    if (digits.size() > most_digits) reject("a number is too long", "check the numbers");
    return as_number<std::int64_t>(digits).value_or(0);
  }

  std::string_view text_;
};

constexpr std::string_view site_schema = "hockney.sites/1";

constexpr int most_links = 1000;  ///< between two switches

std::vector<std::string> hosts_of(const JsonNode& node) {
  try {
    return expand_hosts(node.text());
  } catch (const HostListError& error) {
    node.reject("has " + error.message.problem, error.message.why, error.message.suggestion);
  }
}

void add(SiteFile& file, const JsonNode& entry) {
  entry.allow_only({"hosts", "sites"});
  const std::vector<std::string> sites = entry.at("sites").texts();
  if (sites.size() != file.levels.size()) {
    entry.at("sites").reject(fmt::format("has {} sites", sites.size()),
                             fmt::format("the file has {} levels", file.levels.size()),
                             "give one site for each level");
  }
  for (const std::string& host : hosts_of(entry.at("hosts"))) {
    if (!file.sites.emplace(host, sites).second) {
      entry.at("hosts").reject(fmt::format("lists '{}' again", host), "a host is in one place",
                               "list it once");
    }
    file.hosts.push_back(host);
  }
}

std::set<std::string> last_sites(const SiteFile& file) {
  std::set<std::string> last;
  for (const auto& [host, sites] : file.sites) {
    if (!sites.empty()) last.insert(sites.back());
  }
  return last;
}

void add_hops(SiteFile& file, const JsonNode& node) {
  const std::set<std::string> known = last_sites(file);
  const auto require_site = [&](const JsonNode& where, const std::string& site) {
    if (known.contains(site)) return;
    where.reject(fmt::format("names '{}'", site), "no host is there",
                 "name sites of the last level");
  };
  for (const auto& [from, others] : node.members()) {
    require_site(node, from);
    for (const auto& [to, links] : others.members()) {
      require_site(others, to);
      if (to <= from) {
        others.reject(fmt::format("names '{}'", to), "a pair of sites is written once",
                      "put it below the one that comes first in the alphabet");
      }
      const int number = positive_integer(links);
      if (number > most_links) reject_excess(links, most_links);
      file.hops[from][to] = number;
    }
  }
}

/// Links between two sites of the last level; nullopt if they are not counted.
std::optional<int> links_between(const SiteFile& file, const std::string& one,
                                 const std::string& other) {
  const auto from = file.hops.find(std::min(one, other));
  if (from == file.hops.end()) return std::nullopt;
  const auto to = from->second.find(std::max(one, other));
  return to == from->second.end() ? std::nullopt : std::optional(to->second);
}

std::string hop_word(int links) {
  return fmt::format("{}{}", links, links == 1 ? "-hop" : "-hops");
}

/// The sites of a host; nullptr for an unknown one.
const std::vector<std::string>* find_sites(const SiteFile& file, const std::string& host) {
  // Hosts often report their full names, while files have the short ones.
  for (const std::string& name : {host, host.substr(0, host.find('.'))}) {
    const auto found = file.sites.find(name);
    if (found != file.sites.end()) return &found->second;
  }
  return nullptr;
}

}  // namespace

std::vector<std::string> expand_hosts(std::string_view list) { return HostList(list).hosts(); }

SiteFile read_sites(const JsonNode& document) {
  document.allow_only({"schema", "description", "levels", "places", "hops", "origin", "summary"});
  document.require_schema(site_schema, "name a file of sites");
  SiteFile file{.levels = document.at("levels").texts(), .hosts = {}, .sites = {}};
  for (const JsonNode& entry : document.at("places").elements()) add(file, entry);
  if (const auto hops = document.find("hops")) add_hops(file, *hops);
  if (const auto origin = document.find("origin")) file.origin = read_value<SiteOrigin>(*origin);
  return file;
}

SiteFile load_sites(const std::string& file) { return read_sites(load_json(file)); }

nlohmann::json to_json(const SiteFile& sites) {
  nlohmann::json document{
      {"schema", site_schema}, {"levels", sites.levels}, {"places", nlohmann::json::array()}};
  nlohmann::json& places = document["places"];
  for (const std::string& host : sites.hosts) {
    const auto& where = sites.sites.at(host);
    if (places.empty() || places.back()["sites"] != where) {
      places.push_back({{"hosts", host}, {"sites", where}});
    } else {
      places.back()["hosts"].get_ref<std::string&>().append(",").append(host);
    }
  }
  if (!sites.hops.empty()) document["hops"] = sites.hops;
  if (sites.origin) document["origin"] = *sites.origin;
  return document;
}

const std::vector<std::string>& sites_of(const SiteFile& file, const std::string& host) {
  if (const auto* found = find_sites(file, host)) return *found;
  throw InputError({fmt::format("the site file does not have host '{}'", host),
                    fmt::format("it lists {} hosts", file.hosts.size()),
                    "add it, or check how the hosts are spelt"});
}

bool has_host(const SiteFile& sites, const std::string& host) {
  return find_sites(sites, host) != nullptr;
}

std::string network_hop(const SiteFile& sites, const std::string& host, const std::string& other) {
  if (host == other) return "same-node";
  const auto& own = sites_of(sites, host);
  const auto& theirs = sites_of(sites, other);
  for (std::size_t level = 0; level < own.size(); ++level) {
    if (own[level] == theirs[level]) return "same-" + sites.levels[level];
  }
  if (sites.levels.empty()) return "cross-node";
  const auto links = links_between(sites, own.back(), theirs.back());
  return links ? hop_word(*links) : "other-" + sites.levels.back();
}

std::vector<std::string> network_hops(const SiteFile& sites) {
  if (sites.levels.empty()) return {"cross-node"};
  auto hops = strings_of(sites.levels, [](const std::string& level) { return "same-" + level; });
  std::set<int> counted;
  std::size_t pairs = 0;
  for (const auto& [from, others] : sites.hops) {
    for (const auto& [to, links] : others) counted.insert(links);
    pairs += others.size();
  }
  for (const int links : counted) hops.push_back(hop_word(links));
  const std::size_t ends = last_sites(sites).size();
  if (counted.empty() || pairs < ends * (ends - 1) / 2) {
    hops.push_back("other-" + sites.levels.back());
  }
  return hops;
}

void name_network_hops(std::vector<Record>& records, const SiteFile& sites) {
  for (Record& record : records) {
    std::map<int, std::string> hosts;
    for (const RankPlace& rank : record.ranks) hosts[rank.rank] = rank.host;
    const auto name = [&](Point& point) {
      const bool crosses = point.pair.size() == 2 && point.hop == "cross-node";
      if (!crosses || !hosts.contains(point.pair[0]) || !hosts.contains(point.pair[1])) return;
      point.hop = network_hop(sites, hosts[point.pair[0]], hosts[point.pair[1]]);
    };
    for (Series& series : record.series) name(series.point);
    for (PlannedPoint& planned : record.points.own()) name(planned.point);
  }
}

}  // namespace hockney
