#include <nlohmann/json.hpp>

#include "core/algorithm_use_json.hpp"
#include "core/guideline_json.hpp"
#include "core/json_values.hpp"
#include "core/protocol_json.hpp"
#include "core/record_fields.hpp"
#include "core/record_file.hpp"
#include "core/series_read.hpp"

namespace hockney {
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
