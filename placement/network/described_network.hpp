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

/// A text that describes a network, and the file or command that it came from.
struct NetworkText {
  std::string_view text;
  std::string name;
};

/// The lines of a text that say something: without those that `#` begins, blanks at their ends and
/// carriage returns.
class NumberedLines {
 public:
  explicit NumberedLines(const NetworkText& text) : name_(text.name), rest_(text.text) {}

  /// Moves to the next line; false at the end. InputError for one with the character NUL.
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

/// The words of a line, between blanks.
std::vector<std::string> words_of_line(std::string_view line);

/// What a reader left out of a network and why, and what it chose where a description allows more
/// than one answer.
class NetworkNotes {
 public:
  /// Counts one more thing. All with the same noun and reason are one line, which names the first
  /// three: "2 blocks without nodes: rackB, rackC".
  void leave_out(const std::string& noun, const std::string& reason, const std::string& name) {
    count("left out: ", noun, reason, name);
  }
  /// The same of what counts, though in a way that a reader of the network should know.
  void mention(const std::string& noun, const std::string& reason, const std::string& name) {
    count("", noun, reason, name);
  }
  /// A sentence about the whole network.
  void remark(std::string line) { remarks_.push_back(std::move(line)); }

  /// Remarks first, then a line for each kind; control characters are escaped.
  [[nodiscard]] std::vector<std::string> lines() const;

 private:
  struct Kind {
    std::string label;
    std::string noun;
    std::string reason;
    std::size_t count = 0;
    std::vector<std::string> names;  ///< of the first few
  };
  void count(const std::string& label, const std::string& noun, const std::string& reason,
             const std::string& name);

  std::vector<std::string> remarks_;
  std::vector<Kind> kinds_;
};

/// A network as one source describes it.
struct DescribedNetwork {
  SiteFile sites;
  std::vector<std::string> notes{};  ///< NetworkNotes::lines
};

/// InputError of a description in which no host is left: its first note is the reason, or `why`
/// where there is none.
[[noreturn]] void reject_network(const std::string& problem, const NetworkNotes& notes,
                                 const std::string& why, const std::string& suggestion);

/// The coordinates of hosts as a source tells them: for each host its sites, near to far, as many
/// for each as `levels`.
struct NestedSites {
  std::vector<std::string> levels;
  std::map<std::string, std::vector<std::string>> of_host;
};

/// "switch", "group", "level-3", "level-4" and so on, for sources that number their levels.
std::vector<std::string> level_names(std::size_t levels, std::string_view nearest = "switch");

/// Without the levels that tell nothing apart: all hosts are at one site there, or at as many sites
/// as on the level below.
SiteFile sites_of(const NestedSites& raw, const SiteOrigin& origin);

/// Whether a site file can hold the name of this host.
bool is_host_name(std::string_view name);

/// The switches that each host is connected to, of one level of a network.
using SwitchesOfHosts = std::map<std::string, std::set<std::string>>;

/// Switches that serve the same hosts, such as those of the rails of a cluster or the two of a
/// redundant pair, are one site.
struct SwitchGroups {
  std::map<std::string, std::string> site_of_host;
  std::map<std::string, std::vector<std::string>> switches;  ///< of each site
};

/// Two switches are one site where at least half of all hosts have several switches, and most of
/// those that have one of the two have the other too: one rail that is down moves no host. A host
/// whose switches are at several sites, such as a login node with a cable to each half of a
/// cluster, counts at the site with the most hosts, and `notes` name it; `level` is what a site is
/// called there. Hosts without a switch are
/// at no site.
SwitchGroups group_switches(const SwitchesOfHosts& hosts, NetworkNotes& notes,
                            const std::string& level = "switch");

/// A hop class of a network, how many pairs of hosts are in it, and one of them.
struct ClassPairs {
  std::string hop;
  std::size_t pairs = 0;
  std::string first;
  std::string second;

  friend bool operator==(const ClassPairs&, const ClassPairs&) = default;
};

/// The classes that pairs of hosts have, near to far, as network_hops orders them. Takes as long as
/// there are pairs of places, not of hosts.
std::vector<ClassPairs> class_pairs(const SiteFile& sites);

/// How many sites each level has, in the order of the levels.
std::vector<std::size_t> sites_of_levels(const SiteFile& sites);

}  // namespace hockney::placement
