#include "core/verification_run.hpp"

#include <catch2/catch.hpp>

#include "core/error.hpp"

namespace hockney {
namespace {

VerificationRun example() {
  return {.library = "Open MPI v4.1.4",
          .counting = "a counter",
          .no_counts = "",
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
