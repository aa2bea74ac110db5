#include <nlohmann/json.hpp>

#include "core/json_values.hpp"
#include "selection/tuning.hpp"
#include "verdicts/compare_json.hpp"

namespace hockney {
namespace {

using Json = nlohmann::json;

Json choice_json(const Choice& choice) {
  if (choice.is_default()) return nullptr;
  return {{"algorithm", choice.algorithm},
          {"number", or_null(choice.number)},
          {"segment_bytes", choice.segment},
          {"fanout", choice.fanout},
          {"variables", choice.variables}};
}

Json closest_json(const std::optional<Candidate>& closest) {
  if (!closest) return nullptr;
  return {{"choice", choice_json(closest->choice)},
          {"setting", closest->setting},
          {"ratio", closest->ratio},
          {"ratio_ci", bounds_or_null(closest->ratio_interval)},
          {"p_adjusted", closest->p_adjusted},
          {"launches", closest->launches},
          {"launches_needed", or_null(closest->launches_needed)}};
}

Json decision_json(const Decision& decision) {
  return {{"operation", decision.operation},
          {"ranks", decision.ranks},
          {"bytes", decision.bytes.value},
          {"choice", choice_json(decision.choice)},
          {"setting", filled_or_null(decision.setting)},
          {"source", decision.source == Basis::measured ? "measured" : "predicted"},
          {"ratio", decision.ratio},
          {"ratio_ci", bounds_or_null(decision.ratio_interval)},
          {"p_adjusted", decision.p_adjusted},
          {"regret", decision.regret},
          {"closest", closest_json(decision.closest)}};
}

Json ranks_json(const RanksRule& rule) {
  Json sizes = Json::array();
  for (const SizeRule& size : rule.sizes) {
    sizes.push_back({{"from_bytes", size.from}, {"choice", choice_json(size.choice)}});
  }
  return {{"from_ranks", rule.from}, {"sizes", sizes}};
}

Json rules_json(const Rules& rules) {
  Json array = Json::array();
  for (const OperationRules& operation : rules) {
    Json ranks = Json::array();
    for (const RanksRule& rule : operation.ranks) ranks.push_back(ranks_json(rule));
    array.push_back({{"operation", operation.operation}, {"ranks", ranks}});
  }
  return array;
}

Json left_out_json(const std::vector<LeftOut>& left_out) {
  Json array = Json::array();
  for (const LeftOut& found : left_out) {
    array.push_back({{"setting", found.setting},
                     {"operation", found.operation},
                     {"why", found.why},
                     {"points", found.points}});
  }
  return array;
}

}  // namespace

Json to_json(const Tuning& tuning) {
  const Evidence& evidence = tuning.evidence;
  Json decisions = Json::array();
  for (const Decision& decision : tuning.decisions.points) {
    decisions.push_back(decision_json(decision));
  }
  Json unsaid = Json::array();
  for (const Unsaid& found : tuning.file.unsaid) {
    unsaid.push_back({{"operation", found.operation}, {"why", found.why}});
  }
  return {{"schema", selection_schema},
          {"for", word(tuning.target)},
          {"mpi_library", evidence.library},
          {"campaigns", evidence.campaigns},
          {"default", evidence.base},
          {"decisions", decisions},
          {"changes_nothing", changes_nothing(tuning.decisions)},
          {"rules", rules_json(merged(tuning.decisions.rules))},
          {"left_out", left_out_json(evidence.left_out)},
          {"unsaid", unsaid},
          {"family",
           {{"size", evidence.family},
            {"correction", word(evidence.options.correction)},
            {"alpha", evidence.options.alpha},
            {"least_gain", evidence.options.least_gain},
            {"most_regret", tuning.options.most_regret},
            {"exact", evidence.options.trust == Trust::exact},
            {"launches_needed", or_null(evidence.launches_needed)}}}};
}

}  // namespace hockney
