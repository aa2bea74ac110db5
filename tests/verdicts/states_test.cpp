#include "verdicts/states.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "tests/support/synthetic.hpp"

namespace hockney::verdicts {
namespace {

constexpr std::size_t launches_made = 14;
constexpr std::size_t moments = 3;
constexpr int campaigns_tried = 20;

/// The figures of a campaign on a quiet machine: round trips of three pairs, noise probes and
/// copies. Launches differ by 5, 1 and 4 %, and moments by half of it.
struct TwoStateCampaign {
  std::vector<StateFigure> figures;

  explicit TwoStateCampaign(std::uint64_t seed, std::size_t count = launches_made) {
    Noise noise(seed);
    for (const double spread : {0.05, 0.05, 0.05, 0.01, 0.04}) {
      StateFigure& figure = figures.emplace_back();
      figure.least_ratio = spread < 0.02 ? 1.1 : 1.2;
      for (std::size_t launch = 0; launch < count; ++launch) {
        const double level = spread * noise.normal();
        std::vector<double>& values = figure.values.emplace_back();
        for (std::size_t i = 0; i < moments; ++i) {
          values.push_back(std::exp(level + spread / 2 * noise.normal()));
        }
      }
    }
  }

  /// Multiplies a figure by `factor` where the state is planted.
  void plant(std::size_t figure, double factor,
             const std::function<bool(std::size_t launch, std::size_t moment)>& is_there) {
    for (std::size_t launch = 0; launch < figures[figure].values.size(); ++launch) {
      for (std::size_t i = 0; i < moments; ++i) {
        if (is_there(launch, i)) figures[figure].values[launch][i] *= factor;
      }
    }
  }

  [[nodiscard]] FoundStates find() const {
    return find_states(figures, figures.front().values.size());
  }
};

StateFigure figure_of(const std::vector<double>& values) {
  StateFigure figure{.values = {}, .least_ratio = 1.2};
  for (const double value : values) figure.values.push_back({value});
  return figure;
}

/// Launches of tests/fixtures/machine-states.
struct MeasuredLaunches {
  std::vector<double> latencies;  ///< [us]
  std::vector<double> lines;      ///< half the round trip of a cache line [us]
};

MeasuredLaunches load_launches(const std::string& name) {
  std::ifstream file(std::string(HOCKNEY_SOURCE_DIR "/tests/fixtures/machine-states/") + name);
  MeasuredLaunches launches;
  for (double latency = 0, line = 0; file >> latency >> line;) {
    launches.latencies.push_back(latency);
    launches.lines.push_back(line);
  }
  return launches;
}

}  // namespace

TEST_CASE("cache lines of a virtual machine whose CPUs moved show two states") {
  const MeasuredLaunches measured = load_launches("vm-two-states.txt");
  REQUIRE(measured.lines.size() == launches_made);
  const StateFigure lines = figure_of(measured.lines);
  const FoundStates found = find_states({&lines, 1}, launches_made);
  REQUIRE(found.states == 2);
  CHECK(found.splits.front().limit == Approx(std::sqrt(0.04624 * 0.1877)));
  for (std::size_t launch = 0; launch < launches_made; ++launch) {
    CHECK(found.of[launch] == std::vector<std::size_t>{launch < 7 ? 0U : 1U});
    CHECK((measured.latencies[launch] > 0.3) == (found.of[launch].front() == 1));
  }
}

TEST_CASE("cache lines of a machine with one state show one") {
  const MeasuredLaunches measured = load_launches("xeon-one-state.txt");
  REQUIRE(measured.lines.size() == 24);
  for (const std::vector<double>& values : {measured.lines, measured.latencies}) {
    const StateFigure figure = figure_of(values);
    const FoundStates found = find_states({&figure, 1}, values.size());
    CHECK(found.states == 1);
    CHECK(found.splits.empty());
  }
}

TEST_CASE("no state is named in twenty campaigns_tried on a quiet machine") {
  for (int seed = 0; seed < campaigns_tried; ++seed) {
    CAPTURE(seed);
    CHECK(TwoStateCampaign(static_cast<std::uint64_t>(seed)).find().states == 1);
  }
}

TEST_CASE("two distances between CPUs are named in twenty of twenty campaigns_tried") {
  for (int seed = 0; seed < campaigns_tried; ++seed) {
    CAPTURE(seed);
    TwoStateCampaign campaign(static_cast<std::uint64_t>(seed));
    campaign.plant(1, 3, [](std::size_t launch, std::size_t) { return launch % 3 == 0; });
    const FoundStates found = campaign.find();
    REQUIRE(found.states == 2);
    for (std::size_t launch = 0; launch < launches_made; ++launch) {
      CHECK(found.of[launch] == std::vector<std::size_t>(moments, launch % 3 == 0 ? 1 : 0));
    }
  }
}

TEST_CASE("a limit of the clock is named in twenty of twenty campaigns_tried") {
  for (int seed = 0; seed < campaigns_tried; ++seed) {
    CAPTURE(seed);
    TwoStateCampaign campaign(static_cast<std::uint64_t>(seed));
    for (const std::size_t figure : {0U, 1U, 2U, 3U}) {  // a slower clock slows caches as well
      campaign.plant(figure, 1.25, [](std::size_t launch, std::size_t) { return launch >= 8; });
    }
    const FoundStates found = campaign.find();
    REQUIRE(found.states == 2);
    CHECK(found.splits.front().figure == 3);
    CHECK(found.of[7] == std::vector<std::size_t>(moments, 0));
    CHECK(found.of[8] == std::vector<std::size_t>(moments, 1));
  }
}

TEST_CASE("a busy sibling thread is named in twenty of twenty campaigns_tried") {
  for (int seed = 0; seed < campaigns_tried; ++seed) {
    CAPTURE(seed);
    TwoStateCampaign campaign(static_cast<std::uint64_t>(seed));
    campaign.plant(3, 1.8, [](std::size_t launch, std::size_t) { return launch < 3; });
    campaign.plant(4, 1.3, [](std::size_t launch, std::size_t) { return launch < 3; });
    const FoundStates found = campaign.find();
    REQUIRE(found.states == 2);
    CHECK(found.of[2] == std::vector<std::size_t>(moments, 1));
    CHECK(found.of[3] == std::vector<std::size_t>(moments, 0));
  }
}

TEST_CASE("a change within launches is found where it happened") {
  for (int seed = 0; seed < campaigns_tried; ++seed) {
    CAPTURE(seed);
    TwoStateCampaign campaign(static_cast<std::uint64_t>(seed));
    // Two launches change between their middle and their end, and no launch is slow as a whole.
    campaign.plant(0, 4.5, [](std::size_t launch, std::size_t moment) {
      return (launch == 4 || launch == 9) && moment == 2;
    });
    const FoundStates found = campaign.find();
    REQUIRE(found.states == 2);
    CHECK(found.of[4] == std::vector<std::size_t>{0, 0, 1});
    CHECK(found.of[9] == std::vector<std::size_t>{0, 0, 1});
    CHECK(found.of[5] == std::vector<std::size_t>{0, 0, 0});
  }
}

TEST_CASE("independent causes give more than two states") {
  TwoStateCampaign campaign(1, 28);
  campaign.plant(0, 4, [](std::size_t launch, std::size_t) { return launch % 2 == 0; });
  campaign.plant(3, 1.8, [](std::size_t launch, std::size_t) { return launch >= 14; });
  const FoundStates found = campaign.find();
  CHECK(found.states == 4);
  CHECK(found.splits.size() == 3);
  CHECK(found.of[0] != found.of[1]);
  CHECK(found.of[0] == found.of[2]);
  CHECK(found.of[0] != found.of[14]);
}

TEST_CASE("states nearer than the least ratio are one") {
  TwoStateCampaign campaign(3);
  for (StateFigure& figure : campaign.figures) figure.least_ratio = 2.5;
  campaign.plant(3, 1.8, [](std::size_t launch, std::size_t) { return launch < 7; });
  CHECK(campaign.find().states == 1);
}

TEST_CASE("five launches show no states, and unknown values are passed over") {
  const StateFigure few = figure_of({1, 1.01, 5, 5.01, 5.02});
  CHECK(find_states({&few, 1}, 5).states == 1);
  CHECK(find_states({}, 3).of.size() == 3);
  StateFigure holed = figure_of({1, 1.01, 1.02, 1.01, 1, 5, 5.02, 5.01, 5.03, 0});
  CHECK(find_states({&holed, 1}, 10).of[9] == std::vector<std::size_t>{0});
  CHECK(find_states({&holed, 1}, 10).states == 2);
}

}  // namespace hockney::verdicts
