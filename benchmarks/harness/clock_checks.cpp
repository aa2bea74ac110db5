#include "benchmarks/harness/clock_checks.hpp"

#include <array>
#include <cmath>
#include <cstddef>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/gather.hpp"
#include "benchmarks/harness/tree_sync.hpp"

namespace hockney {
namespace {

constexpr std::size_t numbers_each = 3;

std::vector<double> to_numbers(const std::vector<ClockSelfTest>& findings) {
  std::vector<double> numbers;
  for (const ClockSelfTest& found : findings) {
    const std::array<double, numbers_each> each{found.estimate_seconds, found.bound_seconds,
                                                found.passed ? 1.0 : 0.0};
    numbers.insert(numbers.end(), each.begin(), each.end());
  }
  return numbers;
}

void append(std::vector<ClockSelfTest>& findings, const std::vector<double>& numbers) {
  for (std::size_t i = 0; i < numbers.size(); i += numbers_each) {
    findings.push_back({.estimate_seconds = numbers[i],
                        .bound_seconds = numbers[i + 1],
                        .passed = numbers[i + 2] != 0});
  }
}

}  // namespace

std::vector<ClockSelfTest> check_clocks(MPI_Comm comm, TickClock& clock, int times) {
  std::vector<ClockSelfTest> findings;
  if (size_of(comm) == 1) return findings;
  for (int i = 0; i < times; ++i) {
    const auto model = learn_clock(comm, clock, {.passes = 1});
    if (rank_in(comm) != 0) findings.push_back(judge_finding(model, clock));
  }
  return findings;
}

std::vector<ClockSelfTest> gather_findings(MPI_Comm comm, const std::vector<ClockSelfTest>& own) {
  if (rank_in(comm) != 0) {
    send_numbers(comm, 0, to_numbers(own));
    return {};
  }
  std::vector<ClockSelfTest> all = own;
  for (int rank = 1; rank < size_of(comm); ++rank) append(all, receive_numbers(comm, rank));
  return all;
}

}  // namespace hockney
