#include <catch2/catch.hpp>

#include "models/fit.hpp"

namespace hockney::models {
namespace {

/// 1 + n from 8 to 64 bytes, 100 + 2n from 128 to 1024 bytes.
Fit two_segments() {
  return {.segments = {{.from = {8}, .to = {64}, .line = {1, 1}},
                       {.from = {128}, .to = {1024}, .line = {100, 2}}}};
}

}  // namespace

TEST_CASE("inside a segment its line holds, ends included") {
  const Prediction middle = predict(two_segments(), {20});
  CHECK(middle.seconds == 21);
  CHECK(middle.region == Region::inside);
  CHECK(middle.upper_seconds == std::nullopt);
  CHECK_FALSE(middle.extrapolated());
  CHECK(predict(two_segments(), {8}).seconds == 9);
  CHECK(predict(two_segments(), {64}).seconds == 65);
  CHECK(predict(two_segments(), {128}).seconds == 356);
  CHECK(predict(two_segments(), {1024}).region == Region::inside);
}

TEST_CASE("between segments both lines are told") {
  const Prediction between = predict(two_segments(), {100});
  CHECK(between.region == Region::between_segments);
  CHECK(between.seconds == 101);
  CHECK(between.upper_seconds == 300.0);
  CHECK_FALSE(between.extrapolated());
}

TEST_CASE("outside the domain the prediction is marked") {
  const Prediction below = predict(two_segments(), {0});
  CHECK(below.region == Region::below_domain);
  CHECK(below.seconds == 1);
  CHECK(below.extrapolated());
  const Prediction above = predict(two_segments(), {2000});
  CHECK(above.region == Region::above_domain);
  CHECK(above.seconds == 4100);
  CHECK(above.extrapolated());
}

}  // namespace hockney::models
