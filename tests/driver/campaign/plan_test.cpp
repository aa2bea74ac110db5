#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "driver/campaign/request.hpp"

namespace hockney::campaign {

TEST_CASE("each block holds every setting once") {
  const auto plan = plan_launches(5, 8, 42);
  REQUIRE(plan.size() == 40);
  for (std::size_t block = 0; block < 8; ++block) {
    std::set<std::size_t> settings;
    for (std::size_t i = 0; i < 5; ++i) {
      CHECK(plan[block * 5 + i].launch == static_cast<int>(block) + 1);
      settings.insert(plan[block * 5 + i].setting);
    }
    CHECK(settings == std::set<std::size_t>{0, 1, 2, 3, 4});
  }
}

TEST_CASE("a plan follows from its seed") {
  CHECK(plan_launches(4, 10, 7) == plan_launches(4, 10, 7));
  CHECK(plan_launches(4, 10, 7) != plan_launches(4, 10, 8));
}

TEST_CASE("a plan is the same on every machine") {
  // Computed apart, from the definitions of SplitMix64, MT19937-64 and Fisher-Yates.
  const std::vector<PlannedLaunch> expected{{1, 1, 1888861931}, {2, 1, 4227175843},
                                            {0, 1, 1467295306}, {1, 2, 3300339596},
                                            {2, 2, 2796317184}, {0, 2, 2428070733}};
  CHECK(plan_launches(3, 2, 1) == expected);
}

TEST_CASE("a longer plan begins with the shorter one") {
  const auto plan = plan_launches(3, 4, 99);
  const auto longer = plan_launches(3, 9, 99);
  CHECK(std::equal(plan.begin(), plan.end(), longer.begin()));
}

TEST_CASE("every order of three settings is about equally frequent") {
  const auto plan = plan_launches(3, 6000, 5);
  std::map<std::vector<std::size_t>, int> orders;
  for (std::size_t i = 0; i < plan.size(); i += 3) {
    ++orders[{plan[i].setting, plan[i + 1].setting, plan[i + 2].setting}];
  }
  CHECK(orders.size() == 6);
  // 1000 expected with a standard deviation of 29.
  for (const auto& [order, count] : orders) CHECK(std::abs(count - 1000) < 150);
}

TEST_CASE("every launch has a seed of its own") {
  std::set<std::uint64_t> seeds;
  for (const PlannedLaunch& launch : plan_launches(10, 100, 3)) seeds.insert(launch.seed);
  CHECK(seeds.size() == 1000);
}

TEST_CASE("launch names sort as the launches do") {
  CHECK(launch_name("default", 1) == "default-001");
  CHECK(launch_name("a-b", 42) == "a-b-042");
  CHECK(launch_name("x", 1234) == "x-1234");
}

}  // namespace hockney::campaign
