#include "tune/open_mpi_rules.hpp"

#include <catch2/catch.hpp>
#include <sstream>

#include "core/error.hpp"
#include "core/text.hpp"
#include "tests/tune/random_rules.hpp"

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

TEST_CASE("what Open MPI would ignore is refused with its line") {
  const auto refusal = [](const std::string& text) {
    try {
      read_open_mpi_rules(text, "f");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("taken");
  };
  CHECK_THAT(refusal("rule-file-version-2\n"), Catch::Contains("f:1: 'rule-file-version-2'"));
  CHECK_THAT(refusal("1\n7\n1\n4\n1\n8 6 0 0\n"), Catch::Contains("f:6: the first size is not 0"));
  CHECK_THAT(refusal("1\n7\n1\n4\n2\n0 6 0 0\n0 5 0 0\n"), Catch::Contains("out of order"));
  CHECK_THAT(refusal("1\n7\n2\n4\n1\n0 6 0 0\n4\n1\n0 6 0 0\n"), Catch::Contains("ranks are out"));
  CHECK_THAT(refusal("1\n7\n1\n4\n1\n0 6 0\n"), Catch::Contains("the file ends"));
  CHECK_THAT(refusal("1\n5\n1\n4\n1\n0 6 0 0\n"), Catch::Contains("unknown operation 5"));
  CHECK_THAT(refusal("1\n7\n1\n4\n1\n0 6 0 0 7\n"), Catch::Contains("after the last rule"));
  CHECK_THAT(refusal("1\n7\n1\n4\n1\n0 010 0 0\n"), Catch::Contains("'010' is no number"));
  CHECK_THAT(refusal("1\n7\n1\n4\n1\n0 -1 0 0\n"), Catch::Contains("bad algorithm"));
  CHECK(refusal("# none\n0\n") == "taken");
}

}  // namespace hockney::tune
