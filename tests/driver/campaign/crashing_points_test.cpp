#include <algorithm>
#include <catch2/catch.hpp>
#include <csignal>

#include "core/record_file.hpp"
#include "driver/campaign/crashing_points.hpp"
#include "tests/driver/campaign/campaign_fixture.hpp"

// Launches that die at some of their points: which points later launches leave out.
namespace hockney::campaign {
namespace {

/// Four launches that die as `behaviour` says.
struct DyingLaunches {
  MockCampaign campaign;
  Manifest manifest;

  explicit DyingLaunches(const std::string& behaviour) {
    manifest = campaign.launches(4).arguments({"--behaviour", behaviour}).run();
  }
  [[nodiscard]] std::ptrdiff_t deaths() const {
    return std::ranges::count(manifest.attempts, AttemptStatus::failed, &Attempt::status);
  }
  /// Status and reason of the points of launch 1.
  [[nodiscard]] std::vector<std::string> points() const {
    std::vector<std::string> points;
    for (const auto& planned : load_record(campaign.folder().record("default-001")).points) {
      points.push_back(planned.status == PointStatus::measured ? "measured" : planned.reason);
    }
    return points;
  }
};

Attempt death_at(const std::string& where, const std::string& setting = "default") {
  return {.setting = setting, .status = AttemptStatus::failed, .died_at = where};
}

std::vector<std::string> left_out_after(const std::vector<std::string>& deaths) {
  Manifest manifest;
  for (const std::string& where : deaths) manifest.attempts.push_back(death_at(where));
  std::vector<std::string> texts;
  for (const PointChoice& choice : crashing_points(manifest, "default")) {
    texts.push_back(choice.text());
  }
  return texts;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("a point at which two launches died is left out, and the campaign completes") {
  const DyingLaunches dying("deadly-point");
  CHECK(dying.manifest.status == Status::complete);
  CHECK(dying.manifest.attempts.size() == 6);
  CHECK(dying.deaths() == 2);
  const std::string why = "killed by signal 9, Killed, left out after 2 launches";
  CHECK(dying.points() == Texts{"measured", why, "measured"});
  CHECK(what_was_left_out(dying.manifest) == Texts{"mock ranks=2 at 64 bytes: " + why});
}

TEST_CASE("launches that die at more points of a curve leave it out from the smallest on") {
  const DyingLaunches dying("deadly-curve");
  CHECK(dying.manifest.status == Status::complete);
  CHECK(dying.deaths() == 3);
  const std::string why = "killed by signal 9, Killed, left out after 3 launches";
  CHECK(dying.points() == Texts{"measured", why, why});
  CHECK(what_was_left_out(dying.manifest) == Texts{"mock ranks=2 from 64 bytes: " + why});
}

TEST_CASE("a campaign that is resumed remembers the points that it left out") {
  DyingLaunches dying("deadly-point");
  dying.campaign.launches(5).resume();
  dying.campaign.request().extends = true;
  const std::vector<std::string> commands = dry_run(dying.campaign.request());
  REQUIRE(commands.size() == 1);
  CHECK_THAT(commands.front(), Catch::Contains("--leave-out 'mock ranks=2 at 64 bytes: killed by"));
  const Manifest manifest = dying.campaign.run();
  CHECK(manifest.status == Status::complete);
  CHECK(manifest.attempts.size() == 7);
}

TEST_CASE("one death leaves nothing out, and deaths in different curves count for themselves") {
  CHECK(left_out_after({"bcast at 8 bytes: a"}).empty());
  CHECK(left_out_after({"bcast at 8 bytes: a", "reduce at 8 bytes: a"}).empty());
  CHECK(left_out_after({"bcast at 8 bytes: a", "bcast at 64 bytes: a"}).empty());
  CHECK(left_out_after({"bcast at 8 bytes: a", "reduce at 8 bytes: a", "bcast at 8 bytes: b"}) ==
        Texts{"bcast at 8 bytes"});
  CHECK(left_out_after({"bcast at 512 bytes: a", "bcast at 64 bytes: a",
                        "bcast at 8192 bytes: a"}) == Texts{"bcast from 64 bytes"});
}

TEST_CASE("pairs of ranks that die alike are one curve") {
  CHECK(left_out_after({"pingpong ranks=2 pair=0-1 at 8 bytes: a",
                        "pingpong ranks=2 pair=0-2 at 8 "
                        "bytes: a",
                        "pingpong ranks=2 pair=1-2 at 8 bytes: a"}) ==
        Texts{"pingpong ranks=2 from 8 bytes"});
}

TEST_CASE("deaths of other settings leave nothing out, nor do launches that died at no point") {
  Manifest manifest;
  for (const char* setting : {"a", "b"}) {
    manifest.attempts.push_back(death_at("bcast at 8 bytes: x", setting));
    manifest.attempts.push_back(death_at("", setting));
  }
  CHECK(crashing_points(manifest, "a").empty());
  CHECK_FALSE(is_fixed(manifest, manifest.attempts.front()));
}

TEST_CASE("a setting whose launches die at more than five points is at fault itself") {
  Manifest manifest;
  for (int operation = 0; operation < 6; ++operation) {
    const std::string where = "op" + std::to_string(operation) + " at 8 bytes: a";
    manifest.attempts.push_back(death_at(where));
    manifest.attempts.push_back(death_at(where));
    const bool is_few = operation < 5;
    CHECK(is_fixed(manifest, manifest.attempts.front()) == is_few);
  }
}

}  // namespace hockney::campaign
