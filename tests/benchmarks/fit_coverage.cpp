// How often the intervals of fits hold the truth, over many synthetic campaigns whose truth is
// known. See README.md beside this file. Usage: fit_coverage [TRIALS [LAUNCHES [FIRST_SEED]]]

#include <cstdio>
#include <cstdlib>

#include "tests/support/coverage.hpp"

namespace {

double percent(double count, int trials) { return 100.0 * count / trials; }

void print(const hockney::Scenario& scenario, const hockney::Coverage& coverage) {
  const int trials = coverage.trials;
  for (std::size_t k = 0; k < coverage.segments.size(); ++k) {
    const auto& counts = coverage.segments[k];
    std::printf("%-16s %3zu %8.1f %8.1f %8.1f %8.1f", scenario.name.c_str(), k + 1,
                percent(counts.alpha, trials), percent(counts.beta, trials),
                percent(counts.alpha_error, trials), percent(counts.beta_error, trials));
    if (k < coverage.breakpoints.size()) {
      std::printf(" %11.1f", percent(coverage.breakpoints[k], trials));
    }
    std::printf("\n");
  }
  std::printf("%-16s segments found:", scenario.name.c_str());
  for (const auto& [segments, count] : coverage.found) {
    std::printf(" %zu in %.1f %%", segments, percent(count, trials));
  }
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  const int trials = argc > 1 ? std::atoi(argv[1]) : 2000;
  const int launches = argc > 2 ? std::atoi(argv[2]) : 10;
  const auto seed = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1ULL;
  std::printf("%d trials, %d launches, seeds from %llu\n", trials, launches, seed);
  std::printf("%-16s %3s %8s %8s %8s %8s %11s\n", "[%]", "seg", "alpha", "beta", "a error",
              "b error", "breakpoint");
  for (hockney::Scenario scenario : hockney::coverage_scenarios()) {
    scenario.campaign.launches = launches;
    print(scenario, hockney::study_coverage(scenario.campaign, trials, seed));
  }
  return 0;
}
