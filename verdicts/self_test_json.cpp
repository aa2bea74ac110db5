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
          {"any_of_family", rate_json(verdicts.any)},
          {"median_ratio", or_null(verdicts.ratio)}};
}

Json clock_json(const ClockTruth& truth) {
  return {{"within", rate_json(truth.within)},
          {"median_error_seconds", or_null(truth.median_error_seconds)},
          {"largest_error_seconds", or_null(truth.largest_error_seconds)},
          {"median_bound_seconds", or_null(truth.median_bound_seconds)}};
}

Json measured_json(const MeasuredOn& measured) {
  return {{"mpi_libraries", measured.mpi_libraries},
          {"hosts", measured.hosts},
          {"ranks", measured.ranks},
          {"first_utc", measured.first_utc},
          {"last_utc", measured.last_utc}};
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
          {"covered_in_blocks", rate_json(test.covered_in_blocks)},
          {"clock", test.clock.truth ? clock_json(*test.clock.truth) : Json(nullptr)},
          {"clock_reason", filled_or_null(test.clock.reason)},
          {"measured", measured_json(test.measured)}};
}

}  // namespace hockney
