#include <nlohmann/json.hpp>

#include "core/algorithm_use.hpp"
#include "core/record_file.hpp"
#include "tests/driver/bad_input.hpp"
#include "tests/support/launches.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney::driver {
namespace {

/// What a record says of the algorithm: of an allreduce that the environment forces, or not.
struct Reported {
  std::string requested = "default";
  std::optional<std::string> ran;
};

/// Records of an allreduce that takes `factor` log2(p) (1 us + 1 ns/B n), so many launches of each
/// p of 2, 4, 8 and 16.
class Allreduces {
 public:
  explicit Allreduces(int launches = 6) {
    add(launches, 1, [](Record& record) {
      for (Series& series : record.series) series.point.algorithm = "recursive_doubling";
    });
  }

  /// More, of another setting, in which a verification run told what ran.
  void add_reported(const std::string& setting, const Reported& reported, double factor) {
    add(6, factor, [&](Record& record) {
      record.campaign = CampaignPlace{.name = "c", .setting = setting, .launch = number_};
      std::vector<AlgorithmUse> uses;
      for (const Series& series : record.series) {
        uses.push_back({.operation = "allreduce",
                        .bytes = series.point.bytes,
                        .ranks = series.point.ranks,
                        .requested = reported.requested,
                        .ran = reported.ran});
      }
      add_algorithm_use(record, uses);
    });
  }

  /// More by the ring, of ranks that share CPUs.
  void add_shared(double factor) {
    add(6, factor, [](Record& record) {
      record.flags.emplace_back(oversubscribed_flag);
      for (Series& series : record.series) series.point.algorithm = "ring";
    });
  }

  /// More, by hand, with a variable of the environment and no verification run.
  void add_forced(const std::string& value, const std::string& effective, double factor) {
    add(6, factor, [&](Record& record) {
      record.provenance.mpi.requested = {{.variable = "OMPI_MCA_coll_tuned_allreduce_algorithm",
                                          .requested = value,
                                          .effective = effective,
                                          .proof = Proof::proven}};
    });
  }

  [[nodiscard]] Arguments predict(const Arguments& more) const {
    return with({built("hockney"), "predict", folder_.path()}, more);
  }

  [[nodiscard]] const std::string& path() const { return folder_.path(); }

 private:
  template <class Finish>
  void add(int launches, double factor, const Finish& finish) {
    for (const int rounds : {1, 2, 3, 4}) {
      for (int launch = 0; launch < launches; ++launch) {
        Record record = record_of(1 << rounds, factor * rounds);
        finish(record);
        save_record(record, folder_.path() + "/launch-" + std::to_string(number_++) + ".json");
      }
    }
  }

  static Record record_of(int ranks, double rounds) {
    Record record;
    record.procedure = "collectives";
    record.started_utc = "2026-01-01T00:00:00Z";
    for (int rank = 0; rank < ranks; ++rank) record.ranks.push_back({.rank = rank, .host = "h"});
    for (const std::int64_t bytes : {8, 1024, 65536}) {
      Series series;
      series.point.operation = "allreduce";
      series.point.ranks = ranks;
      series.point.bytes = {bytes};
      series.samples_seconds = {rounds * (1e-6 + 1e-9 * static_cast<double>(bytes))};
      series.blocks = {1};
      series.summary = summarise(series);
      record.series.push_back(series);
    }
    return record;
  }

  TemporaryFolder folder_;
  int number_ = 0;
};

nlohmann::json predictions(const CommandResult& result) {
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  return nlohmann::json::parse(result.out).at("predictions");
}

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

TEST_CASE("a prediction from ranks that shared CPUs says so first") {
  Allreduces records;
  records.add_shared(3);
  const Arguments question{"--operation", "allreduce", "--ranks", "16", "--algorithm", "ring"};
  CHECK_THAT(run_command(records.predict(question)).out,
             Catch::StartsWith("in every launch of this model ranks shared CPUs") &&
                 Catch::Contains("ranks share CPUs"));
  Arguments json = question;
  json.back() = "rdb";
  CHECK_THAT(run_command(records.predict(json)).out, !Catch::Contains("CPUs"));
  json.emplace_back("--json");
  CHECK(nlohmann::json::parse(run_command(records.predict(json)).out).at("oversubscribed") ==
        nullptr);
}

TEST_CASE("an algorithm that was forced is not the library's choice, proven or not") {
  Allreduces records;
  records.add_reported("ring", {.requested = "ring", .ran = "ring"}, 3);
  records.add_reported("linear", {.requested = "linear"}, 5);
  records.add_reported("default", {.ran = "ring"}, 7);
  const std::map<std::string, double> factors{{"ring", 3}, {"linear", 5}, {"default", 7}};
  for (const auto& [algorithm, factor] : factors) {
    INFO(algorithm);
    const auto found = predictions(
        run_command(records.predict({"--operation", "allreduce", "--algorithm", algorithm,
                                     "--ranks", "8", "--sizes", "1K", "--force", "--json"})));
    CHECK(found.at(0).at("seconds").get<double>() == Approx(factor * 3 * 2.024e-6).epsilon(0.2));
  }
}

TEST_CASE("what a hand-made launch was forced to is not the library's choice either") {
  Allreduces records;
  records.add_forced("4", "ring", 3);
  const Arguments common{"--operation", "allreduce", "--ranks", "8", "--sizes", "1K", "--force"};
  Arguments ring = common;
  ring.insert(ring.end(), {"--algorithm", "ring", "--json"});
  CHECK(predictions(run_command(records.predict(ring))).size() == 1);
  check_refusal(records.predict(common),
                {{"--algorithm", "default"}, "the records hold recursive_doubling, ring"});
}

TEST_CASE("far beyond what was measured nothing is predicted unless it is forced") {
  const Allreduces records;
  const Arguments far{"--operation", "allreduce", "--algorithm", "rdb", "--ranks", "8,129"};
  check_refusal(records.predict(far),
                {{},
                 "cannot predict 129 ranks (at most 16 were measured, and models hold up to 8 "
                 "times as many) measure 17 ranks or more, or give --force"});
  Arguments forced = far;
  forced.insert(forced.end(), {"--force", "--json"});
  const auto found = predictions(run_command(records.predict(forced)));
  CHECK(found.at(0).at("forced_because").is_null());
  CHECK(found.at(1).at("forced_because") ==
        "at most 16 were measured, and models hold up to 8 times as many");
  forced.pop_back();
  CHECK_THAT(run_command(records.predict(forced)).out,
             Catch::Contains("forced: at most 16 were measured"));
}

TEST_CASE("a model that cannot know ranks it has not seen predicts nothing unless it is forced") {
  const TemporaryFolder folder;
  const std::map<int, double> times{{2, 1e-6}, {4, 1e-3}, {8, 2e-6}, {16, 5e-4}};
  for (const auto& [ranks, seconds] : times) {
    Record record;
    record.procedure = "collectives";
    record.started_utc = "2026-01-01T00:00:00Z";
    for (const std::int64_t bytes : {8, 64, 1024}) {
      Series series{.samples_seconds = {seconds}, .blocks = {1}};
      series.point = {.operation = "allreduce", .bytes = {bytes}, .ranks = ranks};
      series.summary = summarise(series);
      record.series.push_back(series);
    }
    save_record(record, folder.path() + "/" + std::to_string(ranks) + ".json");
  }
  const Arguments question{built("hockney"), "predict",     folder.path(), "--operation",
                           "allreduce",      "--algorithm", "default",     "--ranks"};
  check_refusal(question, {{"8"},
                           "off on ranks it has not seen, 50 % is the most) measure more "
                           "numbers of ranks, or give --force"});
  Arguments forced = question;
  forced.insert(forced.end(), {"8", "--force"});
  CHECK_THAT(run_command(forced).out, Catch::Contains("forced: the model is"));
}

TEST_CASE("one launch has no interval, and is told so") {
  const Allreduces records(1);
  const Arguments question{"--operation", "allreduce", "--algorithm", "rdb", "--ranks", "8"};
  CHECK_THAT(run_command(records.predict(question)).out,
             Catch::Contains("no interval: one launch"));
  Arguments json = question;
  json.emplace_back("--json");
  const auto found = predictions(run_command(records.predict(json)));
  CHECK(found.at(0).at("interval_seconds").is_null());
  CHECK(found.at(0).at("no_interval_because") == "one launch");
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
      {{"--operation", "allreduce", "--algorithm", "rdb", "--ranks", "1"}, "--ranks"},
      {{"--profile", "run.json", "--ranks", "4"},
       "--ranks with --profile (a logged run has one number of ranks) measure others: " +
           built("hockney") + " scale -- mpirun -n {} ./app"}};
  for (const BadInput& bad : refusals) check_refusal(program, bad);
}

TEST_CASE(
    "a kernel is predicted at ranks that nobody measured, from its computing and ping-pongs") {
  const TemporaryFolder folder;
  for (int launch = 0; launch < 6; ++launch) {
    const std::string number = std::to_string(launch);
    save_record(pingpong_launch(2e-6, 1e-9), folder.path() + "/pingpong-" + number + ".json");
    Record record = launch_of("");
    record.campaign.reset();
    Point point = simple_point("halo", 512);
    point.parameters = {
        {"points", "64x64"}, {"grid", "2x1"}, {"way", "immediate"}, {"work", "alone"}};
    add_measured(record, point, 64 * 32 * 1e-9);
    save_record(record, folder.path() + "/halo-" + number + ".json");
  }
  const Arguments program{built("hockney"), "predict", folder.path(), "--operation", "halo"};
  Arguments command = program;
  command.insert(command.end(), {"--problem", "64x64", "--ranks", "2,4,8192", "--json"});
  const nlohmann::json found = predictions(run_command(command));
  REQUIRE(found.size() == 3);
  CHECK(found[0].at("computing_seconds").get<double>() == Approx(64 * 32 * 1e-9));
  CHECK(found[1].at("grid") == nlohmann::json{2, 2});
  CHECK(found[1].at("computing_seconds").get<double>() == Approx(32 * 32 * 1e-9));
  // At least one message of 32 values, at most four of them one after the other.
  const double message = 2e-6 + 32 * 8 * 1e-9;
  CHECK(found[1].at("seconds").get<double>() > 32 * 32 * 1e-9 + message);
  CHECK(found[1].at("seconds").get<double>() < 32 * 32 * 1e-9 + 4 * message);
  CHECK(found[1].at("range_seconds").at("low") <= found[1].at("seconds"));
  CHECK(found[2].at("seconds").is_null());
  CHECK_THAT(found[2].at("cannot_tell_because").get<std::string>(),
             Catch::Contains("do not divide"));
  command.insert(command.end(), {"--per-node", "1"});
  CHECK_THAT(predictions(run_command(command))[0].at("cannot_tell_because").get<std::string>(),
             Catch::Contains("cross-node"));
  command.resize(command.size() - 3);
  CHECK_THAT(run_command(command).out, Catch::Contains("cannot tell") && Catch::Contains("2x2"));

  check_refusals(
      program, {{{}, "without --problem and --ranks"},
                {{"--problem", "64", "--ranks", "4"}, "bad --problem '64'"},
                {{"--problem", "64xx", "--ranks", "4"}, "bad --problem"},
                {{"--problem", "64x64", "--ranks", "4", "--algorithm", "ring"}, "with a kernel"}});
  check_refusal(
      {built("hockney"), "predict", folder.path()},
      {.arguments = {"--operation", "bcast", "--problem", "64x64"}, .words = "with a collective"});
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
  series.blocks = {1};
  series.summary = summarise(series);
  record.series.push_back(series);
  save_record(record, folder.path() + "/launch.json");
  check_refusal({built("hockney"), "predict", folder.path()},
                {{"--operation", "barrier", "--algorithm", "bruck", "--ranks", "8"},
                 "its times could not be fitted: fewer times"});
}

}  // namespace hockney::driver
