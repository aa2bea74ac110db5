#include <nlohmann/json.hpp>
#include <numeric>

#include "core/algorithm_use.hpp"
#include "core/guideline.hpp"
#include "core/json_values.hpp"
#include "core/protocol.hpp"
#include "core/record_file.hpp"
#include "core/record_json.hpp"
#include "core/transport.hpp"

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

namespace {

Host read_host(const JsonNode& node) {
  return {.name = node.at("name").text(),
          .cpu_model = node.at("cpu_model").text(),
          .kernel = node.at("kernel").text(),
          .governor = node.at("governor").text(),
          .clocksource = node.at("clocksource").text(),
          .topology_digest = node.at("topology_digest").text(),
          .cpus = small_integer(node.at("cpus")),
          .load_average = non_negative(node.at("load_average"))};
}

RankPlace read_place(const JsonNode& node) {
  const auto asked = node.find("asked_cpu");
  return {.rank = small_integer(node.at("rank")),
          .host = node.at("host").text(),
          .asked_cpu = asked ? std::optional(small_integer(*asked)) : std::nullopt,
          .actual_cpus = small_integers(node.at("actual_cpus"))};
}

AskedSetting read_asked_setting(const JsonNode& node) {
  return {.variable = node.at("variable").text(),
          .asked = node.at("value").text(),
          .in_force = optional_text(node, "in_force"),
          .proof = read_word(node.at("proof"), proof_words),
          .reason = node.at("reason").text()};
}

MpiLibrary read_library(const JsonNode& node) {
  const auto asked = node.find("asked");
  return {.library = node.at("library").text(),
          .standard = node.at("standard").text(),
          .settings = node.at("settings").text_members(),
          .asked = asked ? read_array(*asked, read_asked_setting) : std::vector<AskedSetting>{}};
}

Provenance read_provenance(const JsonNode& node) {
  const JsonNode build = node.at("build");
  return {.command_line = node.at("command_line").texts(),
          .environment = node.at("environment").text_members(),
          .build = {.version = build.at("version").text(),
                    .git_revision = build.at("git_revision").text(),
                    .compiler = build.at("compiler").text(),
                    .flags = build.at("flags").text()},
          .mpi = read_library(node.at("mpi")),
          .hosts = read_array(node.at("hosts"), read_host)};
}

std::optional<CampaignPlace> read_campaign(const JsonNode& document) {
  const auto node = document.find("campaign");
  if (!node) return std::nullopt;
  CampaignPlace place{.name = node->at("name").text(),
                      .setting = node->at("setting").text(),
                      .launch = small_integer(node->at("launch"))};
  if (const auto axes = node->find("axes")) place.axes = axes->text_members();
  return place;
}

ClockSelfTest read_clock_test(const JsonNode& node) {
  return {.estimate_seconds = node.at("estimate_seconds").number(),
          .bound_seconds = non_negative(node.at("bound_seconds")),
          .passed = node.at("passed").boolean()};
}

std::optional<std::vector<ClockSelfTest>> read_checks(const JsonNode& sync) {
  const auto node = sync.find("checks");
  if (!node) return std::nullopt;
  std::vector<ClockSelfTest> checks;
  for (const JsonNode& check : node->elements()) checks.push_back(read_clock_test(check));
  return checks;
}

std::optional<Synchronisation> read_sync(const JsonNode& document) {
  const auto node = document.find("sync");
  if (!node) return std::nullopt;
  const auto self_test = node->find("self_test");
  return Synchronisation{
      .scheme = node->at("scheme").text(),
      .bound_seconds = non_negative(node->at("bound_seconds")),
      .self_test = self_test ? std::optional(read_clock_test(*self_test)) : std::nullopt,
      .slope_used = node->at("slope_used").boolean(),
      .end_error_seconds = optional_non_negative(*node, "end_error_seconds"),
      .end_bound_seconds = optional_non_negative(*node, "end_bound_seconds"),
      .duration_seconds = non_negative(node->at("duration_seconds")),
      .checks = read_checks(*node)};
}

}  // namespace

Record read_record(const JsonNode& document) {
  const JsonNode schema = document.at("schema");
  if (schema.text() != record_schema) {
    schema.reject("is '" + schema.text() + "'",
                  "this program reads '" + std::string(record_schema) + "'",
                  "use the version of hockney that wrote the file");
  }
  const JsonNode clock = document.at("clock");
  return {.procedure = document.at("procedure").text(),
          .status = read_word(document.at("status"), launch_status_words),
          .started_utc = document.at("started_utc").text(),
          .elapsed_seconds = non_negative(document.at("elapsed_seconds")),
          .measuring_seconds = non_negative(document.at("measuring_seconds")),
          .stopped_because = document.at("stopped_because").text(),
          .seed = document.at("seed").unsigned_integer(),
          .campaign = read_campaign(document),
          .provenance = read_provenance(document.at("provenance")),
          .ranks = read_array(document.at("ranks"), read_place),
          .clock = {.source = clock.at("source").text(),
                    .resolution_seconds = non_negative(clock.at("resolution_seconds")),
                    .cost_seconds = non_negative(clock.at("cost_seconds"))},
          .start = optional_text(document, "start"),
          .sync = read_sync(document),
          .points = read_array(document.at("points"), read_planned),
          .series = read_array(document.at("series"), read_series),
          .protocols = optional_array(document, "protocols", read_protocol),
          .memory = optional_array(document, "memory", read_memory_use),
          .algorithms = optional_array(document, "algorithms", read_algorithm_use),
          .guidelines = optional_array(document, "guidelines", read_guideline),
          .flags = document.at("flags").texts()};
}

Record load_record(const std::string& file) { return read_record(load_json(file)); }

std::optional<Record> read_if_record(const JsonNode& document) {
  if (!document.is_object()) return std::nullopt;
  const auto schema = document.find("schema");
  const bool claims = schema && schema->is_text() && schema->text().starts_with("hockney.record/");
  return claims ? std::optional(read_record(document)) : std::nullopt;
}

}  // namespace hockney
