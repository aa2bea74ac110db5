#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/site_file.hpp"

namespace hockney::placement {

/// A text that describes a network, and its file or command.
struct NetworkText {
  std::string_view text;
  std::string name;
};

/// The lines of a text without comments (`#`) and empty lines. Blanks and carriage returns at the
/// ends are removed.
class NumberedLines {
 public:
  explicit NumberedLines(const NetworkText& text) : name_(text.name), rest_(text.text) {}

  /// Moves to the next line; false at the end. InputError for a line with the character NUL.
  bool next();
  [[nodiscard]] std::string_view line() const { return line_; }
  [[nodiscard]] int number() const { return number_; }
  /// "<name>:<number of the line>: <problem> (<why>) <suggestion>".
  [[nodiscard]] InputError error(const std::string& problem, const std::string& why,
                                 const std::string& suggestion) const;

 private:
  std::string name_;
  std::string_view rest_;
  std::string_view line_;
  int number_ = 0;
};

/// The words of a line, separated by blanks.
std::vector<std::string> words_of_line(std::string_view line);

/// Notes of a reader: what it left out of a network and why, and its choices in ambiguous
/// descriptions.
class NetworkNotes {
 public:
  /// Counts one more item that was left out. Items with the same noun and reason form one line with
  /// the first three names: "2 blocks without nodes: rackB, rackC".
  void leave_out(const std::string& noun, const std::string& reason, const std::string& name) {
    count("left out: ", noun, reason, name);
  }
  /// Counts one more item that is used, but in a notable way.
  void mention(const std::string& noun, const std::string& reason, const std::string& name) {
    count("", noun, reason, name);
  }
  /// Adds a sentence about the whole network.
  void remark(std::string line) { remarks_.push_back(std::move(line)); }

  /// Remarks first, then a line for each kind; control characters are escaped.
  [[nodiscard]] std::vector<std::string> lines() const;

 private:
  struct Kind {
    std::string label;
    std::string noun;
    std::string reason;
    std::size_t count = 0;
    std::vector<std::string> names;  ///< the first few
  };
  void count(const std::string& label, const std::string& noun, const std::string& reason,
             const std::string& name);

  std::vector<std::string> remarks_;
  std::vector<Kind> kinds_;
};

/// The network from one source.
struct DescribedNetwork {
  SiteFile sites;
  std::vector<std::string> notes{};  ///< NetworkNotes::lines
};

/// InputError for a description without any usable host. The reason is its first note, or `why`
/// without notes.
[[noreturn]] void reject_network(const std::string& problem, const NetworkNotes& notes,
                                 const std::string& why, const std::string& suggestion);

/// The coordinates of hosts from a source. Each host has one site per level, near to far.
struct NestedSites {
  std::vector<std::string> levels;
  std::map<std::string, std::vector<std::string>> of_host;
};

/// "switch", "group", "level-3", "level-4" and so on, for sources that number their levels.
std::vector<std::string> level_names(std::size_t levels, std::string_view nearest = "switch");

/// The sites without redundant levels: upper levels with one site for all hosts, or with the same
/// sites as the level below.
SiteFile sites_of(const NestedSites& raw, const SiteOrigin& origin);

/// Whether the name is valid for a host in a site file.
bool is_host_name(std::string_view name);

/// The switches of each host on one level of a network.
using SwitchesOfHosts = std::map<std::string, std::set<std::string>>;

/// Groups of switches that serve the same hosts, such as rails or redundant pairs; each is one
/// site.
struct SwitchGroups {
  std::map<std::string, std::string> site_of_host;
  std::map<std::string, std::vector<std::string>> switches;  ///< of each site
};

/// Groups switches to sites, if at least half of all hosts have several switches. Two switches are
/// one site if most hosts of either one have both: one broken rail moves no host. A host with
/// switches at several sites, such as a login node, counts at the site with the most hosts. `notes`
/// name such hosts; `level` is the name of a site there. Hosts without a switch have no site.
SwitchGroups group_switches(const SwitchesOfHosts& hosts, NetworkNotes& notes,
                            const std::string& level = "switch");

/// Whether a switch joins hosts that other switches separate, as one for storage or management
/// does: most of its hosts have other switches too, at several sites.
bool is_common_switch(const SwitchesOfHosts& hosts, const std::string& name);

/// Removes such switches from hosts with another one. Returns their names and numbers of hosts.
std::vector<std::pair<std::size_t, std::string>> leave_out_common(SwitchesOfHosts& hosts);

/// All switches with the numbers of their hosts, most hosts first.
std::vector<std::pair<std::size_t, std::string>> switches_by_hosts(const SwitchesOfHosts& hosts);

/// Whether a text of a device or of its system names a network card with its own processor: it
/// belongs to a host and is no switch.
bool names_card(std::string_view text);

/// "n1" of "n1-bf" and "dpu_n1": a card's own name without the words for it; empty for other names.
std::string host_of_card(const std::string& name);

/// A hop class of a network, its number of host pairs, and one example pair.
struct ClassPairs {
  std::string hop;
  std::size_t pairs = 0;
  std::string first;
  std::string second;

  friend bool operator==(const ClassPairs&, const ClassPairs&) = default;
};

/// The classes of all host pairs, near to far, in the order of network_hops. Time grows with the
/// pairs of places, not of hosts.
std::vector<ClassPairs> class_pairs(const SiteFile& sites);

/// The number of sites of each level.
std::vector<std::size_t> sites_of_levels(const SiteFile& sites);

}  // namespace hockney::placement
