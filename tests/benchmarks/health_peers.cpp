// How many nights pass until a slow node is named among its peers, and how many healthy nodes are
// named in 100 nights. See README.md beside this file. Usage: health_peers [NODES [NIGHTS
// [REPEATS]]]

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/support/synthetic_nodes.hpp"

namespace {

using namespace hockney;

constexpr std::size_t first_judged = 30;

void study(NodesTruth truth, const char* noise, std::size_t repeats) {
  const NodesStudy healthy = study_nodes(truth, first_judged);
  const double hundred = 100 / static_cast<double>(healthy.nights);
  std::printf("%5zu %-10s %6.1f %6.1f %8.1f  ", truth.nodes, noise,
              hundred * static_cast<double>(healthy.false_nodes),
              hundred * static_cast<double>(healthy.false_modes),
              hundred * static_cast<double>(healthy.outliers));
  truth.tests = truth.nodes * truth.figures;
  truth.figures = 1;
  for (const double slow : {0.05, 0.10, 0.30}) {
    std::vector<std::size_t> delays;
    for (std::size_t repeat = 0; repeat < repeats; ++repeat) {
      truth.seed = 100 + repeat;
      truth.slow = slow;
      truth.slow_from = 45;
      truth.nights = 75;
      const NodesStudy found = study_nodes(truth, 45);
      delays.push_back(found.found_after == 0 ? 99 : found.found_after);
    }
    std::ranges::sort(delays);
    std::printf(" | +%2.0f %%: %2zu (%2zu)", 100 * slow, delays[delays.size() / 2],
                delays[delays.size() * 9 / 10]);
  }
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t nodes = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 24;
  const std::size_t nights = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 130;
  const std::size_t repeats = argc > 3 ? std::strtoul(argv[3], nullptr, 10) : 20;
  NodesTruth truth{.nodes = nodes, .nights = nights};
  std::printf(
      "nodes noise   in 100 nights: false nodes, modes, outliers | nights until named: "
      "median (90 %%)\n");
  for (const auto& [noise, name] :
       {std::pair(NodeNoise::normal, "normal"), std::pair(NodeNoise::spiky, "spiky"),
        std::pair(NodeNoise::student, "student"), std::pair(NodeNoise::correlated, "AR(0.5)")}) {
    truth.noise = noise;
    study(truth, name, repeats);
  }
  return 0;
}
