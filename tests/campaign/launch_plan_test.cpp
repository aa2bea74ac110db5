#include "campaign/launch_plan.hpp"

#include <catch2/catch.hpp>

namespace hockney::campaign {
namespace {

Plan two_settings(int launches) {
  Config config;
  config.settings = {{.name = "a"}, {.name = "b"}};
  return {config, 1, launches};
}

}  // namespace

TEST_CASE("a plan walks through the plan once") {
  Plan plan = two_settings(2);
  CHECK(plan.total() == 4);
  std::vector<PlannedLaunch> walked;
  while (const auto next = plan.next()) {
    CHECK(plan.left() == 4 - static_cast<int>(walked.size()));
    walked.push_back(*next);
    plan.complete(plan.name(*next));
  }
  CHECK(walked == plan_launches(2, 2, 1));
  CHECK(plan.all_complete());
  CHECK(plan.left() == 0);
}

TEST_CASE("a launch that was tried is not next again, nor complete") {
  Plan plan = two_settings(1);
  const PlannedLaunch first = *plan.next();
  plan.tried(plan.name(first));
  CHECK(plan.next() != first);
  CHECK(plan.left() == 1);
  plan.complete(plan.name(*plan.next()));
  CHECK_FALSE(plan.next().has_value());
  CHECK_FALSE(plan.all_complete());
}

TEST_CASE("a plan may grow and shrink under way") {
  Plan plan = two_settings(1);
  for (const PlannedLaunch& launch : plan_launches(2, 1, 1)) plan.complete(plan.name(launch));
  plan.plan(3);
  CHECK(plan.left() == 4);
  CHECK_FALSE(plan.all_complete());
  CHECK(plan.next()->launch == 2);
  plan.plan(1);
  CHECK(plan.all_complete());
}

}  // namespace hockney::campaign
