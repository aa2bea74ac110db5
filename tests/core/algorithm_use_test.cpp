#include "core/algorithm_use.hpp"

#include <catch2/catch.hpp>

#include "core/record.hpp"

namespace hockney {

using Texts = std::vector<std::string>;

namespace {

AlgorithmUse use_at(std::int64_t bytes, Proof proof, std::optional<std::string> ran) {
  return {.operation = "bcast",
          .bytes = {bytes},
          .ranks = 4,
          .requested = "ring",
          .ran = std::move(ran),
          .proof = proof};
}

Record record_at(std::int64_t bytes) {
  const Point point{
      .operation = "bcast", .bytes = {bytes}, .ranks = 4, .parameters = {{"cache", "cold"}}};
  Record record;
  record.points = {{.point = point}};
  record.series = {{.point = point}};
  return record;
}

Series inscribed(std::int64_t bytes, const AlgorithmUse& use) {
  Record record = record_at(bytes);
  inscribe(record, {use});
  inscribe(record, {use});
  CHECK(record.algorithms == std::vector<AlgorithmUse>{use});
  CHECK(record.points[0].point == record.series[0].point);
  return record.series[0];
}

}  // namespace

TEST_CASE("a proven algorithm becomes the point's") {
  const Series series = inscribed(8, use_at(8, Proof::proven, "ring"));
  CHECK(series.point.algorithm == "ring");
  CHECK(series.flags.empty());
}

TEST_CASE("one that ran in place of what was asked for is the point's, with a flag") {
  const Series series = inscribed(8, use_at(8, Proof::ignored, "linear"));
  CHECK(series.point.algorithm == "linear");
  CHECK(series.flags == Texts{"algorithm-substituted"});
}

TEST_CASE("what is not known is flagged, and no algorithm is guessed") {
  CHECK(inscribed(8, use_at(8, Proof::unproven, std::nullopt)).flags ==
        Texts{"algorithm-unproven"});
  const Series series = inscribed(8, use_at(8, Proof::ignored, std::nullopt));
  CHECK(series.flags == Texts{"algorithm-substituted", "algorithm-unproven"});
  CHECK_FALSE(series.point.algorithm);
}

TEST_CASE("other sizes and other parameters that may choose are not told of") {
  CHECK(inscribed(16, use_at(8, Proof::proven, "ring")).flags.empty());
  AlgorithmUse use = use_at(8, Proof::proven, "ring");
  use.parameters = {{"datatype", "double"}};
  CHECK_FALSE(inscribed(8, use).point.algorithm);
}

}  // namespace hockney
