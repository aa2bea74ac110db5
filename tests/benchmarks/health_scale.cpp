// How long the nightly check of a large machine takes, without reading its history. See README.md
// beside this file. Usage: health_scale [NODES [NIGHTS [METRICS [CHANGED]]]]

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "components/health/detection/check.hpp"
#include "tests/support/nightly_noise.hpp"

namespace {

using namespace hockney;

health::NightlySeries make_series(const std::string& name, std::size_t nights, double changed,
                                  std::mt19937_64& random) {
  NightlyTruth truth{.noise = NightlyNoise::spiky, .nights = nights};
  const bool slow = std::uniform_real_distribution<double>()(random) < changed;
  truth.change_from = slow ? nights - nights / 10 : nights;
  truth.change = 0.2;
  health::NightlySeries series;
  series.name = name;
  std::int64_t day = 20000;
  for (const double value : synthetic_nights(truth, random)) {
    const Interval interval{1e-6 * value * 0.99, 1e-6 * value * 1.01, 0.95};
    series.nights.push_back({.day = day++,
                             .value = 1e-6 * value,
                             .interval = interval,
                             .launches = 8,
                             .environment = "environment"});
  }
  return series;
}

}  // namespace

int main(int argc, char** argv) {
  const int nodes = argc > 1 ? std::atoi(argv[1]) : 4392;
  const int nights = argc > 2 ? std::atoi(argv[2]) : 365;
  const int metrics = argc > 3 ? std::atoi(argv[3]) : 3;
  const double changed = argc > 4 ? std::atof(argv[4]) : 0.001;  // share of the series
  if (nodes < 1 || nights < 1 || metrics < 1) {
    std::fprintf(stderr, "usage: health_scale [NODES [NIGHTS [METRICS [CHANGED]]]]\n");
    return 2;
  }
  std::mt19937_64 random(20263);
  std::vector<health::NightlySeries> series;
  for (int k = 0; k < nodes * metrics; ++k) {
    series.push_back(make_series("series" + std::to_string(k), static_cast<std::size_t>(nights),
                                 changed, random));
  }
  const auto begin = std::chrono::steady_clock::now();
  const std::clock_t busy_from = std::clock();
  const auto health = check_series(series);
  const double busy = static_cast<double>(std::clock() - busy_from) / CLOCKS_PER_SEC;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  std::map<health::Verdict, int> verdicts;
  for (const health::SeriesHealth& one : health) ++verdicts[one.verdict];
  std::printf(
      "%zu series x %d nights: %.2f s (processor %.2f s, %.0f us a series); %d regressed, %d "
      "steady\n",
      series.size(), nights, took.count(), busy, 1e6 * busy / static_cast<double>(series.size()),
      verdicts[health::Verdict::regressed], verdicts[health::Verdict::steady]);
  return 0;
}
