#include "campaign/ledger.hpp"

#include <catch2/catch.hpp>

using namespace hockney;

namespace {

Ledger two_settings(int launches) {
  CampaignConfig config;
  config.settings = {{.name = "a"}, {.name = "b"}};
  return {config, 1, launches};
}

}  // namespace

TEST_CASE("a ledger walks through the plan once") {
  Ledger ledger = two_settings(2);
  CHECK(ledger.total() == 4);
  std::vector<PlannedLaunch> walked;
  while (const auto next = ledger.next()) {
    CHECK(ledger.left() == 4 - static_cast<int>(walked.size()));
    walked.push_back(*next);
    ledger.complete(ledger.name(*next));
  }
  CHECK(walked == plan_launches(2, 2, 1));
  CHECK(ledger.all_complete());
  CHECK(ledger.left() == 0);
}

TEST_CASE("a launch that was tried is not next again, nor complete") {
  Ledger ledger = two_settings(1);
  const PlannedLaunch first = *ledger.next();
  ledger.tried(ledger.name(first));
  CHECK(ledger.next() != first);
  CHECK(ledger.left() == 1);
  ledger.complete(ledger.name(*ledger.next()));
  CHECK_FALSE(ledger.next().has_value());
  CHECK_FALSE(ledger.all_complete());
}

TEST_CASE("a plan may grow and shrink under way") {
  Ledger ledger = two_settings(1);
  for (const PlannedLaunch& launch : plan_launches(2, 1, 1)) ledger.complete(ledger.name(launch));
  ledger.plan(3);
  CHECK(ledger.left() == 4);
  CHECK_FALSE(ledger.all_complete());
  CHECK(ledger.next()->launch == 2);
  ledger.plan(1);
  CHECK(ledger.all_complete());
}
