#include "report/algorithm_table.hpp"

#include <catch2/catch.hpp>
#include <sstream>

namespace hockney::report {
namespace {

AlgorithmUse use(std::int64_t bytes, const std::string& requested, Proof proof,
                 std::optional<std::string> ran) {
  return {.operation = "allreduce",
          .bytes = {bytes},
          .ranks = 4,
          .requested = requested,
          .ran = std::move(ran),
          .proof = proof};
}

Record record_of(const std::string& setting, std::vector<AlgorithmUse> uses) {
  Record record;
  record.provenance.mpi.library = "Open MPI v4.1.4, package: Debian";
  record.campaign = CampaignPlace{.name = "c", .setting = setting, .launch = 1};
  record.algorithms = std::move(uses);
  return record;
}

std::vector<Record> campaign() {
  return {record_of("algorithm=default", {use(16, "default", Proof::proven, "recursive_doubling"),
                                          use(8192, "default", Proof::unproven, std::nullopt)}),
          record_of("algorithm=ring", {use(16, "ring", Proof::ignored, "recursive_doubling"),
                                       use(8192, "ring", Proof::proven, "ring")}),
          record_of("algorithm=ring", {use(16, "ring", Proof::ignored, "recursive_doubling"),
                                       use(8192, "ring", Proof::proven, "ring")}),
          record_of("algorithm=linear", {use(16, "linear", Proof::proven, "linear"),
                                         use(8192, "linear", Proof::ignored, std::nullopt)}),
          record_of("algorithm=tree", {use(16, "tree", Proof::proven, "tree"),
                                       use(8192, "tree", Proof::proven, "tree")})};
}

}  // namespace

TEST_CASE("asked against ran, a line for each setting") {
  std::ostringstream out;
  print_algorithm_tables(out, campaign());
  CHECK(out.str() ==
        "\nalgorithms: allreduce ranks=4, Open MPI v4.1.4\n"
        "            setting    asked                   16        8K\n"
        "  algorithm=default  default   recursive_doubling         ?\n"
        "     algorithm=ring     ring  recursive_doubling!         =\n"
        "   algorithm=linear   linear                    =  another!\n"
        "     algorithm=tree     tree                    =         =\n"
        "  4 enumerated, 4 run, 1 proven, 2 substituted, 1 unproven\n"
        "\n  told by witness launches; =: what was asked for ran; !: something else ran; ?: it "
        "could not be told (docs/algorithms.md)\n");
}

TEST_CASE("a setting counts once, as the worst of its sizes") {
  const auto blocks = algorithm_blocks(campaign());
  REQUIRE(blocks.size() == 1);
  CHECK(count_algorithms(blocks[0]) ==
        AlgorithmCounts{.enumerated = 4, .run = 4, .proven = 1, .substituted = 2, .unproven = 1});
}

TEST_CASE("without witnesses there is nothing to print") {
  std::ostringstream out;
  print_algorithm_tables(out, std::vector<Record>{record_of("plain", {})});
  CHECK(out.str().empty());
}

}  // namespace hockney::report
