#include <algorithm>
#include <nlohmann/json.hpp>

#include "campaign/manifest.hpp"
#include "campaign/manifest_words.hpp"
#include "core/atomic_file.hpp"
#include "core/json_values.hpp"

namespace hockney {
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
