#include "campaign/manifest.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "core/json_values.hpp"
#include "core/text.hpp"

namespace hockney {
namespace {

template <class Enum, std::size_t count>
Enum read_word(const JsonNode& node, const std::array<std::string_view, count>& words) {
  const std::string text = node.text();
  const auto found = std::ranges::find(words, text);
  if (found == words.end()) {
    node.reject("is '" + text + "'", "it is none of the known words",
                suggest(text, {words.begin(), words.end()}));
  }
  return static_cast<Enum>(found - words.begin());
}

int read_int(const JsonNode& node, int least) {
  const std::int64_t value = node.integer();
  if (value < least || value > std::numeric_limits<int>::max()) {
    node.reject("is " + std::to_string(value), "it is out of range", "");
  }
  return static_cast<int>(value);
}

std::optional<int> optional_int(const JsonNode& node, std::string_view key) {
  const auto member = node.find(key);
  return member ? std::optional(read_int(*member, 0)) : std::nullopt;
}

Command read_command(const JsonNode& node) {
  Command command{.arguments = node.at("command").texts(), .environment = {}};
  const JsonNode environment = node.at("environment");
  for (const std::string& name : environment.keys()) {
    command.environment[name] = environment.at(name).text();
  }
  return command;
}

Attempt read_attempt(const JsonNode& node) {
  const auto remains = node.find("remains");
  return {.setting = node.at("setting").text(),
          .launch = read_int(node.at("launch"), 1),
          .number = read_int(node.at("attempt"), 1),
          .status = read_word<AttemptStatus>(node.at("status"), attempt_status_words),
          .reason = node.at("reason").text(),
          .exit_code = optional_int(node, "exit_code"),
          .signal = optional_int(node, "signal"),
          .command = read_command(node),
          .started_utc = node.at("started_utc").text(),
          .duration_seconds = node.at("duration_seconds").number(),
          .slot_seconds = optional_number(node, "slot_seconds"),
          .measuring_seconds = optional_number(node, "measuring_seconds"),
          .log = node.at("log").text(),
          .ignored_settings = texts_or_none(node, "ignored_settings"),
          .remains = remains ? std::optional(remains->text()) : std::nullopt,
          .last_lines = node.at("last_lines").texts()};
}

std::optional<Precision> read_precision(const JsonNode& document) {
  const auto node = document.find("precision");
  if (!node) return std::nullopt;
  return Precision{.points = read_int(node->at("points"), 0),
                   .within = read_int(node->at("within"), 0),
                   .widest = node->at("widest").number(),
                   .widest_at = node->at("widest_at").text(),
                   .level = node->at("level").number()};
}

}  // namespace

Manifest read_manifest(const JsonNode& document) {
  const JsonNode schema = document.at("schema");
  if (schema.text() != manifest_schema) {
    schema.reject("is '" + schema.text() + "'", "this hockney does not know it",
                  "choose another --out");
  }
  Manifest manifest{
      .status = read_word<CampaignStatus>(document.at("status"), campaign_status_words),
      .config = read_config(document.at("config")),
      .config_file = document.at("config_file").text(),
      .program = document.at("program").text(),
      .ranks = read_int(document.at("ranks"), 1),
      .seed = document.at("seed").unsigned_integer(),
      .launches = read_int(document.at("launches"), 1),
      .launches_because = document.at("launches_because").text(),
      .precision = read_precision(document),
      .started_utc = document.at("started_utc").text(),
      .elapsed_seconds = document.at("elapsed_seconds").number(),
      .attempts = {}};
  if (const auto skipped = document.find("skipped")) {
    for (const JsonNode& node : skipped->elements()) {
      manifest.skipped.push_back({node.at("setting").text(), node.at("because").text()});
    }
  }
  for (const JsonNode& node : document.at("attempts").elements()) {
    manifest.attempts.push_back(read_attempt(node));
  }
  return manifest;
}

Manifest load_manifest(const std::string& file) { return read_manifest(load_json(file)); }

namespace {

using Json = nlohmann::json;

Json attempt_json(const Attempt& attempt) {
  return {{"setting", attempt.setting},
          {"launch", attempt.launch},
          {"attempt", attempt.number},
          {"status", word(attempt.status)},
          {"reason", attempt.reason},
          {"exit_code", or_null(attempt.exit_code)},
          {"signal", or_null(attempt.signal)},
          {"command", attempt.command.arguments},
          {"environment", attempt.command.environment},
          {"started_utc", attempt.started_utc},
          {"duration_seconds", attempt.duration_seconds},
          {"slot_seconds", or_null(attempt.slot_seconds)},
          {"measuring_seconds", or_null(attempt.measuring_seconds)},
          {"log", attempt.log},
          {"ignored_settings", attempt.ignored_settings},
          {"remains", or_null(attempt.remains)},
          {"last_lines", attempt.last_lines}};
}

Json skipped_json(const std::vector<SkippedCombination>& combinations) {
  Json skipped = Json::array();
  for (const SkippedCombination& each : combinations) {
    skipped.push_back({{"setting", each.setting}, {"because", each.because}});
  }
  return skipped;
}

Json precision_json(const Precision& precision) {
  return {{"points", precision.points},
          {"within", precision.within},
          {"widest", precision.widest},
          {"widest_at", precision.widest_at},
          {"level", precision.level}};
}

/// The plan in order of launching; it follows from seed, settings and launches, and is written for
/// people.
Json plan_json(const Manifest& manifest) {
  const std::vector<Setting>& settings = manifest.config.settings;
  Json plan = Json::array();
  for (const PlannedLaunch& launch :
       plan_launches(settings.size(), manifest.launches, manifest.seed)) {
    plan.push_back(launch_name(settings[launch.setting].name, launch.launch));
  }
  return plan;
}

}  // namespace

Json to_json(const Manifest& manifest) {
  Json attempts = Json::array();
  for (const Attempt& attempt : manifest.attempts) attempts.push_back(attempt_json(attempt));
  return {{"schema", manifest_schema},
          {"status", word(manifest.status)},
          {"config", to_json(manifest.config)},
          {"config_file", manifest.config_file},
          {"program", manifest.program},
          {"ranks", manifest.ranks},
          {"seed", manifest.seed},
          {"launches", manifest.launches},
          {"launches_because", manifest.launches_because},
          {"precision", manifest.precision ? precision_json(*manifest.precision) : Json(nullptr)},
          {"started_utc", manifest.started_utc},
          {"elapsed_seconds", manifest.elapsed_seconds},
          {"skipped", skipped_json(manifest.skipped)},
          {"plan", plan_json(manifest)},
          {"attempts", std::move(attempts)}};
}

void save_manifest(const Manifest& manifest, const std::string& file) {
  write_atomically(file, json_text(to_json(manifest)) + "\n");
}

int Manifest::tries(const std::string& setting, int launch) const {
  return static_cast<int>(std::ranges::count_if(attempts, [&](const Attempt& attempt) {
    return attempt.setting == setting && attempt.launch == launch;
  }));
}

}  // namespace hockney
