#include "verdicts/self_test.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/json_fields.hpp"
#include "core/json_limits.hpp"
#include "core/json_values.hpp"

namespace hockney::verdicts {
namespace {

using Json = nlohmann::json;

constexpr double most_ratio = 1e6;
constexpr double most_self_test_launches = 1e6;

/// What is written for people beside the counts must follow from them.
void check_rate(const JsonNode& node, Rate& rate) {
  if (rate.hits > rate.trials) {
    node.reject("has more hits than trials", "every hit is a trial", "is the file damaged?");
  }
  const auto share = node.find("share");
  const auto bounds = node.find("share_ci");
  constexpr double tolerance = 1e-9;
  const auto counted = rate.share();
  const bool right = share && counted && std::abs(share->number() - *counted) <= tolerance;
  const bool unknown = !share && !counted;
  if ((!right && !unknown) || bounds.has_value() != share.has_value()) {
    node.reject("has a share that is not hits / trials", "one contradicts the other",
                "is the file damaged?");
  }
  if (bounds && bounds->numbers().size() != 2) {
    bounds->reject("is not [low, high]", "it is an interval", "is the file damaged?");
  }
}

void write_share(const Rate& rate, Json& object) {
  object["share"] = rate.share();
  object["share_ci"] = rate.interval();
}

void check_clock(const JsonNode& document, SelfTest& test) {
  if (test.clock.truth.has_value() == test.clock.reason.empty()) return;
  document.reject("has a clock and a reason for none, or neither", "one of them is told",
                  "is the file damaged?");
}

}  // namespace

constexpr auto fields_of(std::type_identity<Rate>) {
  return strict_object(key("hits", &Rate::hits), key("trials", &Rate::trials),
                       by_hand({"share", "share_ci"}, check_rate, write_share),
                       at_least("share_ci", 0), at_most("share_ci", 1));
}

/// Documents of earlier versions have no any_of_family.
constexpr auto fields_of(std::type_identity<VariantVerdicts>) {
  return strict_object(key("variant", &VariantVerdicts::variant),
                       key("planted", &VariantVerdicts::planted),
                       key("different", &VariantVerdicts::different),
                       key("any_of_family", &VariantVerdicts::any, KeyUse::may_be_missing),
                       key("median_ratio", &VariantVerdicts::ratio, any_number),
                       at_most("planted", most_ratio), within("median_ratio", most_ratio));
}

constexpr auto fields_of(std::type_identity<ClockTruth>) {
  return strict_object(key("within", &ClockTruth::within),
                       key("median_error_seconds", &ClockTruth::median_error_seconds),
                       key("largest_error_seconds", &ClockTruth::largest_error_seconds),
                       key("median_bound_seconds", &ClockTruth::median_bound_seconds),
                       ascending("median_error_seconds", "largest_error_seconds"),
                       at_most("*seconds", longest_seconds));
}

constexpr auto fields_of(std::type_identity<MeasuredOn>) {
  return strict_object(
      key("mpi_libraries", &MeasuredOn::mpi_libraries), key("hosts", &MeasuredOn::hosts),
      key("ranks", &MeasuredOn::ranks), key("first_utc", &MeasuredOn::first_utc, utc_moment),
      key("last_utc", &MeasuredOn::last_utc, utc_moment), at_most("ranks", most_job_ranks));
}

constexpr auto fields_of(std::type_identity<SelfTest>) {
  return strict_object(
      DocumentSchema{self_test_schema, "use the version of hockney that wrote the file"},
      key("launches", &SelfTest::launches), key("launches_each", &SelfTest::launches_each),
      key("variants", &SelfTest::variants), key("covered_at_random", &SelfTest::covered_at_random),
      key("covered_in_blocks", &SelfTest::covered_in_blocks),
      members_of(&SelfTest::clock, key("clock", &ClockVerdict::truth),
                 key("clock_reason", &ClockVerdict::reason, KeyUse::null_if_empty)),
      checked_by(check_clock), key("measured", &SelfTest::measured),
      at_most("launches", most_self_test_launches),
      at_most("launches_each", number_of("launches")));
}

Json to_json(const SelfTest& test) { return test; }

SelfTest read_self_test(const JsonNode& document) { return read_value<SelfTest>(document); }

SelfTest load_self_test(const std::string& file) { return read_self_test(load_json(file)); }

}  // namespace hockney::verdicts
