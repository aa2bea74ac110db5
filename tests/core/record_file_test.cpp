#include <catch2/catch.hpp>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "core/json_node.hpp"
#include "core/json_values.hpp"
#include "core/point_choice.hpp"
#include "core/record_file.hpp"
#include "core/sample_unit.hpp"
#include "tests/support/error_line.hpp"
#include "tests/support/example_record.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney {
namespace {

Record header() {
  Record record = example_record();
  record.series.clear();
  record.points = {{.point = example_point(8), .bytes_per_sample = 8},
                   {.point = example_point(64), .bytes_per_sample = 64}};
  mark_automatic(record);
  return record;
}

/// The first one has everything that a block can bring.
std::vector<MeasurementBlock> blocks() {
  return {{.point = 1,
           .batch = 3,
           .samples_seconds = {1e-6, 2e-6},
           .started_seconds = 0.5,
           .skew_seconds = 1e-8,
           .locals_seconds = {1e-6, 9e-7},
           .late_starts = 2,
           .noise_probe_seconds = 5e-6,
           .page_faults = 65.5,
           .transport = Transport{.messages = 4, .payload_bytes = 32, .shares_memory = true},
           .deliveries_checked = 40,
           .flags = {"corrupt"}},
          {.point = 0, .batch = 9, .samples_seconds = {5e-7}, .flags = {"late"}},
          {.point = 1, .batch = 3, .samples_seconds = {3e-6, 0.1}, .noise_probe_seconds = 9e-6},
          {.point = 0, .deliveries_checked = 150, .is_check = true, .flags = {"corrupt"}}};
}

/// What a launch that died after `count` whole blocks leaves.
Record expected(std::size_t count) {
  Record record = header();
  SampleStore store(record.points);
  for (std::size_t i = 0; i < count; ++i) store.add(blocks()[i]);
  record.status = LaunchStatus::interrupted;
  record.stopped_because = "the launch died";
  record.series = store.series();
  record.points = store.points("the launch died before its first sample");
  return record;
}

/// The journal of a whole launch, as text.
std::string whole_journal(const std::string& record_file) {
  Journal journal(record_file, header());
  for (const MeasurementBlock& block : blocks()) journal.append(block);
  return read_file(journal_name(record_file));
}

}  // namespace

TEST_CASE("every visit is on the disk as soon as it is appended") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/record.json";
  Journal journal(file, header());
  CHECK(recover_journal(file) == expected(0));
  for (std::size_t i = 0; i < blocks().size(); ++i) {
    journal.append(blocks()[i]);
    CHECK(recover_journal(file) == expected(i + 1));
  }
}

TEST_CASE("a journal names the point that has begun and not ended") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/record.json";
  Journal journal(file, header());
  journal.begin(0);
  journal.begin(1);
  auto dead = recover_journal(file);
  REQUIRE(dead);
  CHECK(dead->under_way == choice_of(header().points[1].point).text());
  journal.append(blocks()[1]);
  dead = recover_journal(file);
  CHECK(dead->under_way.empty());
  CHECK(dead->series.size() == 1);
  journal.begin(7);  // there is no such point
  CHECK(recover_journal(file)->flags.back() == "journal-damaged");
}

TEST_CASE("a journal is read as the record of its launch so far") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/record.json";
  Journal journal(file, header());
  journal.append(blocks()[1]);
  const std::vector<Record> records = load_records({journal_name(file)});
  REQUIRE(records.size() == 1);
  CHECK(records.front() == recover_journal(file));
  CHECK(records.front().status == LaunchStatus::interrupted);
  CHECK(load_records({journal_name(file)}, Kept::times)
            .front()
            .series.front()
            .samples_seconds.empty());
  CHECK(input_error_of([&] { return load_records({file}); }) ==
        "'" + file + "' does not exist (its launch is not over, or died) name " +
            journal_name(file) + " for what it measured");
  const std::string cut = folder.write("cut.json.journal", "{");
  CHECK(input_error_of([&] { return load_records({cut}); }) ==
        cut + " (the launch ended before it had a whole first line) measure again");
}

TEST_CASE("blocks of a journal are counted without the lines of their beginnings") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/record.json";
  Journal journal(file, header());
  for (const MeasurementBlock& block : blocks()) {
    journal.begin(block.point);
    journal.append(block);
  }
  const std::string text = read_file(journal_name(file));
  const std::string lines = text.substr(text.find('\n') + 1);
  CHECK(blocks_in(lines) == blocks().size());
  CHECK(blocks_in(lines.substr(0, lines.size() - 1)) == blocks().size() - 1);
  CHECK(blocks_in("") == 0);
}

TEST_CASE("a discarded journal is gone") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/record.json";
  Journal journal(file, header());
  CHECK(std::filesystem::exists(file + ".journal"));
  journal.discard();
  CHECK_FALSE(std::filesystem::exists(file + ".journal"));
  CHECK_FALSE(recover_journal(file));
}

TEST_CASE("a journal cut at any byte gives back all whole visits") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/record.json";
  const std::string whole = whole_journal(file);
  std::vector<std::size_t> ends;  // of lines, behind their line break
  for (std::size_t i = 0; i < whole.size(); ++i) {
    if (whole[i] == '\n') ends.push_back(i + 1);
  }
  REQUIRE(ends.size() == 5);
  for (std::size_t size = ends[1]; size <= whole.size(); ++size) {
    CAPTURE(size);
    folder.write("record.json.journal", whole.substr(0, size));
    const auto complete = std::ranges::count_if(ends, [&](std::size_t end) { return end <= size; });
    CHECK(recover_journal(file) == expected(static_cast<std::size_t>(complete) - 1));
  }
}

TEST_CASE("a journal without a whole header holds nothing") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/record.json";
  const std::string whole = whole_journal(file);
  const std::size_t end = whole.find('\n');
  for (std::size_t size = 0; size <= end; size += 50) {
    folder.write("record.json.journal", whole.substr(0, size));
    CHECK_FALSE(recover_journal(file));
  }
  folder.write("record.json.journal", whole.substr(0, end));
  CHECK_FALSE(recover_journal(file));
}

TEST_CASE("a line of a journal that cannot be used is left out and named") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/record.json";
  const std::string whole = whole_journal(file);
  const std::size_t last = whole.rfind('\n', whole.size() - 2) + 1;
  for (const char* point : {"2", "-1", "\"a\"", "1e300"}) {
    CAPTURE(point);
    const std::string block = std::string(R"({"point":)") + point +
                              R"(,"batch":1,"samples_seconds":[1.0],"flags":[]})" + "\n";
    folder.write("record.json.journal", whole.substr(0, last) + block + whole.substr(last));
    auto recovered = recover_journal(file);
    REQUIRE(recovered);
    CHECK(recovered->flags.back() == "journal-damaged");
    CHECK(recovered->stopped_because.starts_with(
        "the launch died; 1 line of its journal could not be used, line 5: " + file +
        ".journal: key 'point' "));
    recovered->flags.pop_back();
    recovered->stopped_because = "the launch died";
    CHECK(recovered == expected(blocks().size()));
  }
}

TEST_CASE("a journal whose lines lack what others of their point have makes a record that loads") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/record.json";
  Journal journal(file, header());
  MeasurementBlock whole = blocks().front();
  journal.append(whole);
  for (auto member : {&MeasurementBlock::page_faults, &MeasurementBlock::skew_seconds,
                      &MeasurementBlock::started_seconds, &MeasurementBlock::noise_probe_seconds}) {
    MeasurementBlock lacking = whole;
    (lacking.*member).reset();
    journal.append(lacking);
  }
  const auto recovered = recover_journal(file);
  REQUIRE(recovered);
  CHECK(read_record(parse_json(json_text(to_json(*recovered)), "r")) == recovered);
}

TEST_CASE("a journal that cannot be written is a run error") {
  const TemporaryFolder folder;
  CHECK_THROWS_AS(Journal(folder.path() + "/missing/record.json", header()), RunError);
  const TemporaryFolder devices;
  const std::string file = folder.path() + "/record.json";
  std::filesystem::create_symlink(devices.full_device(), journal_name(file));
  CHECK_THROWS_AS(Journal(file, header()), RunError);
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("texts that are not UTF-8 do not cost the launch") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/record.json";
  Record odd = header();
  odd.provenance.environment["OMPI_MCA_x"] = "gr\xfc\xdf";
  const Journal journal(file, odd);
  const auto recovered = recover_journal(file);
  REQUIRE(recovered);
  CHECK(recovered->provenance.environment.at("OMPI_MCA_x") == "gr\xef\xbf\xbd\xef\xbf\xbd");
}

namespace {

/// Numbers that a careless writer would round, and the ends of what a record can hold.
Record extreme_record() {
  Record record = example_record();
  record.seed = std::numeric_limits<std::uint64_t>::max();
  record.status = LaunchStatus::failed;
  record.points.own().front().status = PointStatus::failed;
  record.points.own().front().point.bytes.value = std::int64_t{1} << 50U;
  record.series.front().samples_seconds = {0.1, 1.0 / 3, 5e-324, 1.7976931348623157, 0, 1e-9};
  record.provenance.command_line = {"\"quoted\"\n", "\\", "\t", "µs", ""};
  return record;
}

}  // namespace

TEST_CASE("texts in another encoding cost no record") {
  const TemporaryFolder folder;
  Record odd = example_record();
  odd.provenance.environment["OMPI_MCA_x"] = "gr\xfc\xdf";
  for (const char* name : {"/a.json", "/a.cbor"}) {
    save_record(odd, folder.path() + name);
    CHECK(load_record(folder.path() + name).provenance.environment.at("OMPI_MCA_x") ==
          "gr\xef\xbf\xbd\xef\xbf\xbd");
  }
}

TEST_CASE("a file that is no document of hockney is called that") {
  const TemporaryFolder folder;
  const auto refusal = [&](const std::string& content) {
    const std::string file = folder.write("file", content);
    return error_line([&] { load_record(file); });
  };
  CHECK_THAT(refusal("root:x:0:0::/root:/bin/sh\n"),
             Catch::Contains("file' is no hockney record (it is no JSON document) name a record"));
  CHECK_THAT(refusal("[1, 2]"), Catch::Contains("is no hockney record"));
  CHECK_THAT(refusal(R"({"name": "package"})"),
             Catch::Contains("is no hockney record (it does not say which document it is)"));
  CHECK_THAT(refusal(R"({"schema": "hockney.rec)"), !Catch::Contains("is no hockney record"));
  CHECK_THAT(refusal(R"({"schema": "hockney.profile/1"})"),
             Catch::Contains("this program reads 'hockney.record/2'"));
}

TEST_CASE("a record survives JSON and CBOR unchanged") {
  const TemporaryFolder folder;
  for (const Record& record : {example_record(), bare_record(), extreme_record(), Record{}}) {
    for (const char* name : {"/a.json", "/a.cbor"}) {
      save_record(record, folder.path() + name);
      CHECK(load_record(folder.path() + name) == record);
    }
    CHECK(load_json(folder.path() + "/a.json").json() ==
          load_json(folder.path() + "/a.cbor").json());
  }
}

TEST_CASE("clocks may be farther apart than a launch lasts") {
  const TemporaryFolder folder;
  Record record = example_record();
  record.sync->self_test = ClockSelfTest{.estimate_seconds = 3600, .passed = false};
  record.sync->end_error_seconds = 86'400;
  save_record(record, folder.path() + "/a.json");
  CHECK(load_record(folder.path() + "/a.json") == record);
}

TEST_CASE("the keys that others rely on are there") {
  const nlohmann::json document = to_json(example_record());
  CHECK(document["schema"] == "hockney.record/2");
  const nlohmann::json& series = document["series"][0];
  CHECK(series["operation"] == "pingpong");
  CHECK(series["point"]["bytes"] == 8);
  CHECK(series["point"]["ranks"] == 2);
  CHECK(series["point"]["hop"] == "l3");
  CHECK(series["point"]["path"] == "shared-memory");
  CHECK(series["point"]["algorithm"] == "direct");
  CHECK(series["samples_seconds"].size() == 6);
  CHECK(series["batch"] == 100);
  CHECK(series["summary"]["median_seconds"] == Approx(1.15e-6));
  CHECK(series["flags"] == nlohmann::json{"drifting"});
}

TEST_CASE("what is unknown is null, never zero") {
  const nlohmann::json document = to_json(bare_record());
  CHECK(document["campaign"].is_null());
  CHECK(document["sync"].is_null());
  CHECK(document["ranks"][0]["requested_cpu"].is_null());
  const nlohmann::json& series = document["series"][0];
  for (const char* key : {"hop", "path", "algorithm"}) CHECK(series["point"][key].is_null());
  for (const auto& [key, value] : series["summary"].items()) {
    CAPTURE(key);
    CHECK(value.is_null());
  }
}

TEST_CASE("texts that are not UTF-8 do not cost the record") {
  const TemporaryFolder folder;
  Record record = example_record();
  record.provenance.environment["OMPI_MCA_x"] = "gr\xfc";
  save_record(record, folder.path() + "/a.json");
  CHECK(load_record(folder.path() + "/a.json").provenance.environment.at("OMPI_MCA_x") ==
        "gr\xef\xbf\xbd");
}

TEST_CASE("another version is refused by name") {
  const TemporaryFolder folder;
  nlohmann::json document = to_json(example_record());
  for (const char* schema : {"hockney.record/3", "hockney.record/10", "hockney.manifest/1", ""}) {
    document["schema"] = schema;
    const std::string file = folder.write("a.json", document.dump());
    CHECK(input_error_of([&] { return load_record(file); }) ==
          file + ": key 'schema' is '" + schema +
              "' (this program reads 'hockney.record/2') use the version of hockney that wrote the "
              "file");
  }
}

TEST_CASE("keys of a later minor version are passed over") {
  nlohmann::json document = to_json(example_record());
  document["later"] = 1;
  document["series"][0]["point"]["later"] = {{"a", 1}};
  CHECK(read_record(parse_json(document.dump(), "a.json")) == example_record());
}

TEST_CASE("a truncated file is an input error of one line that names it") {
  const TemporaryFolder folder;
  for (const char* name : {"a.json", "a.cbor"}) {
    const std::string file = folder.path() + "/" + name;
    save_record(example_record(), file);
    const std::string whole = read_file(file);
    REQUIRE(whole.size() > 1000);
    // The last byte of the JSON file is the line break, without which it is whole.
    for (std::size_t size = 0; size + 1 < whole.size(); size += 200) {
      CAPTURE(name, size);
      folder.write(name, whole.substr(0, size));
      CHECK(input_error_of([&] {
              return load_record(file);
            }).starts_with(file + ": cannot be read ("));
    }
  }
}

TEST_CASE("a start that no clock shows is refused, and an unknown one is not") {
  nlohmann::json document = to_json(example_record());
  for (const char* start :
       {"2026-11-22T25:00:00Z", "2026-02-30T03:00:00Z", "2026-11-22T14:61:00Z", "yesterday"}) {
    CAPTURE(start);
    document["started_utc"] = start;
    CHECK(error_line([&] { read_record(parse_json(document.dump(), "a.json")); }) ==
          "a.json: key 'started_utc' is '" + std::string(start) +
              "' (it is no time of UTC since 2000) write it like 2026-11-22T03:04:05Z");
  }
  document["started_utc"] = "";
  CHECK(read_record(parse_json(document.dump(), "a.json")).started_utc.empty());
}

namespace {

/// The example's samples as a clock measures them: a round trip is a count of halves.
Record measured(const std::vector<double>& counts, std::int64_t batch, double unit_seconds) {
  Record record = example_record();
  Series& series = record.series.front();
  series.batch = batch;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    series.samples_seconds.at(i) = SampleUnit{unit_seconds, batch}.sample(counts[i]);
  }
  return record;
}

nlohmann::json series_in(const std::string& file) { return load_json(file).json()["series"][0]; }

/// Saves the record, reads it, and saves that again: both files must be the same bytes, both
/// records the same to the last bit.
nlohmann::json series_written(const Record& record, const std::string& file) {
  save_record(record, file);
  const std::string bytes = read_file(file);
  const Record read = load_record(file);
  CHECK(read == record);
  save_record(read, file);
  CHECK(read_file(file) == bytes);
  return series_in(file);
}

const std::vector<double> counts{38359, 40002, 1, 0, 77777, 38361};

}  // namespace

TEST_CASE("samples have the digits that the clock counted, and read back to the last bit") {
  const TemporaryFolder folder;
  const Record halves = measured(counts, 127, 5e-10);
  for (const std::string name : {"/a.json", "/a.cbor"}) {
    const nlohmann::json series = series_written(halves, folder.path() + name);
    CHECK(series.at("unit_seconds") == 5e-10);
    CHECK(series.at("samples_seconds") ==
          nlohmann::json{1.5102e-7, 1.5749e-7, 4e-12, 0.0, 3.0621e-7, 1.51028e-7});
  }
  CHECK(read_file(folder.path() + "/a.json")
            .find(R"("samples_seconds":[1.5102e-7,1.5749e-7,4e-12,0.0,3.0621e-7,1.51028e-7])") !=
        std::string::npos);
  for (const std::int64_t batch : {1, 7, 64, 1000}) {
    CAPTURE(batch);
    series_written(measured(counts, batch, 1e-9), folder.path() + "/b.json");
  }
  Record simulated = measured(counts, 7, 1e-12);
  simulated.clock.source = "MPI_Wtime";
  CHECK(series_written(simulated, folder.path() + "/c.json").at("unit_seconds") == 1e-12);
}

TEST_CASE("the printed document has all digits of the samples") {
  const Record record = measured(counts, 127, 5e-10);
  const nlohmann::json series = to_json(record)["series"][0];
  CHECK(series.at("samples_seconds") == record.series.front().samples_seconds);
  CHECK_FALSE(series.contains("unit_seconds"));
}

TEST_CASE("samples that the clock did not count keep all digits") {
  const TemporaryFolder folder;
  const auto written = [&](const Record& record) {
    const nlohmann::json series = series_written(record, folder.path() + "/a.json");
    CHECK(series.at("samples_seconds") == record.series.front().samples_seconds);
    return series.contains("unit_seconds");
  };
  const Record whole = measured(counts, 127, 5e-10);
  Record corrected = whole;
  for (double& sample : corrected.series.front().samples_seconds) sample -= sample / 3e6;
  CHECK_FALSE(written(corrected));
  Record imported = whole;
  imported.clock.source = "osu";
  CHECK_FALSE(written(imported));
  CHECK_FALSE(written(example_record()));  // decimals already
  Record empty = whole;
  empty.series.front().samples_seconds.clear();
  empty.series.front() = {.point = example_point(8)};
  CHECK_FALSE(written(empty));
}

TEST_CASE("a block with a sample that the clock did not count keeps all digits") {
  const TemporaryFolder folder;
  Record corrected = measured(counts, 127, 5e-10);  // in blocks of 4 and 2
  std::vector<double>& samples = corrected.series.front().samples_seconds;
  samples[4] -= 1e-13;
  CHECK(series_written(corrected, folder.path() + "/a.json").at("samples_seconds") ==
        nlohmann::json{1.5102e-7, 1.5749e-7, 4e-12, 0.0, samples[4], samples[5]});
}

TEST_CASE("a unit of samples that no clock has is refused, or changes nothing") {
  nlohmann::json document = to_json(example_record());
  const auto record = [&](const nlohmann::json& unit) {
    document["series"][0]["unit_seconds"] = unit;
    return read_record(parse_json(document.dump(), "a.json"));
  };
  const auto error = [&](const nlohmann::json& unit) {
    return input_error_of([&] { return record(unit); });
  };
  CHECK(error(1e-9).empty());
  CHECK(record(1e-300) == example_record());
  CHECK(error(1e300).starts_with("a.json: key 'series[0].unit_seconds' is 1e+300 (it is at most "));
  CHECK(record(nullptr) == example_record());
  CHECK(error(0).starts_with("a.json: key 'series[0].unit_seconds' is "));
  CHECK(error(-1e-9).starts_with("a.json: key 'series[0].unit_seconds' is "));
  CHECK(error("1 ns").starts_with("a.json: key 'series[0].unit_seconds' is "));
  document["series"][0]["batch"] = 0;
  CHECK(error(1e-9).starts_with("a.json: key 'series[0].batch' is 0"));
}

}  // namespace hockney
