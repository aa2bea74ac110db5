#include "verdicts/self_test_json.hpp"

#include <cmath>

#include "core/json_values.hpp"
#include "core/record_json.hpp"

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

namespace {

/// What is written for people beside the counts must follow from them.
Rate read_rate(const JsonNode& node) {
  node.allow_only({"hits", "trials", "share", "share_ci"});
  const Rate rate{.hits = small_integer(node.at("hits")),
                  .trials = small_integer(node.at("trials"))};
  if (rate.hits > rate.trials) {
    node.reject("has more hits than trials", "every hit is a trial", "is the file damaged?");
  }
  const auto share = optional_number(node, "share");
  const auto bounds = node.find("share_ci");
  constexpr double tolerance = 1e-9;
  const auto counted = rate.share();
  const bool right = share && counted && std::abs(*share - *counted) <= tolerance;
  const bool unknown = !share && !counted;
  if ((!right && !unknown) || bounds.has_value() != share.has_value()) {
    node.reject("has a share that is not hits / trials", "one contradicts the other",
                "is the file damaged?");
  }
  if (bounds && bounds->numbers().size() != 2) {
    bounds->reject("is not [low, high]", "it is an interval", "is the file damaged?");
  }
  return rate;
}

VariantVerdicts read_variant(const JsonNode& node) {
  node.allow_only({"variant", "planted", "different", "any_of_family", "median_ratio"});
  const auto any = node.find("any_of_family");  // documents of earlier versions have none
  return {.variant = node.at("variant").text(),
          .planted = non_negative(node.at("planted")),
          .different = read_rate(node.at("different")),
          .any = any ? read_rate(*any) : Rate(),
          .ratio = optional_number(node, "median_ratio")};
}

ClockVerdict read_clock(const JsonNode& document) {
  ClockVerdict verdict;
  if (const auto reason = document.find("clock_reason")) verdict.reason = reason->text();
  const auto node = document.find("clock");
  if (node.has_value() != verdict.reason.empty()) {
    document.reject("has a clock and a reason for none, or neither", "one of them is told",
                    "is the file damaged?");
  }
  if (!node) return verdict;
  node->allow_only(
      {"within", "median_error_seconds", "largest_error_seconds", "median_bound_seconds"});
  verdict.truth =
      ClockTruth{.within = read_rate(node->at("within")),
                 .median_error_seconds = optional_non_negative(*node, "median_error_seconds"),
                 .largest_error_seconds = optional_non_negative(*node, "largest_error_seconds"),
                 .median_bound_seconds = optional_non_negative(*node, "median_bound_seconds")};
  return verdict;
}

MeasuredOn read_measured(const JsonNode& node) {
  node.allow_only({"mpi_libraries", "hosts", "ranks", "first_utc", "last_utc"});
  return {.mpi_libraries = node.at("mpi_libraries").texts(),
          .hosts = node.at("hosts").texts(),
          .ranks = small_integers(node.at("ranks")),
          .first_utc = node.at("first_utc").text(),
          .last_utc = node.at("last_utc").text()};
}

}  // namespace

SelfTest read_self_test(const JsonNode& document) {
  const JsonNode schema = document.at("schema");
  if (schema.text() != self_test_schema) {
    schema.reject("is '" + schema.text() + "'",
                  "this program reads '" + std::string(self_test_schema) + "'",
                  "use the version of hockney that wrote the file");
  }
  document.allow_only({"schema", "launches", "launches_each", "variants", "covered_at_random",
                       "covered_in_blocks", "clock", "clock_reason", "measured"});
  SelfTest test{.launches = small_integer(document.at("launches")),
                .launches_each = small_integer(document.at("launches_each")),
                .variants = {},
                .covered_at_random = read_rate(document.at("covered_at_random")),
                .covered_in_blocks = read_rate(document.at("covered_in_blocks")),
                .clock = read_clock(document),
                .measured = read_measured(document.at("measured"))};
  for (const JsonNode& variant : document.at("variants").elements()) {
    test.variants.push_back(read_variant(variant));
  }
  return test;
}

SelfTest load_self_test(const std::string& file) { return read_self_test(load_json(file)); }

}  // namespace hockney
