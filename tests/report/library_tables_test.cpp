#include <catch2/catch.hpp>
#include <sstream>

#include "report/library_tables.hpp"
#include "tests/support/example_record.hpp"

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
        "\n# algorithms: allreduce ranks=4, Open MPI v4.1.4\n"
        "# setting            asked    16                   8K\n"
        "  algorithm=default  default  recursive_doubling   ?\n"
        "  algorithm=ring     ring     recursive_doubling!  =\n"
        "  algorithm=linear   linear   =                    another!\n"
        "  algorithm=tree     tree     =                    =\n"
        "# 4 enumerated, 4 run, 1 proven, 2 substituted, 1 unproven\n"
        "\n# shown by verification launches; =: the requested one ran; !: another ran; ?: it "
        "is unproven (docs/how-to/sweep-and-tune.md)\n");
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

namespace {

Record launch_that_found(std::int64_t limit, const std::string& setting = "default") {
  Record record = example_record();
  record.campaign = CampaignPlace{.name = "limits", .setting = setting};
  Protocol& protocol = record.protocols.front();
  protocol.flags.clear();
  protocol.eager_limit_bytes = limit;
  protocol.stated.front().header_bytes = 4096 - limit;
  return record;
}

}  // namespace

TEST_CASE("launches that differ, and no limit at all, are said") {
  CHECK_THAT(
      protocol_answer(std::vector<Record>{launch_that_found(4040), launch_that_found(4041)}).at(0),
      Catch::Contains("4040 or 4041 B") && Catch::Contains("launches differ"));
  Record without = launch_that_found(4040);
  without.protocols.front().eager_limit_bytes.reset();
  without.protocols.front().reason = "nothing was held";
  CHECK(protocol_answer(std::vector<Record>{without}).at(0) ==
        "l3: no eager limit was found (nothing was held)");
}

TEST_CASE("of many settings there is a table") {
  std::vector<Record> records;
  for (const char* const setting : {"a", "b", "c", "d"})
    records.push_back(launch_that_found(4040, setting));
  const auto lines = protocol_answer(records);
  REQUIRE(lines.size() == 5);
  CHECK(lines[1] == "a l3             4040   btl_vader_eager_limit 4096 less 56 of header");
}

TEST_CASE("records of other programs have no such answer") {
  Record other = example_record();
  other.protocols.clear();
  other.memory.clear();
  CHECK(protocol_answer(std::vector<Record>{other}).empty());
}

namespace {

Record launch_with(std::int64_t limit) {
  Record record = example_record();
  record.campaign = CampaignPlace{.name = "limits", .setting = "default"};
  Protocol& protocol = record.protocols.front();
  protocol.flags.clear();
  protocol.eager_probes.front().limit_bytes = limit;
  protocol.stated.front().header_bytes = 4096 - limit;
  record.memory.front().communicators.reset();
  return record;
}

std::string table(const std::vector<Record>& records) {
  std::ostringstream out;
  print_protocol_tables(out, records);
  return out.str();
}

}  // namespace

TEST_CASE("launches that do not agree show what each found") {
  const std::string text = table({launch_with(4040), launch_with(4041)});
  CHECK_THAT(text, Catch::Contains("4040 or 4041         2\n"));
  CHECK_THAT(text, Catch::Contains("header of btl_vader_eager_limit: 55 or 56 B  header-differs"));
}

TEST_CASE("no limit and nothing handed over are words") {
  Record record = launch_with(4040);
  EagerLimit& found = record.protocols.front().eager_probes.front();
  found.held_bytes.reset();
  CHECK_THAT(table({record}), Catch::Contains("none up to 4M"));
  found.limit_bytes.reset();
  CHECK_THAT(table({record}), Catch::Contains("every message held"));
}

TEST_CASE("records of other programs print nothing") {
  Record record = example_record();
  record.protocols.clear();
  record.memory.clear();
  CHECK(table({record}).empty());
}

}  // namespace hockney::report
