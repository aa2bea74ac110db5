#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <random>

#include "core/text.hpp"
#include "tests/support/run_command.hpp"

// Wrong data planted into real launches, and whether these end with exit code 3. The gate has one
// short launch of each pattern; HOCKNEY_RUNS=20 benchmarks_planted_tests "[corruption]" has 20
// default launches of each, and prints what was planted and found (tests/benchmarks/README.md).
namespace hockney::benchmarks {
namespace {

using Arguments = std::vector<std::string>;

/// What goes wrong, and whether a launch must find it.
struct Pattern {
  std::string name;
  std::string fault;            ///< HOCKNEY_FAULT, but for the datatype
  bool is_certain = false;      ///< however few deliveries are checked
  bool is_likely = is_certain;  ///< in 95 % of default launches
};

const std::vector<Pattern> patterns{
    {"every delivery", "every=1", true},
    {"one in 3", "every=3", true},
    {"one in 50", "every=50", true},
    {"one in 50, to one rank", "every=50,rank=1", true},
    {"each with probability 1/50", "probability=0.02", false, true},
    {"one in 50, of 1 KiB only", "every=50,bytes=1024"},
    {"one in 1000", "every=1000"},
    {"a single one", "delivery="},
};

/// A program and what its data consist of.
struct Subject {
  std::string program;
  Arguments arguments;
  std::string type;
};

/// Sums of float, since the suite itself has use for sums of double.
const std::vector<Subject> subjects{
    {HOCKNEY_CORRUPT "/hockney-pingpong", {}, "byte"},
    {HOCKNEY_CORRUPT "/hockney-collectives", {"--datatype", "float"}, "float"}};

/// The command of a launch with a fault.
Arguments command_of(const Subject& subject, const std::string& fault, const Arguments& more) {
  Arguments command{"/usr/bin/env"};
  for (const std::string& word : split(HOCKNEY_MPI_ENVIRONMENT, '|')) command.push_back(word);
  command.push_back("HOCKNEY_FAULT=type=" + subject.type + "," + fault);
  command.insert(command.end(), {HOCKNEY_MPIEXEC, HOCKNEY_MPIEXEC_NUMPROC, "2"});
  for (const std::string& word : split(HOCKNEY_LAUNCHER_FLAGS, '|')) {
    if (!word.empty()) command.push_back(word);
  }
  command.push_back(subject.program);
  command.insert(command.end(), subject.arguments.begin(), subject.arguments.end());
  command.insert(command.end(), more.begin(), more.end());
  return command;
}

/// With what the draws of this launch are.
std::string drawn(const Pattern& pattern, std::mt19937& draw) {
  const std::string number = std::to_string(draw() % 100'000);
  return pattern.fault.ends_with("=") ? pattern.fault + number : pattern.fault + ",seed=" + number;
}

/// Whether it ended as a launch with wrong data must.
bool is_found(const CommandResult& result) {
  const bool is_said = result.err.find("wrong data received by") != std::string::npos;
  INFO(result.err);
  REQUIRE_FALSE(result.timed_out);  // nothing is known of such a launch
  CHECK(is_said == (result.exit_code == 3));
  return result.exit_code == 3;
}

/// A number of launches of each subject.
std::vector<Arguments> launches_of(const Pattern& pattern, int launches, const Arguments& more) {
  std::vector<Arguments> commands;
  for (const Subject& subject : subjects) {
    std::mt19937 draw(20264);
    for (int i = 0; i < launches; ++i) {
      commands.push_back(command_of(subject, drawn(pattern, draw), more));
    }
  }
  return commands;
}

/// How many of these launches were found.
std::size_t found(const std::vector<CommandResult>& results, std::size_t first, int launches) {
  const auto begin = results.begin() + static_cast<std::ptrdiff_t>(first);
  return static_cast<std::size_t>(std::count_if(begin, begin + launches, is_found));
}

}  // namespace

TEST_CASE("launches find data that are wrong now and then", "[corruption]") {
  const char* runs = std::getenv("HOCKNEY_RUNS");
  const int launches = runs == nullptr ? 1 : std::atoi(runs);
  const Arguments more = runs == nullptr ? Arguments{"-b", "64", "--epochs", "2"} : Arguments{};
  std::vector<Pattern> tried = patterns;
  if (runs == nullptr) std::erase_if(tried, [](const Pattern& each) { return !each.is_certain; });
  std::vector<Arguments> commands;
  for (const Pattern& pattern : tried) {
    const auto some = launches_of(pattern, launches, more);
    commands.insert(commands.end(), some.begin(), some.end());
  }
  const auto results = run_together(commands, runs == nullptr ? launches_at_a_time : 1);
  std::cout << std::left << std::setw(30) << "fault"
            << "planted  found, pingpong and collectives\n";
  std::size_t first = 0;
  for (const Pattern& pattern : tried) {
    std::cout << std::setw(30) << pattern.name << std::setw(9) << launches;
    for (const Subject& subject : subjects) {
      const std::size_t count = found(results, first, launches);
      first += static_cast<std::size_t>(launches);
      std::cout << count << "  ";
      INFO(subject.program << ": " << pattern.name);
      if (pattern.is_certain) CHECK(count == static_cast<std::size_t>(launches));
      if (pattern.is_likely) CHECK(static_cast<double>(count) >= 0.95 * launches);
    }
    std::cout << '\n';
  }
}

TEST_CASE("a launch without a fault finds none", "[corruption]") {
  for (const Subject& subject : subjects) {
    const CommandResult result =
        run_command(command_of(subject, "every=1,rank=99", {"-b", "64", "--epochs", "2"}),
                    std::chrono::seconds(100));
    INFO(result.err);
    CHECK(result.exit_code == 0);
  }
}

}  // namespace hockney::benchmarks
