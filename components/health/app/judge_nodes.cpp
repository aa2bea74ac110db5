#include "components/health/app/judge_nodes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string_view>

#include "components/health/detection/calibrate.hpp"
#include "components/health/history/reading.hpp"
#include "core/point.hpp"
#include "core/quantities.hpp"

namespace hockney::health {
namespace {

constexpr float none = std::numeric_limits<float>::quiet_NaN();

constexpr const char* serial = "host.serial";  // of one node, not of a kind

std::vector<std::int64_t> days_to_read(const HistoryDatabase& database, const CheckOptions& options,
                                       std::int64_t today) {
  std::vector<std::int64_t> days = history_days(database);
  std::erase_if(days, [&](std::int64_t day) {
    return day > today || in_maintenance(day, options.maintenance);
  });
  if (days.size() > node_nights_back) {
    days.erase(days.begin(), days.end() - static_cast<std::ptrdiff_t>(node_nights_back));
  }
  return days;
}

/// Nodes over the nights, while they are being judged.
class NodeJudge {
 public:
  NodeJudge(const HistoryDatabase& database, const JudgingOptions& options, std::int64_t today)
      : database_(database),
        options_(options),
        today_(today),
        read_(read_hosts(database, days_to_read(database, options.check, today))) {
    std::map<std::map<std::string, std::string>, const Environment*> first;
    for (const Environment& environment : read_.environments) {
      std::map<std::string, std::string> facts = environment.facts;
      facts.erase(serial);
      common_[&environment] = first.try_emplace(std::move(facts), &environment).first->second;
    }
  }

  std::optional<NodesOfNight> judge() {
    std::erase_if(read_.figures, [&](const HostFigure& figure) {
      return !matches(figure.kind.name, options_.series);
    });
    const bool are_nodes = read_.hosts.size() > 1 || !missing_figures().empty();
    if (read_.figures.empty() || !are_nodes || read_.days.back() != today_) return std::nullopt;
    find_baselines();
    count_nodes();
    if (result_.judged.nodes == 0) return std::nullopt;
    for (const auto& [facts, hosts] : kinds_) judge_kind(hosts);
    if (kinds_.size() > 1) add_kinds();
    find_absent();
    sort();
    return std::move(result_);
  }

  NodeReference reference() {
    NodeReference reference{.night = day_text(today_)};
    if (read_.figures.empty() || read_.hosts.empty()) return reference;
    find_baselines();
    reference.nights = std::min(nights(), nights_of_level);
    for (const HostFigure& figure : read_.figures) {
      reference.figures.push_back(
          {.series = figure.kind.name, .unit = figure.kind.unit, .worse = figure.kind.worse});
    }
    for (const auto& [facts, hosts] : kinds_) add_kind(reference, facts, hosts);
    return reference;
  }

 private:
  using Hosts = std::vector<std::size_t>;

  [[nodiscard]] std::size_t nights() const { return read_.days.size(); }
  [[nodiscard]] std::size_t last() const { return nights() - 1; }

  [[nodiscard]] const Environment* environment(std::size_t host, std::size_t night) const {
    const std::int32_t index = read_.environment_of[read_.at(host, night)];
    return index < 0 ? nullptr : &read_.environments[static_cast<std::size_t>(index)];
  }

  /// The last known environment up to a night.
  [[nodiscard]] const Environment* environment_until(std::size_t host, std::size_t night) const {
    for (std::size_t i = night + 1; i-- > 0;) {
      if (const Environment* known = environment(host, i)) return known;
    }
    return nullptr;
  }

  /// The nights that count, and the nodes that can be compared.
  void find_baselines() {
    forget_accepted();
    find_boards();
    find_kinds();
  }

  /// Levels of the nodes of one kind, and those of the kind.
  void add_kind(NodeReference& reference, const std::map<std::string, std::string>& facts,
                const Hosts& hosts) const {
    const std::size_t index = reference.kinds.size();
    std::vector<std::vector<UsualLevel>> of_nodes(read_.figures.size());
    for (const std::size_t host : hosts) {
      ReferenceNode node{.kind = index};
      for (std::size_t figure = 0; figure < read_.figures.size(); ++figure) {
        node.levels.push_back(level_of(read_.figures[figure], host));
        if (node.levels.back()) of_nodes[figure].push_back(*node.levels.back());
      }
      reference.nodes[read_.hosts[host]] = std::move(node);
    }
    ReferenceKind& kind =
        reference.kinds.emplace_back(ReferenceKind{.facts = facts, .nodes = hosts.size()});
    for (const auto& levels : of_nodes) kind.levels.push_back(level_of_kind(levels));
  }

  /// Of the last nights_of_level nights with a value.
  [[nodiscard]] std::optional<UsualLevel> level_of(const HostFigure& figure,
                                                   std::size_t host) const {
    std::vector<double> values;
    for (std::size_t night = nights(); night-- > 0 && values.size() < nights_of_level;) {
      if (is_measured(figure, host, night)) values.push_back(figure.values[read_.at(host, night)]);
    }
    return usual_level(std::move(values), fewest_nights_of_level);
  }

  /// Leaves out nights before an accepted shift.
  void forget_accepted() {
    if (options_.check.accepted.empty()) return;
    for (HostFigure& figure : read_.figures) {
      SeriesName name = parse_series_name(figure.kind.name);
      for (std::size_t host = 0; host < read_.hosts.size(); ++host) {
        name.keys["host"] = read_.hosts[host];
        forget_before(figure, host, first_day_of(name.text()));
      }
    }
  }

  [[nodiscard]] std::int64_t first_day_of(const std::string& series) const {
    std::int64_t first = std::numeric_limits<std::int64_t>::min();
    for (const AcceptedShift& shift : options_.check.accepted) {
      if (shift.day <= today_ && matches(series, shift.series)) first = std::max(first, shift.day);
    }
    return first;
  }

  void forget_before(HostFigure& figure, std::size_t host, std::int64_t day) const {
    for (std::size_t night = 0; night < nights() && read_.days[night] < day; ++night) {
      figure.values[read_.at(host, night)] = none;
    }
  }

  /// Begins new baselines of nodes that got other hardware.
  void find_boards() {
    constexpr std::int64_t days_said = 14;
    for (std::size_t host = 0; host < read_.hosts.size(); ++host) {
      const Environment* now = environment_until(host, last());
      if (now == nullptr) continue;
      for (std::size_t night = last(); night-- > 0;) {
        const Environment* before = environment(host, night);
        if (before == nullptr || before == now || !is_other_hardware(*before, *now)) continue;
        const std::int64_t day = next_day(host, night);
        for (HostFigure& figure : read_.figures) forget_before(figure, host, day);
        if (today_ - day < days_said) {
          result_.judged.boards.push_back(
              {.host = read_.hosts[host], .day = day, .facts = hardware_changes(*before, *now)});
        }
        break;
      }
    }
  }

  /// Without facts that are known on one side only, as of another version of hockney.
  static std::vector<FactChange> hardware_changes(const Environment& before,
                                                  const Environment& now) {
    std::vector<FactChange> changes = changed_facts(before, now);
    std::erase_if(changes, [](const FactChange& change) {
      const bool is_hardware =
          change.fact == serial || !facts_of_kind({{change.fact, "known"}}).empty();
      return change.before.empty() || change.after.empty() || !is_hardware;
    });
    return changes;
  }

  static bool is_other_hardware(const Environment& before, const Environment& now) {
    return !hardware_changes(before, now).empty();
  }

  /// The first day after a night with an environment of the host.
  [[nodiscard]] std::int64_t next_day(std::size_t host, std::size_t night) const {
    for (std::size_t i = night + 1; i < nights(); ++i) {
      if (environment(host, i) != nullptr) return read_.days[i];
    }
    return today_;
  }

  void find_kinds() {
    for (std::size_t host = 0; host < read_.hosts.size(); ++host) {
      const Environment* known = environment_until(host, last());
      kinds_[known == nullptr ? std::map<std::string, std::string>() : facts_of_kind(known->facts)]
          .push_back(host);
    }
  }

  [[nodiscard]] bool is_measured(const HostFigure& figure, std::size_t host,
                                 std::size_t night) const {
    return figure.values[read_.at(host, night)] > 0;
  }

  [[nodiscard]] bool is_measured(std::size_t host, std::size_t night) const {
    return std::ranges::any_of(
        read_.figures, [&](const HostFigure& figure) { return is_measured(figure, host, night); });
  }

  void count_nodes() {
    JudgedNodes& judged = result_.judged;
    judged.nights = nights();
    for (const auto& [facts, hosts] : kinds_) {
      const auto nodes = static_cast<std::size_t>(std::ranges::count_if(
          hosts, [&](std::size_t host) { return is_measured(host, last()); }));
      judged.nodes += nodes;
      if (nodes > 0) judged.kinds.push_back({.facts = facts, .nodes = nodes});
    }
    std::ranges::stable_sort(judged.kinds, std::greater(), &NodeKind::nodes);
    for (const HostFigure& figure : read_.figures) {
      std::size_t nodes = 0;
      for (std::size_t host = 0; host < read_.hosts.size(); ++host) {
        nodes += is_measured(figure, host, last()) ? 1U : 0U;
      }
      tests_ += nodes;
      judged.figures += nodes > 0 ? 1U : 0U;
    }
  }

  /// Logarithms of a figure of these hosts; larger is worse.
  [[nodiscard]] NightTable logs_of(const HostFigure& figure, const Hosts& hosts) const {
    NightTable table{.nights = nights(), .values = {}};
    table.values.reserve(hosts.size() * nights());
    const float sign = figure.kind.worse == WorseWhen::larger ? 1 : -1;
    for (const std::size_t host : hosts) {
      for (std::size_t night = 0; night < nights(); ++night) {
        table.values.push_back(sign * std::log(figure.values[read_.at(host, night)]));
      }
    }
    return table;
  }

  /// Sites with several of these hosts, as indices into `hosts`.
  struct Site {
    std::string name;
    Hosts nodes;
  };

  [[nodiscard]] std::vector<Site> sites_of_hosts(const Hosts& hosts) const {
    std::map<std::string, Hosts> by_name;
    if (options_.sites) {
      for (std::size_t i = 0; i < hosts.size(); ++i) {
        const std::string& host = read_.hosts[hosts[i]];
        if (!has_host(*options_.sites, host)) continue;
        const std::vector<std::string>& sites = sites_of(*options_.sites, host);
        for (std::size_t level = 0; level < sites.size(); ++level) {
          by_name[options_.sites->levels[level] + " " + sites[level]].push_back(i);
        }
      }
    }
    std::vector<Site> sites;
    for (auto& [name, nodes] : by_name) {
      const bool is_part = nodes.size() > 2 && nodes.size() < hosts.size();
      if (is_part) sites.push_back({.name = name, .nodes = std::move(nodes)});
    }
    return sites;
  }

  void judge_kind(const Hosts& hosts) {
    if (hosts.size() < fewest_peers) return;
    const std::vector<Site> sites = sites_of_hosts(hosts);
    for (const HostFigure& figure : read_.figures) judge_figure(figure, hosts, sites);
  }

  void judge_figure(const HostFigure& figure, const Hosts& hosts, const std::vector<Site>& sites) {
    PeerFigure peers{.logs = logs_of(figure, hosts), .groups = {}};
    for (const Site& site : sites) peers.groups.push_back(site.nodes);
    const double rounding = 2 * figure.half_digit;
    const PeerVerdict verdict =
        judge_peers(peers, {.false_nodes_per_night = options_.fleet.false_nodes_per_night,
                            .practical = options_.fleet.practical + rounding,
                            .tests = tests_});
    for (const PeerShift& slow : verdict.slow) {
      result_.judged.slow.push_back(shift_of(figure, hosts, slow, verdict));
    }
    for (const PeerShift& outlier : verdict.outliers) {
      result_.judged.outliers.push_back(shift_of(figure, hosts, outlier, verdict));
    }
    for (const PeerShift& group : verdict.groups) add_site(figure, hosts, sites[group.node], group);
    add_modes(figure, hosts, sites, verdict);
  }

  /// A shift towards worse values as a change of the figure.
  static double change_of(const HostFigure& figure, double shift) {
    return std::expm1(figure.kind.worse == WorseWhen::larger ? shift : -shift);
  }

  static Interval change_of(const HostFigure& figure, const Interval& shift) {
    const double one = change_of(figure, shift.low);
    const double other = change_of(figure, shift.high);
    return {.low = std::min(one, other), .high = std::max(one, other), .level = shift.level};
  }

  [[nodiscard]] NodeShift shift_of(const HostFigure& figure, const Hosts& hosts,
                                   const PeerShift& shift, const PeerVerdict& verdict) const {
    const std::size_t host = hosts[shift.node];
    NodeShift node{.host = read_.hosts[host], .figure = figure.kind};
    node.value = figure.values[read_.at(host, last())];
    const double from_peers = verdict.deviations.row(shift.node).back();
    node.peers = node.value / (1 + change_of(figure, from_peers));
    node.change = change_of(figure, shift.shift);
    node.interval = change_of(figure, shift.interval);
    node.against = shift.against;
    const bool is_large = std::abs(shift.shift) >= std::log1p(options_.fleet.isolate_beyond);
    node.severity = is_large ? fleet::Severity::isolate : fleet::Severity::monitor;
    if (shift.since) {
      node.since = read_.days[*shift.since];
      node.facts = facts_since(host, *shift.since);
    }
    return node;
  }

  /// Facts of a host that changed on a night.
  [[nodiscard]] std::vector<FactChange> facts_since(std::size_t host, std::size_t night) const {
    const Environment* now = environment(host, night);
    const Environment* before = night == 0 ? nullptr : environment_until(host, night - 1);
    if (now == nullptr || before == nullptr || now == before) return {};
    return changed_facts(*before, *now);
  }

  [[nodiscard]] std::vector<std::string> names_of(const Hosts& hosts, const Hosts& nodes) const {
    std::vector<std::string> names;
    for (const std::size_t node : nodes) {
      if (is_measured(hosts[node], last())) names.push_back(read_.hosts[hosts[node]]);
    }
    return names;
  }

  void add_site(const HostFigure& figure, const Hosts& hosts, const Site& site,
                const PeerShift& shift) {
    SharedShift& shared = result_.judged.shared.emplace_back();
    shared.sharing = Sharing::site;
    shared.name = site.name;
    shared.hosts = names_of(hosts, site.nodes);
    shared.of = site.nodes.size();
    shared.figure = figure.kind;
    shared.change = change_of(figure, shift.shift);
    if (shift.since) shared.since = read_.days[*shift.since];
    shared.is_worse = shift.shift > 0;
    if (shift.since) shared.facts = facts_since(hosts[site.nodes.front()], *shift.since);
  }

  void add_modes(const HostFigure& figure, const Hosts& hosts, const std::vector<Site>& sites,
                 const PeerVerdict& verdict) {
    for (std::size_t i = 1; i < verdict.modes.size(); ++i) {
      const PeerMode& mode = verdict.modes[i];
      SharedShift& shared = result_.judged.shared.emplace_back();
      shared.sharing = Sharing::level;
      shared.hosts = names_of(hosts, mode.nodes);
      shared.of = hosts.size();
      shared.figure = figure.kind;
      shared.change = change_of(figure, mode.shift);
      if (mode.since) shared.since = read_.days[*mode.since];
      shared.is_worse = mode.shift > 0 && mode.since.has_value();
      shared.facts = facts_between(hosts, verdict.modes.front().nodes, mode.nodes);
      name_site(shared, sites, mode.nodes);
    }
  }

  /// Names the site whose nodes are those of a mode, but for a tenth.
  static void name_site(SharedShift& shared, const std::vector<Site>& sites, const Hosts& nodes) {
    const std::set<std::size_t> of_mode(nodes.begin(), nodes.end());
    for (const Site& site : sites) {
      const auto common = static_cast<std::size_t>(std::ranges::count_if(
          site.nodes, [&](std::size_t node) { return of_mode.contains(node); }));
      if (10 * common < 9 * std::max(site.nodes.size(), nodes.size())) continue;
      shared.sharing = Sharing::site;
      shared.name = site.name;
      shared.of = site.nodes.size();
      return;
    }
  }

  /// The most frequent environment of some nodes, and its share.
  [[nodiscard]] std::pair<const Environment*, double> usual_environment(const Hosts& hosts,
                                                                        const Hosts& nodes) const {
    std::map<const Environment*, std::size_t> counts;
    for (const std::size_t node : nodes) {
      const Environment* own = environment_until(hosts[node], last());
      ++counts[own == nullptr ? nullptr : common_.at(own)];
    }
    const auto most =
        std::ranges::max_element(counts, {}, [](const auto& one) { return one.second; });
    if (most == counts.end()) return {nullptr, 0};
    return {most->first, static_cast<double>(most->second) / static_cast<double>(nodes.size())};
  }

  /// Facts in which most nodes of two groups differ.
  [[nodiscard]] std::vector<FactChange> facts_between(const Hosts& hosts, const Hosts& most,
                                                      const Hosts& others) const {
    constexpr double share = 0.8;
    const auto [one, share_of_one] = usual_environment(hosts, most);
    const auto [other, share_of_other] = usual_environment(hosts, others);
    const bool are_known = one != nullptr && other != nullptr;
    if (!are_known || share_of_one < share || share_of_other < share) return {};
    std::vector<FactChange> changes = changed_facts(*one, *other);
    std::erase_if(changes, [](const FactChange& change) { return change.fact == serial; });
    return changes;
  }

  /// The median of each kind's nodes at each figure, as series.
  void add_kinds() {
    std::size_t number = 0;
    for (const auto& [facts, hosts] : kinds_) {
      ++number;
      const auto model = facts.find("host.cpu_model");
      const std::string name =
          std::to_string(number) + (model == facts.end() ? "" : ":" + model->second);
      for (const HostFigure& figure : read_.figures) add_kind(figure, hosts, name);
    }
    for (const HostFigure& figure : read_.figures) result_.replaced.push_back(figure.kind.name);
  }

  void add_kind(const HostFigure& figure, const Hosts& hosts, const std::string& kind) {
    SeriesName name = parse_series_name(figure.kind.name);
    name.keys["kind"] = kind;
    NightlySeries series{.name = name.text(),
                         .unit = figure.kind.unit,
                         .role = figure.kind.role,
                         .worse = figure.kind.worse,
                         .nights = {}};
    for (std::size_t night = 0; night < nights(); ++night) {
      std::vector<double> values;
      const Environment* usual = nullptr;
      for (const std::size_t host : hosts) {
        if (!is_measured(figure, host, night)) continue;
        values.push_back(figure.values[read_.at(host, night)]);
        if (usual == nullptr) usual = environment(host, night);
      }
      if (values.empty()) continue;
      series.nights.push_back({.day = read_.days[night],
                               .value = median_of_some(values),
                               .launches = values.size(),
                               .environment = usual == nullptr ? "" : usual->digest});
    }
    if (!series.nights.empty()) result_.kinds.push_back(std::move(series));
  }

  /// A missing figure of a host.
  struct Missing {
    std::string series;  ///< without the host
    std::string reason;
  };

  /// The first missing figure of each host.
  [[nodiscard]] std::map<std::string, Missing> missing_figures() const {
    std::map<std::string, Missing> missing;
    for (const auto& [series, reason] : absences_on(database_, today_)) {
      if (!is_of_host(series)) continue;
      missing.try_emplace(parse_series_name(series).at("host"),
                          Missing{.series = without_host(series), .reason = reason});
    }
    return missing;
  }

  /// The last night before this one, if the host was measured on most of the 7 nights before.
  [[nodiscard]] std::optional<std::size_t> last_usual_night(std::size_t host) const {
    constexpr std::size_t looked_at = 7;
    const std::size_t first = last() > looked_at ? last() - looked_at : 0;
    std::optional<std::size_t> latest;
    std::size_t nights = 0;
    for (std::size_t night = first; night < last(); ++night) {
      if (!is_measured(host, night)) continue;
      latest = night;
      ++nights;
    }
    return 2 * nights > last() - first ? latest : std::nullopt;
  }

  /// Nodes that failed, that were measured lately and are not tonight, or that lack a figure.
  void find_absent() {
    std::map<std::string, Missing> missing = missing_figures();
    find_failed(missing);
    for (std::size_t host = 0; host < read_.hosts.size(); ++host) {
      if (failed_.contains(read_.hosts[host])) continue;
      const auto known = missing.find(read_.hosts[host]);
      const bool is_there = is_measured(host, last());
      if (is_there && known == missing.end()) continue;
      const auto before = last_usual_night(host);
      if (!before) continue;
      const std::int64_t day = read_.days[*before];
      const bool has_reason = known != missing.end();
      result_.judged.absent.push_back(
          {.host = read_.hosts[host],
           .series = is_there ? known->second.series : "",
           .reason = has_reason ? known->second.reason
                                : "no value of this night, last on " + day_text(day),
           .last_day = day});
    }
  }

  /// Nodes that could not be measured in some launches, or in all of them. They are no longer
  /// among `missing` then.
  void find_failed(std::map<std::string, Missing>& missing) {
    for (auto one = missing.begin(); one != missing.end();) {
      const auto& [host, figure] = *one;
      if (parse_series_name(figure.series).operation != every_series) {
        ++one;
        continue;
      }
      const auto known = std::ranges::lower_bound(read_.hosts, host);
      const bool is_known = known != read_.hosts.end() && *known == host;
      const bool is_there =
          is_known && is_measured(static_cast<std::size_t>(known - read_.hosts.begin()), last());
      result_.judged.absent.push_back(
          {.host = host, .series = is_there ? every_series : "", .reason = figure.reason});
      one = missing.erase(one);
      failed_.insert(result_.judged.absent.back().host);
    }
  }

  void sort() {
    JudgedNodes& judged = result_.judged;
    const auto size = [](const auto& one) { return std::abs(std::log1p(one.change)); };
    std::ranges::stable_sort(judged.slow, std::greater(), size);
    std::ranges::stable_sort(judged.outliers, std::greater(), size);
    std::ranges::stable_sort(judged.shared, std::greater(), size);
    std::ranges::stable_sort(judged.absent, {}, [](const AbsentNode& one) {
      return std::pair(!one.series.empty(), one.host);
    });
  }

  const HistoryDatabase& database_;
  const JudgingOptions& options_;
  std::int64_t today_;
  HostNights read_;
  /// By environment the first one that differs in nothing but the serial number.
  std::map<const Environment*, const Environment*> common_;
  std::map<std::map<std::string, std::string>, Hosts> kinds_;
  std::set<std::string> failed_;  ///< hosts that could not be measured in some launch
  std::size_t tests_ = 0;
  NodesOfNight result_;
};

}  // namespace

std::optional<NodesOfNight> judge_nodes(const HistoryDatabase& database,
                                        const JudgingOptions& options, std::int64_t today) {
  if (names_hosts(options.series)) return std::nullopt;
  return NodeJudge(database, options, today).judge();
}

NodeReference node_reference(const HistoryDatabase& database, const JudgingOptions& options,
                             std::int64_t today) {
  return NodeJudge(database, options, today).reference();
}

}  // namespace hockney::health
