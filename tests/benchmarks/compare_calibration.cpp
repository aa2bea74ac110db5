// Do verdicts keep their promises? README.md says how to repeat it.

#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <string>

#include "core/quantities.hpp"
#include "tests/support/calibration.hpp"

using namespace hockney;

namespace {

struct Run {
  int trials = 2000;
  int launches = 10;
  std::uint64_t first_seed = 1;
};

TwoSides truth_of(const std::vector<Bytes>& sizes, const Run& run) {
  return {.campaign = {.sizes = sizes, .truth = {{0, 1e-6, 1e-10}}, .launches = run.launches}};
}

std::vector<Bytes> first_sizes(int count) {
  std::vector<Bytes> sizes;
  for (int i = 1; i <= count; ++i) sizes.push_back({8 * i});
  return sizes;
}

double percent(int part, int whole) { return whole == 0 ? 0 : 100.0 * part / whole; }

void print_header(const std::string& title) {
  std::cout << '\n'
            << std::left << std::setw(66) << title << std::right << std::setw(14) << "any wrong"
            << std::setw(10) << "found" << std::setw(10) << "covered" << '\n';
}

void print(const std::string& name, const Calibration& counts) {
  std::cout << std::left << std::setw(66) << name << std::right << std::fixed
            << std::setprecision(1) << std::setw(14) << percent(counts.alarmed, counts.campaigns)
            << std::setw(10) << percent(counts.found, counts.affected) << std::setw(10)
            << percent(counts.covered, counts.comparisons) << std::endl;
}

struct Design {
  std::string name;
  verdicts::CompareOptions options;
  double block_spread = 0;
};

/// Blocks that drift by 10 %, and two folders that do not.
std::vector<Design> designs(verdicts::Correction correction) {
  return {{"apart", {.correction = correction}, 0},
          {"blocks", {.correction = correction, .origin = verdicts::Origin::one_campaign}, 0.1}};
}

void study_one_point(const Run& run) {
  print_header("one point, not corrected");
  for (const double ratio : {1.0, 1.05, 1.1}) {
    for (const Design& design : designs(verdicts::Correction::none)) {
      TwoSides truth = truth_of(parse_sizes("1K"), run);
      truth.ratio = ratio;
      truth.block_spread = design.block_spread;
      print("ratio " + std::to_string(ratio).substr(0, 4) + ", " + design.name,
            calibrate(truth, design.options, run.trials, run.first_seed));
    }
  }
}

/// 30 % of the points have the ratio.
void study_families(const Run& run, int points, double bursts) {
  print_header(std::to_string(points) + " points, ratio at 30 % of them" +
               (bursts > 0 ? ", bursts in 5 % of the launches" : ""));
  constexpr int small = 50;
  const int trials = points > small ? run.trials / 10 : run.trials;
  for (const Design& design : designs(verdicts::Correction::holm)) {
    for (const double ratio : {1.0, 1.1, 1.2}) {
      TwoSides truth = truth_of(first_sizes(points), run);
      truth.ratio = ratio;
      truth.affected = 0.3;
      truth.block_spread = design.block_spread;
      truth.burst_fraction = bursts;
      verdicts::CompareOptions joint = design.options;
      joint.correction = verdicts::Correction::max_t;
      const auto counts = calibrate_each(truth, {design.options, joint}, trials, run.first_seed);
      const std::string name = design.name + ", ratio " + std::to_string(ratio).substr(0, 4);
      print(name + ", Holm", counts[0]);
      print(name + ", max-T", counts[1]);
    }
  }
}

/// Eight values against one base: the odd ones are like it, the even ones have the ratio at 30 %.
void study_axis(const Run& run, double bursts) {
  constexpr int values = 8;
  constexpr int points = 17;
  print_header("8 values of an axis, 17 points each" +
               std::string(bursts > 0 ? ", bursts in 20 % of the launches" : ""));
  for (const verdicts::Correction correction :
       {verdicts::Correction::holm, verdicts::Correction::max_t}) {
    for (const double ratio : {1.0, 1.2}) {
      TwoSides truth = truth_of(first_sizes(points), run);
      truth.ratio = ratio;
      truth.affected = 0.3;
      truth.block_spread = 0.1;
      truth.burst_fraction = bursts;
      print(std::string(word(correction)) + ", blocks, ratio " + std::to_string(ratio).substr(0, 4),
            calibrate_axis(truth,
                           {.correction = correction, .origin = verdicts::Origin::one_campaign},
                           values, run.trials / 4, run.first_seed));
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  Run run;
  if (argc > 1) run.trials = std::atoi(argv[1]);
  if (argc > 2) run.launches = std::atoi(argv[2]);
  if (argc > 3) run.first_seed = static_cast<std::uint64_t>(std::atoll(argv[3]));
  std::cout << run.trials << " campaigns (500 points: a tenth, axis: a quarter), " << run.launches
            << " launches a side; per cent\n";
  study_one_point(run);
  study_families(run, 17, 0);
  study_families(run, 17, 0.05);
  study_families(run, 500, 0);
  study_axis(run, 0);
  study_axis(run, 0.2);
}
