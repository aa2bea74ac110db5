#include <catch2/catch.hpp>
#include <cmath>

#include "core/statistics.hpp"
#include "tests/support/synthetic.hpp"
#include "verdicts/rank_tests.hpp"

namespace hockney::verdicts {

using Values = std::vector<double>;

namespace {

const Values low{1, 2, 3, 4, 5, 6};
const Values high{7, 8, 9, 10, 11, 12};

}  // namespace

TEST_CASE("rank-sum p-values of the published tables") {
  CHECK(*rank_sum_p(high, low) == Approx(2.0 / 924));
  CHECK(*rank_sum_p(low, high) == Approx(2.0 / 924));
  // 3 and 3: U is 0, 1, 2, 3, 4 in 1, 1, 2, 3, 3 of 20 draws, and symmetric.
  CHECK(*rank_sum_p(Values{1, 2, 3}, Values{4, 5, 6}) == Approx(2.0 / 20));
  CHECK(*rank_sum_p(Values{1, 2, 4}, Values{3, 5, 6}) == Approx(4.0 / 20));
  CHECK(*rank_sum_p(Values{1, 2, 5}, Values{3, 4, 6}) == Approx(8.0 / 20));
  CHECK(*rank_sum_p(Values{1, 2, 6}, Values{3, 4, 5}) == Approx(14.0 / 20));
  CHECK(*rank_sum_p(Values{1, 4, 5}, Values{2, 3, 6}) == 1);
  CHECK(*rank_sum_p(Values{1}, Values{2, 3}) == Approx(2.0 / 3));
  CHECK_FALSE(rank_sum_p(Values{}, low));
  CHECK_FALSE(rank_sum_p(low, Values{}));
}

TEST_CASE("rank-sum p-values with ties are those of the ranks as they are") {
  CHECK(*rank_sum_p(Values{2, 2, 2}, Values{1, 1, 1}) == Approx(2.0 / 20));
  // Ranks 1, 2, 4, 4, 4: of the 10 draws of two, 3 have two fours.
  CHECK(*rank_sum_p(Values{3, 3}, Values{1, 2, 3}) == Approx(2.0 * 3 / 10));
  CHECK(*rank_sum_p(Values(8, 5), Values(8, 5 + 1e-14)) == 1);
}

TEST_CASE("a shift of the samples within the margin is no finding") {
  CHECK(*rank_sum_p(high, low, 0.5) == Approx(2.0 / 924));
  CHECK(*rank_sum_p(low, high, 0.5) == Approx(2.0 / 924));
  CHECK(*rank_sum_p(high, low, 6) == 1);
  CHECK(*rank_sum_p(low, high, 100) == 1);
}

TEST_CASE("with many values the rank-sum distribution is normal, corrected for ties") {
  // 26 ones against 13 ones and 13 zeros: 39 ones share the mean rank 33 of 14..52.
  Values reference(26, 1.0);
  std::fill_n(reference.begin(), 13, 0.0);
  const double ties = (39.0 * 39 * 39 - 39 + 13.0 * 13 * 13 - 13) / (52.0 * 51);
  const double variance = 26.0 * 26 / 12 * (53 - ties);
  const double z = (26.0 * 33 - 0.5 - 26 * 26.5) / std::sqrt(variance);
  CHECK(*rank_sum_p(Values(26, 1.0), reference) ==
        Approx(std::erfc(z / std::sqrt(2))).epsilon(1e-9));
  CHECK(*rank_sum_p(Values(26, 1.0), Values(26, 1.0)) == 1);
}

TEST_CASE("the smallest p-value of two sides") {
  CHECK(smallest_rank_sum_p(6, 6) == Approx(2.0 / 924));
  CHECK(smallest_rank_sum_p(3, 3) == Approx(2.0 / 20));
  CHECK(smallest_rank_sum_p(10, 10) == Approx(2.0 / 184756));
  CHECK(smallest_rank_sum_p(4, 7) == Approx(2.0 / 330));
  CHECK(smallest_rank_sum_p(1, 1) == 1);
  CHECK(smallest_rank_sum_p(0, 5) == 1);
  CHECK(smallest_rank_sum_p(1000, 1000) >= 0);
}

TEST_CASE("rank-sum intervals end at differences") {
  CHECK_FALSE(rank_sum_interval(Values{1, 2, 3}, Values{4, 5, 6}));
  CHECK_FALSE(rank_sum_interval(Values{}, Values{4, 5, 6}));
  const auto four = rank_sum_interval(Values{1, 2, 3, 4}, Values{10, 20, 30, 40});
  REQUIRE(four);
  CHECK(four->low == 1 - 40);
  CHECK(four->high == 4 - 10);
  CHECK(four->level == Approx(1 - 2.0 / 70));
  // 6 and 6: U <= 5 in 19 of 924 draws, U <= 6 in 30, so the sixth difference from each end. Those
  // of two equal sets 1..6 are -5 once, -4 twice, -3 three times.
  const auto six = rank_sum_interval(low, low);
  REQUIRE(six);
  CHECK(six->low == -3);
  CHECK(six->high == 3);
  CHECK(six->level == Approx(1 - 2.0 * 19 / 924));
}

TEST_CASE("an interval leaves out 0 exactly when its test finds a shift") {
  Noise noise(5);
  int found = 0;
  for (int trial = 0; trial < 300; ++trial) {
    Values a;
    Values b;
    const std::size_t n = 6 + static_cast<std::size_t>(trial) % 30;
    for (std::size_t i = 0; i < n; ++i) a.push_back(noise.normal());
    for (std::size_t i = 0; i < 8; ++i) b.push_back(1 + noise.normal());
    const auto leaves_out = [](const std::optional<Interval>& interval) {
      return interval->low > 0 || interval->high < 0;
    };
    CHECK(leaves_out(rank_sum_interval(b, a)) == (*rank_sum_p(b, a) <= 0.05));
    CHECK(leaves_out(signed_rank_interval(a)) == (*signed_rank_p(a) <= 0.05));
    const auto shift = rank_sum_interval(b, a);
    const double centre = *hodges_lehmann_shift(b, a);
    CHECK((shift->low <= centre && centre <= shift->high));
    found += leaves_out(shift);
  }
  CHECK(found > 30);
  CHECK(found < 290);
}

}  // namespace hockney::verdicts
