#include <catch2/catch.hpp>

#include "core/text.hpp"
#include "tests/support/run_command.hpp"

// Wrong data planted into a launch of a kernel, which must end with exit code 3 and say where.
namespace hockney::benchmarks {
namespace {

/// A short launch of hockney-cannon, whose blocks have 8 x 8 elements: 512 bytes.
CommandResult multiply(const std::string& fault) {
  std::vector<std::string> command{"/usr/bin/env"};
  for (const std::string& word : split(HOCKNEY_MPI_ENVIRONMENT, '|')) command.push_back(word);
  command.push_back("HOCKNEY_FAULT=" + fault);
  command.insert(command.end(), {HOCKNEY_MPIEXEC, HOCKNEY_MPIEXEC_NUMPROC, "4"});
  for (const std::string& word : split(HOCKNEY_LAUNCHER_FLAGS, '|')) {
    if (!word.empty()) command.push_back(word);
  }
  command.insert(command.end(), {HOCKNEY_CORRUPT "/hockney-cannon", "--sizes", "16", "--ways",
                                 "blocking", "--work", "after", "--epochs", "1"});
  return run_command(command, std::chrono::seconds(100));
}

}  // namespace

TEST_CASE("a product of blocks that arrived with a wrong bit ends in exit code 3") {
  const CommandResult right = multiply("none");
  INFO(right.err);
  CHECK(right.exit_code == 0);
  const CommandResult wrong = multiply("type=double,bytes=512,every=1,rank=2");
  INFO(wrong.err);
  CHECK(wrong.exit_code == 3);
  CHECK_THAT(wrong.err, Catch::Contains("wrong data received by cannon"));
}

}  // namespace hockney::benchmarks
