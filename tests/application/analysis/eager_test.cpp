#include "application/analysis/eager.hpp"

#include <catch2/catch.hpp>

#include "tests/support/synthetic_program.hpp"

namespace hockney::applications {
namespace {

/// What hockney-protocol found between two ranks of one node, or of two.
Record found_limit(std::optional<std::int64_t> limit, Reach reach,
                   LaunchStatus status = LaunchStatus::complete) {
  Record record;
  record.status = status;
  record.ranks = {{.rank = 0, .host = "a"},
                  {.rank = 1, .host = reach == Reach::in_node ? "a" : "b"}};
  record.protocols = {{.hop = "l3", .pair = {0, 1}, .eager_limit_bytes = limit}};
  return record;
}

std::vector<LimitUse> uses_of(const SyntheticProgram& program, const std::vector<Record>& records) {
  return limit_uses(program.profile(), eager_limits(records));
}

}  // namespace

TEST_CASE("limits are those of ranks in one node and of two, from complete launches") {
  const auto limits = eager_limits(std::vector<Record>{
      found_limit(4040, Reach::in_node), found_limit(4040, Reach::in_node),
      found_limit(65536, Reach::between_nodes),
      found_limit(17, Reach::in_node, LaunchStatus::failed), found_limit({}, Reach::in_node)});
  REQUIRE(limits.size() == 2);
  CHECK(limits[0].reach == Reach::in_node);
  CHECK(limits[0].limits_bytes == std::set<std::int64_t>{4040});
  CHECK(limits[0].hops == std::set<std::string>{"l3"});
  CHECK(limits[1].limits_bytes == std::set<std::int64_t>{65536});
  CHECK(eager_limits({}).empty());
}

TEST_CASE("messages are held against the limit of their own reach") {
  SyntheticProgram program(4, 2);
  program.send(0, 1, 4040, 10).send(1, 0, 4041, 5);   // in node 0
  program.send(1, 2, 60000, 7).send(2, 1, 70000, 1);  // between nodes
  const auto uses = uses_of(
      program, {found_limit(4040, Reach::in_node), found_limit(65536, Reach::between_nodes)});
  REQUIRE(uses.size() == 2);
  CHECK(uses[0].messages.count == 15);
  CHECK(uses[0].above == Volume{5, 5 * 4041, 4041, 4041});
  CHECK(uses[0].perhaps_above.count == 0);
  CHECK(uses[1].messages.count == 8);
  CHECK(uses[1].above == Volume{1, 70000, 70000, 70000});
}

TEST_CASE("a row that the limit parts may be above, and so may one between two limits") {
  SyntheticProgram program(2);
  program.send(0, 1, 4000, 3).send(0, 1, 4090, 2);  // one size class: 2048 to 4095
  auto uses = uses_of(program, {found_limit(4040, Reach::in_node)});
  REQUIRE(uses.size() == 1);
  CHECK(uses[0].above.count == 0);
  CHECK(uses[0].perhaps_above.count == 5);

  uses = uses_of(SyntheticProgram(2).send(0, 1, 5000),
                 {found_limit(4040, Reach::in_node), found_limit(8000, Reach::in_node)});
  CHECK(uses[0].above.count == 0);
  CHECK(uses[0].perhaps_above.count == 1);
}

TEST_CASE("calls just above a limit are those that twice the limit would take") {
  const SyntheticProgram program = SyntheticProgram(2)
                                       .send(0, 1, 8)
                                       .calls("MPI_Send", 4, 4041, 1)
                                       .calls("MPI_Sendrecv", 2, 8080, 1)
                                       .calls("MPI_Ssend", 1, 8081, 1)
                                       .calls("MPI_Bcast", 9, 5000, 1);
  const auto uses = uses_of(program, {found_limit(4040, Reach::in_node)});
  REQUIRE(uses.size() == 1);
  REQUIRE(uses[0].just_above.size() == 2);
  CHECK(uses[0].just_above[0].call == "MPI_Send");
  CHECK(uses[0].just_above[0].volume.count == 4);
  CHECK(uses[0].just_above[1].call == "MPI_Sendrecv");
}

TEST_CASE("what is no message, or goes nowhere, is held against no limit") {
  SyntheticProgram program(2);
  program.send(0, 0, 100000);
  program.with([](profile::Profile& all) {
    all.messages.push_back({.from = 0, .to = 1, .carrier = profile::Carrier::put, .messages = 1});
    all.messages.push_back({.from = 0, .to = {}, .messages = 1});
  });
  CHECK(uses_of(program, {found_limit(4040, Reach::in_node)}).empty());
}

}  // namespace hockney::applications
