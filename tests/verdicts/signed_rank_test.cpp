#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "tests/support/error_line.hpp"
#include "verdicts/rank_tests.hpp"

namespace hockney::verdicts {

using Values = std::vector<double>;

TEST_CASE("signed-rank p-values of the published tables") {
  CHECK(signed_rank_p(Values{1, 2, 3, 4, 5, 6}) == 2.0 / 64);
  CHECK(signed_rank_p(Values{-1, -2, -3, -4, -5, -6}) == 2.0 / 64);
  CHECK(signed_rank_p(Values{1, 2, 3, 4, 5}) == 2.0 / 32);
  // n = 10: 25 of the 1024 choices of signs have a sum of at most 8, 33 of at most 9.
  CHECK(signed_rank_p(Values{1, 2, 3, 4, 5, 6, 7, -8, 9, 10}) == 2.0 * 25 / 1024);
  CHECK(signed_rank_p(Values{1, 2, 3, 4, 5, 6, 7, 8, -9, 10}) == 2.0 * 33 / 1024);
  CHECK(signed_rank_p(Values{1, -1.5}) == 1);
  CHECK(signed_rank_p(Values{3}) == 1);
  CHECK_FALSE(signed_rank_p(Values{}));
}

TEST_CASE("signed-rank p-values with ties are those of the ranks as they are") {
  // Four ranks of 2.5; three or four of them positive: (4 + 1) / 16.
  CHECK(signed_rank_p(Values{1, 1, 1, -1}) == 2.0 * 5 / 16);
  // Ranks 1.5, 1.5, 3: only all three reach 6.
  CHECK(signed_rank_p(Values{1, 1, 2}) == 2.0 / 8);
  // Rounding is no difference, and no difference speaks for no side.
  CHECK(signed_rank_p(Values{1, 1 + 1e-14, 1 - 1e-14, -1}) == 2.0 * 5 / 16);
  CHECK(signed_rank_p(Values{0, 1, 2}) == 2.0 / 4);
  CHECK(signed_rank_p(Values(10, 1e-15)) == 1);
}

TEST_CASE("a shift within the margin is no finding") {
  const Values differences{0.10, 0.11, 0.12, 0.13, 0.14, 0.15};
  CHECK(signed_rank_p(differences, 0.05) == 2.0 / 64);
  CHECK(signed_rank_p(differences, 0.2) == 1);
  CHECK(signed_rank_p(differences, 0.125) == 1);
  CHECK(signed_rank_p(Values(6, std::log(1.05)), std::log1p(0.05)) == 1);
}

TEST_CASE("with many differences the signed-rank distribution is normal") {
  Values differences;
  for (int i = 1; i <= 26; ++i) differences.push_back(i);
  const double z = (351 - 0.5 - 175.5) / std::sqrt(26.0 * 27 * 53 / 24);
  CHECK(*signed_rank_p(differences) == Approx(std::erfc(z / std::sqrt(2))).epsilon(1e-9));
  // All tied: the standard correction takes (t^3 - t) / 48 off the variance.
  const double tied = 26.0 * 27 * 53 / 24 - (26.0 * 26 * 26 - 26) / 48;
  const double z_tied = (351 - 0.5 - 175.5) / std::sqrt(tied);
  CHECK(*signed_rank_p(Values(26, 1)) == Approx(std::erfc(z_tied / std::sqrt(2))).epsilon(1e-9));
}

TEST_CASE("the smallest p-value of n differences") {
  CHECK(smallest_signed_rank_p(6) == 2.0 / 64);
  CHECK(smallest_signed_rank_p(10) == 2.0 / 1024);
  CHECK(smallest_signed_rank_p(1) == 1);
  CHECK(smallest_signed_rank_p(0) == 1);
}

TEST_CASE("signed-rank intervals end at Walsh averages") {
  CHECK_FALSE(signed_rank_interval(Values{1, 2, 3, 4, 5}));
  CHECK_FALSE(signed_rank_interval(Values{}));
  CHECK(signed_rank_interval(Values{6, 5, 4, 3, 2, 1}) == Interval{1, 6, 1 - 2.0 / 64});
  // n = 10, 55 Walsh averages, the ninth from each end. Of 1..10: 1 1.5 2 2 2.5 2.5 3 3 3.
  const Values ten{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  CHECK(signed_rank_interval(ten) == Interval{3, 8, 1 - 2.0 * 25 / 1024});
  CHECK(signed_rank_interval(Values(10, 7.0)) == Interval{7, 7, 1 - 2.0 * 25 / 1024});
}

TEST_CASE("signed-rank intervals refuse what has no meaning") {
  const Values six{1, 2, 3, 4, 5, 6};
  CHECK_FALSE(input_error_of([&] { signed_rank_interval(six, 1.0); }).empty());
  CHECK_FALSE(input_error_of([&] { signed_rank_interval(six, std::nan("")); }).empty());
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK_FALSE(input_error_of([&] { signed_rank_p(Values{1, infinity}); }).empty());
}

}  // namespace hockney::verdicts
