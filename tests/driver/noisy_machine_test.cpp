#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "core/record_file.hpp"
#include "core/text.hpp"
#include "tests/driver/bad_input.hpp"

// `hockney report` of campaigns that were measured beside busy loops (tests/fixtures).
namespace hockney::driver {
namespace {

constexpr std::size_t fewest_for_interval = 6;  // launches

std::vector<std::string> campaigns() {
  std::vector<std::string> folders;
  for (const auto& entry :
       std::filesystem::directory_iterator(HOCKNEY_SOURCE_DIR "/tests/fixtures/noisy-machine")) {
    if (entry.is_directory()) folders.push_back(entry.path().string());
  }
  std::ranges::sort(folders);
  return folders;
}

std::string report(const std::string& folder, const std::string& option) {
  const CommandResult result = run_command({built("hockney"), "report", folder, option});
  INFO(result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
  CHECK_THAT(result.out, !Catch::Contains("machine state") && !Catch::Contains("machine-state") &&
                             !Catch::Contains("noise probe of rank"));
  return result.out;
}

struct Campaign {
  std::set<std::string> settings;
  std::size_t points = 0;  ///< of a launch
  std::size_t launches_of_each = 0;
};

Campaign campaign_in(const std::string& folder) {
  Campaign campaign;
  const std::vector<Record> records = load_records({folder});
  for (const Record& record : records) campaign.settings.insert(record.campaign->setting);
  campaign.points = records.front().points.size();
  campaign.launches_of_each = records.size() / campaign.settings.size();
  return campaign;
}

bool is_between(const nlohmann::json& low, const nlohmann::json& value,
                const nlohmann::json& high) {
  if (!low.is_number() || !value.is_number() || !high.is_number()) return false;
  return low.get<double>() <= value.get<double>() && value.get<double>() <= high.get<double>();
}

/// Whether a row of a summary has a value within its interval.
bool has_interval(const nlohmann::json& row) {
  const nlohmann::json& ends = row.at("interval");
  return ends.is_array() && is_between(ends.front(), row.at("value"), ends.back());
}

/// A curve has one headline: its time at the smallest size, with an interval or a range.
void check_headline(const nlohmann::json& summary) {
  std::size_t headlines = 0;
  for (const nlohmann::json& row : summary.at("rows")) {
    if (row.at("unit") != "us") continue;
    ++headlines;
    CHECK(row.at("mark") == "at 8");
    CHECK(has_interval(row));
  }
  CHECK(headlines == 1);
}

/// The comparison of two settings has one headline, with an interval if there are launches enough.
void check_comparison(const nlohmann::json& summary, const Campaign& campaign) {
  REQUIRE(summary.at("rows").size() == 1);
  const nlohmann::json& row = summary.at("rows").front();
  CHECK(row.at("value").is_number());
  if (campaign.launches_of_each >= fewest_for_interval) {
    CHECK(has_interval(row));
  }
}

/// Each point of each setting is one row over the launches that reached it.
void check_points(const nlohmann::json& rows, const Campaign& campaign) {
  CHECK(rows.size() == campaign.points * campaign.settings.size());
  for (const nlohmann::json& row : rows) {
    const auto launches = row.at("launches").get<std::size_t>();
    CHECK(launches > 1);
    CHECK(launches <= campaign.launches_of_each);
    CHECK(row.at("median_seconds").is_number());
    if (launches < fewest_for_interval) continue;
    CHECK(
        is_between(row.at("ci_low_seconds"), row.at("median_seconds"), row.at("ci_high_seconds")));
  }
}

/// The lines of the screen between one that begins with `label` and the next label.
std::size_t lines_of(const std::vector<std::string>& lines, const std::string& label) {
  const auto first =
      std::ranges::find_if(lines, [&](const std::string& line) { return line.starts_with(label); });
  if (first == lines.end()) return 0;
  const auto last = std::find_if(first + 1, lines.end(), [](const std::string& line) {
    return line.empty() || !line.starts_with("  ");
  });
  return static_cast<std::size_t>(last - first);
}

void check_screen(const std::string& screen, const nlohmann::json& summary) {
  const auto result = summary.at("lines").back().get<std::string>();
  const std::size_t at_result = screen.find(result);
  const std::size_t at_reliability = screen.find("\nreliability");
  REQUIRE(at_result != std::string::npos);
  REQUIRE(at_reliability != std::string::npos);
  CHECK(at_result < at_reliability);
  const std::vector<std::string> lines = split(screen, '\n');
  CHECK(lines_of(lines, "reliability") <= 3);
  CHECK(lines.size() <= 25);  // the last one is empty
}

}  // namespace

TEST_CASE("beside busy loops each curve has one headline, and results precede reliability") {
  const std::vector<std::string> folders = campaigns();
  REQUIRE(folders.size() == 10);
  for (const std::string& folder : folders) {
    INFO(folder);
    const Campaign campaign = campaign_in(folder);
    const nlohmann::json document = nlohmann::json::parse(report(folder, "--json"));
    const nlohmann::json& summary = document.at("summary");
    if (campaign.settings.size() == 1) {
      check_headline(summary);
    } else {
      check_comparison(summary, campaign);
    }
    check_points(document.at("rows"), campaign);
    check_screen(run_command({built("hockney"), "report", folder}).out, summary);
    report(folder, "--all");
  }
}

}  // namespace hockney::driver
