#include "verdicts/self_test_json.hpp"

#include "core/json_values.hpp"

namespace hockney {
namespace {

using Json = nlohmann::json;

Json rate_json(const Rate& rate) {
  return {{"hits", rate.hits},
          {"trials", rate.trials},
          {"share", or_null(rate.share())},
          {"share_ci", bounds_or_null(rate.interval())}};
}

Json variant_json(const VariantVerdicts& verdicts) {
  return {{"variant", verdicts.variant},
          {"planted", verdicts.planted},
          {"different", rate_json(verdicts.different)},
          {"median_ratio", or_null(verdicts.ratio)}};
}

}  // namespace

Json to_json(const SelfTest& test) {
  Json variants = Json::array();
  for (const VariantVerdicts& verdicts : test.variants) variants.push_back(variant_json(verdicts));
  return {{"schema", self_test_schema},
          {"launches", test.launches},
          {"launches_each", test.launches_each},
          {"variants", std::move(variants)},
          {"covered_at_random", rate_json(test.covered_at_random)},
          {"covered_in_blocks", rate_json(test.covered_in_blocks)}};
}

}  // namespace hockney
