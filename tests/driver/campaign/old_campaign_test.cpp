#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/record_file.hpp"
#include "driver/campaign/manifest.hpp"

// A campaign that an earlier version ran (tests/fixtures/documents) is read as what was written.
namespace hockney::campaign {
namespace {

const std::string old_campaign = HOCKNEY_SOURCE_DIR "/tests/fixtures/documents/campaign";

}  // namespace

namespace {

/// A document of an earlier version with today's names of keys.
nlohmann::json with_new_names(const std::string& file) {
  std::string text = load_json(file).json().dump();
  const std::vector<std::pair<std::string, std::string>> names{
      {"\"witness\"", "\"verification\""},
      {"hockney.record/1", "hockney.record/2"},
      {"\"visits\"", "\"blocks\""},
      {"\"warm_up_visits\"", "\"warm_up_blocks\""},
      {"\"calm_visits\"", "\"undisturbed_blocks\""},
      {"\"detours\"", "\"outliers\""},
      {"\"controls_seconds\"", "\"noise_probes_seconds\""},
      {"\"asked_cpu\"", "\"requested_cpu\""},
      {"\"asked\"", "\"requested\""},
      {"\"in_force\"", "\"effective\""},
      {"\"value\":", "\"requested\":"}};
  for (const auto& [old_name, name] : names) {
    for (auto at = text.find(old_name); at != std::string::npos; at = text.find(old_name, at)) {
      text.replace(at, old_name.size(), name);
    }
  }
  nlohmann::json document = nlohmann::json::parse(text);
  // Records of earlier versions have no means.
  if (document.contains("series")) {
    for (nlohmann::json& series : document["series"]) series["summary"]["mean_seconds"] = nullptr;
  }
  return document;
}

}  // namespace

TEST_CASE("the manifest of an earlier version is read whole, and written with new names") {
  const Manifest manifest = load_manifest(old_campaign + "/manifest.json");
  CHECK(manifest.status == Status::complete);
  CHECK(manifest.config.name == "written-before");
  CHECK(manifest.config.ranks == 2);
  REQUIRE(manifest.config.sweep);
  CHECK(manifest.config.sweep->axes.at(0).variable == "OMPI_MCA_btl_vader_eager_limit");
  CHECK(manifest.config.sweep->mode == SweepMode::full);
  REQUIRE(manifest.config.settings.size() == 2);
  CHECK(manifest.config.settings.at(1).environment.at("OMPI_MCA_btl_vader_eager_limit") == "8192");
  REQUIRE(manifest.attempts.size() == 2);
  CHECK(manifest.attempts.at(0).setting == "eager=8192");
  CHECK(manifest.attempts.at(0).duration_seconds == 3.816177066);
  CHECK(manifest.attempts.at(0).measuring_seconds == 1.982232328);
  CHECK(manifest.attempts.at(0).exit_code == 0);
  CHECK(to_json(manifest) == with_new_names(old_campaign + "/manifest.json"));
}

TEST_CASE("the records of an earlier version are read whole, and written with new names") {
  const std::vector<Record> records = load_records({old_campaign});
  REQUIRE(records.size() == 2);
  CHECK(records.at(0).campaign->setting == "eager=8192");
  CHECK(records.at(0).campaign->axes.at("eager") == "8192");
  CHECK(records.at(1).campaign->setting == "eager=default");
  const std::string folder = old_campaign + "/records/";
  CHECK(to_json(records.at(0)) == with_new_names(folder + "eager=8192-001.json"));
  CHECK(to_json(records.at(1)) == with_new_names(folder + "eager=default-001.json"));
}

}  // namespace hockney::campaign
