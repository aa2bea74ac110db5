#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "driver/campaign/failure_cause.hpp"
#include "tests/support/text_forms.hpp"

namespace hockney::campaign {
TEST_CASE("the log of a failed launch is told by the line that explains it") {
  const std::vector<TextForm> failed_launches = text_forms("failed-launches.txt");
  CHECK(failed_launches.size() > 20);
  for (const TextForm& failed : failed_launches) {
    INFO(failed.name);
    CHECK(failure_cause(failed.text) == failed.expected.at(0));
  }
  CHECK(failure_cause("\x1b[31mred\x1b[0m\xc3 text\r\n") == "[31mred[0m text");
}

TEST_CASE("a cause is one line of bounded length") {
  const std::string cause = failure_cause("hockney-rma: " + std::string(2000, 'x'));
  CHECK(cause.size() == 400);
  CHECK(cause.ends_with("x..."));
  CHECK(failure_cause_in_file("/no/such/log").empty());
}

TEST_CASE("failures are the same but for numbers and what is in brackets") {
  CHECK(is_same_failure("exit code 1: no way to each other (BTLs attempted: tcp)",
                        "exit code 1: no way to each other (BTLs attempted: vader)"));
  CHECK(is_same_failure("killed by signal 9, Killed: rank 3: x",
                        "killed by signal 9, Killed: rank 12: x"));
  CHECK_FALSE(is_same_failure("exit code 1: no way", "not done within 2 min: no way"));
}

}  // namespace hockney::campaign
