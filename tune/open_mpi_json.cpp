#include "tune/open_mpi_json.hpp"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/json_node.hpp"
#include "core/text.hpp"
#include "tune/operation_names.hpp"

namespace hockney::tune {
namespace {

using Json = nlohmann::json;

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
    if (size.choice.requests > 0) json["reqs"] = size.choice.requests;
    sizes.push_back(std::move(json));
  }
  return sizes;
}

constexpr int collectives_of_mpi = 22;  // COLLCOUNT of coll/base

/// The operation of a collective as 6.0 names it, "reduce_scatter"; InputError for one without
/// algorithms and for none.
std::string operation_of(const JsonNode& collectives, const std::string& key) {
  std::vector<std::string> known;
  for (int number = 0; number < collectives_of_mpi; ++number) {
    const auto name = open_mpi_collective_name(number);
    if (!name) continue;
    known.push_back(lower_name(*name));
    if (known.back() != key) continue;
    if (open_mpi_operation(number)) return *name;
    collectives.at(key).reject("has rules", "coll/tuned has no algorithms of it", "leave them out");
  }
  collectives.at(key).reject("is no collective", "Open MPI would ignore the whole file",
                             suggest(key, known));
}

/// A whole number that is not negative, or "inf".
void check_number(const JsonNode& object, std::string_view key) {
  const auto value = object.find(key);
  if (!value) return;
  const bool is_endless = value->is_text() && (value->text() == "inf" || value->text() == "INF" ||
                                               value->text() == "Inf");
  if (is_endless || (value->is_whole_number() && value->integer() >= 0)) return;
  value->reject("is no size", "Open MPI would ignore the whole file",
                "write a whole number or \"inf\"");
}

void check_algorithm(const JsonNode& algorithm, const std::string& operation,
                     const OpenMpiRelease& release) {
  const int last = last_open_mpi_algorithm(operation, release);
  std::vector<std::string> names{"ignore"};
  for (int number = 1; number <= last; ++number) {
    names.push_back(new_name(operation, open_mpi_name(operation, number)));
  }
  const bool is_name =
      algorithm.is_text() && std::ranges::find(names, algorithm.text()) != names.end();
  const bool is_number =
      algorithm.is_whole_number() && algorithm.integer() >= 0 && algorithm.integer() <= last;
  if (is_name || is_number) return;
  const bool is_text = algorithm.is_text();
  const std::string said =
      is_text ? "'" + shortened(algorithm.text()) + "'"
              : (algorithm.is_whole_number() ? std::to_string(algorithm.integer()) : "that");
  algorithm.reject("names no algorithm of " + operation + ": " + said,
                   title(release) + " has 0.." + std::to_string(last) +
                       " and would skip the rule without a word",
                   is_text ? suggest(algorithm.text(), names) : "");
}

void check_ranks_rule(const JsonNode& rule, const std::string& operation,
                      const OpenMpiRelease& release) {
  rule.allow_only({"comm_size_min", "comm_size_max", "comm_rank_distribution", "rules"});
  check_number(rule, "comm_size_min");
  check_number(rule, "comm_size_max");
  if (const auto ranks = rule.find("comm_rank_distribution")) {
    const std::vector<std::string> known{"any", "one-per-node", "single-node"};
    if (std::ranges::find(known, ranks->text()) == known.end()) {
      ranks->reject("is no distribution of ranks", "Open MPI would take it for any",
                    suggest(ranks->text(), known));
    }
  }
  for (const JsonNode& size : rule.at("rules").elements()) {
    size.allow_only({"msg_size_min", "msg_size_max", "alg", "faninout", "seg_size", "reqs"});
    for (const char* key : {"msg_size_min", "msg_size_max", "faninout", "seg_size", "reqs"}) {
      check_number(size, key);
    }
    check_algorithm(size.at("alg"), operation, release);
  }
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
    collectives[lower_name(rules.operation)] = std::move(ranks);
  }
  return {{"rule_file_version", 3}, {"module", "tuned"}, {"collectives", collectives}};
}

void check_open_mpi_json(const std::string& text, const std::string& file,
                         const OpenMpiRelease& release) {
  const JsonNode document = parse_json(text, file);
  document.allow_only({"rule_file_version", "module", "$schema", "collectives"});
  const JsonNode collectives = document.at("collectives");
  for (const std::string& key : collectives.keys()) {
    const std::string operation = operation_of(collectives, key);
    for (const JsonNode& rule : collectives.at(key).elements()) {
      check_ranks_rule(rule, operation, release);
    }
  }
}

}  // namespace hockney::tune
