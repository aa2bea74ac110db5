#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "core/record_file.hpp"
#include "tests/driver/bad_input.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/tuned_campaign.hpp"

// `hockney tune` as users run it.
namespace hockney::tune {

using namespace driver;  // what starts commands

using Json = nlohmann::json;

namespace {

/// Records of a campaign in which chain is twice as fast for 8 bytes, and binomial for 1024.
class CampaignToTune {
 public:
  explicit CampaignToTune(int launches = 10) {
    TunedCampaign campaign(launches);
    campaign.add("default", 0, {{8, 10}, {1024, 20}})
        .add("chain", 2, {{8, 5}, {1024, 40}})
        .add("binomial", 6, {{8, 20}, {1024, 10}});
    for (const Record& record : campaign.records()) {
      save_record(record, path(record.campaign->setting + "-" +
                               std::to_string(record.campaign->launch) + ".json"));
    }
  }

  [[nodiscard]] std::string path(const std::string& name = "") const {
    return folder_.path() + (name.empty() ? "" : "/" + name);
  }
  [[nodiscard]] CommandResult run(Arguments arguments) const {
    arguments.insert(arguments.begin(), {built("hockney"), "tune", path()});
    return run_command(arguments);
  }

 private:
  TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("tune that finds nothing says so, with what came nearest, and writes no file") {
  const CampaignToTune campaign(5);
  const std::string file = campaign.path("rules");
  const CommandResult result = campaign.run({"-o", file});
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.err, Catch::Contains("rules is not written: it would change nothing") &&
                             Catch::Contains("too few launches to show any gain (4 tests); 6"));
  CHECK_THAT(result.out,
             Catch::StartsWith("no rule shown to help; the file changes nothing\n"
                               "closest: bcast of 8 on 4 ranks by chain fanout=4 0.500"));
  CHECK_FALSE(std::filesystem::exists(file));
  CHECK_THAT(campaign.run({}).out, Catch::StartsWith("no rule shown to help"));
  const Json document = Json::parse(campaign.run({"--json"}).out);
  CHECK(document.at("changes_nothing") == true);
  CHECK(document.at("decisions").at(0).at("closest").at("p_adjusted") == 2.0 / 32);
}

TEST_CASE("tune leaves a file of before alone where it has no rule to write") {
  const CampaignToTune campaign(5);
  const std::string file = campaign.path("rules");
  write_atomically(file, "rules of before\n");
  CHECK(campaign.run({"-o", file}).exit_code == 0);
  CHECK(read_file(file) == "rules of before\n");
}

TEST_CASE("tune writes no rules of ranks that share CPUs, unless it is forced to") {
  TunedCampaign shared(10);
  shared.add("default", 0, {{8, 10}}).add("chain", 2, {{8, 5}});
  const TemporaryFolder folder;
  for (Record record : shared.records()) {
    for (int rank = 0; rank < 4; ++rank) {
      record.ranks.push_back(
          {.rank = rank, .host = "a", .requested_cpu = {}, .actual_cpus = {0, 1}});
    }
    record.flags = {"oversubscribed"};
    save_record(record, folder.path() + "/" + record.campaign->setting + "-" +
                            std::to_string(record.campaign->launch) + ".json");
  }
  const std::string file = folder.path() + "/rules";
  const Arguments command{built("hockney"), "tune", folder.path()};
  const auto run = [&](Arguments more) {
    more.insert(more.begin(), command.begin(), command.end());
    return run_command(more);
  };
  for (const Arguments& more : {Arguments{}, Arguments{"-o", file}}) {
    const CommandResult refused = run(more);
    CHECK(refused.exit_code == bad_input);
    CHECK(refused.out.empty());
    CHECK(refused.err ==
          "no rules are written of 4 ranks on 2 CPUs: times are those of ranks that share CPUs "
          "(what is fastest there is not where every rank has a CPU) measure with a CPU for each "
          "rank, or add --force\n");
    CHECK_FALSE(std::filesystem::exists(file));
  }
  const CommandResult forced = run({"-o", file, "--force"});
  CHECK(forced.exit_code == 0);
  CHECK_THAT(forced.out, Catch::Contains("\n4 ranks on 2 CPUs: times are those of ranks that "
                                         "share CPUs\n"));
  CHECK_THAT(read_file(file), Catch::Contains("# 4 ranks on 2 CPUs: times are those"));
  CHECK_THAT(Json::parse(run({"--json"}).out).at("oversubscribed").get<std::string>(),
             Catch::StartsWith("4 ranks on 2 CPUs"));
}

TEST_CASE("tune by Holm asks for launches by the number of tests") {
  const CampaignToTune campaign(6);
  CHECK_THAT(campaign.run({}).out, Catch::Contains("1  # operations"));
  CHECK_THAT(campaign.run({"--correction", "holm"}).err,
             Catch::Contains("too few launches to show any gain (4 tests); 8"));
}

TEST_CASE("tune takes predictions where nothing was measured, and says so") {
  const CampaignToTune campaign;
  const std::string file = campaign.path("predicted.csv");
  write_atomically(file,
                   "operation,ranks,bytes,algorithm,seconds,low,high\n"
                   "bcast,64,8,default,20e-6,19e-6,21e-6\n"
                   "bcast,64,8,knomial,10e-6,9e-6,11e-6\n");
  const CommandResult result = campaign.run({"--predicted", file});
  INFO(result.err);
  CHECK(result.exit_code == 0);
  CHECK_THAT(
      result.out,
      Catch::Contains("# bcast, 64 ranks, 8: knomial, 0.5 of the default's time, predicted"));
}

TEST_CASE("tune leaves to the default what a verification found slower") {
  const CampaignToTune campaign;
  const TemporaryFolder folder;
  const Json point{{"ranks", 4}, {"bytes", 8}};
  const Json slower{{"operation", "bcast"}, {"slower", true}, {"point", point}};
  const Json document{{"schema", "hockney.tune-verify/1"}, {"points", {slower}}};
  const std::string file = folder.write("verification.json", document.dump());
  for (const std::string& name : {file, folder.path()}) {
    const CommandResult result = campaign.run({"--verified", name});
    CHECK(result.exit_code == 0);
    CHECK_THAT(result.err, Catch::Contains("at 8 the file was slower, says " + file));
    CHECK_THAT(result.out, Catch::Contains("\n0 0 0 0  # default\n1024 6 0 0  # binomial\n") &&
                               Catch::Contains("# the default has the sizes at which an earlier"));
  }
}

TEST_CASE("tune refuses bad input in one line") {
  const CampaignToTune campaign;
  const std::string here = campaign.path();
  check_refusals({built("hockney"), "tune"},
                 {{{here, "--for", "openmp"}, "did you mean 'openmpi'?"},
                  {{here, "--for", "intel"}, "libraries do not share their algorithms"},
                  {{here, "--default", "algorithm=chan"}, "did you mean 'algorithm=chain'?"},
                  {{here, "--operations", "bcst"}, "did you mean 'bcast'?"},
                  {{here, "--parameters", "cache=cold"}, "nothing to choose for"},
                  {{here, "--exact"}, "these launches differ"},
                  {{here, "--predicted", "/no/such"}, "/no/such"},
                  {{here, "--verified", "/no/such"}, "/no/such"},
                  {{here, "--verified", here + "/algorithm=default-1.json"},
                   "name the verification.json of a folder of --verify"},
                  {{here, "--verify", here + "/rules"}, "name the folder of one campaign"}});
}

#ifdef HOCKNEY_OPEN_MPI

namespace {

/// A short real campaign whose settings are Open MPI's own choice and a chain.
class RealCampaign {
 public:
  RealCampaign() {
    const Json config{{"schema", "hockney.campaign/1"},
                      {"name", "real"},
                      {"program", "hockney-collectives"},
                      {"arguments",
                       {"--operations", "bcast", "--sizes", "256K", "--epochs", "3", "--samples",
                        "2", "--start", "barrier"}},
                      {"environment", {{"OMPI_MCA_coll_tuned_use_dynamic_rules", "1"}}},
                      {"ranks", 4},
                      {"launches", 1},
                      {"axes",
                       {{{"name", "algorithm"},
                         {"variable", "OMPI_MCA_coll_tuned_bcast_algorithm"},
                         {"values", {nullptr, "chain"}}}}}};
    const CommandResult result = run_command(
        {built("hockney"), "run", folder_.write("c.json", config.dump()), "--out", records()},
        std::chrono::seconds(100));
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
  }

  [[nodiscard]] std::string records() const { return folder_.path() + "/out"; }

  /// Verifies a rules file with this one rule for bcast.
  [[nodiscard]] CommandResult verify(const std::string& rule, const Arguments& more = {}) const {
    const std::string file = folder_.write("rules", "1\n7\n1\n4\n1\n" + rule + "\n");
    Arguments command = with({built("hockney"), "tune", records(), "--verify", file, "--sizes",
                              "256K", "--out", folder_.path() + "/verify", "-o", result()},
                             more);
    return run_command(command, std::chrono::seconds(110));
  }

  [[nodiscard]] std::string result() const { return folder_.path() + "/result.json"; }

 private:
  TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("Open MPI is proven to decide by the file") {
  const RealCampaign campaign;
  const CommandResult result = campaign.verify("0 3 0 8192");
  INFO(result.out << result.err);
  CHECK(result.exit_code == 0);
  const Json document = Json::parse(read_file(campaign.result()));
  CHECK(document.at("in_force").at("proof") == "proven");
  CHECK(document.at("points").size() == 1);
  CHECK_THAT(result.out, Catch::Contains("256K by pipeline segment=8K: as when it is forced"));
}

TEST_CASE("a verification can be seen before it is made, and a bad file is refused") {
  const RealCampaign campaign;
  const CommandResult dry = campaign.verify("0 2 4 0", {"--dry-run", "--oracle", "all"});
  INFO(dry.err);
  CHECK(dry.exit_code == 0);
  CHECK_THAT(dry.out, Catch::Contains("--setting default ") &&
                          Catch::Contains("--setting tuned ") &&
                          Catch::Contains("--setting forced-algorithm=chain ") &&
                          Catch::Contains("coll_tuned_dynamic_rules_filename="));
  const CommandResult bad = campaign.verify("8 2 4 0");
  CHECK(bad.exit_code == bad_input);
  CHECK_THAT(bad.err, Catch::Contains("the first size is not 0"));
  const CommandResult gone =
      run_command({built("hockney"), "tune", campaign.records(), "--verify", "gone.rules"});
  CHECK(gone.exit_code == bad_input);
  CHECK_THAT(gone.err, Catch::StartsWith("cannot read 'gone.rules'"));
  for (const std::string target : {"bogus", "openmpi6", "smpi", "intel", "mpich", "mpich-json"}) {
    const CommandResult other = campaign.verify("0 2 4 0", {"--dry-run", "--for", target});
    CHECK(other.exit_code == bad_input);
    CHECK_THAT(other.err, Catch::Contains(target));
  }
}

#endif

}  // namespace hockney::tune
