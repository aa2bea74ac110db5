#include "health/nights/ingest.hpp"

#include <catch2/catch.hpp>
#include <filesystem>

#include "core/time.hpp"
#include "health/history/reading.hpp"
#include "tests/health/history/some_nights.hpp"
#include "tests/health/nights/some_records.hpp"

namespace hockney::health {
namespace {

/// A folder of campaigns and a history beside it.
struct Site : SomeHistory {
  NightWriter writer{database};

  std::string save(const std::string& name, Record record, double seconds = 1e-6) const {
    add_measured(record, hop_point("pingpong", 8), seconds * record.campaign->launch);
    const std::string path = folder.path() + "/" + name;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    save_record(record, path);
    return path;
  }

  /// What became of the one folder below the path.
  Ingested ingest(const std::string& path, std::optional<std::int64_t> day = {}) {
    const auto folders = record_folders({folder.path() + "/" + path});
    REQUIRE(folders.size() == 1);
    return ingest_folder(database, writer, folders.front(), day);
  }
};

}  // namespace

TEST_CASE("a campaign is ingested once, and of the day on which it began") {
  Site site;
  for (int launch = 1; launch <= 6; ++launch) {
    site.save("a/records/" + std::to_string(launch) + ".json", nightly_launch("default", launch));
  }
  Record late = nightly_launch("default", 7);
  late.started_utc = "2026-11-23T00:00:10Z";
  site.save("a/records/7.cbor", late);
  const Ingested first = site.ingest("a");
  CHECK(first.stored == Stored::added);
  CHECK(day_text(first.day) == "2026-11-22");
  CHECK(first.campaign == "nightly");
  CHECK(first.records == 7);
  CHECK(first.series > 0);
  CHECK(site.ingest("a").stored == Stored::unchanged);
  CHECK(listed_nights(site.database).size() == 1);
}

TEST_CASE("a night that grows is made anew of all its records, wherever they lie") {
  Site site;
  site.save("a/1.json", nightly_launch("default", 1));
  site.ingest("a");
  site.save("a/2.json", nightly_launch("default", 2));
  CHECK(site.ingest("a").stored == Stored::replaced);
  site.save("b/3.json", nightly_launch("default", 3));
  const Ingested third = site.ingest("b");
  CHECK(third.stored == Stored::replaced);
  CHECK(third.records == 3);
  const auto series = read_series(site.database, listed_series(site.database));
  const auto time = std::ranges::find(
      series, "pingpong/ranks=2 hop=l3 bytes=8 setting=nightly/seconds", &NightlySeries::name);
  REQUIRE(time != series.end());
  REQUIRE(time->nights.size() == 1);
  CHECK(time->nights[0].launches == 3);
  CHECK(time->nights[0].value == Approx(2e-6));
}

TEST_CASE("a night cannot be made anew of records that are gone") {
  Site site;
  const std::string gone = site.save("a/1.json", nightly_launch("default", 1));
  site.ingest("a");
  std::filesystem::remove(gone);
  site.save("b/2.json", nightly_launch("default", 2));
  CHECK_THAT(error_line([&] { site.ingest("b"); }), Catch::Contains("is gone or changed"));
  CHECK(stored_records(site.database, parse_day("2026-11-22"), "nightly").size() == 1);
}

TEST_CASE("the option --day names the night, and the night stays where it is") {
  Site site;
  site.save("a/1.json", nightly_launch("default", 1));
  CHECK(site.ingest("a", 100).day == 100);
  CHECK(site.ingest("a").stored == Stored::unchanged);
  CHECK(site.ingest("a").day == 100);
  CHECK_THAT(error_line([&] { site.ingest("a", 101); }),
             Catch::Contains("in the night 1970-04-11, not 1970-04-12"));
}

TEST_CASE("incomplete launches and other documents are left out") {
  Site site;
  Record failed = nightly_launch("default", 1);
  failed.status = LaunchStatus::failed;
  site.save("a/1.json", failed);
  site.folder.write("a/manifest.json", R"({"schema": "hockney.manifest/1"})");
  const Ingested outcome = site.ingest("a");
  CHECK_FALSE(outcome.stored);
  CHECK(outcome.left_out == 1);
  site.save("a/interrupted/x.json", nightly_launch("default", 2));
  site.save("a/witness/x.json", nightly_launch("default", 2));
  CHECK(record_folders({site.folder.path() + "/a"}).size() == 1);
}

TEST_CASE("the same launch in two files is one launch") {
  Site site;
  const std::string file = site.save("a/1.json", nightly_launch("default", 1));
  std::filesystem::copy(file, site.folder.path() + "/a/copy.json");
  CHECK(site.ingest("a").records == 1);
}

TEST_CASE("a folder of two campaigns is refused") {
  Site site;
  site.save("a/1.json", nightly_launch("default", 1));
  Record other = nightly_launch("default", 2);
  other.campaign->name = "weekly";
  site.save("a/2.json", other);
  CHECK_THAT(error_line([&] { site.ingest("a"); }),
             Catch::Contains("holds records of two campaigns ('nightly' and 'weekly')"));
}

TEST_CASE("paths that hold no records are refused") {
  const Site site;
  CHECK_THAT(error_line([&] { record_folders({site.folder.path() + "/none"}); }),
             Catch::Contains("does not exist"));
  CHECK_THAT(error_line([&] { record_folders({site.folder.path()}); }),
             Catch::Contains("no records"));
}

TEST_CASE("a launch of the future is refused, unless its night is given") {
  Site site;
  site.save("good/1.json", nightly_launch("default", 1));
  REQUIRE(site.ingest("good").stored == Stored::added);
  Record ahead = nightly_launch("default", 2);
  ahead.started_utc = utc_text(static_cast<std::time_t>(latest_moment() + 60));
  const std::string file = site.save("ahead/2.json", ahead);
  CHECK_THAT(error_line([&] { site.ingest("ahead"); }),
             Catch::StartsWith("'" + file + "' begins in the future (it started at " +
                               ahead.started_utc + ", and it is ") &&
                 Catch::EndsWith(") mend the clock, and give the night with --day"));
  CHECK(listed_nights(site.database).size() == 1);
  CHECK(site.ingest("ahead", 100).stored == Stored::added);
  CHECK(site.ingest("ahead").stored == Stored::unchanged);
  // A clock may be a little ahead.
  Record soon = nightly_launch("default", 3);
  soon.started_utc = utc_text(static_cast<std::time_t>(latest_moment() - 3600));
  site.save("soon/3.json", soon);
  CHECK(site.ingest("soon").stored == Stored::added);
}

TEST_CASE("what another ingest stores meanwhile is in the history already") {
  Site site;
  site.save("a/1.json", nightly_launch("default", 1));
  const HistoryDatabase other(site.file, HistoryAccess::write, std::chrono::milliseconds(1));
  NightWriter other_writer(other);
  const auto folder = record_folders({site.folder.path() + "/a"}).front();
  const Stored stored = site.writer.store([&]() -> std::optional<Night> {
    // Nothing that is looked up here can change before it is stored.
    CHECK_THAT(error_line([&] { ingest_folder(other, other_writer, folder); }),
               Catch::Contains("is locked"));
    return std::nullopt;
  });
  CHECK(stored == Stored::unchanged);
  CHECK(ingest_folder(other, other_writer, folder).stored == Stored::added);
  CHECK(site.ingest("a").stored == Stored::unchanged);
}

}  // namespace hockney::health
