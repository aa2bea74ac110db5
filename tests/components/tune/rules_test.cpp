#include <catch2/catch.hpp>

#include "components/tune/formats.hpp"
#include "components/tune/rules.hpp"
#include "core/text.hpp"
#include "tests/components/tune/named_choice.hpp"

namespace hockney::tune {
namespace {

Rules two_communicators() {
  return {{"bcast",
           {{.from = 4, .measured = 4, .sizes = {{0, named("a")}, {100, named("b")}}},
            {.from = 16, .measured = 16, .sizes = {{0, named("c")}}}}}};
}

}  // namespace

TEST_CASE("the rule of the nearest lower number of ranks and size decides") {
  const Rules rules = two_communicators();
  CHECK(decide(rules, "bcast", 4, 0).algorithm == "a");
  CHECK(decide(rules, "bcast", 15, 99).algorithm == "a");
  CHECK(decide(rules, "bcast", 15, 100).algorithm == "b");
  CHECK(decide(rules, "bcast", 16, 100).algorithm == "c");
  CHECK(decide(rules, "bcast", 2, 1000).algorithm == "b");
  CHECK(decide(rules, "reduce", 4, 0).is_default());
}

TEST_CASE("neighbours that say the same become one") {
  const Rules rules{
      {"bcast",
       {{.from = 2, .measured = 0, .sizes = {{0, Choice(), false}}},
        {.from = 4,
         .measured = 4,
         .sizes = {{0, Choice(), false}, {8, Choice()}, {64, named("a")}, {512, named("a")}}},
        {.from = 8, .measured = 8, .sizes = {{0, Choice()}, {64, named("a")}}},
        {.from = 9, .measured = 0, .sizes = {{0, Choice(), false}}}}},
      {"reduce", {{.from = 2, .measured = 2, .sizes = {{0, Choice()}}}}}};
  const Rules expected{{"bcast",
                        {{.from = 2, .measured = 0, .sizes = {{0, Choice()}}},
                         {.from = 4, .measured = 4, .sizes = {{0, Choice()}, {64, named("a")}}},
                         {.from = 9, .measured = 0, .sizes = {{0, Choice()}}}}}};
  const Rules found = merged(rules);
  CHECK(found == expected);
  CHECK(found[0].ranks[1].sizes[0].measured);
  CHECK(last_ranks(found[0], 1) == 8);
  CHECK(last_size(found[0].ranks[1], 0) == 63);
  CHECK_FALSE(last_size(found[0].ranks[1], 1));
}

TEST_CASE("targets are found by their words, and by the libraries that read them") {
  for (const std::string& name : valid_words<Target>()) {
    CHECK(word(format_of(parse_target(name)).target) == name);
  }
  CHECK(target_of_library("Open MPI v4.1.4, package: x") == Target::openmpi);
  CHECK(target_of_library("MPICH Version: 4.0.2") == Target::mpich);
  CHECK(prints_of(Target::mpich_json, "MPICH Version: 4.0.2"));
  CHECK_FALSE(prints_of(Target::intel, "MPICH Version: 4.0.2"));
  for (const std::string library :
       {"MVAPICH", "SMPI Version 3.32", "Open MPI v6.0.0, package: x"}) {
    CHECK_THROWS_WITH(target_of_library(library),
                      Catch::Contains("no selection file for the library '" + library + "'"));
  }
}

namespace {

struct Case {
  Target target;
  std::string operation;
  std::int64_t key;  ///< of 100 bytes on 8 ranks
};

}  // namespace

TEST_CASE("each library looks a message up by its own size") {
  // reference/models.md 4.1 and 4.3, Intel's table of message sizes.
  const std::vector<Case> table{{Target::openmpi, "bcast", 100},
                                {Target::openmpi, "allreduce", 100},
                                {Target::openmpi, "reduce", 100},
                                {Target::openmpi, "alltoall", 800},
                                {Target::openmpi, "allgather", 800},
                                {Target::openmpi, "allgatherv", 100},
                                {Target::openmpi, "gather", 800},
                                {Target::openmpi, "scatter", 800},
                                {Target::openmpi, "reduce-scatter", 100},
                                {Target::openmpi, "reduce_scatter_block", 800},
                                {Target::openmpi, "scan", 0},
                                {Target::openmpi, "exscan", 0},
                                {Target::openmpi, "barrier", 0},
                                {Target::openmpi, "alltoallv", 0},
                                {Target::intel, "allgather", 100},
                                {Target::intel, "allgatherv", 800},
                                {Target::intel, "alltoall", 100},
                                {Target::intel, "alltoallv", 800},
                                {Target::intel, "reduce-scatter", 100},
                                {Target::intel, "scan", 0},
                                {Target::mpich_json, "alltoall", 100},
                                {Target::mpich_json, "allgather", 800},
                                {Target::mpich_json, "gather", 0},
                                {Target::mpich_json, "bcast", 100},
                                {Target::mpich, "bcast", 0}};
  for (const Case& row : table) {
    CAPTURE(word(row.target), row.operation);
    CHECK(key_of(size_key(row.target, row.operation), 8, 100) == row.key);
  }
}

TEST_CASE("rules for blocks of ranks are multiplied by the ranks they were measured with") {
  const Choice ring{.algorithm = "ring", .number = 4};
  const Rules rules{{"allgather",
                     {{.from = 2, .measured = 4, .sizes = {{0, Choice()}, {100, ring}}},
                      {.from = 6, .measured = 8, .sizes = {{0, Choice()}, {100, ring}}}}}};
  const KeyedRules found = keyed(Target::openmpi, rules);
  CHECK(found.inexpressible.empty());
  REQUIRE(found.rules.size() == 1);
  CHECK(found.rules[0].ranks[0].sizes[1].from == 400);
  CHECK(found.rules[0].ranks[1].sizes[1].from == 800);
}

TEST_CASE("where sizes do not count, all that were measured must have one choice") {
  const Choice linear{.algorithm = "linear", .number = 1};
  OperationRules scan{"scan",
                      {{.from = 2,
                        .measured = 4,
                        .sizes = {{0, Choice(), false}, {8, linear}, {1025, Choice(), false}}}}};
  const KeyedRules found = keyed(Target::openmpi, {scan});
  CHECK(found.inexpressible.empty());
  CHECK(decide(found.rules, "scan", 4, 0) == linear);
  scan.ranks[0].sizes[2].measured = true;
  const KeyedRules other = keyed(Target::openmpi, {scan});
  REQUIRE(other.inexpressible.size() == 1);
  CHECK(other.inexpressible[0].operation == "scan");
  CHECK(other.rules.empty());
}

}  // namespace hockney::tune
