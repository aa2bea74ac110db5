#include <catch2/catch.hpp>

#include "core/algorithm_use.hpp"
#include "core/error.hpp"
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
  add_algorithm_use(record, {use});
  add_algorithm_use(record, {use});
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

namespace {

VerificationRun example() {
  return {.library = "Open MPI v4.1.4",
          .counting = "a counter",
          .no_counts = "",
          .pml = "ob1",
          .check = "refuses",
          .no_check = "but not always",
          .requested = {{"A", "4", "ring"}, {"B", "x", std::nullopt}},
          .points = {{.point = {.operation = "bcast", .bytes = {8}, .ranks = 4}, .root = 2},
                     {.point = {.operation = "allreduce",
                                .bytes = {16},
                                .ranks = 4,
                                .parameters = {{"datatype", "double"}}},
                      .element_bytes = 8}}};
}

}  // namespace

TEST_CASE("a witness is read back line by line") {
  VerificationRun verification = example();
  std::string text = verification_header(verification);
  CHECK(read_verification(text, "w") == verification);
  text += verification_begun(0);
  verification.points[0].stage = VerificationStage::begun;
  CHECK(read_verification(text, "w") == verification);
  text += verification_done(0, "an error", {{0, 3, 2, 16}});
  verification.points[0].stage = VerificationStage::done;
  verification.points[0].error = "an error";
  verification.points[0].traffic = {{0, 3, 2, 16}};
  CHECK(read_verification(text, "w") == verification);
}

TEST_CASE("only a list of PMLs without the counter is extended") {
  CHECK(pml_with_monitoring("ob1") == "ob1,monitoring");
  CHECK(pml_with_monitoring("cm,ob1") == "cm,ob1,monitoring");
  CHECK_FALSE(pml_with_monitoring(""));
  CHECK_FALSE(pml_with_monitoring("^cm"));
  CHECK_FALSE(pml_with_monitoring("ob1,monitoring"));
}

TEST_CASE("a line that is broken off was not written") {
  const std::string text = verification_header(example()) + verification_begun(0);
  CHECK(read_verification(text + "{\"done\":0,\"err", "w").points[0].stage ==
        VerificationStage::begun);
}

TEST_CASE("what is no witness is an error that names the file") {
  CHECK_THROWS_AS(read_verification("", "w"), InputError);
  CHECK_THROWS_AS(read_verification("{\"schema\":\"hockney.record/1\"}\n", "w"), InputError);
  CHECK_THROWS_AS(read_verification(verification_header(example()) + "{\"begun\":7}\n", "w"),
                  InputError);
}

}  // namespace hockney
