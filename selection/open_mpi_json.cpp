#include "selection/open_mpi_json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "selection/operation_names.hpp"

namespace hockney {
namespace {

using Json = nlohmann::json;

/// "reducescatter".
std::string joined_name(const std::string& operation) {
  std::string name = plain_name(operation);
  std::erase(name, '-');
  return name;
}

/// 6.0 gave one algorithm another name.
std::string new_name(const std::string& operation, const std::string& algorithm) {
  const bool is_renamed = plain_name(operation) == "allgather" && algorithm == "bruck";
  return is_renamed ? "bruck-k-fanout" : algorithm;
}

Json sizes_json(const std::string& operation, const RanksRule& rule) {
  Json sizes = Json::array();
  for (std::size_t i = 0; i < rule.sizes.size(); ++i) {
    const SizeRule& size = rule.sizes[i];
    if (size.choice.is_default()) continue;
    Json json{{"msg_size_min", size.from}, {"alg", new_name(operation, size.choice.algorithm)}};
    if (const auto last = last_size(rule, i)) json["msg_size_max"] = *last;
    if (size.choice.segment > 0) json["seg_size"] = size.choice.segment;
    if (size.choice.fanout > 0) json["faninout"] = size.choice.fanout;
    sizes.push_back(std::move(json));
  }
  return sizes;
}

}  // namespace

Json open_mpi_json(const Rules& keyed) {
  Json collectives = Json::object();
  for (const OperationRules& rules : keyed) {
    Json ranks = Json::array();
    for (std::size_t i = 0; i < rules.ranks.size(); ++i) {
      Json sizes = sizes_json(rules.operation, rules.ranks[i]);
      if (sizes.empty()) continue;
      Json json{{"comm_size_min", rules.ranks[i].from},
                {"comm_rank_distribution", "any"},
                {"rules", std::move(sizes)}};
      if (const auto last = last_ranks(rules, i)) json["comm_size_max"] = *last;
      ranks.push_back(std::move(json));
    }
    collectives[joined_name(rules.operation)] = std::move(ranks);
  }
  return {{"rule_file_version", 3}, {"module", "tuned"}, {"collectives", collectives}};
}

}  // namespace hockney
