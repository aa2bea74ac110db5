#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "core/record_file.hpp"
#include "tests/apps/bad_input.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace hockney;

namespace {

/// Records of an allreduce that takes log2(p) (1 us + 1 ns/B n), six launches of each p.
class Allreduces {
 public:
  Allreduces() {
    int number = 0;
    for (const int rounds : {1, 2, 3, 4}) {
      for (int launch = 0; launch < 6; ++launch) write(1 << rounds, rounds, number++);
    }
  }

  [[nodiscard]] Arguments predict(const Arguments& more) const {
    Arguments command{built("hockney"), "predict", folder_.path()};
    command.insert(command.end(), more.begin(), more.end());
    return command;
  }

  [[nodiscard]] const std::string& path() const { return folder_.path(); }

 private:
  void write(int ranks, int rounds, int number) const {
    Record record;
    record.procedure = "collectives";
    record.started_utc = "2026-01-01T00:00:00Z";
    for (int rank = 0; rank < ranks; ++rank) record.ranks.push_back({.rank = rank, .host = "h"});
    for (const std::int64_t bytes : {8, 1024, 65536}) {
      Series series;
      series.point.operation = "allreduce";
      series.point.ranks = ranks;
      series.point.bytes = {bytes};
      series.point.algorithm = "recursive_doubling";
      series.samples_seconds = {rounds * (1e-6 + 1e-9 * static_cast<double>(bytes))};
      series.visits = {1};
      series.summary = summarise(series);
      record.series.push_back(series);
    }
    save_record(record, folder_.path() + "/launch-" + std::to_string(number) + ".json");
  }

  TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("a collective is predicted where it was not measured") {
  const Allreduces records;
  const CommandResult result =
      run_command(records.predict({"--operation", "allreduce", "--algorithm", "rdb", "--ranks",
                                   "8,128", "--sizes", "4K", "--json"}));
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  const auto predictions = nlohmann::json::parse(result.out).at("predictions");
  REQUIRE(predictions.size() == 2);
  CHECK(predictions[0].at("algorithm") == "recursive_doubling");
  CHECK(predictions[0].at("seconds").get<double>() == Approx(3 * 5.096e-6));
  CHECK(predictions[0].at("extrapolated").at("ranks") == false);
  CHECK(predictions[1].at("seconds").get<double>() == Approx(7 * 5.096e-6));
  CHECK(predictions[1].at("interval_seconds").size() == 2);
  CHECK(predictions[1].at("extrapolated").at("ranks") == true);
}

TEST_CASE("the table of a prediction says when it extrapolates") {
  const Allreduces records;
  const CommandResult result =
      run_command(records.predict({"--operation", "allreduce", "--algorithm", "recursive_doubling",
                                   "--ranks", "128", "--sizes", "1G"}));
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.out, Catch::Contains("extrapolated in ranks; extrapolated in bytes"));
}

TEST_CASE("hockney fit shows the models of collectives") {
  const Allreduces records;
  const CommandResult result = run_command({built("hockney"), "fit", records.path(), "--json"});
  REQUIRE(result.exit_code == 0);
  const auto document = nlohmann::json::parse(result.out);
  REQUIRE(document.at("collectives").size() == 1);
  CHECK(document.at("collectives").at(0).at("form") == "closed");
  const CommandResult table = run_command({built("hockney"), "fit", records.path()});
  CHECK_THAT(table.out, Catch::Contains("allreduce algorithm=recursive_doubling: closed"));
}

TEST_CASE("what cannot be predicted is refused") {
  const Allreduces records;
  const Arguments program{built("hockney"), "predict", records.path()};
  const std::vector<BadInput> refusals{
      {{"--operation", "pingpong", "--algorithm", "x", "--ranks", "4"},
       "cannot predict operation 'pingpong'"},
      {{"--operation", "allreduce", "--algorithm", "ring", "--ranks", "4"},
       "the records hold recursive_doubling"},
      {{"--operation", "bcast", "--algorithm", "binomial", "--ranks", "4"},
       "no record holds the times of one"},
      {{"--operation", "allreduce", "--algorithm", "rdb", "--ranks", "1"}, "--ranks"}};
  for (const BadInput& bad : refusals) check_refusal(program, bad);
}

TEST_CASE("times that are too few for a model are not called missing") {
  const TemporaryFolder folder;
  Record record;
  record.procedure = "collectives";
  record.started_utc = "2026-01-01T00:00:00Z";
  for (int rank = 0; rank < 4; ++rank) record.ranks.push_back({.rank = rank, .host = "h"});
  Series series;
  series.point.operation = "barrier";
  series.point.ranks = 4;
  series.samples_seconds = {1e-6};
  series.visits = {1};
  series.summary = summarise(series);
  record.series.push_back(series);
  save_record(record, folder.path() + "/launch.json");
  check_refusal({built("hockney"), "predict", folder.path()},
                {{"--operation", "barrier", "--algorithm", "bruck", "--ranks", "8"},
                 "its times could not be fitted: fewer times"});
}
