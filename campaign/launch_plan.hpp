#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "campaign/config.hpp"

namespace hockney::campaign {

/// One launch to be made. `launch` counts from 1 within its setting and is also the block it is in.
struct PlannedLaunch {
  std::size_t setting = 0;  ///< index into the config's settings
  int launch = 1;
  std::uint64_t seed = 0;  ///< for the program's own random order

  friend bool operator==(const PlannedLaunch&, const PlannedLaunch&) = default;
};

/// Randomised complete blocks: each block holds every setting once, in random order, so that slow
/// drift of the machine falls on all settings alike. Pure: the same seed gives the same plan on
/// every machine, and a plan of more blocks begins with the plan of fewer.
std::vector<PlannedLaunch> plan_launches(std::size_t settings, int launches, std::uint64_t seed);

/// "default-007": the stem of everything this launch leaves behind.
std::string launch_name(const std::string& setting, int launch);

/// "1 launch", "6 launches".
std::string launches_text(int launches);

/// The launches of a campaign in their order, and what this driver has done about each.
class Plan {
 public:
  Plan(const Config& config, std::uint64_t seed, int launches);

  /// Another number of launches for each setting; what is done stays done.
  void plan(int launches);

  [[nodiscard]] const std::vector<PlannedLaunch>& launches() const { return plan_; }
  [[nodiscard]] const std::string& setting(const PlannedLaunch& launch) const;
  [[nodiscard]] std::string name(const PlannedLaunch& launch) const;

  /// The launch has its record.
  void complete(const std::string& name) { states_[name] = State::complete; }
  /// The launch was tried; another try is for the next driver.
  void tried(const std::string& name) { states_.try_emplace(name, State::tried); }
  /// What is open of the setting is left to the next driver, too.
  void give_up(const std::string& setting) { given_up_.insert(setting); }

  /// The first launch that is neither complete nor tried.
  [[nodiscard]] std::optional<PlannedLaunch> next() const;
  /// How many such launches there are.
  [[nodiscard]] int left() const;
  [[nodiscard]] int total() const { return static_cast<int>(plan_.size()); }
  [[nodiscard]] bool is_complete(const PlannedLaunch& launch) const;
  [[nodiscard]] bool all_complete() const;
  /// The number of the last launch that all settings are through with; 0 before the first.
  [[nodiscard]] int whole_blocks() const;

 private:
  enum class State { open, tried, complete };

  [[nodiscard]] State state(const PlannedLaunch& launch) const;

  std::vector<std::string> settings_;
  std::uint64_t seed_;
  std::vector<PlannedLaunch> plan_;
  std::map<std::string, State> states_;  ///< by name; a launch without one is open
  std::set<std::string> given_up_;       ///< settings
};

}  // namespace hockney::campaign
