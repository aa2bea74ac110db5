#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "components/tune/other_library_rules.hpp"
#include "core/error.hpp"
#include "tests/components/tune/named_choice.hpp"
#include "tests/components/tune/random_rules.hpp"

// The files of the other libraries.
namespace hockney::tune {
namespace {

Choice preset(int number) { return {.algorithm = std::to_string(number), .number = number}; }

/// From 4 to 8 ranks: the library's own below 8 bytes and above 1024, `choice` between.
Rules island(const std::string& operation, const Choice& choice) {
  return {{operation,
           {{.from = 2, .measured = 0, .sizes = {{0, Choice()}}},
            {.from = 4, .measured = 4, .sizes = {{0, Choice()}, {8, choice}, {1025, Choice()}}},
            {.from = 9, .measured = 0, .sizes = {{0, Choice()}}}}}};
}

}  // namespace

TEST_CASE("I_MPI_ADJUST strings have closed ranges and leave the rest out") {
  const auto environment = intel_adjust(island("reduce-scatter", preset(3)));
  CHECK(environment ==
        std::map<std::string, std::string>{{"I_MPI_ADJUST_REDUCE_SCATTER", "3:8-1024@4-8"}});
  const Rules open{{"bcast", {{.from = 2, .measured = 2, .sizes = {{0, preset(1)}}}}}};
  CHECK(intel_adjust(open).at("I_MPI_ADJUST_BCAST") == "1:0-2147483647@2-2147483647");
}

TEST_CASE("random rules come back from I_MPI_ADJUST strings") {
  RandomRules random(2);
  for (int round = 0; round < 200; ++round) {
    const Rules rules = random.presets();
    const Rules found = read_intel_adjust(intel_adjust(rules));
    for (int question = 0; question < 50; ++question) {
      const auto ranks = static_cast<int>(2 + random.below(250));
      const auto size = static_cast<std::int64_t>(random.below(2 << 20));
      for (const std::string operation : {"allreduce", "bcast", "reduce-scatter"}) {
        REQUIRE(decide(found, operation, ranks, size) == decide(rules, operation, ranks, size));
      }
    }
  }
}

TEST_CASE("I_MPI_ADJUST strings as people write them") {
  const Rules rules =
      read_intel_adjust({{"I_MPI_ADJUST_ALLREDUCE", "1:0-4095@2-16,9000;8:4096-5000"},
                         {"I_MPI_ADJUST_BCAST", "7"},
                         {"I_MPI_DEBUG", "5"}});
  CHECK(decide(rules, "allreduce", 16, 4095) == preset(1));
  CHECK(decide(rules, "allreduce", 17, 4095).is_default());
  CHECK(decide(rules, "allreduce", 100, 9000) == preset(1));
  CHECK(decide(rules, "allreduce", 100, 9001).is_default());
  CHECK(decide(rules, "allreduce", 2, 5000) == preset(8));
  CHECK(decide(rules, "bcast", 2, 5000) == preset(7));
  CHECK_THROWS_AS(read_intel_adjust({{"I_MPI_ADJUST_BCAST", "x:1-2"}}), InputError);
  CHECK_THROWS_AS(read_intel_adjust({{"I_MPI_ADJUST_BCAST", "1:2-1"}}), InputError);
  CHECK_THROWS_AS(read_intel_adjust({{"I_MPI_ADJUST_BCAST", "1:0-9;2:9-10"}}), InputError);
}

TEST_CASE("shell files come back, and anything else is refused") {
  const std::map<std::string, std::string> environment{{"A", "1:0-2@2-4;3:5-6@2-4"}, {"B", "x"}};
  const std::string text = shell_file(environment, {"why"});
  CHECK_THAT(text, Catch::StartsWith("# why\n# in a campaign: \"environment\": {\"A\":") &&
                       Catch::Contains("\nexport B='x'\n"));
  CHECK(read_shell_file(text, "f") == environment);
  CHECK_THROWS_AS(read_shell_file("rm -rf x\n", "f"), InputError);
}

TEST_CASE("MPICH's control variables hold for all sizes or say nothing") {
  Decisions decisions;
  decisions.points = {{.operation = "bcast", .ranks = 4, .bytes = {8}, .choice = named("tree")},
                      {.operation = "bcast", .ranks = 4, .bytes = {64}, .choice = named("tree")},
                      {.operation = "reduce", .ranks = 4, .bytes = {8}, .choice = named("smp")},
                      {.operation = "reduce", .ranks = 4, .bytes = {64}, .choice = {}}};
  decisions.points[0].choice.variables["MPIR_CVAR_BCAST_TREE_KVAL"] = "4";
  decisions.points[1].choice.variables["MPIR_CVAR_BCAST_TREE_KVAL"] = "4";
  const MpichVariables found = mpich_variables(decisions);
  CHECK(found.environment ==
        std::map<std::string, std::string>{{"MPIR_CVAR_BCAST_INTRA_ALGORITHM", "tree"},
                                           {"MPIR_CVAR_BCAST_TREE_KVAL", "4"},
                                           {"MPIR_CVAR_DEVICE_COLLECTIVES", "none"}});
  REQUIRE(found.inexpressible.size() == 1);
  CHECK(found.inexpressible[0].operation == "reduce");
}

namespace {

constexpr const char* base_tree = R"({
  "collective=bcast": {"comm_type=intra": {"comm_size<8": {"algorithm=MPIR_Bcast_intra_smp": {}},
                                           "comm_size=pow2": {"algorithm=MPIR_Bcast_intra_x": {}},
                                           "comm_size=any": {"algorithm=MPIR_Bcast_intra_y": {}}},
                       "comm_type=inter": {"algorithm=MPIR_Bcast_inter_z": {}}},
  "collective=allreduce": {"comm_type=intra": {"algorithm=MPIR_Allreduce_intra_smp": {}},
                           "comm_type=inter": {"algorithm=MPIR_Allreduce_inter_z": {}}},
  "collective=exscan": {"algorithm=MPIR_Exscan_intra_recursive_doubling": {}}
})";

}  // namespace

TEST_CASE("rules are put into MPICH's own tree, whose order stays") {
  using Tree = nlohmann::ordered_json;
  const Tree tree = Tree::parse(mpich_json(base_tree, "f", island("bcast", named("binomial"))));
  const Tree base = Tree::parse(base_tree);
  const Tree& own = base["collective=bcast"]["comm_type=intra"];
  const Tree expected{
      {"comm_size<=3", own},
      {"comm_size<=8",
       {{"avg_msg_size<=7", own},
        {"avg_msg_size<=1024", {{"algorithm=MPIR_Bcast_intra_binomial", Tree::object()}}},
        {"avg_msg_size=any", own}}},
      {"comm_size=any", own}};
  CHECK(tree["collective=bcast"]["comm_type=intra"].dump() == expected.dump());
  CHECK(tree["collective=bcast"]["comm_type=inter"] == base["collective=bcast"]["comm_type=inter"]);
  CHECK(tree["collective=allreduce"] == base["collective=allreduce"]);
}

TEST_CASE("what an algorithm of MPICH is not for is left to the base") {
  using Tree = nlohmann::ordered_json;
  const Rules rules{
      {"allreduce",
       {{.from = 2, .measured = 4, .sizes = {{0, named("reduce_scatter_allgather")}}}}}};
  const Tree tree = Tree::parse(mpich_json(base_tree, "f", rules));
  const Tree& intra = tree["collective=allreduce"]["comm_type=intra"];
  const Tree own = Tree::parse(base_tree)["collective=allreduce"]["comm_type=intra"];
  CHECK(intra["is_commutative=no"] == own);
  const Tree& any_operator = intra["is_commutative=yes"]["comm_size=any"];
  CHECK(any_operator["is_op_built_in=no"] == own);
  const Tree& chosen = any_operator["is_op_built_in=yes"];
  CHECK(chosen.begin().key() == "count<pow2");
  CHECK(chosen["count<pow2"] == own);
  CHECK(chosen["count=any"].begin().key() ==
        "algorithm=MPIR_Allreduce_intra_reduce_scatter_allgather");
}

TEST_CASE("a base that is no complete tree is refused") {
  CHECK_THROWS_WITH(mpich_json("[]", "f", {}), Catch::Contains("'f' is no selection tree"));
  CHECK_THROWS_WITH(mpich_json(std::string(100'000, '['), "f", {}), Catch::Contains("levels"));
  CHECK_THROWS_WITH(mpich_json(base_tree, "f", island("reduce", named("smp"))),
                    Catch::Contains("it has no 'collective=reduce'"));
  CHECK_THROWS_WITH(mpich_json(base_tree, "f", island("exscan", named("nb"))),
                    Catch::Contains("does not begin with"));
}

}  // namespace hockney::tune
