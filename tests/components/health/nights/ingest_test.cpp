#include <catch2/catch.hpp>
#include <filesystem>

#include "components/health/history/reading.hpp"
#include "components/health/nights/figures.hpp"
#include "components/health/nights/ingest.hpp"
#include "core/error.hpp"
#include "core/node_records.hpp"
#include "core/quantities.hpp"
#include "core/suite_names.hpp"
#include "tests/components/health/history/some_nights.hpp"
#include "tests/components/health/nights/some_records.hpp"

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

TEST_CASE("a refused record costs only itself") {
  Site site;
  site.save("a/1.json", nightly_launch("default", 1));
  site.save("a/2.json", nightly_launch("default", 2));
  const std::string cut = site.folder.write("a/3.json", R"({"schema": "hockney.record/2")");
  Record early = nightly_launch("default", 4);
  early.started_utc = "1999-12-31T23:59:59Z";
  const std::string old = site.save("a/4.json", early);
  Record ahead = nightly_launch("default", 5);
  ahead.started_utc = utc_text(static_cast<std::time_t>(latest_moment() + 60));
  const std::string future = site.save("a/5.json", ahead);
  const Ingested outcome = site.ingest("a");
  CHECK(outcome.stored == Stored::added);
  CHECK(day_text(outcome.day) == "2026-11-22");
  CHECK(outcome.records == 2);
  REQUIRE(outcome.refused.size() == 3);
  CHECK_THAT(outcome.refused[0], Catch::Contains(cut));
  CHECK_THAT(outcome.refused[1],
             Catch::Contains(old) && Catch::Contains("it is no time of UTC since 2000"));
  CHECK_THAT(outcome.refused[2], Catch::Contains(future));
  CHECK(site.ingest("a").stored == Stored::unchanged);
  site.save("a/3.json", nightly_launch("default", 3));
  CHECK(site.ingest("a").records == 3);
}

TEST_CASE("the same launch in two files is one launch") {
  Site site;
  const std::string file = site.save("a/1.json", nightly_launch("default", 1));
  std::filesystem::copy(file, site.folder.path() + "/a/copy.json");
  CHECK(site.ingest("a").records == 1);
}

TEST_CASE("nodes that measured themselves at the same time are hosts of the night") {
  Site site;
  const std::string file = site.save("a/records/1.json", nightly_launch("default", 1), 1e-6);
  NodeTexts texts;
  for (const char* host : {"hx2", "hx3"}) {
    Record node = nightly_launch("default", 1);
    node.provenance.hosts.front().name = host;
    add_measured(node, hop_point("pingpong", 8), host == std::string("hx3") ? 3e-6 : 1e-6);
    if (texts.kinds.empty()) texts.kinds.push_back(kind_text(node));
    texts.nodes.push_back(node_text(node));
  }
  save_nodes(texts, file);
  const Ingested night = site.ingest("a");
  CHECK(night.stored == Stored::added);
  CHECK(night.records == 2);  // files
  CHECK(site.ingest("a").stored == Stored::unchanged);
  const auto series = read_series(site.database, listed_series(site.database));
  const auto slow = std::ranges::find_if(series, [](const NightlySeries& one) {
    return one.name.find("bytes=8") != std::string::npos &&
           one.name.find("host=hx3") != std::string::npos;
  });
  REQUIRE(slow != series.end());
  CHECK(slow->nights.front().value == Approx(3e-6));
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
  const Ingested refused = site.ingest("ahead");
  CHECK_FALSE(refused.stored);
  REQUIRE(refused.refused.size() == 1);
  CHECK_THAT(refused.refused.front(),
             Catch::StartsWith("'" + file + "' begins in the future (it started at " +
                               ahead.started_utc + ", and it is ") &&
                 Catch::EndsWith(") fix the clock and give the night with --day"));
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

namespace {

constexpr std::int64_t today = 20779;

/// Launches 1 to 9 whose pingpong takes launch x (1 us + bytes x 1 ns).
std::vector<Record> nine_launches(const std::string& setting = "default", double factor = 1) {
  std::vector<Record> records;
  for (int number = 1; number <= 9; ++number) {
    Record record = nightly_launch(setting, number);
    for (const std::int64_t bytes : {1000, 2000, 4000}) {
      add_measured(record, hop_point("pingpong", bytes),
                   factor * number * (1e-6 + 1e-9 * static_cast<double>(bytes)));
    }
    records.push_back(record);
  }
  return records;
}

const std::string point = "pingpong/ranks=2 hop=l3 ";

}  // namespace

TEST_CASE("times are medians over launches with their exact interval") {
  const Night night = make_night(today, "nightly", nine_launches());
  const NightFigure& time = figure(night, point + "bytes=2000 setting=nightly/seconds");
  CHECK(time.series.unit == "seconds");
  CHECK(time.series.role == SeriesRole::subject);
  CHECK(time.series.worse == WorseWhen::larger);
  CHECK(time.value.day == today);
  CHECK(time.value.launches == 9);
  CHECK(time.value.value == Approx(5 * 3e-6));
  // Of nine values the second and the eighth: P(Bin(9, 1/2) <= 1) = 10/512 <= 0.025.
  REQUIRE(time.value.interval);
  CHECK(time.value.interval->low == Approx(2 * 3e-6));
  CHECK(time.value.interval->high == Approx(8 * 3e-6));
  CHECK(time.value.interval->level == Approx(1 - 20.0 / 512));
}

TEST_CASE("launches with wrong data are left out of the figures and are faults of the night") {
  std::vector<Record> records = nine_launches();
  records[8].series[1].flags = {std::string(corrupt_flag)};
  const Night night = make_night(today, "nightly", records);
  CHECK(figure(night, point + "bytes=2000 setting=nightly/seconds").value.launches == 8);
  CHECK(figure(night, point + "bytes=4000 setting=nightly/seconds").value.launches == 9);
  REQUIRE(night.faults.size() == 1);
  CHECK(night.faults[0].fault == Fault::wrong_data);
  CHECK(night.faults[0].points == 1);
  CHECK(night.faults[0].launches == 1);
  CHECK(night.faults[0].of_launches == 9);
}

TEST_CASE("planned points without a value are absent from the night, with the reason") {
  std::vector<Record> records = nine_launches();
  Point windowed = hop_point("bandwidth", 1000);
  windowed.parameters = {{"window", "64"}};
  for (Record& record : records) {
    add_skipped(record, hop_point("bcast", 1024), "SIGSEGV in lib.so, left out after 2 launches");
    add_skipped(record, windowed, "it was not reached before the budget was spent");
    add_measured(record, hop_point("reduce", 8), 1e-6, {std::string(corrupt_flag)});
    record.protocols = {{.hop = "l3", .pair = {0, 1}, .reason = "none was held"}};
  }
  // One launch without a point that the others have.
  add_skipped(records[0], hop_point("pingpong", 2000), "it was not reached");
  const Night night = make_night(today, "nightly", records);
  const std::vector<Absence> expected{
      {"bandwidth/ranks=2 hop=l3 bytes=1000 setting=nightly window=64/bytes_per_second",
       "it was not reached before the budget was spent"},
      {"bandwidth/ranks=2 hop=l3 bytes=1000 setting=nightly window=64/seconds",
       "it was not reached before the budget was spent"},
      {"bcast/ranks=2 hop=l3 bytes=1024 setting=nightly/seconds",
       "SIGSEGV in lib.so, left out after 2 launches"},
      {"protocol/hop=l3 setting=nightly/eager_limit_bytes", "none was held"},
      {"reduce/ranks=2 hop=l3 bytes=8 setting=nightly/seconds", "wrong data were received"}};
  CHECK(night.absences == expected);
}

TEST_CASE("the last printed digit is found in the values") {
  const auto digit = [](std::vector<double> values) { return printed_digit(values, 1e-8); };
  CHECK(*digit({4e-8, 5e-8, 6e-8, 1.1e-7}) == Approx(1e-8));
  CHECK(*digit({4e-8, 4.5e-8, 6e-8}) == Approx(1e-8));  // the median of two
  CHECK(*digit({4.44e-8, 4.57e-8, 6.01e-8}) == Approx(1e-10));
  CHECK(*digit({1.234560e-2, 4e-8, 3.3e-7}) == Approx(1e-8));
  // Of 0.40 alone it is unknown whether 0.4 was printed.
  CHECK(*digit({4e-7}) == Approx(1e-8));
  CHECK(*digit({4e-7, 5e-7, 7e-7}) == Approx(1e-7));
  CHECK_FALSE(digit({1e-6 / 3, 2e-6 / 7, 1e-6 / 11}));
  CHECK_FALSE(digit({}));
}

TEST_CASE("rounding of printed values is part of their intervals") {
  std::vector<Record> records;
  for (int number = 1; number <= 6; ++number) {
    Record record = nightly_launch("default", number);
    record.stopped_because = imported_reason;
    add_measured(record, hop_point("put", 8), 4e-8);
    add_measured(record, hop_point("put", 4096), 5e-8);
    add_measured(record, hop_point("put", 65536), 8e-8);
    Point windowed = hop_point("bandwidth", 1000);
    windowed.parameters = {{"window", "64"}};
    add_measured(record, windowed, 1000 / 2.57e6);
    records.push_back(record);
  }
  const Night night = make_night(today, "nightly", records);
  const NightlyValue& put =
      figure(night, "put/ranks=2 hop=l3 bytes=8 setting=nightly/seconds").value;
  CHECK(*put.half_digit == Approx(5e-9));
  CHECK(put.interval->low == Approx(3.5e-8));
  CHECK(put.interval->high == Approx(4.5e-8));
  const auto half_digit = [&](const std::string& name) {
    return figure(night, name).value.half_digit;
  };
  CHECK(*half_digit("put/ranks=2 hop=l3 setting=nightly/alpha_seconds") == Approx(5e-9));
  CHECK(*half_digit("put/ranks=2 hop=l3 setting=nightly/beta_seconds_per_byte") ==
        Approx(1e-8 / (65536 - 8)));
  CHECK(*half_digit(
            "bandwidth/ranks=2 hop=l3 bytes=1000 setting=nightly window=64/bytes_per_second") ==
        Approx(5e3));
  // Measured values have the digits of a clock.
  for (Record& record : records) record.stopped_because = "epochs done";
  CHECK_FALSE(figure(make_night(today, "nightly", records),
                     "put/ranks=2 hop=l3 bytes=8 setting=nightly/seconds")
                  .value.half_digit);
}

TEST_CASE("imported folders whose files have one date are nights of the dates in their paths") {
  Site site;
  const auto save = [&](const std::string& name, const std::string& day, int number) {
    Record record = nightly_launch("default", number);
    record.stopped_because = imported_reason;
    record.started_utc = day + "T10:00:00Z";
    site.save(name, record);
  };
  save("nights/2026-06-01/lat/1.json", "2026-11-22", 1);
  save("nights/20260602/lat/1.json", "2026-11-22", 2);
  save("nights/0999-2026-13-01/1.json", "2026-11-22", 3);
  const auto folders = record_folders({site.folder.path() + "/nights"});
  REQUIRE(folders.size() == 3);
  CHECK_FALSE(folders[0].day);
  CHECK(folders[1].day == parse_day("2026-06-01"));
  CHECK(folders[2].day == parse_day("2026-06-02"));
  CHECK(day_text(ingest_folder(site.database, site.writer, folders[1]).day) == "2026-06-01");
  CHECK(site.ingest("nights/2026-06-01").stored == Stored::unchanged);
  // Files with dates of their own.
  save("own/2026-06-01/1.json", "2026-06-01", 4);
  save("own/2026-06-02/1.json", "2026-06-03", 5);
  for (const RecordFolder& folder : record_folders({site.folder.path() + "/own"})) {
    CHECK_FALSE(folder.day);
  }
  // One folder at a time.
  save("one/2026-06-04/1.json", "2026-11-23", 6);
  save("one/2026-06-05/1.json", "2026-11-23", 7);
  CHECK_FALSE(site.ingest("one/2026-06-04").joined_from);
  CHECK(site.ingest("one/2026-06-05").joined_from == parse_day("2026-06-05"));
}

TEST_CASE("a campaign without a complete launch is a night without figures until it has one") {
  Site site;
  const auto manifest = [&](const std::string& status, const std::string& attempt) {
    site.folder.write("a/manifest.json",
                      R"({"schema": "hockney.manifest/1", "config": {"name": "nightly"}, )"
                      R"("started_utc": "2026-11-22T03:00:00Z", "status": ")" +
                          status + R"(", "attempts": [{"status": ")" + attempt +
                          R"(", "reason": "not done within 60 s"}]})");
    return record_folders({site.folder.path() + "/a"}).front();
  };
  const auto ingest = [&](const RecordFolder& folder) {
    return ingest_folder(site.database, site.writer, folder);
  };
  CHECK_FALSE(ingest(manifest("running", "failed")).stored);
  CHECK_FALSE(ingest(manifest("complete", "complete")).stored);
  const Ingested failed = ingest(manifest("incomplete", "failed"));
  CHECK(failed.stored == Stored::added);
  CHECK(failed.failure == "not done within 60 s");
  CHECK(day_text(failed.day) == "2026-11-22");
  using Reasons = std::map<std::string, std::string>;
  CHECK(absences_on(site.database, failed.day) ==
        Reasons{{every_series, "no launch completed: not done within 60 s"}});
  CHECK(ingest(manifest("incomplete", "failed")).stored == Stored::unchanged);
  // It is resumed.
  site.save("a/records/1.json", nightly_launch("default", 1));
  CHECK(site.ingest("a/records").stored == Stored::added);
  CHECK(absences_on(site.database, failed.day).empty());
  CHECK(ingest(manifest("incomplete", "failed")).stored == Stored::unchanged);
  CHECK(listed_nights(site.database).size() == 1);
}

TEST_CASE("models give alpha and beta") {
  const Night night = make_night(today, "nightly", nine_launches());
  const NightFigure& alpha = figure(night, "pingpong/ranks=2 hop=l3 setting=nightly/alpha_seconds");
  CHECK(alpha.value.value == Approx(5e-6));
  CHECK(alpha.value.interval);
  const NightFigure& beta =
      figure(night, "pingpong/ranks=2 hop=l3 setting=nightly/beta_seconds_per_byte");
  CHECK(beta.value.value == Approx(5e-9));
  CHECK(beta.series.unit == "seconds_per_byte");
}

TEST_CASE("pairs of one hop class are one series, whichever ranks they are") {
  std::vector<Record> records = nine_launches();
  for (Record& record : records) {
    Point other = hop_point("pingpong", 2000);
    other.pair = {2, 3};
    // The median of a launch's pairs is their mean.
    add_measured(record, other, record.campaign->launch * 5e-6);
  }
  const Night night = make_night(today, "nightly", records);
  CHECK(figure(night, point + "bytes=2000 setting=nightly/seconds").value.value ==
        Approx(5 * 4e-6));
}

TEST_CASE("windows give bandwidths, for which smaller is worse") {
  std::vector<Record> records;
  for (int number = 1; number <= 3; ++number) {
    Record record = nightly_launch("default", number);
    Point windowed = hop_point("bandwidth", 1000);
    windowed.parameters = {{"window", "64"}};
    add_measured(record, windowed, number * 1e-6);
    records.push_back(record);
  }
  const Night night = make_night(today, "nightly", records);
  const NightFigure& bandwidth = figure(
      night, "bandwidth/ranks=2 hop=l3 bytes=1000 setting=nightly window=64/bytes_per_second");
  CHECK(bandwidth.value.value == Approx(5e8));
  CHECK(bandwidth.series.worse == WorseWhen::smaller);
}

TEST_CASE("floors, spins and clocks are controls") {
  std::vector<Record> records;
  for (int number = 1; number <= 3; ++number) {
    Record record = nightly_launch("default", number);
    add_measured(record, hop_point("floor-memcpy", 64), number * 1e-8);
    record.series.back().noise_probes_seconds = {5e-6, 6e-6, 7e-6};
    record.machine = {
        {.at_seconds = 0,
         .lines = {{.pair = {0, 1}, .seconds = number * 1e-8}},
         .ranks = {
             {.rank = 0, .noise_probe_seconds = 5e-6, .copy_bytes_per_second = number * 1e9}}}};
    records.push_back(record);
  }
  const Night night = make_night(today, "nightly", records);
  for (const char* name :
       {"floor-memcpy/ranks=2 hop=l3 bytes=64 setting=nightly/seconds",
        "cache-line/setting=nightly/seconds", "copy/setting=nightly/bytes_per_second",
        "spin/setting=nightly/seconds", "clock/setting=nightly/read_seconds"}) {
    CAPTURE(name);
    CHECK(figure(night, name).series.role == SeriesRole::control);
  }
  CHECK(figure(night, "cache-line/setting=nightly/seconds").value.value == Approx(2e-8));
  CHECK(figure(night, "copy/setting=nightly/bytes_per_second").value.value == Approx(2e9));
  CHECK(figure(night, "copy/setting=nightly/bytes_per_second").series.worse == WorseWhen::smaller);
  CHECK(figure(night, "spin/setting=nightly/seconds").value.value == Approx(6e-6));
  CHECK(figure(night, "clock/setting=nightly/read_seconds").value.value == Approx(2e-8));
}

TEST_CASE("limits and memory are series of their own") {
  Record record = nightly_launch("default", 1);
  record.protocols = {{.hop = "l3", .pair = {0, 1}, .eager_limit_bytes = 4040, .reason = ""},
                      {.hop = "smt", .pair = {0, 2}, .reason = "none was held"}};
  record.memory = {{.rank = 0, .moment = "after-init", .pss_bytes = 1000},
                   {.rank = 1, .moment = "after-init", .pss_bytes = 3000}};
  const Night night = make_night(today, "nightly", {record});
  const NightFigure& limit = figure(night, "protocol/hop=l3 setting=nightly/eager_limit_bytes");
  CHECK(limit.value.value == 4040);
  CHECK(limit.series.worse == WorseWhen::smaller);
  CHECK_FALSE(has_figure(night, "protocol/hop=smt setting=nightly/eager_limit_bytes"));
  CHECK(figure(night, "memory/moment=after-init setting=nightly/pss_bytes").value.value == 2000);
}

TEST_CASE("settings are told apart, and what all pairs at once cost is a ratio") {
  std::vector<Record> records = nine_launches("one-pair");
  for (Record& record : nine_launches("all-pairs", 2)) {
    record.provenance.command_line = {"hockney-pingpong", "--concurrent"};
    records.push_back(record);
  }
  const Night night = make_night(today, "nightly", records);
  CHECK(figure(night, point + "bytes=1000 setting=nightly:one-pair/seconds").value.value ==
        Approx(10e-6));
  CHECK(figure(night, point + "bytes=1000 setting=nightly:all-pairs/seconds").value.value ==
        Approx(20e-6));
  const NightFigure& congestion =
      figure(night, point + "bytes=1000 setting=nightly:all-pairs/congestion");
  CHECK(congestion.value.value == Approx(2));
  CHECK(congestion.series.unit == "ratio");
  CHECK_FALSE(has_figure(night, point + "bytes=1000 setting=nightly:one-pair/congestion"));
}

TEST_CASE("what launches of a night share is their environment") {
  const Night night = make_night(today, "nightly", nine_launches());
  REQUIRE(night.environments.size() == 1);
  const auto& facts = night.environments.front().facts;
  CHECK(facts.at("mpi.library") == "Open MPI v4.1.4");
  CHECK(facts.at("mpi.setting.eager") == "4096");
  CHECK(facts.at("host.kernel") == "Linux 6.1");
  CHECK(facts.at("hosts") == "hx1");
  // It differs from launch to launch, so it is no fact of the night.
  CHECK_FALSE(facts.contains("mpi.setting.session"));
  for (const NightFigure& one : night.figures) {
    CHECK(one.value.environment == night.environments.front().digest);
  }
  std::vector<Record> other = nine_launches();
  for (Record& record : other) record.provenance.hosts.front().kernel = "Linux 6.2";
  CHECK(make_night(today, "nightly", other).environments.front().digest !=
        night.environments.front().digest);
}

TEST_CASE("only complete launches count") {
  std::vector<Record> records = nine_launches();
  records.back().status = LaunchStatus::interrupted;
  const Night night = make_night(today, "nightly", records);
  CHECK(figure(night, point + "bytes=2000 setting=nightly/seconds").value.launches == 8);
}

TEST_CASE("a night of two libraries is refused") {
  std::vector<Record> records = nine_launches();
  records.back().provenance.mpi.library = "MPICH 4";
  CHECK_THROWS_WITH(make_night(today, "nightly", records),
                    Catch::Contains("a night of two MPI libraries"));
}

TEST_CASE("pairs of nodes are kept at the smallest and the largest size") {
  std::vector<Record> records;
  for (int number = 1; number <= 3; ++number) {
    Record record = nightly_launch("default", number);
    record.ranks = {
        {.rank = 0, .host = "hx2"}, {.rank = 1, .host = "hx1"}, {.rank = 2, .host = "hx1"}};
    for (const std::int64_t bytes : {8, 64, 512}) {
      Point between = hop_point("pingpong", bytes);
      between.hop = "switch";
      add_measured(record, between, number * 1e-6 * static_cast<double>(bytes));
      Point inside = hop_point("pingpong", bytes);
      inside.pair = {1, 2};
      add_measured(record, inside, 1e-9);
    }
    records.push_back(record);
  }
  const Night night = make_night(today, "nightly", records);
  REQUIRE(night.pairs.size() == 2);
  CHECK(night.pairs[0].point == "pingpong/ranks=2 bytes=8 setting=nightly/seconds");
  CHECK(night.pairs[0].pair.a == "hx1");
  CHECK(night.pairs[0].pair.b == "hx2");
  CHECK(night.pairs[0].pair.hop == "switch");
  CHECK(night.pairs[0].pair.seconds == Approx(2e-6 * 8));
  CHECK(night.pairs[0].pair.launches == 3);
  CHECK(night.pairs[1].point == "pingpong/ranks=2 bytes=512 setting=nightly/seconds");
}

TEST_CASE("a curve has a run-to-run spread and a share of calm samples") {
  const Night night = make_night(today, "nightly", nine_launches());
  CHECK(has_figure(night, "pingpong/ranks=2 hop=l3 setting=nightly/spread"));
  // Every launch has three equal samples: too few to tell outliers.
  CHECK_FALSE(has_figure(night, "pingpong/ranks=2 hop=l3 setting=nightly/calm_share"));
  std::vector<Record> records = nine_launches();
  for (Record& record : records) {
    for (Series& series : record.series) {
      series.samples_seconds = {1e-6, 1e-6, 1e-6, 1e-6, 1e-6, 1e-6, 1e-6, 1e-6, 1e-6, 1e-3};
      series.blocks = {10};
      series.summary = summarise(series);
    }
  }
  const Night spiky = make_night(today, "nightly", records);
  const NightFigure& calm = figure(spiky, "pingpong/ranks=2 hop=l3 setting=nightly/calm_share");
  CHECK(calm.value.value == Approx(0.9));
  CHECK(calm.series.worse == WorseWhen::smaller);
}

TEST_CASE("every node has a series of how far it is from a usual one") {
  Record record = nightly_launch("default", 1);
  for (int rank = 0; rank < 5; ++rank) {
    record.ranks.push_back({.rank = rank, .host = "hx" + std::to_string(rank)});
  }
  for (int a = 0; a < 5; ++a) {
    for (int b = a + 1; b < 5; ++b) {
      Point between = hop_point("pingpong", 8);
      between.hop = "switch";
      between.pair = {a, b};
      add_measured(record, between, b == 4 ? 2e-6 : 1e-6);
    }
  }
  const Night night = make_night(today, "nightly", {record});
  const std::string prefix = "pingpong/ranks=2 bytes=8 host=hx";
  CHECK(figure(night, prefix + "0 setting=nightly/node_ratio").value.value == Approx(1));
  CHECK(figure(night, prefix + "4 setting=nightly/node_ratio").value.value == Approx(2));
}

}  // namespace hockney::health
