#include "core/robust.hpp"

#include <catch2/catch.hpp>

namespace hockney {

TEST_CASE("a quick median is the middle value, or lies between the two in the middle") {
  std::vector<double> odd{9, 1, 5};
  CHECK(quick_median(odd) == 5);
  std::vector<double> even{9, 1, 5, 2};
  CHECK(quick_median(even) == 3.5);
  std::vector<double> one{7};
  CHECK(quick_median(one) == 7);
}

TEST_CASE(
    "a robust deviation is 1.4826 times the median size, whatever the signs and the outliers") {
  CHECK(robust_deviation({-1, 2, 1000}) == Approx(2 * 1.482602218505602));
  CHECK(robust_deviation({-3, 1}) == Approx(2 * 1.482602218505602));
  CHECK(robust_deviation({0, 0, 5}) == 0);
}

TEST_CASE("few values make a MAD too small") {
  CHECK(small_sample_factor(4) == Approx(4 / 3.2));
  CHECK(small_sample_factor(1000) == Approx(1).epsilon(0.001));
}

}  // namespace hockney
