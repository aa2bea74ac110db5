#include <catch2/catch.hpp>

#include "driver/campaign/execution.hpp"

namespace hockney::campaign {
namespace {

Attempt attempt(AttemptStatus status, double duration, std::optional<double> measuring,
                const std::string& reason = "") {
  Attempt made{.setting = "a", .status = status, .reason = reason};
  made.duration_seconds = duration;
  made.slot_seconds = 1;
  made.measuring_seconds = measuring;
  return made;
}

/// One launch of each kind.
Manifest mixed() {
  Manifest manifest;
  manifest.attempts = {attempt(AttemptStatus::complete, 3, 1),
                       attempt(AttemptStatus::failed, 5, {}, "exit code 7"),
                       attempt(AttemptStatus::complete, 9, 1, "exit code 9, though ..."),
                       attempt(AttemptStatus::interrupted, 7, {}, "stopped with the campaign"),
                       attempt(AttemptStatus::running, 0, {})};
  return manifest;
}

}  // namespace

TEST_CASE("only launches that went well tell what a launch costs") {
  const BudgetUse use = budget_use(mixed(), {20}, 4);
  CHECK(use.spent == Seconds{20});
  CHECK(use.launches_left == 4);
  REQUIRE(use.complete.size() == 1);
  CHECK(use.complete[0].wall == Seconds{3});
  CHECK(use.complete[0].measuring == Seconds{1});
  CHECK(use.complete[0].slot == Seconds{1});
}

TEST_CASE("the rest takes as long for each launch as those that have ended") {
  Manifest manifest = mixed();
  CHECK(expected_remaining(manifest, {24}, 3) == Seconds{18});
  CHECK(expected_remaining(manifest, {24}, 0) == Seconds{0});
  manifest.attempts.clear();
  CHECK_FALSE(expected_remaining(manifest, {0}, 3).has_value());
}

TEST_CASE("with a budget the rest is what is left of it") {
  Manifest manifest = mixed();
  manifest.config.budget = Seconds{60};
  CHECK(expected_remaining(manifest, {24}, 3) == Seconds{36});
  CHECK(expected_remaining(manifest, {61}, 3) == Seconds{0});
}

}  // namespace hockney::campaign
