#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "components/tune/open_mpi_rules.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "tests/components/tune/random_rules.hpp"
#include "tests/support/run_command.hpp"

namespace hockney::tune {
namespace {

/// What coll/tuned does with a classic file, written down a second time and from its numbers alone:
/// the rules of the largest communicator that is not larger, or of the first; of these the largest
/// size that is not larger.
class OpenMpi {
 public:
  struct Rule {
    long size, algorithm, fanout, segment;
  };

  explicit OpenMpi(const std::string& text) {
    for (const std::string& line : split(text, '\n'))
      numbers_ << line.substr(0, line.find('#')) << ' ';
    for (long operations = next(); operations > 0; --operations) {
      auto& communicators = rules_[next()];
      for (long count = next(); count > 0; --count) {
        communicators.emplace_back(next(), std::vector<Rule>());
        for (long sizes = next(); sizes > 0; --sizes) {
          const long size = next();
          const long algorithm = next();
          const long fanout = next();
          communicators.back().second.push_back({size, algorithm, fanout, next()});
        }
      }
    }
  }

  [[nodiscard]] Rule look_up(long collective, long ranks, long key) const {
    const auto found = rules_.find(collective);
    if (found == rules_.end()) return {0, 0, 0, 0};
    const std::vector<Rule>* sizes = &found->second.front().second;
    for (const auto& [from, rules] : found->second) {
      if (from <= ranks) sizes = &rules;
    }
    Rule result = sizes->front();
    for (const Rule& rule : *sizes) {
      if (rule.size <= key) result = rule;
    }
    return result;
  }

 private:
  long next() {
    long value = -1;
    numbers_ >> value;
    return value;
  }

  std::stringstream numbers_;
  std::map<long, std::vector<std::pair<long, std::vector<Rule>>>> rules_;
};

}  // namespace

TEST_CASE("the classic file of Open MPI, to the byte") {
  const Rules rules{
      {"bcast",
       {{.from = 2, .measured = 0, .sizes = {{0, Choice()}}},
        {.from = 4,
         .measured = 4,
         .sizes = {{0, {.algorithm = "binomial", .number = 6}},
                   {65536, {.algorithm = "chain", .number = 2, .segment = 16384, .fanout = 4}}}}}}};
  CHECK(open_mpi_rules_file(rules, {"why"}) ==
        "# why\n"
        "# size key [B], algorithm, fan-out, segment [B]\n"
        "1  # operations\n"
        "7  # bcast\n"
        "2  # numbers of ranks\n"
        "2  # ranks, and on\n"
        "1  # sizes\n"
        "0 0 0 0  # default\n"
        "4  # ranks, and on\n"
        "2  # sizes\n"
        "0 6 0 0  # binomial\n"
        "65536 2 4 16384  # chain segment=16K fanout=4\n");
}

TEST_CASE("random rules come back from the classic file, and Open MPI decides by them") {
  RandomRules random(1);
  for (int round = 0; round < 200; ++round) {
    const Rules rules = random.open_mpi();
    const std::string text = open_mpi_rules_file(rules, {"round " + std::to_string(round)});
    REQUIRE(read_open_mpi_rules(text, "file") == rules);
    const OpenMpi library(text);
    for (int question = 0; question < 50; ++question) {
      const auto ranks = static_cast<int>(2 + random.below(250));
      const auto size = static_cast<std::int64_t>(random.below(2 << 20));
      for (const std::string operation : {"allreduce", "bcast", "reduce-scatter", "gather"}) {
        const Choice choice = decide(rules, operation, ranks, size);
        const auto found =
            library.look_up(open_mpi_collective(operation).value_or(-1), ranks, size);
        REQUIRE(found.algorithm == choice.number.value_or(0));
        REQUIRE(found.fanout == choice.fanout);
        REQUIRE(found.segment == choice.segment);
      }
    }
  }
}

namespace {

constexpr OpenMpiRelease release_4{4, 1, 4};
constexpr OpenMpiRelease release_5{5, 0, 8};
constexpr OpenMpiRelease release_6{6, 0, 0};

/// What the reader says of a file; "taken" where it takes it.
std::string answer(const std::string& text, const OpenMpiRelease& release = {}) {
  try {
    read_open_mpi_rules(text, "f", release);
  } catch (const InputError& error) {
    return error.what();
  }
  return "taken";
}

/// The rules of one size of an operation, on whatever ranks.
std::string one_rule(int operation, const std::string& rule) {
  return "1\n" + std::to_string(operation) + "\n1\n0\n1\n" + rule + "\n";
}

}  // namespace

TEST_CASE("what Open MPI would ignore is refused with its line") {
  CHECK_THAT(answer("1\n7\n1\n4\n1\n8 6 0 0\n"), Catch::Contains("f:6: the first size is not 0"));
  CHECK_THAT(answer("1\n7\n1\n4\n2\n0 6 0 0\n0 5 0 0\n"), Catch::Contains("out of order"));
  CHECK_THAT(answer("1\n7\n2\n4\n1\n0 6 0 0\n4\n1\n0 6 0 0\n"), Catch::Contains("ranks are out"));
  CHECK_THAT(answer("1\n7\n1\n4\n1\n0 6 0\n"), Catch::Contains("the file ends"));
  CHECK_THAT(answer("1\n22\n1\n4\n1\n0 6 0 0\n"), Catch::Contains("unknown operation 22"));
  CHECK_THAT(answer("1\n5\n1\n4\n1\n0 6 0 0\n"),
             Catch::Contains("f:2: rules of operation 5 (alltoallw)"));
  CHECK_THAT(answer("23\n7\n"), Catch::Contains("f:1: 23 operations (MPI has 22;"));
  CHECK_THAT(answer("2\n7\n1\n0\n1\n0 6 0 0\n7\n1\n0\n1\n0 5 0 0\n"),
             Catch::Contains("f:7: operation 7 (bcast) a second time"));
  CHECK_THAT(answer("1\n7\n1\n4\n1\n0 6 0 0 7\n"),
             Catch::Contains("f:6: numbers after the last rule"));
  CHECK_THAT(answer("1\n7\n1\n4\n1\n0 010 0 0\n"), Catch::Contains("'010' is no number"));
  CHECK_THAT(answer("1\n7\n1\n4\n1\n0 -1 0 0\n"), Catch::Contains("bad algorithm"));
  CHECK_THAT(answer("1\nbcast\n"), Catch::Contains("f:2: 'bcast' is no number"));
  CHECK_THAT(answer("{\"collectives\": {}}"), Catch::Contains("which Open MPI 6.0 reads"));
  CHECK(answer("# none\n0\n") == "taken");
}

TEST_CASE("algorithms are those of the release that is to read the file") {
  struct Case {
    int operation;
    int algorithm;
    OpenMpiRelease release;
    std::string answer;
  };
  // ompi_info of 4.1.4 and 5.0.8; coll_tuned_*_decision.c of 6.0's branch.
  const std::vector<Case> cases{
      {2, 6, release_4, "taken"},
      {2, 12, release_4, "algorithm 12 of allreduce does not exist (Open MPI 4.1 has 0..6)"},
      {2, 7, release_5, "algorithm 7 of allreduce does not exist (Open MPI 5.0 has 0..6)"},
      {2, 7, release_6, "taken"},
      {2, 8, {}, "algorithm 8 of allreduce does not exist (Open MPI has 0..7)"},
      {0, 7, release_4, "algorithm 7 of allgather does not exist (Open MPI 4.1 has 0..6)"},
      {0, 7, release_5, "taken"},
      {0, 8, release_5, "algorithm 8 of allgather does not exist (Open MPI 5.0 has 0..7)"},
      {1, 6, release_4, "algorithm 6 of allgatherv does not exist (Open MPI 4.1 has 0..5)"},
      {1, 6, release_5, "taken"},
      {3, 6, release_5, "algorithm 6 of alltoall does not exist (Open MPI 5.0 has 0..5)"},
      {6, 7, release_4, "algorithm 7 of barrier does not exist (Open MPI 4.1 has 0..6)"},
      {7, 10, release_6, "algorithm 10 of bcast does not exist (Open MPI 6.0 has 0..9)"},
      {11, 8, release_5, "algorithm 8 of reduce does not exist (Open MPI 5.0 has 0..7)"},
      {11, 8, release_6, "taken"},
      {15, 4, release_4, "algorithm 4 of scatter does not exist (Open MPI 4.1 has 0..3)"}};
  for (const Case& tried : cases) {
    const std::string rule = "0 " + std::to_string(tried.algorithm) + " 0 0";
    CHECK_THAT(answer(one_rule(tried.operation, rule), tried.release),
               Catch::Contains(tried.answer));
  }
}

TEST_CASE("the release of Open MPI stands in how the library describes itself") {
  CHECK(open_mpi_release("Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4") == release_4);
  CHECK(open_mpi_release("Open MPI v5.0.8rc1, package: x") == release_5);
  CHECK(open_mpi_release("Open MPI v6.1.0a1") == OpenMpiRelease{6, 1, 0});
  CHECK(open_mpi_release("MPICH Version: 4.0.2") == OpenMpiRelease{});
  CHECK(open_mpi_release("Open MPI vnext") == OpenMpiRelease{});
}

TEST_CASE("blanks, comments and numbers are what Open MPI takes for them") {
  const Rules rules{{"bcast",
                     {{.from = 4,
                       .measured = 0,
                       .sizes = {{0, {.algorithm = "binomial", .number = 6, .segment = 1024}}}}}}};
  for (const std::string text :
       {"1\n7\n1\n4\n1\n0 6 0 1024\n", "1\t7\t1\t4\t1\t0\t6\t0\t1024",
        "1 # one\r\n7\t# bcast\r\n\r\n1\r\n4\r\n1\r\n0\t6 0\t\t1024 # end\r\n",
        "\t# first\n 1\n\f7\v1 4 1\n0 0x6 0x0 0X400", "1 7 1 4 1#x\n0 6\n0\n1024#",
        "rule-file-version-1\n1\n7\n1\n4\n1\n0 6 0 1024\n",
        "rule-file-version-2\n1\n7\n1\n4\n1\n0\t6\t0\t1024\n",
        "rule-file-version-2 # two\r\n1\r\n7\r\n1\r\n4\r\n1\r\n0 6 0 1024\r\n",
        "rule-file-version-2\n1\n7\n1\n4\n1\n0 6 0 1024 0 # as many as it likes\n"}) {
    CAPTURE(text);
    CHECK(read_open_mpi_rules(text, "f") == rules);
  }
}

TEST_CASE("no rules of an operation, of ranks or of sizes leave it to the library") {
  CHECK(read_open_mpi_rules("1\n7\n0\n", "f").empty());
  const Rules rules = read_open_mpi_rules("1\n7\n2\n2\n0\n8\n1\n0 6 0 0\n", "f");
  CHECK(decide(rules, "bcast", 4, 100).is_default());
  CHECK(decide(rules, "bcast", 8, 100).algorithm == "binomial");
}

TEST_CASE("files of version 2 may limit the requests of a rule, on its own line") {
  const std::string text =
      "rule-file-version-2\n2\n3 # alltoall\n1\n2\n3\n0 2 0 0\n1024 4 0 0 8 # eight\n"
      "65536\t4\t0\t0\t16\n7\n1\n0\n1\n0 6 0 0\n";
  const Rules rules = read_open_mpi_rules(text, "f", release_5);
  CHECK(decide(rules, "alltoall", 4, 0).requests == 0);
  CHECK(decide(rules, "alltoall", 4, 1024).requests == 8);
  CHECK(decide(rules, "alltoall", 4, 1 << 20).requests == 16);
  CHECK(describe(decide(rules, "alltoall", 4, 1024)) == "linear_sync requests=8");
  CHECK(decide(rules, "bcast", 4, 0).algorithm == "binomial");
  const std::string written = open_mpi_rules_file(rules, {"why"});
  CHECK(written.starts_with("rule-file-version-2\n# why\n"));
  CHECK(read_open_mpi_rules(written, "f") == rules);
  // Without the version the number belongs to what follows.
  CHECK_THAT(answer(text.substr(text.find('\n') + 1)), Catch::Contains("is out of order"));
  CHECK_THAT(answer("rule-file-version-2\n1 3 1 0 1 0 4 0 0 -8\n"),
             Catch::Contains("bad number of requests"));
}

TEST_CASE("a version is refused where the library would not take it for one") {
  const std::string rules = "1\n7\n1\n4\n1\n0 6 0 0\n";
  const auto refused_by = [&](const OpenMpiRelease& release) {
    return answer("rule-file-version-2\n" + rules, release) != "taken";
  };
  CHECK(refused_by({4, 1, 4}));
  CHECK(refused_by({4, 1, 7}));
  CHECK_FALSE(refused_by({4, 1, 8}));
  CHECK(refused_by({5, 0, 6}));
  CHECK_FALSE(refused_by({5, 0, 7}));
  CHECK_FALSE(refused_by({6, 0, 0}));
  CHECK_THAT(answer("rule-file-version-2\n" + rules, release_4),
             Catch::Contains("f:1: 'rule-file-version-2' (Open MPI 4.1.4 does not read it, 4.1.8 "
                             "and 5.0.7 do; Open MPI would ignore the whole file)"));
  CHECK_THAT(answer("# ours\nrule-file-version-2\n" + rules),
             Catch::Contains("f:2: 'rule-file-version-2' here"));
  CHECK_THAT(answer("\xEF\xBB\xBFrule-file-version-2\n" + rules),
             Catch::Contains("byte-order mark"));
  for (const char* version : {"3", "0", "-1", "", "2.1", "two", "99999999999"}) {
    CAPTURE(version);
    CHECK_THAT(answer("rule-file-version-" + std::string(version) + "\n" + rules),
               Catch::Contains("version 1 or 2"));
  }
}

TEST_CASE("this machine's Open MPI has the algorithms that hockney says it has") {
  const CommandResult info = run_command(
      {"/usr/bin/env", "ompi_info", "--param", "coll", "tuned", "--level", "9", "--parsable"});
  const CommandResult version = run_command({"/usr/bin/env", "ompi_info", "--version"});
  if (info.exit_code != 0 || version.exit_code != 0) {
    WARN("skipped: there is no ompi_info");
    return;
  }
  const OpenMpiRelease release = open_mpi_release(version.out);
  for (const std::string operation : {"allgather", "allgatherv", "allreduce", "alltoall", "barrier",
                                      "bcast", "gather", "reduce", "scatter"}) {
    const std::string begin = "param:coll_tuned_" + operation + "_algorithm:enumerator:value:";
    const int last = last_open_mpi_algorithm(operation, release);
    CAPTURE(operation, last);
    CHECK_THAT(info.out, Catch::Contains(begin + std::to_string(last) + ":" +
                                         open_mpi_name(operation, last)));
    CHECK_THAT(info.out, !Catch::Contains(begin + std::to_string(last + 1) + ":"));
  }
}

}  // namespace hockney::tune
