#include <limits>
#include <nlohmann/json.hpp>

#include "core/record_file.hpp"
#include "tests/driver/bad_input.hpp"
#include "tests/support/example_record.hpp"
#include "tests/support/temporary_folder.hpp"

// `hockney fit` and `hockney export` against bad records and options.
namespace hockney::driver {
namespace {

std::string whole_record() { return to_json(example_record()).dump(); }

/// The document of a good record after `change`.
template <class Change>
std::string changed_record(Change change) {
  nlohmann::json document = to_json(example_record());
  change(document);
  return document.dump();
}

/// The same as CBOR, which can hold what JSON cannot.
template <class Change>
std::string changed_cbor(Change change) {
  nlohmann::json document = to_json(example_record());
  change(document);
  const std::vector<std::uint8_t> cbor = nlohmann::json::to_cbor(document);
  return {cbor.begin(), cbor.end()};
}

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

struct BadFile {
  std::string name;
  std::string content;
  std::string words;
};

std::vector<BadFile> bad_records() {
  const std::string whole = whole_record();
  return {
      {"empty.json", "", "empty.json: cannot be read"},
      {"cut.json", whole.substr(0, whole.size() / 2), "is the file whole?"},
      {"text.json", "samples: 1 2 3", "text.json' is no hockney record"},
      {"list.json", "[]", "list.json' is no hockney record"},
      {"garbage.cbor", "\xff\xfe garbage", "garbage.cbor: cannot be read"},
      {"json.cbor", whole, "json.cbor: cannot be read"},
      {"future.json", changed_record([](auto& d) { d["schema"] = "hockney.record/9"; }),
       "this program reads 'hockney.record/2'"},
      {"config.json", R"({"schema": "hockney.campaign/1"})",
       "key 'schema' is 'hockney.campaign/1'"},
      {"no_series.json", changed_record([](auto& d) { d.erase("series"); }),
       "key 'series' is missing"},
      {"typed.json", changed_record([](auto& d) { d["series"][0]["batch"] = "ten"; }),
       "key 'series[0].batch' is not a whole number (it is string)"},
      {"blocks.json", changed_record([](auto& d) {
         d["series"][0]["blocks"] = {1, 1};
       }),
       "key 'series[0].blocks' is wrong (blocks add up to the samples"},
      {"probes.json",
       changed_record([](auto& d) { d["series"][0]["noise_probes_seconds"] = {1.0}; }),
       "key 'series[0].noise_probes_seconds' is wrong (blocks add up"},
      {"infinite.cbor", changed_cbor([](auto& d) {
         d["series"][0]["samples_seconds"][0] = std::numeric_limits<double>::infinity();
       }),
       "'series[0].samples_seconds[0]' holds a number that is not"},
      {"summary.cbor",
       changed_cbor([](auto& d) { d["series"][0]["summary"]["median_seconds"] = not_a_number; }),
       "'series[0].summary.median_seconds' holds a number that is not finite"},
      {"sync.cbor", changed_cbor([](auto& d) { d["sync"]["bound_seconds"] = not_a_number; }),
       "'sync.bound_seconds' holds a number that is not finite"},
      {"negative.cbor",
       changed_cbor([](auto& d) { d["series"][0]["summary"]["p99_seconds"] = -1.0; }),
       "'series[0].summary.p99_seconds' is -1"},
      {"latin.cbor", changed_cbor([](auto& d) { d["series"][0]["point"]["hop"] = "l\xff"; }),
       "'series[0].point.hop' is not UTF-8"},
      {"nul.json",
       changed_record([](auto& d) { d["series"][0]["point"]["hop"] = std::string("l\0003", 3); }),
       "'series[0].point.hop' holds the character NUL"},
      {"deep.cbor", std::string(50'000, '\x81'), "deep.cbor: has more than 64 levels"},
      {"deep.json", std::string(20'000'000, '['), "deep.json: has more than 64 levels"},
      {"tags.cbor", std::string(50'000, '\xc1'), "tags.cbor: cannot be read"},
      {"parts.cbor", std::string(50'000, '\x7f'), "parts.cbor: cannot be read"},
  };
}

}  // namespace

TEST_CASE("a bad record is refused in one line that names the file") {
  const TemporaryFolder folder;
  for (const BadFile& bad : bad_records()) {
    const std::string file = folder.write(bad.name, bad.content);
    for (const Arguments& command : std::vector<Arguments>{{"fit", file},
                                                           {"report", file},
                                                           {"compare", file, file},
                                                           {"guidelines", file},
                                                           {"export", "csv", file}}) {
      check_refusal({built("hockney")}, {command, bad.words});
    }
    const std::string history = folder.path() + "/history.sqlite";
    check_refusal({built("hockney")},
                  {{"health", "ingest", file, "--history", history}, bad.words});
  }
}

TEST_CASE("a truncated record costs itself in a campaign's folder, and is named") {
  const TemporaryFolder folder;
  folder.write("records/a-001.json", whole_record());
  folder.write("records/a-002.json", whole_record().substr(0, 100));
  const CommandResult result = run_command({built("hockney"), "report", folder.path(), "--csv"});
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.out, Catch::Contains("pingpong"));
  CHECK_THAT(result.err, Catch::Contains("a-002.json: cannot be read"));
  CHECK(std::ranges::count(result.err, '\n') == 1);
}

TEST_CASE("records of launches that ended early are no ground for a fit") {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("early.json", changed_record([](auto& d) { d["status"] = "interrupted"; }));
  check_refusal({built("hockney")}, {{"fit", file}, "1 interrupted or failed"});
}

TEST_CASE("a fit of too few sizes lists the curves and why, and fails") {
  const TemporaryFolder folder;
  const std::string file = folder.write("record.json", whole_record());
  const CommandResult result = run_command({built("hockney"), "fit", "--all", file});
  CHECK(result.exit_code == bad_input);
  CHECK_THAT(result.out, Catch::Contains("not fitted (1 size: 8; 3 needed)"));
  CHECK(result.err ==
        "no curve could be fitted (each has fewer than 3 sizes) measure more sizes\n");
}

}  // namespace hockney::driver
