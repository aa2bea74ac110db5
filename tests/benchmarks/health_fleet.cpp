// How often a slow node is named in one night, and healthy ones, over simulated fleets. See
// README.md beside this file. Usage: health_fleet [NIGHTS [SEED [SPREAD]]]

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "components/health/detection/calibrate.hpp"
#include "tests/support/synthetic_fleet.hpp"
#include "verdicts/self_test.hpp"

namespace {

using namespace hockney;

/// Nights of a large fleet cost more.
int nights_for(const FleetTruth& truth, int requested) {
  const auto pairs = truth.nodes * truth.rounds / 2;
  return std::min(requested, std::max(2'000'000 / pairs, 100));
}

void study(FleetTruth truth, int requested, std::uint64_t seed) {
  const int nights = nights_for(truth, requested);
  const FleetStudy healthy = study_fleet(truth, nights, seed);
  const health::YearlyRate false_nodes{static_cast<std::size_t>(healthy.false_nodes),
                                       static_cast<double>(nights)};
  const auto range = false_nodes.interval().value();
  std::printf("%5d %6d %7d   %.4f (%.4f..%.4f)", truth.nodes, truth.rounds, nights,
              false_nodes.per_year().value(), range.low, range.high);
  for (const double slow : {0.05, 0.10, 0.20}) {
    truth.slow_node = slow;
    const FleetStudy found = study_fleet(truth, std::min(nights, 1000), seed + 1);
    const verdicts::Rate rate{found.found, found.nights};
    const auto interval = rate.interval().value();
    std::printf(" | %5.1f (%5.1f..%5.1f) %.3f", 100 * rate.share().value(), 100 * interval.low,
                100 * interval.high, static_cast<double>(found.false_nodes) / found.nights);
  }
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const int nights = argc > 1 ? std::atoi(argv[1]) : 2000;
  const auto seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 20262ULL;
  const double spread = argc > 3 ? std::atof(argv[3]) : 0.05;
  if (nights < 1 || !(spread > 0)) {
    std::fprintf(stderr, "usage: health_fleet [NIGHTS [SEED [SPREAD]]]\n");
    return 2;
  }
  std::printf("seed %llu, pairs spread by %g\n", static_cast<unsigned long long>(seed), spread);
  std::printf("%5s %6s %7s   %-24s | %-28s | %-28s | %-28s\n", "nodes", "rounds", "nights",
              "false nodes a night", "+5 %: named [%], others", "+10 %", "+20 %");
  struct Size {
    int nodes;
    int rounds;
  };
  for (const Size size : {Size{4, 3},
                          {8, 7},
                          {16, 15},
                          {32, 31},
                          {32, 4},
                          {32, 8},
                          {32, 16},
                          {512, 8},
                          {512, 16},
                          {512, 511}}) {
    study({.nodes = size.nodes, .rounds = size.rounds, .spread = spread}, nights, seed);
  }
  return 0;
}
