#include <nlohmann/json.hpp>

#include "core/json_values.hpp"
#include "core/record_words.hpp"
#include "selection/verification.hpp"
#include "verdicts/compare_json.hpp"

namespace hockney {
namespace {

using Json = nlohmann::json;

Json point_of(const VerifiedPoint& point) {
  const Comparison& comparison = point.comparison;
  return {{"operation", comparison.point.operation},
          {"point", point_json(comparison.point)},
          {"launches", {comparison.a.launches, comparison.b.launches}},
          {"default_median_seconds", comparison.a.median_seconds},
          {"default_ci_seconds", bounds_or_null(comparison.a.interval_seconds)},
          {"tuned_median_seconds", comparison.b.median_seconds},
          {"tuned_ci_seconds", bounds_or_null(comparison.b.interval_seconds)},
          {"ratio", comparison.ratio},
          {"ratio_ci", bounds_or_null(comparison.ratio_interval)},
          {"p_adjusted", comparison.p_adjusted},
          {"verdict", word(comparison.verdict)},
          {"slower", point.slower},
          {"best", or_null(point.best)},
          {"regret", or_null(point.regret)},
          {"regret_ci", bounds_or_null(point.regret_interval)}};
}

}  // namespace

Json to_json(const Verification& verification, const Effect& effect) {
  Json points = Json::array();
  for (const VerifiedPoint& point : verification.points) points.push_back(point_of(point));
  Json missing = Json::array();
  for (const LonePoint& lone : verification.missing) {
    missing.push_back({{"operation", lone.point.operation},
                       {"point", point_json(lone.point)},
                       {"detail", lone.detail}});
  }
  return {{"schema", verification_schema},
          {"points", points},
          {"missing", missing},
          {"mean_gain", or_null(verification.mean_gain)},
          {"mean_regret", or_null(verification.mean_regret)},
          {"largest_regret", or_null(verification.largest_regret)},
          {"slower", verification.slower},
          {"in_force", {{"proof", word(effect.proof)}, {"evidence", effect.evidence}}},
          {"family",
           {{"size", verification.points.size()},
            {"correction", word(verification.options.correction)},
            {"alpha", verification.options.alpha},
            {"exact", verification.options.trust == Trust::exact}}}};
}

}  // namespace hockney
