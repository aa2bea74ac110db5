// How often campaigns on a quiet machine show states, and planted states are named: for the
// statistic of verdicts/states.hpp. Then errors and power of comparisons within states and of all
// launches together (verdicts/strata.hpp).
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iomanip>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/machine_campaign.hpp"
#include "tests/support/synthetic.hpp"
#include "verdicts/compare.hpp"
#include "verdicts/machine_states.hpp"
#include "verdicts/states.hpp"

namespace hockney::benchmarks {
namespace {

constexpr std::size_t moments = 3;

/// Distributions of the launches' levels.
constexpr std::array<std::string_view, 4> distributions{"normal", "student3", "exponential",
                                                        "correlated"};

/// Standard values for launches, by distribution; the last one is an AR(1) series with 0.5.
std::vector<double> levels(std::string_view distribution, std::size_t launches, Noise& noise) {
  if (distribution == "correlated") return noise.autoregressive(launches, 0.5);
  std::vector<double> values;
  for (std::size_t i = 0; i < launches; ++i) {
    if (distribution == "exponential") {
      values.push_back(-std::log(noise.uniform()));
    } else if (distribution == "student3") {
      double squares = 0;
      for (int k = 0; k < 3; ++k) squares += std::pow(noise.normal(), 2);
      values.push_back(noise.normal() * std::sqrt(3 / squares));
    } else {
      values.push_back(noise.normal());
    }
  }
  return values;
}

/// 16 pairs, 16 noise probes and 16 copies, whose launches spread by 8, 2 and 5 %.
std::vector<verdicts::StateFigure> quiet_figures(std::string_view distribution,
                                                 std::size_t launches, Noise& noise) {
  std::vector<verdicts::StateFigure> figures;
  for (std::size_t i = 0; i < 48; ++i) {
    const double spread = i < 16 ? 0.08 : i < 32 ? 0.02 : 0.05;
    verdicts::StateFigure& figure = figures.emplace_back();
    figure.least_ratio = i >= 16 && i < 32 ? 1.1 : 1.2;
    for (const double level : levels(distribution, launches, noise)) {
      std::vector<double>& values = figure.values.emplace_back();
      for (std::size_t k = 0; k < moments; ++k) {
        values.push_back(std::exp(spread * (level + 0.3 * noise.normal())));
      }
    }
  }
  return figures;
}

void show(const std::string& what, int count, int all) {
  std::cout << std::left << std::setw(64) << what << count << " of " << all << '\n';
}

/// Quiet machines: no least ratio, so that the statistic alone decides.
void study_errors(int campaigns) {
  std::cout << "campaigns on a quiet machine with several states named\n";
  for (const std::string_view distribution : distributions) {
    for (const std::size_t launches : {8U, 14U, 24U}) {
      int any = 0;
      int any_without_ratio = 0;
      Noise noise(launches);
      for (int i = 0; i < campaigns; ++i) {
        std::vector<verdicts::StateFigure> figures = quiet_figures(distribution, launches, noise);
        if (find_states(figures, launches).states > 1) ++any;
        for (verdicts::StateFigure& figure : figures) figure.least_ratio = 1.0001;
        if (find_states(figures, launches).states > 1) ++any_without_ratio;
      }
      const std::string what = std::string(distribution) + ", " + std::to_string(launches);
      show("  " + what + " launches", any, campaigns);
      show("  " + what + " launches, any ratio", any_without_ratio, campaigns);
    }
  }
}

/// One pair of 16, or all noise probes, in another state in some launches.
void study_power(int campaigns) {
  std::cout << "campaigns with a planted state that is named with exactly its launches\n";
  for (const std::size_t launches : {8U, 14U, 24U}) {
    for (const double ratio : {1.2, 1.5, 2.0, 4.5}) {
      int of_pair = 0;
      int of_noise = 0;
      Noise noise(launches);
      for (int i = 0; i < campaigns; ++i) {
        const auto is_planted = [&](std::size_t launch) { return 3 * launch < launches; };
        const auto count_right = [&](const std::vector<verdicts::StateFigure>& figures) {
          const verdicts::FoundStates found = find_states(figures, launches);
          bool is_right = found.states == 2;
          for (std::size_t launch = 0; is_right && launch < launches; ++launch) {
            is_right = found.of[launch].front() == (is_planted(launch) ? 1U : 0U);
          }
          return is_right ? 1 : 0;
        };
        std::vector<verdicts::StateFigure> figures = quiet_figures("normal", launches, noise);
        std::vector<verdicts::StateFigure> others = figures;
        for (std::size_t launch = 0; launch < launches; ++launch) {
          if (!is_planted(launch)) continue;
          for (double& value : figures[0].values[launch]) value *= ratio;
          for (std::size_t figure = 16; figure < 32; ++figure) {
            for (double& value : others[figure].values[launch]) value *= ratio;
          }
        }
        of_pair += count_right(figures);
        of_noise += count_right(others);
      }
      const std::string what =
          std::to_string(launches) + " launches, ratio " + std::to_string(ratio).substr(0, 3);
      show("  cache line of one pair of 16, " + what, of_pair, campaigns);
      show("  all noise probes, " + what, of_noise, campaigns);
    }
  }
}

/// Comparisons of 10 and 10 launches, with several shares of launches in the slow state.
void study_verdicts(int campaigns) {
  struct Shares {
    std::size_t a;
    std::size_t b;
  };
  std::cout << "comparisons that show a difference: within states, of all launches together\n";
  for (const Shares& shares : {Shares{5, 5}, Shares{3, 7}, Shares{0, 0}}) {
    for (const double factor : {1.0, 1.1, 1.2}) {
      int within = 0;
      int together = 0;
      for (int i = 0; i < campaigns; ++i) {
        const auto planting = [](std::size_t far) {
          return [far](std::size_t launch, std::size_t) {
            return PlantedState{.line = launch < far ? 4.5 : 1};
          };
        };
        const auto seed = static_cast<std::uint64_t>(2 * i);
        std::vector<Record> a = machine_campaign(10, seed, planting(shares.a), "a");
        std::vector<Record> b = machine_campaign(10, seed + 1, planting(shares.b), "b");
        for (Record& record : b) {
          for (double& sample : record.series.front().samples_seconds) sample *= factor;
        }
        const auto differs = [&] {
          const verdicts::CompareSet set = verdicts::compare(a, b);
          return set.comparisons.front().verdict == verdicts::Verdict::no_evidence ? 0 : 1;
        };
        together += differs();
        std::vector<Record*> all;
        for (Record& record : a) all.push_back(&record);
        for (Record& record : b) all.push_back(&record);
        verdicts::judge_launches(all);
        within += differs();
      }
      const std::string what = "  " + std::to_string(shares.a) + " and " +
                               std::to_string(shares.b) + " of 10 launches far, B takes " +
                               std::to_string(factor).substr(0, 3) + " times as long";
      show(what + ", within", within, campaigns);
      show(what + ", together", together, campaigns);
    }
  }
}

}  // namespace
}  // namespace hockney::benchmarks

int main(int argc, char** argv) {
  const int campaigns = argc > 1 ? std::stoi(argv[1]) : 1000;
  hockney::benchmarks::study_errors(campaigns);
  hockney::benchmarks::study_power(campaigns);
  hockney::benchmarks::study_verdicts(campaigns);
  return 0;
}
