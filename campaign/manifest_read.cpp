#include <algorithm>
#include <limits>

#include "campaign/manifest.hpp"
#include "campaign/manifest_words.hpp"
#include "core/json_values.hpp"
#include "core/names.hpp"

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

}  // namespace hockney
