#include "benchmarks/harness/distributions.hpp"

#include <algorithm>
#include <numeric>

#include "core/error.hpp"
#include "core/names.hpp"

namespace hockney {
namespace {

double weight(const std::string& distribution, int rank, int ranks) {
  constexpr int heavy = 3;  // times what all others have together
  if (distribution == "linear") return rank + 1;
  if (distribution == "one-heavy") return rank + 1 == ranks ? std::max(1, heavy * rank) : 1;
  if (distribution == "zipf") return 1.0 / (rank + 1);
  if (distribution == "zeros") return rank % 2 == 0 ? 1 : 0;
  return 1;
}

}  // namespace

int Division::largest() const { return counts.empty() ? 0 : std::ranges::max(counts); }
int Division::smallest() const { return counts.empty() ? 0 : std::ranges::min(counts); }

const std::vector<std::string>& distribution_names() {
  static const std::vector<std::string> names{"equal", "linear", "one-heavy", "zipf", "zeros"};
  return names;
}

void check_distribution(const std::string& name) {
  const auto& names = distribution_names();
  if (std::ranges::find(names, name) != names.end()) return;
  throw InputError({"unknown distribution '" + name + "' for --counts",
                    "no distribution of counts has this name", suggest(name, names)});
}

Division divide(std::int64_t total, int ranks, const std::string& distribution) {
  std::vector<double> sums;  // of the weights up to each rank
  sums.reserve(static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank) {
    sums.push_back((sums.empty() ? 0 : sums.back()) + weight(distribution, rank, ranks));
  }
  Division division;
  std::int64_t before = 0;
  for (const double sum : sums) {
    const bool is_all = sum >= sums.back();
    const double share = static_cast<double>(total) * sum / sums.back();
    const std::int64_t end = is_all ? total : static_cast<std::int64_t>(share);
    division.displacements.push_back(static_cast<int>(before));
    division.counts.push_back(static_cast<int>(end - before));
    before = end;
  }
  return division;
}

std::string distribution_of(const Point& point) {
  const auto named = point.parameters.find("counts");
  return named == point.parameters.end() ? "equal" : named->second;
}

}  // namespace hockney
