#include "core/series_read.hpp"

#include <numeric>

#include "core/json_values.hpp"
#include "core/record_fields.hpp"
#include "core/transport_json.hpp"

namespace hockney {
namespace {

Point read_point(const JsonNode& holder) {
  const JsonNode node = holder.at("point");
  return {.operation = holder.at("operation").text(),
          .bytes = {amount(node.at("bytes"))},
          .ranks = small_integer(node.at("ranks")),
          .hop = optional_text(node, "hop"),
          .path = optional_text(node, "path"),
          .algorithm = optional_text(node, "algorithm"),
          .pair = small_integers(node.at("pair")),
          .parameters = node.at("parameters").text_members()};
}

std::optional<Interval> read_within(const JsonNode& node) {
  const auto ends = node.find("within_seconds");
  if (!ends) return std::nullopt;
  const std::vector<double> values = non_negatives(*ends);
  if (values.size() != 2) ends->reject("has not two ends", "an interval is [low, high]", "");
  if (values[0] > values[1]) ends->reject("ends before it begins", "it is [low, high]", "");
  const JsonNode level = node.at("within_level");
  if (non_negative(level) > 1) level.reject("is above 1", "it is a share of intervals", "");
  return Interval{values[0], values[1], level.number()};
}

std::optional<Detours> read_detours(const JsonNode& node) {
  const auto detours = node.find("detours");
  if (!detours) return std::nullopt;
  return Detours{.limit_seconds = non_negative(detours->at("limit_seconds")),
                 .count = small_integer(detours->at("count")),
                 .at_seconds = non_negatives(detours->at("at_seconds"))};
}

Summary read_summary(const JsonNode& node) {
  const auto calm = node.find("calm_visits");
  return {.median_seconds = optional_non_negative(node, "median_seconds"),
          .minimum_seconds = optional_non_negative(node, "minimum_seconds"),
          .maximum_seconds = optional_non_negative(node, "maximum_seconds"),
          .within_seconds = read_within(node),
          .effective_samples = optional_non_negative(node, "effective_samples"),
          .tails = {.p90_seconds = optional_non_negative(node, "p90_seconds"),
                    .p99_seconds = optional_non_negative(node, "p99_seconds"),
                    .p999_seconds = optional_non_negative(node, "p999_seconds")},
          .detours = read_detours(node),
          .skew_seconds = optional_non_negative(node, "skew_seconds"),
          .page_faults = optional_non_negative(node, "page_faults"),
          .calm_visits = calm ? std::optional(small_integer(*calm)) : std::nullopt};
}

/// How many samples each visit brought, all of them together.
std::vector<int> read_visits(const JsonNode& node) {
  std::vector<int> visits = small_integers(node.at("visits"));
  const auto sum = std::accumulate(visits.begin(), visits.end(), std::size_t{0});
  const std::size_t samples = node.at("samples_seconds").size();
  if (sum != samples) {
    node.at("visits").reject("adds up to " + std::to_string(sum),
                             "there are " + std::to_string(samples) + " samples", "");
  }
  return visits;
}

/// One number for each visit; none where the key is missing or null.
std::vector<double> read_of_visits(const JsonNode& node, std::string_view key) {
  const auto member = node.find(key);
  if (!member) return {};
  std::vector<double> numbers = non_negatives(*member);
  const std::size_t visits = node.at("visits").size();
  if (numbers.size() != visits) {
    member->reject("has " + std::to_string(numbers.size()) + " values",
                   "there are " + std::to_string(visits) + " visits", "");
  }
  return numbers;
}

/// A time for each rank in each visit; none where the key is missing or null.
std::vector<std::vector<double>> read_locals(const JsonNode& node) {
  const auto locals = node.find("locals_seconds");
  std::vector<std::vector<double>> seconds;
  if (!locals) return seconds;
  for (const JsonNode& visit : locals->elements()) seconds.push_back(non_negatives(visit));
  return seconds;
}

/// 0 where the key is missing or null.
int optional_count(const JsonNode& node, std::string_view key) {
  const auto member = node.find(key);
  return member ? small_integer(*member) : 0;
}

}  // namespace

PlannedPoint read_planned(const JsonNode& node) {
  return {.point = read_point(node),
          .bytes_per_sample = amount(node.at("bytes_per_sample")),
          .bus_bytes_per_sample = optional_non_negative(node, "bus_bytes_per_sample"),
          .status = read_word(node.at("status"), point_status_words),
          .reason = node.at("reason").text()};
}

Series read_series(const JsonNode& node) {
  const auto skews = node.find("skews_seconds");
  return {.point = read_point(node),
          .samples_seconds = non_negatives(node.at("samples_seconds")),
          .visits = read_visits(node),
          .starts_seconds = read_of_visits(node, "starts_seconds"),
          .controls_seconds = read_of_visits(node, "controls_seconds"),
          .page_faults = read_of_visits(node, "page_faults"),
          .skews_seconds = skews ? non_negatives(*skews) : std::vector<double>(),
          .locals_seconds = read_locals(node),
          .deliveries_checked = optional_amount(node, "deliveries_checked"),
          .late_starts = optional_count(node, "late_starts"),
          .warm_up_visits = optional_count(node, "warm_up_visits"),
          .batch = batch_length(node.at("batch")),
          .bytes_per_sample = amount(node.at("bytes_per_sample")),
          .transport = read_transport(node),
          .summary = read_summary(node.at("summary")),
          .flags = node.at("flags").texts()};
}

}  // namespace hockney
