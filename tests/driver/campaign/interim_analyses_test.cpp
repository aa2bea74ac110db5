#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "driver/campaign/stopping.hpp"

namespace hockney::campaign {
namespace {

std::vector<int> moments_of(const InterimAnalyses& analyses) {
  std::vector<int> launches;
  for (const InterimAnalysis& analysis : analyses.all()) launches.push_back(analysis.launches);
  return launches;
}

}  // namespace

TEST_CASE("interim analyses come at growing numbers of launches, the last at the most") {
  CHECK(moments_of(InterimAnalyses(30)) == std::vector<int>{8, 10, 14, 20, 30});
  CHECK(moments_of(InterimAnalyses(6)) == std::vector<int>{6});
  CHECK(moments_of(InterimAnalyses(8)) == std::vector<int>{8});
  CHECK(moments_of(InterimAnalyses(12)) == std::vector<int>{8, 10, 12});
  CHECK(moments_of(InterimAnalyses(100)) == std::vector<int>{10, 14, 20, 30, 42, 59, 83, 100});
}

TEST_CASE("one interim analysis has the whole 5 %") {
  CHECK(InterimAnalyses(8).first().level == Approx(1 - 2 / 256.0));
  CHECK(InterimAnalyses(6).first().level == Approx(1 - 2 / 64.0));
}

TEST_CASE("five interim analyses share 5 %, each taking what an exact interval can use") {
  // Of n launches, the interval from rank l to n+1-l misses with 2 P(Bin(n, 1/2) < l).
  const std::vector<InterimAnalysis> analyses = InterimAnalyses(30).all();
  CHECK(1 - analyses[0].level == Approx(2 / std::pow(2, 8)));
  CHECK(1 - analyses[1].level == Approx(2 / std::pow(2, 10)));
  CHECK(1 - analyses[2].level == Approx(2 * (1 + 14 + 91) / std::pow(2, 14)));
  CHECK(1 - analyses[3].level == Approx(2 * (1 + 20 + 190 + 1140 + 4845) / std::pow(2, 20)));
}

TEST_CASE("all interim analyses together never spend more than 5 %") {
  for (int most = 1; most <= 300; ++most) {
    const InterimAnalyses analyses(most);
    double spent = 0;
    for (const InterimAnalysis& analysis : analyses.all()) {
      if (analysis.launches >= 6) spent += 1 - analysis.level;
    }
    CAPTURE(most);
    CHECK(spent <= 0.05 + 1e-9);
    CHECK(analyses.all().back().launches == most);
  }
}

TEST_CASE("interim analyses are found by their number of launches") {
  const InterimAnalyses analyses(30);
  REQUIRE(analyses.at(14) != nullptr);
  CHECK(analyses.at(14)->launches == 14);
  CHECK(analyses.at(13) == nullptr);
  REQUIRE(analyses.after(13) != nullptr);
  CHECK(analyses.after(13)->launches == 14);
  CHECK(analyses.after(14)->launches == 20);
  CHECK(analyses.after(30) == nullptr);
}

TEST_CASE(
    "whichever interim analysis ends a campaign, its interval holds the median at least 95 times "
    "of 100") {
  const InterimAnalyses analyses(30);
  std::mt19937_64 random(1);  // NOLINT: a fixed seed makes the test repeatable
  constexpr int campaigns = 4000;
  int held = 0;
  int held_naively = 0;
  for (int campaign = 0; campaign < campaigns; ++campaign) {
    std::normal_distribution<double> launch(0, 0.06);  // stops at different analyses
    std::vector<double> medians;
    const auto stop = [&](bool spent) {
      for (const InterimAnalysis& analysis : analyses.all()) {
        while (std::ssize(medians) < analysis.launches) medians.push_back(std::exp(launch(random)));
        const std::vector<double> seen(medians.begin(), medians.begin() + analysis.launches);
        const auto interval = quantile_interval(seen, 0.5, spent ? analysis.level : 0.95);
        const bool narrow = interval && interval->high - interval->low <= 0.1 * *median(seen);
        if (narrow || analysis.launches == 30) return interval->low <= 1 && 1 <= interval->high;
      }
      return false;
    };
    if (stop(true)) ++held;
    if (stop(false)) ++held_naively;
  }
  INFO("with plain 95 % intervals at every analysis: " << held_naively);
  CHECK(held >= 0.95 * campaigns);
  CHECK(held_naively < held);
}

}  // namespace hockney::campaign
