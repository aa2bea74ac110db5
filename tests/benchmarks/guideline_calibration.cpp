// Do verdicts on guidelines keep their promises? README.md says how to repeat it.

#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <string>

#include "tests/support/guideline_launches.hpp"

using namespace hockney;

namespace {

constexpr int small_families = 50;  // cost as little as a large one

double percent(int part, int whole) { return 100.0 * part / whole; }

void print(const SyntheticGuidelines& truth, int campaigns, std::uint64_t first_seed) {
  const GuidelineCounts counts = judge_many(truth, campaigns, first_seed);
  std::cout << std::fixed << std::setprecision(2) << std::setw(6) << truth.ratio << std::setw(7)
            << truth.cells << std::setw(10) << truth.launches << std::setw(8)
            << 100 * truth.visit_spread << std::setw(10) << percent(counts.violated, counts.cells)
            << std::setw(11) << percent(counts.satisfied, counts.cells) << std::setw(11)
            << percent(counts.undecided, counts.cells) << std::setw(14)
            << percent(counts.alarmed, counts.campaigns) << std::setw(9)
            << percent(counts.covered, counts.cells) << std::endl;
}

}  // namespace

int main(int argc, char** argv) {
  const int campaigns = argc > 1 ? std::atoi(argv[1]) : 100;
  const int first_seed = argc > 2 ? std::atoi(argv[2]) : 1;
  std::cout << campaigns << " campaigns each, of one cell " << small_families * campaigns
            << "; per cent\n"
            << " ratio  cells  launches  spread  violated  satisfied  undecided  any violated  "
               "covered\n";
  for (const int cells : {1, 50, 500}) {
    for (const int launches : {10, 16, 20}) {
      for (const double spread : {0.02, 0.08}) {
        for (const double ratio : {1.0, 1.05, 1.1, 1.15, 1.3}) {
          print({.cells = cells, .ratio = ratio, .launches = launches, .visit_spread = spread},
                cells == 1 ? campaigns * small_families : campaigns,
                static_cast<std::uint64_t>(first_seed));
        }
      }
    }
  }
}
