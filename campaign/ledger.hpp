#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "campaign/config.hpp"
#include "campaign/request.hpp"

namespace hockney {

/// The plan of a campaign and how far this driver has come with it.
class Ledger {
 public:
  Ledger(const CampaignConfig& config, std::uint64_t seed, int launches);

  /// Another number of launches for each setting; what is done stays done.
  void plan(int launches);

  [[nodiscard]] const std::vector<PlannedLaunch>& launches() const { return plan_; }
  [[nodiscard]] const std::string& setting(const PlannedLaunch& launch) const;
  [[nodiscard]] std::string name(const PlannedLaunch& launch) const;

  /// The launch has its record.
  void complete(const std::string& name);
  /// The launch was tried; another try is for the next driver.
  void tried(const std::string& name) { settled_.insert(name); }

  /// The first launch that is neither complete nor tried.
  [[nodiscard]] std::optional<PlannedLaunch> next() const;
  /// How many such launches there are.
  [[nodiscard]] int left() const;
  [[nodiscard]] int total() const { return static_cast<int>(plan_.size()); }
  [[nodiscard]] bool all_complete() const;
  /// The number of the last launch that all settings are through with; 0 before the first.
  [[nodiscard]] int whole_blocks() const;

 private:
  [[nodiscard]] bool is_open(const PlannedLaunch& launch) const;

  std::vector<std::string> settings_;
  std::uint64_t seed_;
  std::vector<PlannedLaunch> plan_;
  std::set<std::string> settled_;
  std::set<std::string> complete_;
};

}  // namespace hockney
