#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "tests/tune/random_rules.hpp"
#include "tune/open_mpi_rules.hpp"

namespace hockney::tune {
namespace {

/// What is said of a file with these rules of a collective.
std::string answer_to(const std::string& collective, const std::string& rules,
                      const OpenMpiRelease& release = {}) {
  const std::string text = R"({"rule_file_version": 3, "module": "tuned", "collectives": {")" +
                           collective + R"(": )" + rules + "}}";
  try {
    check_open_mpi_json(text, "f", release);
  } catch (const InputError& error) {
    return error.what();
  }
  return "taken";
}

}  // namespace

TEST_CASE("rules in JSON are taken as Open MPI 6.0 takes them") {
  for (const std::string rules :
       {R"([])", R"([{"rules": []}])", R"([{"rules": [{"alg": "ring"}]}])",
        R"([{"comm_size_min": 2, "comm_size_max": "inf", "comm_rank_distribution": "single-node",
            "rules": [{"msg_size_min": 0, "msg_size_max": 1023, "alg": 3, "faninout": 2},
                      {"msg_size_min": 1024, "alg": "allgather_reduce", "seg_size": 4096,
                       "reqs": 4}]}])"}) {
    CAPTURE(rules);
    CHECK(answer_to("allreduce", rules) == "taken");
  }
  CHECK(answer_to("reduce_scatter_block", R"([{"rules": [{"alg": "butterfly"}]}])") == "taken");
  CHECK(answer_to("allgather", R"([{"rules": [{"alg": "bruck-k-fanout"}]}])") == "taken");
}

TEST_CASE("what Open MPI 6.0 would ignore or skip is refused with its key") {
  struct Case {
    std::string collective;
    std::string rules;
    std::string answer;
  };
  const std::vector<Case> cases{
      {"reducescatter", "[]", "did you mean 'reduce_scatter'?"},
      {"Bcast", "[]", "is no collective (Open MPI would ignore the whole file)"},
      {"alltoallw", "[]", "coll/tuned has no algorithms of it"},
      {"bcast", "{}", "f: key "},
      {"bcast", R"([{"rules": [{}]}])", "alg"},
      {"bcast", R"([{}])", "rules"},
      {"bcast", R"([{"rules": [{"alg": "binomal"}]}])", "did you mean 'binomial'?"},
      {"bcast", R"([{"rules": [{"alg": 10}]}])", "10 (Open MPI has 0..9 and would skip the rule"},
      {"bcast", R"([{"rules": [{"alg": -1}]}])", "-1 (Open MPI has 0..9"},
      {"bcast", R"([{"rules": [{"alg": "ring"}]}])", "names no algorithm of bcast: 'ring'"},
      {"bcast", R"([{"rules": [{"alg": 1, "msg_size_min": "1K"}]}])", "is no size"},
      {"bcast", R"([{"rules": [{"alg": 1, "segsize": 1}]}])", "did you mean 'seg_size'?"},
      {"bcast", R"([{"comm_size_min": 1.5, "rules": []}])", "is no size"},
      {"bcast", R"([{"comm_rank_distribution": "one-per-core", "rules": []}])",
       "did you mean 'one-per-node'?"}};
  for (const Case& tried : cases) {
    CAPTURE(tried.collective, tried.rules);
    CHECK_THAT(answer_to(tried.collective, tried.rules), Catch::Contains(tried.answer));
  }
  CHECK_THROWS_AS(check_open_mpi_json("1\n7\n", "f", {}), InputError);
  CHECK_THROWS_AS(check_open_mpi_json("{}", "f", {}), InputError);
}

TEST_CASE("what is written for Open MPI 6.0 is taken") {
  RandomRules random(7);
  for (int round = 0; round < 50; ++round) {
    CHECK_NOTHROW(check_open_mpi_json(open_mpi_json(random.open_mpi()).dump(), "f", {6, 0, 0}));
  }
}

}  // namespace hockney::tune
