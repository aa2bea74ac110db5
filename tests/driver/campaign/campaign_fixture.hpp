#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "driver/campaign/execution.hpp"
#include "driver/campaign/manifest.hpp"
#include "driver/campaign/outcome.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney::campaign {

/// A campaign of the mock program under the mock launcher, in a folder of its own.
class MockCampaign {
 public:
  MockCampaign() {
    request_.config = {.name = "mock", .program = HOCKNEY_MOCK_LAUNCH};
    request_.config.launches = 3;
    request_.config.launcher.command = HOCKNEY_MOCK_MPIRUN;
    request_.config.file = folder_.path() + "/config.json";
    request_.program = HOCKNEY_MOCK_LAUNCH;
    request_.launcher = {LauncherKind::openmpi4, HOCKNEY_MOCK_MPIRUN, std::nullopt};
    request_.ranks = 2;
    request_.folder = folder_.path() + "/out";
    request_.seed = 1;
    request_.grace = {0.2};
  }

  MockCampaign& launches(std::optional<int> count) {
    request_.config.launches = count;
    return *this;
  }
  MockCampaign& precision(double share, std::optional<int> most = std::nullopt) {
    request_.config.launches.reset();
    request_.config.precision = share;
    request_.config.most_launches = most;
    return *this;
  }
  MockCampaign& settings(const std::vector<std::string>& names) {
    request_.config.settings.clear();
    for (const std::string& name : names) request_.config.settings.push_back({.name = name});
    return *this;
  }
  MockCampaign& arguments(std::vector<std::string> arguments) {
    request_.config.arguments = std::move(arguments);
    return *this;
  }
  MockCampaign& timeout(Seconds limit) {
    request_.config.launch_timeout = limit;
    return *this;
  }
  MockCampaign& budget(Seconds total) {
    request_.config.budget = total;
    return *this;
  }
  MockCampaign& resume() {
    request_.resume = true;
    return *this;
  }

  Manifest run() {
    steps_.clear();
    return run_campaign(request_, [this](const Step& step) { steps_.push_back(step); }).manifest;
  }

  [[nodiscard]] Request& request() { return request_; }
  [[nodiscard]] Folder folder() const { return campaign_folder(request_.folder); }
  [[nodiscard]] const TemporaryFolder& parent() const { return folder_; }
  [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }
  [[nodiscard]] bool is_complete(const std::string& name) const {
    return LaunchRecord(folder().record(name)).is_complete();
  }

 private:
  TemporaryFolder folder_;
  Request request_;
  std::vector<Step> steps_;
};

/// The names of the files in a folder, sorted.
inline std::vector<std::string> files_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace hockney::campaign
