#include "components/health/detection/node_reference.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <nlohmann/json.hpp>

#include "core/json_values.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"

namespace hockney::health {
namespace {

using Json = nlohmann::json;

constexpr std::array<std::string_view, 4> kind_facts{"host.cpu_model", "host.topology", memory_fact,
                                                     gpu_fact};

double rounded(double value, int digits) {
  return std::strtod(fmt::format("{:.{}g}", value, digits).c_str(), nullptr);
}

/// [value, spread] of each figure, or null.
Json levels_json(const UsualLevels& levels) {
  constexpr int digits_of_value = 6;
  constexpr int digits_of_spread = 3;
  Json json = Json::array();
  for (const auto& level : levels) {
    if (!level) {
      json.push_back(nullptr);
      continue;
    }
    json.push_back(
        {rounded(level->value, digits_of_value), rounded(level->spread, digits_of_spread)});
  }
  return json;
}

Json kind_json(const ReferenceKind& kind) {
  return {{"facts", kind.facts}, {"nodes", kind.nodes}, {"levels", levels_json(kind.levels)}};
}

UsualLevels read_levels(const JsonNode& node, std::size_t figures) {
  const std::vector<JsonNode> elements = node.elements();
  if (elements.size() != figures) {
    node.reject("has another length", fmt::format("there are {} figures", figures), "");
  }
  UsualLevels levels;
  for (const JsonNode& one : elements) {
    if (one.is_null()) {
      levels.emplace_back();
      continue;
    }
    const std::vector<JsonNode> parts = one.elements();
    if (parts.size() != 2) one.reject("has another length", "it is a value and its spread", "");
    levels.push_back(UsualLevel{.value = positive_number(parts[0]), .spread = parts[1].number()});
  }
  return levels;
}

/// The amount of hardware in a fact: the sum of the numbers before " + ".
double amount(const std::string& fact) {
  double sum = 0;
  for (std::size_t begin = 0; begin < fact.size();) {
    sum += std::strtod(fact.c_str() + begin, nullptr);
    const std::size_t next = fact.find(" + ", begin);
    begin = next == std::string::npos ? fact.size() : next + 3;
  }
  return sum;
}

std::string fact_in(const std::map<std::string, std::string>& facts, const std::string& name) {
  const auto found = facts.find(name);
  return found == facts.end() ? "" : found->second;
}

/// Judges the figures and the hardware of one node.
class NodeCheck {
 public:
  NodeCheck(const NodeReference& reference, const MeasuredNode& node, double beyond)
      : reference_(reference), node_(node), beyond_(beyond) {
    const auto known = reference.nodes.find(node.host);
    if (known != reference.nodes.end()) own_ = &known->second;
    const auto facts = facts_of_kind(node.facts);
    for (std::size_t i = 0; i < reference.kinds.size(); ++i) {
      if (reference.kinds[i].facts == facts) kind_ = &reference.kinds[i];
    }
    has_own_levels_ = own_ != nullptr && is_same_machine(reference.kinds[own_->kind]);
    // Without memory or a GPU that it had, its peers are those of before.
    if (kind_ == nullptr && has_own_levels_) kind_ = &reference.kinds[own_->kind];
  }

  NodeVerdict verdict() {
    if (has_own_levels_) find_losses();
    const std::size_t losses = verdict_.reasons.size();
    for (std::size_t i = 0; i < reference_.figures.size(); ++i) judge(i);
    std::stable_sort(verdict_.reasons.begin() + static_cast<std::ptrdiff_t>(losses),
                     verdict_.reasons.end(), [](const DrainReason& a, const DrainReason& b) {
                       return std::abs(std::log1p(a.change)) > std::abs(std::log1p(b.change));
                     });
    if (!verdict_.reasons.empty()) {
      verdict_.state = NodeState::drain;
    } else if (verdict_.judged > 0) {
      verdict_.state = NodeState::ok;
    }
    return std::move(verdict_);
  }

 private:
  /// Whether processor and topology are those of this kind, or unknown.
  [[nodiscard]] bool is_same_machine(const ReferenceKind& kind) const {
    return std::ranges::all_of(std::array{"host.cpu_model", "host.topology"},
                               [&](const char* fact) {
                                 const std::string now = fact_in(node_.facts, fact);
                                 const std::string before = fact_in(kind.facts, fact);
                                 return now.empty() || before.empty() || now == before;
                               });
  }

  /// Memory and GPUs that the node had. Facts that are unknown now are no loss of memory.
  void find_losses() {
    for (const char* fact : {memory_fact, gpu_fact}) {
      const std::string now = fact_in(node_.facts, fact);
      const std::string before = fact_in(reference_.kinds[own_->kind].facts, fact);
      const bool is_unknown = now.empty() && fact == std::string_view(memory_fact);
      if (before.empty() || is_unknown || amount(now) >= amount(before)) continue;
      verdict_.reasons.push_back(
          {.fact = fact, .now = now.empty() ? "none" : now, .before = before});
    }
  }

  void judge(std::size_t index) {
    const ReferenceFigure& figure = reference_.figures[index];
    const std::optional<UsualLevel> own = has_own_levels_ ? own_->levels[index] : std::nullopt;
    const auto measured = node_.figures.find(figure.series);
    if (measured == node_.figures.end()) {
      if (own && is_of_gpu(figure.series)) {
        verdict_.reasons.push_back(
            {.series = figure.series, .unit = figure.unit, .usual = own->value, .change = -1});
      }
      return;
    }
    const std::optional<UsualLevel> peers = kind_ == nullptr ? std::nullopt : kind_->levels[index];
    if (!own && !peers) return;
    ++verdict_.judged;
    if (own && add_if_worse(figure, measured->second, *own, Against::itself)) return;
    if (peers) add_if_worse(figure, measured->second, *peers, Against::peers);
  }

  static bool is_of_gpu(const std::string& series) {
    return series.starts_with("host-to-device/") || series.starts_with("device-to-host/");
  }

  bool add_if_worse(const ReferenceFigure& figure, double value, const UsualLevel& usual,
                    Against against) {
    constexpr double least_spread = 0.01;
    constexpr double spreads = 5;
    const double sign = figure.worse == WorseWhen::larger ? 1 : -1;
    const double shift = sign * std::log(value / usual.value);
    const double limit =
        std::max(std::log1p(beyond_), spreads * std::max(least_spread, usual.spread));
    if (shift <= limit) return false;
    verdict_.reasons.push_back({.series = figure.series,
                                .unit = figure.unit,
                                .value = value,
                                .usual = usual.value,
                                .change = value / usual.value - 1,
                                .against = against});
    return true;
  }

  const NodeReference& reference_;
  const MeasuredNode& node_;
  double beyond_;
  const ReferenceNode* own_ = nullptr;
  const ReferenceKind* kind_ = nullptr;
  bool has_own_levels_ = false;
  NodeVerdict verdict_;
};

}  // namespace

std::map<std::string, std::string> facts_of_kind(const std::map<std::string, std::string>& facts) {
  std::map<std::string, std::string> of_kind;
  for (const std::string_view name : kind_facts) {
    const auto fact = facts.find(std::string(name));
    if (fact != facts.end() && !fact->second.empty()) of_kind.insert(*fact);
  }
  return of_kind;
}

std::optional<UsualLevel> usual_level(std::vector<double> values, std::size_t fewest) {
  std::erase_if(values, [](double value) { return !(value > 0); });
  if (values.empty() || values.size() < fewest) return std::nullopt;
  for (double& value : values) value = std::log(value);
  const double middle = median_of_some(values);
  for (double& value : values) value -= middle;
  return UsualLevel{.value = std::exp(middle), .spread = robust_deviation(std::move(values))};
}

std::optional<UsualLevel> level_of_kind(const std::vector<UsualLevel>& of_nodes) {
  std::vector<double> values;
  std::vector<double> spreads;
  for (const UsualLevel& level : of_nodes) {
    values.push_back(level.value);
    spreads.push_back(level.spread);
  }
  auto level = usual_level(std::move(values), fewest_peers);
  if (level) level->spread = std::hypot(level->spread, quick_median(spreads));
  return level;
}

std::string reference_document(const NodeReference& reference) {
  std::string text =
      fmt::format("{{\"schema\": \"{}\",\n\"night\": {}, \"nights\": {},\n\"figures\": [",
                  node_reference_schema, Json(reference.night).dump(), reference.nights);
  const auto add = [&](bool is_first, const std::string& line) {
    text += (is_first ? "\n" : ",\n") + line;
  };
  for (const ReferenceFigure& figure : reference.figures) {
    add(&figure == reference.figures.data(),
        Json{{"series", figure.series}, {"unit", figure.unit}, {"worse", word(figure.worse)}}
            .dump());
  }
  text += "],\n\"kinds\": [";
  for (const ReferenceKind& kind : reference.kinds) {
    add(&kind == reference.kinds.data(), kind_json(kind).dump());
  }
  text += "],\n\"nodes\": {";
  bool is_first = true;
  for (const auto& [host, node] : reference.nodes) {
    add(is_first, Json(host).dump() + ": " +
                      Json{{"kind", node.kind}, {"levels", levels_json(node.levels)}}.dump());
    is_first = false;
  }
  return text + "}}\n";
}

NodeReference read_reference(const JsonNode& document) {
  document.require_schema(node_reference_schema, "write it with hockney health reference");
  NodeReference reference{.night = document.at("night").text()};
  reference.nights = document.at("nights").unsigned_integer();
  for (const JsonNode& node : document.at("figures").elements()) {
    ReferenceFigure& figure = reference.figures.emplace_back();
    figure.series = node.at("series").text();
    figure.unit = node.at("unit").text();
    read_into(node.at("worse"), figure.worse);
  }
  const std::size_t figures = reference.figures.size();
  for (const JsonNode& node : document.at("kinds").elements()) {
    reference.kinds.push_back({.facts = node.at("facts").text_members(),
                               .nodes = node.at("nodes").unsigned_integer(),
                               .levels = read_levels(node.at("levels"), figures)});
  }
  for (const auto& [host, node] : document.at("nodes").members()) {
    const std::size_t kind = node.at("kind").unsigned_integer();
    if (kind >= reference.kinds.size()) {
      node.at("kind").reject(fmt::format("is {}", kind), "the file has no such kind", "");
    }
    reference.nodes[host] = {.kind = kind, .levels = read_levels(node.at("levels"), figures)};
  }
  return reference;
}

NodeVerdict check_node(const NodeReference& reference, const MeasuredNode& node, double beyond) {
  return NodeCheck(reference, node, beyond).verdict();
}

}  // namespace hockney::health
