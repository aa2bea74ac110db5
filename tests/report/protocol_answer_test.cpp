#include <catch2/catch.hpp>

#include "report/protocol_table.hpp"
#include "tests/support/example_record.hpp"

namespace hockney::report {
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

TEST_CASE("the limit comes first, with what the library states") {
  const auto lines =
      protocol_answer(std::vector<Record>{launch_that_found(4040), launch_that_found(4040)});
  REQUIRE(lines.size() >= 2);
  CHECK(lines[0] ==
        "l3: messages up to 4040 B are sent without a receive (eager), larger ones wait "
        "(btl_vader_eager_limit 4096 less 56 of header)");
  CHECK(lines[1] == "  a receiver that sleeps takes 17 messages of 1 B");
}

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
  CHECK(lines[1] == "a l3              4040  btl_vader_eager_limit 4096 less 56 of header");
}

TEST_CASE("records of other programs have no such answer") {
  Record other = example_record();
  other.protocols.clear();
  other.memory.clear();
  CHECK(protocol_answer(std::vector<Record>{other}).empty());
}

}  // namespace hockney::report
