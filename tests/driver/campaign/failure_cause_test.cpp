#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "driver/campaign/failure_cause.hpp"
#include "tests/support/temporary_folder.hpp"
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

TEST_CASE("the last lines of a log are plain and few") {
  const TemporaryFolder folder;
  const std::string log = folder.write(
      "log", "one\n\ntwo\n-----\n\x1b[31mred\x1b[0m\n  \nthree \xc3\xa9\n" + std::string(300, 'x'));
  CHECK(last_lines(log, 3) ==
        std::vector<std::string>{"[31mred[0m", "three ", std::string(200, 'x')});
  CHECK(last_lines(log, 99).size() == 5);
  CHECK(last_lines(folder.path() + "/none", 3).empty());
}

TEST_CASE("a program's last words are told apart from its launcher's") {
  const TemporaryFolder folder;
  const std::string ruler(74, '-');
  const std::string chatter = ruler + "\nmpirun detected\n\n  Exit code:    2\n" + ruler + "\n";
  const std::string both = folder.write("both", "bad size 'x'\n" + chatter + chatter);
  CHECK(last_lines(both, 5) == std::vector<std::string>{"bad size 'x'"});
  const std::string hydra(83, '=');
  const std::string mpich = folder.write("mpich", "wrong\n" + hydra + "\n=   EXIT\n" + hydra);
  CHECK(last_lines(mpich, 5) == std::vector<std::string>{"wrong"});
  const std::string launcher_alone = folder.write("alone", chatter);
  CHECK(last_lines(launcher_alone, 5) ==
        std::vector<std::string>{"mpirun detected", "  Exit code:    2"});
}

}  // namespace hockney::campaign
