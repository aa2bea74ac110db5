#include "report/protocol_table.hpp"

#include <catch2/catch.hpp>
#include <sstream>

#include "tests/support/example_record.hpp"

namespace hockney::report {
namespace {

Record launch_with(std::int64_t limit) {
  Record record = example_record();
  record.campaign = CampaignPlace{.name = "limits", .setting = "default"};
  Protocol& protocol = record.protocols.front();
  protocol.flags.clear();
  protocol.hand_overs.front().limit_bytes = limit;
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

TEST_CASE("limits, floods and memory of launches that agree") {
  CHECK(table({launch_with(4040), launch_with(4040)}) ==
        R"(protocol setting=default hop=l3 path=shm pair=0-3 (Open MPI v4.1.4), 2 launches
  call         receiver     layout                     limit[B]  searches
  send         progressing  bytes                          4040         2
  stated: btl_vader_eager_limit 4096 - 56
  taken unreceived, of 1 B, receiver asleep: 17

memory of a rank setting=default, the most of all readings
  moment                                        PSS[MiB]  RSS[MiB]    shared memory[MiB]  readings
  flooded, 1 peer, 4096 x 1 B                      8.583     28.61                 4.768         2

header of btl_vader_eager_limit: 56 B
)");
}

TEST_CASE("launches that do not agree show what each found") {
  const std::string text = table({launch_with(4040), launch_with(4041)});
  CHECK_THAT(text, Catch::Contains("4040 or 4041         2\n"));
  CHECK_THAT(text, Catch::Contains("header of btl_vader_eager_limit: 55 or 56 B  header-differs"));
}

TEST_CASE("no limit and nothing handed over are words") {
  Record record = launch_with(4040);
  HandOver& found = record.protocols.front().hand_overs.front();
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

TEST_CASE("memory is told without a protocol, with the communicators that were held") {
  Record record = example_record();
  record.protocols.clear();
  record.memory = {
      {.rank = 0, .moment = "communicators", .communicators = 128, .pss_bytes = 2 << 20}};
  CHECK_THAT(table({record}), Catch::Contains("memory of a rank"));
  CHECK_THAT(table({record}), Catch::Contains("communicators, 128 communicators"));
}

}  // namespace hockney::report
