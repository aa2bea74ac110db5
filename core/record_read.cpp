#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/error.hpp"
#include "core/json_values.hpp"
#include "core/names.hpp"
#include "core/record_file.hpp"
#include "core/record_words.hpp"

namespace hockney {
namespace {

template <class Enum, std::size_t count>
Enum read_word(const JsonNode& node, const std::array<Word<Enum>, count>& words) {
  const std::string text = node.text();
  std::vector<std::string> valid;
  for (const auto& known : words) {
    if (known.text == text) return known.value;
    valid.emplace_back(known.text);
  }
  node.reject("is '" + text + "'", "it is none of the known words", suggest(text, valid));
}

std::optional<std::string> optional_text(const JsonNode& node, std::string_view key) {
  const auto member = node.find(key);
  return member ? std::optional(member->text()) : std::nullopt;
}

int small_integer(const JsonNode& node) {
  const std::int64_t value = node.integer();
  if (value < 0 || value > std::numeric_limits<int>::max()) {
    node.reject("is " + std::to_string(value), "it is out of range", "");
  }
  return static_cast<int>(value);
}

std::vector<int> small_integers(const JsonNode& node) {
  std::vector<int> values;
  for (const JsonNode& element : node.elements()) values.push_back(small_integer(element));
  return values;
}

std::map<std::string, std::string> text_map(const JsonNode& node) {
  std::map<std::string, std::string> values;
  for (const std::string& key : node.keys()) values[key] = node.at(key).text();
  return values;
}

template <class Value>
std::vector<Value> read_array(const JsonNode& node, Value (*read)(const JsonNode&)) {
  std::vector<Value> values;
  for (const JsonNode& element : node.elements()) values.push_back(read(element));
  return values;
}

double non_negative(const JsonNode& node) {
  const double value = node.number();
  if (value < 0) node.reject("is " + std::to_string(value), "it cannot be negative", "");
  return value;
}

/// CBOR, unlike JSON, can hold infinities and what is no number; no launch writes them.
std::vector<double> finite_numbers(const JsonNode& node) {
  std::vector<double> values = node.numbers();
  if (std::ranges::all_of(values, [](double value) { return std::isfinite(value); })) return values;
  node.reject("holds a value that is not finite", "no time is", "use the record as it was written");
}

std::int64_t batch_length(const JsonNode& node) {
  const std::int64_t value = node.integer();
  if (value < 1) node.reject("is " + std::to_string(value), "a sample times one or more", "");
  return value;
}

std::int64_t amount(const JsonNode& node) {
  const std::int64_t value = node.integer();
  if (value < 0) node.reject("is " + std::to_string(value), "bytes cannot be negative", "");
  return value;
}

Point read_point(const JsonNode& holder) {
  const JsonNode node = holder.at("point");
  return {.operation = holder.at("operation").text(),
          .bytes = {amount(node.at("bytes"))},
          .ranks = small_integer(node.at("ranks")),
          .hop = optional_text(node, "hop"),
          .path = optional_text(node, "path"),
          .algorithm = optional_text(node, "algorithm"),
          .pair = small_integers(node.at("pair")),
          .parameters = text_map(node.at("parameters"))};
}

PlannedPoint read_planned(const JsonNode& node) {
  return {.point = read_point(node),
          .bytes_per_sample = amount(node.at("bytes_per_sample")),
          .status = read_word(node.at("status"), point_status_words),
          .reason = node.at("reason").text()};
}

std::optional<Interval> read_within(const JsonNode& node) {
  const auto ends = node.find("within_seconds");
  if (!ends) return std::nullopt;
  const std::vector<double> values = ends->numbers();
  if (values.size() != 2) ends->reject("has not two ends", "an interval is [low, high]", "");
  return Interval{values[0], values[1], node.at("within_level").number()};
}

Summary read_summary(const JsonNode& node) {
  const auto calm = node.find("calm_visits");
  return {.median_seconds = optional_number(node, "median_seconds"),
          .minimum_seconds = optional_number(node, "minimum_seconds"),
          .maximum_seconds = optional_number(node, "maximum_seconds"),
          .within_seconds = read_within(node),
          .effective_samples = optional_number(node, "effective_samples"),
          .skew_seconds = optional_number(node, "skew_seconds"),
          .calm_visits = calm ? std::optional(small_integer(*calm)) : std::nullopt};
}

/// How many samples each visit brought, all of them together.
std::vector<int> read_visits(const JsonNode& node) {
  std::vector<int> visits = small_integers(node.at("visits"));
  const auto sum = std::accumulate(visits.begin(), visits.end(), std::size_t{0});
  const std::size_t samples = node.at("samples_seconds").elements().size();
  if (sum != samples) {
    node.at("visits").reject("adds up to " + std::to_string(sum),
                             "there are " + std::to_string(samples) + " samples", "");
  }
  return visits;
}

std::vector<double> read_controls(const JsonNode& node) {
  const auto controls = node.find("controls_seconds");
  if (!controls) return {};
  std::vector<double> seconds = finite_numbers(*controls);
  const std::size_t visits = node.at("visits").elements().size();
  if (seconds.size() != visits) {
    controls->reject("has " + std::to_string(seconds.size()) + " values",
                     "there are " + std::to_string(visits) + " visits", "");
  }
  return seconds;
}

Series read_series(const JsonNode& node) {
  const auto skews = node.find("skews_seconds");
  const auto late = node.find("late_starts");
  return {.point = read_point(node),
          .samples_seconds = finite_numbers(node.at("samples_seconds")),
          .visits = read_visits(node),
          .controls_seconds = read_controls(node),
          .skews_seconds = skews ? finite_numbers(*skews) : std::vector<double>(),
          .late_starts = late ? small_integer(*late) : 0,
          .batch = batch_length(node.at("batch")),
          .bytes_per_sample = amount(node.at("bytes_per_sample")),
          .summary = read_summary(node.at("summary")),
          .flags = node.at("flags").texts()};
}

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

Provenance read_provenance(const JsonNode& node) {
  const JsonNode build = node.at("build");
  const JsonNode mpi = node.at("mpi");
  return {.command_line = node.at("command_line").texts(),
          .environment = text_map(node.at("environment")),
          .build = {.version = build.at("version").text(),
                    .git_revision = build.at("git_revision").text(),
                    .compiler = build.at("compiler").text(),
                    .flags = build.at("flags").text()},
          .mpi = {.library = mpi.at("library").text(),
                  .standard = mpi.at("standard").text(),
                  .settings = text_map(mpi.at("settings"))},
          .hosts = read_array(node.at("hosts"), read_host)};
}

std::optional<CampaignPlace> read_campaign(const JsonNode& document) {
  const auto node = document.find("campaign");
  if (!node) return std::nullopt;
  return CampaignPlace{.name = node->at("name").text(),
                       .setting = node->at("setting").text(),
                       .launch = small_integer(node->at("launch"))};
}

/// nullopt where the key is missing or null.
std::optional<double> optional_non_negative(const JsonNode& node, std::string_view key) {
  const auto member = node.find(key);
  return member ? std::optional(non_negative(*member)) : std::nullopt;
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
          .flags = document.at("flags").texts()};
}

Record load_record(const std::string& file) { return read_record(load_json(file)); }

}  // namespace hockney
