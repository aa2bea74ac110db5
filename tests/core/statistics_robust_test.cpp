#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <stdexcept>
#include <vector>

#include "core/error.hpp"
#include "core/statistics.hpp"

namespace hockney {
namespace {

/// The definition, with all sums in memory.
double walsh_median(const std::vector<double>& samples) {
  std::vector<double> averages;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    for (std::size_t j = i; j < samples.size(); ++j) {
      averages.push_back((samples[i] + samples[j]) / 2);
    }
  }
  return *median(averages);
}

double difference_median(const std::vector<double>& samples, const std::vector<double>& reference) {
  std::vector<double> differences;
  for (const double sample : samples) {
    for (const double other : reference) differences.push_back(sample - other);
  }
  return *median(differences);
}

std::vector<double> draw(std::mt19937_64& engine, std::size_t n) {
  std::vector<double> samples(n);
  for (double& sample : samples) sample = static_cast<double>(engine() % 2001) / 100.0 - 10;
  return samples;
}

}  // namespace

TEST_CASE("median absolute deviation by hand") {
  CHECK(median_absolute_deviation(std::vector<double>{1, 1, 2, 2, 4, 6, 9}) == 1.0);
  CHECK(median_absolute_deviation(std::vector<double>(5, 7.0)) == 0.0);
  CHECK(median_absolute_deviation(std::vector<double>{3}) == 0.0);
  CHECK(median_absolute_deviation({}) == std::nullopt);
}

TEST_CASE("hodges-lehmann by hand") {
  // Walsh averages of 1, 2, 6: 1, 1.5, 2, 3.5, 4, 6.
  CHECK(hodges_lehmann(std::vector<double>{6, 1, 2}) == 2.75);
  CHECK(hodges_lehmann(std::vector<double>{5}) == 5.0);
  CHECK(hodges_lehmann(std::vector<double>{-3, -3, -3, -3}) == -3.0);
  CHECK(hodges_lehmann({}) == std::nullopt);
}

TEST_CASE("hodges-lehmann is the median of all averages") {
  std::mt19937_64 engine(1);
  for (std::size_t n = 1; n <= 40; ++n) {
    const std::vector<double> samples = draw(engine, n);
    CAPTURE(n);
    CHECK(*hodges_lehmann(samples) == Approx(walsh_median(samples)).margin(1e-12));
  }
}

TEST_CASE("hodges-lehmann shift is the median of all differences") {
  std::mt19937_64 engine(2);
  for (std::size_t n = 1; n <= 20; ++n) {
    const std::vector<double> samples = draw(engine, n);
    const std::vector<double> reference = draw(engine, 2 * n + 1);
    CAPTURE(n);
    CHECK(*hodges_lehmann_shift(samples, reference) ==
          Approx(difference_median(samples, reference)).margin(1e-12));
  }
  CHECK(hodges_lehmann_shift({}, std::vector<double>{1}) == std::nullopt);
  CHECK(hodges_lehmann_shift(std::vector<double>{1}, {}) == std::nullopt);
}

TEST_CASE("hodges-lehmann of many samples needs no square of them") {
  std::vector<double> samples(100000);
  for (std::size_t i = 0; i < samples.size(); ++i) samples[i] = static_cast<double>(i);
  CHECK(hodges_lehmann(samples) == 49999.5);
  CHECK(hodges_lehmann_shift(samples, samples) == 0.0);
}

TEST_CASE("one wild sample hardly moves the centre") {
  CHECK(*hodges_lehmann(std::vector<double>{1, 2, 3, 4, 1e9}) == Approx(3.0));
}

TEST_CASE("robust measures refuse infinity") {
  const std::vector<double> samples{1, std::exp(1e9)};
  CHECK_THROWS_AS(hodges_lehmann(samples), hockney::InputError);
  CHECK_THROWS_AS(median_absolute_deviation(samples), hockney::InputError);
}

TEST_CASE("sums are found by their rank, as if all of them were sorted") {
  const std::vector<double> a{3, -1, 0.5, 7, 3};
  const std::vector<double> b{2, 2, -4};
  std::vector<double> within;
  std::vector<double> between;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = i; j < a.size(); ++j) within.push_back(a[i] + a[j]);
    for (const double value : b) between.push_back(a[i] - value);
  }
  std::ranges::sort(within);
  std::ranges::sort(between);
  const auto all_of = [](const OrderedSums& sums) {
    std::vector<double> all;
    for (std::size_t rank = 1; rank <= sums.size(); ++rank) all.push_back(sums.at_rank(rank));
    return all;
  };
  CHECK(all_of(OrderedSums::within(a)) == within);
  CHECK(all_of(OrderedSums::between(a, b)) == between);
  CHECK_THROWS_AS(OrderedSums::within(a).at_rank(0), std::logic_error);
  CHECK_THROWS_AS(OrderedSums::within(a).at_rank(16), std::logic_error);
  CHECK_FALSE(OrderedSums::between(a, {}).median());
}

}  // namespace hockney
