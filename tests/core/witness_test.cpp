#include "core/witness.hpp"

#include <catch2/catch.hpp>

#include "core/error.hpp"

using namespace hockney;

namespace {

Witness example() {
  return {.library = "Open MPI v4.1.4",
          .counting = "a counter",
          .no_counts = "",
          .check = "refuses",
          .no_check = "but not always",
          .asked = {{"A", "4", "ring"}, {"B", "x", std::nullopt}},
          .points = {{.point = {.operation = "bcast", .bytes = {8}, .ranks = 4}, .root = 2},
                     {.point = {.operation = "allreduce",
                                .bytes = {16},
                                .ranks = 4,
                                .parameters = {{"datatype", "double"}}},
                      .element_bytes = 8}}};
}

}  // namespace

TEST_CASE("a witness is read back line by line") {
  Witness witness = example();
  std::string text = witness_header(witness);
  CHECK(read_witness(text, "w") == witness);
  text += witness_begun(0);
  witness.points[0].stage = WitnessStage::begun;
  CHECK(read_witness(text, "w") == witness);
  text += witness_done(0, "an error", {{0, 3, 2, 16}});
  witness.points[0].stage = WitnessStage::done;
  witness.points[0].error = "an error";
  witness.points[0].traffic = {{0, 3, 2, 16}};
  CHECK(read_witness(text, "w") == witness);
}

TEST_CASE("a line that is broken off was not written") {
  const std::string text = witness_header(example()) + witness_begun(0);
  CHECK(read_witness(text + "{\"done\":0,\"err", "w").points[0].stage == WitnessStage::begun);
}

TEST_CASE("what is no witness is an error that names the file") {
  CHECK_THROWS_AS(read_witness("", "w"), InputError);
  CHECK_THROWS_AS(read_witness("{\"schema\":\"hockney.record/1\"}\n", "w"), InputError);
  CHECK_THROWS_AS(read_witness(witness_header(example()) + "{\"begun\":7}\n", "w"), InputError);
}
