// False alarms and delays of the nightly detector, beside other detectors, over many simulated
// series-years. See README.md beside this file. Usage: health_detection [SERIES_YEARS [SEED
// [SPREAD]]]

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/support/detection_study.hpp"

namespace {

using namespace hockney;

struct Named {
  std::string name;
  AlarmsOf alarms;
};

std::vector<Named> detectors(const health::DetectorParameters& parameters) {
  return {{"hockney", [=](std::span<const double> v) { return hockney_alarms(v, parameters); }},
          {"plain CUSUM k.5 h5", plain_cusum_alarms},
          {"fixed +10 %", fixed_threshold_alarms},
          {"3 sigma", shewhart_alarms},
          {"t > 7", perfherder_alarms},
          {"E-divisive, p .001", divisive_alarms}};
}

void print(const Found& found) {
  const auto interval = found.within_14.interval().value();
  std::printf(" | %5.1f (%5.1f..%5.1f) ", 100 * found.within_14.share().value(), 100 * interval.low,
              100 * interval.high);
  if (found.median_nights) {
    std::printf("%3.0f", *found.median_nights);
  } else {
    std::printf("  -");
  }
}

void study(const Named& detector, NightlyTruth truth, int years, std::uint64_t seed) {
  const FalseAlarms quiet = study_false_alarms(detector.alarms, truth, years, seed);
  const auto interval = quiet.up.interval().value();
  std::printf("%-18s %-8s %6.3f (%6.3f..%6.3f) %6.3f", detector.name.c_str(),
              name_of(truth.noise).c_str(), quiet.up.per_year().value(), interval.low,
              interval.high, quiet.down.per_year().value());
  for (const double change : {0.03, 0.05, 0.10}) {
    truth.change = change;
    print(study_rise(detector.alarms, truth, years, seed + 1));
  }
  std::printf("\n");
  std::fflush(stdout);
}

/// How many nights a false alarm of hockney is told for.
void study_open_nights(NightlyTruth truth, const health::DetectorParameters& parameters, int years,
                       std::uint64_t seed) {
  std::mt19937_64 random(seed);
  int alarms = 0;
  int open = 0;
  for (int year = 0; year < years; ++year) {
    health::Detector detector(parameters);
    for (const double value : synthetic_nights(truth, random)) {
      const health::NightFinding finding = detector.observe({.log_value = std::log(value)});
      open += finding.level == health::Level::higher ? 1 : 0;
      alarms += finding.changed && finding.level == health::Level::higher ? 1 : 0;
    }
  }
  std::printf("hockney, %s: false alarms open on %.2f %% of the nights, %.1f nights each\n",
              name_of(truth.noise).c_str(),
              100.0 * open / (years * static_cast<double>(truth.nights)),
              alarms > 0 ? static_cast<double>(open) / alarms : 0);
}

}  // namespace

int main(int argc, char** argv) {
  const int years = argc > 1 ? std::atoi(argv[1]) : 1000;
  const auto seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 20261ULL;
  const double spread = argc > 3 ? std::atof(argv[3]) : 0.02;
  health::DetectorParameters parameters;
  if (argc > 4) parameters.threshold = std::atof(argv[4]);
  if (years < 1 || !(spread > 0) || !(parameters.threshold > 0)) {
    std::fprintf(stderr, "usage: health_detection [SERIES_YEARS [SEED [SPREAD [THRESHOLD]]]]\n");
    return 2;
  }
  std::printf("%d series-years for each figure, seed %llu, spread %g, h = %g\n", years,
              static_cast<unsigned long long>(seed), spread, parameters.threshold);
  std::printf("%-18s %-8s %-24s %6s | %-24s | %-24s | %-24s\n", "detector", "noise",
              "false up / year", "down", "+3 %: found in 14 [%], nights", "+5 %", "+10 %");
  const auto noises = {NightlyNoise::gaussian, NightlyNoise::spiky, NightlyNoise::correlated};
  for (const Named& detector : detectors(parameters)) {
    for (const auto noise : noises) {
      study(detector, {.noise = noise, .spread = spread}, years, seed);
    }
  }
  for (const auto noise : noises) {
    study_open_nights({.noise = noise, .spread = spread}, parameters, years, seed);
  }
  return 0;
}
