#include "tests/models/collectives/prediction_truth.hpp"

#include <catch2/catch.hpp>
#include <cstdio>

namespace hockney::collectives {
namespace {

void print(const std::string& name, const PredictionQuality& quality) {
  std::printf("%-34s error %5.1f %%, covered %5.1f %%, width %.2f\n", name.c_str(),
              100 * quality.error, 100.0 * quality.covered / quality.predictions, quality.width);
}

void study_all(const std::string& title, const Sweep& sweep, int trials) {
  std::printf("%s\n", title.c_str());
  PredictionQuality all;
  double widths = 0;
  for (const Truth& truth : truths()) {
    const PredictionQuality quality = study(truth, sweep, trials);
    print(truth.name, quality);
    all.predictions += quality.predictions;
    all.covered += quality.covered;
    all.error += quality.error / static_cast<double>(truths().size());
    widths += std::log(quality.width) / static_cast<double>(truths().size());
  }
  all.width = std::exp(widths);
  print("all", all);
}

}  // namespace

TEST_CASE("predictions of twice the ranks, by kind of truth", "[.][study]") {
  study_all("2, 4, 8 to 16 ranks, 5 sizes", {}, 40);
  study_all("4 to 64 to 256 ranks, 5 sizes", {.ranks = {4, 8, 16, 32, 64}, .asked = 256}, 20);
}

}  // namespace hockney::collectives
