#include "tune/rules.hpp"
#include "tests/tune/named_choice.hpp"

#include <catch2/catch.hpp>

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

}  // namespace hockney::tune
