#include <catch2/catch.hpp>

#include "core/record_file.hpp"
#include "core/samples.hpp"
#include "driver/campaign/outcome.hpp"
#include "driver/campaign/stopping.hpp"
#include "tests/driver/campaign/campaign_fixture.hpp"

namespace hockney::campaign {

using Names = std::vector<std::string>;

namespace {

Record record_with(const std::vector<RequestedSetting>& requested) {
  Record record;
  record.provenance.mpi.requested = requested;
  return record;
}

const Command has_queries{{"mpirun", "-n", "2"}, {{"OMPI_MCA_x", "1"}}};

/// A campaign of the mock library, whose eager limit takes at most 65536.
MockCampaign& with_environment(MockCampaign& campaign, const std::string& variable,
                               const std::string& value) {
  campaign.settings({"plain", "asking"}).launches(1);
  campaign.request().config.settings[1].environment = {{variable, value}};
  return campaign;
}

const Attempt& attempt_of(const Manifest& manifest, const std::string& setting) {
  return *std::ranges::find(manifest.attempts, setting, &Attempt::setting);
}

}  // namespace

TEST_CASE("a launch that asks for nothing is not judged by its log") {
  CHECK(ignored_settings({{"mpirun"}, {{"A", "1"}}}, {}, "Incorrect algorithm").empty());
}

TEST_CASE("a setting that is proven, or cannot be, is no complaint") {
  const Record proven =
      record_with({{.variable = "OMPI_MCA_x", .requested = "1", .proof = Proof::proven}});
  CHECK(ignored_settings(has_queries, proven, "").empty());
  const Record unproven = record_with({{.variable = "OMPI_MCA_x", .requested = "1"}});
  CHECK(ignored_settings(has_queries, unproven, "").empty());
}

TEST_CASE("a path that is not the expected one is a setting ignored") {
  Record record;
  record.flags = {"path-differs"};
  CHECK(ignored_settings({{"mpirun"}, {}}, record, "") ==
        Names{"--expect-path (another path is proven, or none)"});
}

TEST_CASE("a setting that was ignored is told with the reason") {
  const Record record = record_with({{.variable = "OMPI_MCA_x",
                                      .requested = "1",
                                      .proof = Proof::ignored,
                                      .reason = "'0' is effective"}});
  CHECK(ignored_settings(has_queries, record, "") == Names{"OMPI_MCA_x=1: '0' is effective"});
  CHECK(ignored_settings({{"mpirun", "--mca", "x", "1", "p"}, {}}, record, "") ==
        Names{"OMPI_MCA_x=1: '0' is effective"});
}

TEST_CASE("a variable that the ranks did not see, or saw otherwise, is told") {
  CHECK(ignored_settings(has_queries, {}, "") == Names{"OMPI_MCA_x=1: the ranks did not see it"});
  const Record other = record_with({{.variable = "OMPI_MCA_x", .requested = "2"}});
  CHECK(ignored_settings(has_queries, other, "") == Names{"OMPI_MCA_x=1: the ranks saw '2'"});
}

TEST_CASE("what the library says in the log counts") {
  const Record unproven = record_with({{.variable = "OMPI_MCA_x", .requested = "1"}});
  CHECK(ignored_settings(has_queries, unproven,
                         "MPI startup(): Incorrect algorithm: X=1, will be ignored\n") ==
        Names{"MPI startup(): Incorrect algorithm: X=1, will be ignored"});
}

TEST_CASE("a complete launch whose library lost its shared memory is flagged, with the message") {
  MockCampaign campaign;
  campaign.arguments({"--behaviour", "no-memory", "--on-launch", "2"}).launches(2);
  CHECK(campaign.run().status == Status::complete);
  const std::vector<Record> records = load_records({campaign.folder().records()});
  REQUIRE(records.size() == 2);
  CHECK(records[0].flags.empty());
  CHECK(records[1].flags == Names{"library-degraded"});
  CHECK(records[1].provenance.mpi.messages ==
        Names{"there is not enough space for /dev/shm/mock (the shared-memory backing file)"});
  CHECK(timed_series(records).series.size() == 1);
}

TEST_CASE("a launch whose setting is in force is complete") {
  MockCampaign campaign;
  const Manifest manifest = with_environment(campaign, "OMPI_MCA_mock_eager", "8K").run();
  CHECK(manifest.status == Status::complete);
  CHECK(attempt_of(manifest, "asking").ignored_settings.empty());
  const Record record = load_record(campaign.folder().record("asking-001"));
  REQUIRE_FALSE(record.provenance.mpi.requested.empty());
  CHECK(record.provenance.mpi.requested.front().proof == Proof::proven);
  CHECK(record.provenance.mpi.requested.front().effective == "8192");
}

TEST_CASE("a launch whose setting was ignored has failed, and what it measured is kept") {
  MockCampaign campaign;
  const Manifest manifest = with_environment(campaign, "OMPI_MCA_mock_eager", "1G").run();
  CHECK(manifest.status == Status::incomplete);
  CHECK(attempt_of(manifest, "plain").status == AttemptStatus::complete);
  const Attempt& attempt = attempt_of(manifest, "asking");
  CHECK(attempt.status == AttemptStatus::failed);
  CHECK(attempt.reason == "setting ignored: OMPI_MCA_mock_eager=1G: '4096' is effective");
  CHECK(attempt.ignored_settings == Names{"OMPI_MCA_mock_eager=1G: '4096' is effective"});
  CHECK(files_in(campaign.folder().records()) == Names{"plain-001.json"});
  REQUIRE(attempt.remains);
  const Record kept = load_record(*attempt.remains);
  CHECK(kept.status == LaunchStatus::failed);
  CHECK(kept.flags == Names{"setting-ignored"});
  CHECK(kept.series.size() == 1);
  CHECK(load_manifest(campaign.folder().manifest()).attempts.size() == 2);
}

TEST_CASE("a misspelt name has failed, with the nearest one") {
  MockCampaign campaign;
  const Manifest manifest = with_environment(campaign, "OMPI_MCA_mock_eagr", "8192").run();
  CHECK(attempt_of(manifest, "asking").reason ==
        "setting ignored: OMPI_MCA_mock_eagr=8192: the library has no such variable here, did you "
        "mean 'OMPI_MCA_mock_eager'?");
}

TEST_CASE("told to flag, an ignored setting is flagged in record and manifest") {
  MockCampaign campaign;
  with_environment(campaign, "OMPI_MCA_mock_eager", "1G").request().config.ignored_settings =
      IgnoredSettings::flag;
  const Manifest manifest = campaign.run();
  CHECK(manifest.status == Status::complete);
  CHECK(attempt_of(manifest, "asking").ignored_settings.size() == 1);
  CHECK(load_record(campaign.folder().record("asking-001")).flags == Names{"setting-ignored"});
  CHECK(load_record(campaign.folder().record("plain-001")).flags.empty());
}

TEST_CASE("a record whose driver died before it was judged is judged on resuming") {
  MockCampaign campaign;
  Manifest manifest = with_environment(campaign, "OMPI_MCA_mock_eager", "1G").run();
  auto& attempt = *std::ranges::find(manifest.attempts, "asking", &Attempt::setting);
  Record record = load_record(*attempt.remains);
  record.status = LaunchStatus::complete;
  save_record(record, campaign.folder().record("asking-001"));
  attempt.status = AttemptStatus::running;
  attempt.ignored_settings.clear();
  save_manifest(manifest, campaign.folder().manifest());
  const Manifest resumed = campaign.resume().run();
  CHECK(resumed.status == Status::incomplete);
  CHECK(attempt_of(resumed, "asking").ignored_settings.size() == 1);
  CHECK(files_in(campaign.folder().records()) == Names{"plain-001.json"});
}

}  // namespace hockney::campaign
