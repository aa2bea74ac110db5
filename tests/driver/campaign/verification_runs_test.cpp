#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/record_file.hpp"
#include "driver/campaign/verification_runs.hpp"
#include "tests/driver/campaign/campaign_fixture.hpp"

namespace hockney::campaign {

namespace fs = std::filesystem;

namespace {

constexpr const char* variable = "OMPI_MCA_coll_tuned_bcast_algorithm";

/// A campaign of collectives whose library sends the same whatever it is asked for.
class CollectiveCampaign {
 public:
  explicit CollectiveCampaign(const std::vector<std::string>& algorithms) {
    const fs::path folder = campaign_.parent().path();
    for (const char* name : {"hockney-collectives", "hockney-algorithms"}) {
      fs::create_symlink(HOCKNEY_MOCK_LAUNCH, folder / name);
    }
    request().program = (folder / "hockney-collectives").string();
    campaign_.launches(1).arguments({"--operation", "bcast"});
    request().config.ignored_settings = IgnoredSettings::flag;  // the mock knows no such variable
    request().config.settings = {{.name = "default"}};
    for (const std::string& algorithm : algorithms) {
      request().config.settings.push_back(
          {.name = algorithm, .environment = {{variable, algorithm}}});
    }
  }

  Request& request() { return campaign_.request(); }
  MockCampaign& campaign() { return campaign_; }
  [[nodiscard]] Record record_of(const std::string& setting) const {
    return load_record(campaign_.folder().record(setting + "-001"));
  }
  [[nodiscard]] SettingAlgorithms verification_of(const std::string& setting) const {
    return load_setting_algorithms(campaign_.folder().verification(setting, ".json"));
  }
  /// Steps of verification runs that were told of.
  [[nodiscard]] std::ptrdiff_t verification_steps() const {
    return std::ranges::count_if(campaign_.steps(), [](const Step& step) {
      return step.launch.starts_with("verification of ");
    });
  }

 private:
  MockCampaign campaign_;
};

bool is_flagged(const Record& record, std::string_view flag) {
  const auto& flags = record.series.at(0).flags;
  return std::ranges::find(flags, flag) != flags.end();
}

}  // namespace

TEST_CASE("timed records tell which algorithm a witness of their setting saw") {
  CollectiveCampaign campaign({"binomial", "scatter_allgather"});
  campaign.campaign().run();
  const Record plain = campaign.record_of("default");
  REQUIRE(plain.algorithms.size() == 2);
  CHECK(plain.algorithms[0].requested == "default");
  CHECK(plain.algorithms[0].proof == Proof::proven);
  CHECK(plain.series.at(0).point.algorithm == "basic_linear");  // as all trees are between two
  REQUIRE_FALSE(plain.points.empty());
  CHECK(plain.points[0].point.algorithm == "basic_linear");
  const Record binomial = campaign.record_of("binomial");
  CHECK(binomial.series.at(0).point.algorithm == "binomial");
  CHECK_FALSE(is_flagged(binomial, algorithm_substituted_flag));
  const Record other = campaign.record_of("scatter_allgather");
  CHECK(other.series.at(0).point.algorithm == "basic_linear");
  CHECK(is_flagged(other, algorithm_substituted_flag));
  CHECK_FALSE(is_flagged(other, algorithm_unproven_flag));
  CHECK(campaign.verification_steps() == 6);  // three settings, begun and ended
}

TEST_CASE("a call that the library ends is told, and the points after it too") {
  CollectiveCampaign campaign({"crash"});
  campaign.campaign().run();
  const SettingAlgorithms verification = campaign.verification_of("crash");
  CHECK(verification.library == "Mock MPI");
  CHECK(verification.launches == 2);
  REQUIRE(verification.algorithms.size() == 2);
  CHECK(verification.algorithms[0].proof == Proof::ignored);
  CHECK(verification.algorithms[0].evidence == "refused: BCAST: algo #6 has fallback");
  CHECK(verification.algorithms[1].proof == Proof::unproven);  // nobody knows what "crash" sends
  const Record record = campaign.record_of("crash");
  CHECK_FALSE(record.series.at(0).point.algorithm);
  CHECK(is_flagged(record, algorithm_substituted_flag));
  CHECK(is_flagged(record, algorithm_unproven_flag));
}

TEST_CASE("a resumed campaign keeps its witnesses, and launches those it lacks") {
  CollectiveCampaign campaign({"binomial"});
  campaign.campaign().run();
  fs::remove(campaign.campaign().folder().verification("default", ".json"));
  campaign.campaign().resume().run();
  CHECK(campaign.verification_steps() == 2);
  CHECK(fs::exists(campaign.campaign().folder().verification("default", ".json")));
}

TEST_CASE("a witness that tells nothing leaves everything unproven, or is asked for in vain") {
  CollectiveCampaign campaign({"silence"});
  campaign.campaign().run();
  CHECK(campaign.verification_of("silence").failure ==
        "the verification launch showed nothing: nothing to say");
  CHECK(is_flagged(campaign.record_of("silence"), algorithm_unproven_flag));
  CollectiveCampaign insisting({"silence"});
  insisting.request().config.verification = VerificationChoice::always;
  CHECK_THROWS_AS(insisting.campaign().run(), RunError);
}

TEST_CASE("a simulator's algorithm is what was asked for, and unproven, without a launch") {
  CollectiveCampaign campaign({});
  campaign.request().launcher.kind = LauncherKind::simgrid;
  campaign.request().config.settings[0].launcher_arguments = {"--cfg=smpi/bcast:flattree"};
  campaign.campaign().run();
  CHECK(campaign.verification_steps() == 0);
  const Record record = campaign.record_of("default");
  REQUIRE(record.algorithms.size() == 1);
  CHECK(record.algorithms[0].requested == "flattree");
  CHECK(record.algorithms[0].proof == Proof::unproven);
  CHECK(is_flagged(record, algorithm_unproven_flag));
}

TEST_CASE("witnesses are for settings of collectives, unless the config says") {
  CollectiveCampaign campaign({"binomial"});
  CHECK(wants_verification(campaign.request()));
  campaign.request().config.verification = VerificationChoice::never;
  CHECK_FALSE(wants_verification(campaign.request()));
  campaign.campaign().run();
  CHECK(campaign.record_of("binomial").algorithms.empty());
  CollectiveCampaign eager({});
  eager.request().config.settings[0].environment = {{"OMPI_MCA_btl_vader_eager_limit", "8192"}};
  CHECK_FALSE(wants_verification(eager.request()));
  eager.request().config.settings[0].launcher_arguments = {"--cfg=smpi/bcast:flattree"};
  CHECK(wants_verification(eager.request()));
  eager.request().program = "/bin/hockney-pingpong";
  CHECK_FALSE(wants_verification(eager.request()));
}

TEST_CASE("a dry run shows the witness launches as remarks") {
  CollectiveCampaign campaign({"binomial"});
  const auto lines = dry_run(campaign.request());
  REQUIRE(lines.size() == 4);
  CHECK_THAT(lines[1], Catch::StartsWith("# verification: ") &&
                           Catch::Contains("OMPI_MCA_pml_monitoring_enable=1") &&
                           Catch::Contains("/hockney-algorithms --operation bcast --output ") &&
                           Catch::EndsWith("verification/binomial-1.jsonl --skip 0"));
}

}  // namespace hockney::campaign
