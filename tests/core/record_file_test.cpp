#include "core/record_file.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "tests/support/error_line.hpp"
#include "tests/support/example_record.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney {
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
             Catch::Contains("this program reads 'hockney.record/1'"));
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
  CHECK(document["schema"] == "hockney.record/1");
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
  CHECK(document["ranks"][0]["asked_cpu"].is_null());
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
  for (const char* schema : {"hockney.record/2", "hockney.record/10", "hockney.manifest/1", ""}) {
    document["schema"] = schema;
    const std::string file = folder.write("a.json", document.dump());
    CHECK(input_error_of([&] { return load_record(file); }) ==
          file + ": key 'schema' is '" + schema +
              "' (this program reads 'hockney.record/1') use the version of hockney that wrote the "
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
              "' (it is no time of UTC) write it like 2026-11-22T03:04:05Z");
  }
  document["started_utc"] = "";
  CHECK(read_record(parse_json(document.dump(), "a.json")).started_utc.empty());
}

}  // namespace hockney
