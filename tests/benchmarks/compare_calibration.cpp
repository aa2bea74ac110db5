// Do verdicts keep their promises? README.md says how to repeat it.

#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <string>

#include "core/sizes.hpp"
#include "tests/support/calibration.hpp"

using namespace hockney;

namespace {

struct Study {
  std::string name;
  TwoSides truth;
  CompareOptions options;
};

void add_designs(std::vector<Study>& studies, const std::string& sizes, double ratio,
                 int launches) {
  const Correction correction = sizes == "1K" ? Correction::none : Correction::holm;
  const TwoSides truth{
      .campaign = {.sizes = parse_sizes(sizes), .truth = {{0, 1e-6, 1e-10}}, .launches = launches},
      .ratio = ratio};
  TwoSides drifting = truth;
  drifting.block_spread = 0.1;
  const std::string name = sizes + ", ratio " + std::to_string(ratio).substr(0, 4);
  studies.push_back({name + ", apart", truth, {.correction = correction}});
  const CompareOptions blocks{.correction = correction, .origin = Origin::one_campaign};
  studies.push_back({name + ", blocks that drift", drifting, blocks});
}

double percent(int part, int whole) { return 100.0 * part / whole; }

void print(const Study& study, const Calibration& counts) {
  std::cout << std::left << std::setw(42) << study.name << std::right << std::fixed
            << std::setprecision(1) << std::setw(10) << percent(counts.faster, counts.comparisons)
            << std::setw(10) << percent(counts.slower, counts.comparisons) << std::setw(14)
            << percent(counts.alarmed, counts.campaigns) << std::setw(12)
            << percent(counts.covered, counts.comparisons) << std::endl;
}

}  // namespace

int main(int argc, char** argv) {
  const int trials = argc > 1 ? std::atoi(argv[1]) : 2000;
  const int launches = argc > 2 ? std::atoi(argv[2]) : 10;
  const int first_seed = argc > 3 ? std::atoi(argv[3]) : 1;
  std::vector<Study> studies;
  for (const double ratio : {1.0, 1.05, 1.1}) add_designs(studies, "1K", ratio, launches);
  for (const double ratio : {1.0, 1.1}) add_designs(studies, "1:4M", ratio, launches);
  std::cout << trials << " campaigns each, " << launches << " launches a side; per cent\n"
            << std::setw(52) << "faster" << std::setw(10) << "slower" << std::setw(14)
            << "any in family" << std::setw(12) << "covered" << '\n';
  for (const Study& study : studies) {
    print(study,
          calibrate(study.truth, study.options, trials, static_cast<std::uint64_t>(first_seed)));
  }
}
