#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "core/record_file.hpp"
#include "core/text.hpp"
#include "tests/support/error_line.hpp"
#include "tests/support/example_record.hpp"
#include "tests/support/record_schema.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney {

using Json = nlohmann::json;

namespace {

const RecordSchema& schema() {
  static const RecordSchema instance(
      load_json(HOCKNEY_SOURCE_DIR "/results/hockney.record-2.schema.json").json());
  return instance;
}

/// Where a value lies in the document, and what may be done to it.
struct Place {
  Json::json_pointer pointer;
  std::string key;        ///< as an error names it
  bool can_be_deleted{};  ///< an element of an array or of a map, or a key that may be null
  bool can_be_null{};
};

bool may_be_null(const std::string& key) {
  static const std::vector<std::string> names = split(
      "campaign axes requested effective hop path algorithm requested_cpu communicators "
      "bus_bytes_per_sample median_seconds minimum_seconds maximum_seconds mean_seconds "
      "within_seconds effective_samples undisturbed_blocks noise_probes_seconds page_faults "
      "skews_seconds late_starts deliveries_checked locals_seconds starts_seconds "
      "warm_up_blocks p90_seconds p99_seconds p999_seconds outliers skew_seconds start sync "
      "self_test checks end_error_seconds end_bound_seconds protocols memory algorithms "
      "guidelines ran eager_limit_bytes limit_bytes held_bytes accepted peers waiting_messages "
      "waiting_message_bytes thread_cpus transport unproven_because network network_facts "
      "reported_faults buffers gpu_aware noise longest_seconds periods machine "
      "copy_bytes_per_second",
      ' ');
  return std::ranges::find(names, key) != names.end();
}

bool is_map(const std::string& key) {
  return key == "environment" || key == "settings" || key == "parameters" || key == "axes" ||
         key == "network_facts";
}

void collect(const Json& value, const Place& here, const std::string& name,
             std::vector<Place>& places) {
  if (!name.empty()) places.push_back(here);
  for (const auto& item : value.items()) {
    const std::string& key = item.key();
    if (value.is_array()) {
      const Place place{here.pointer / std::stoul(key), here.key + "[" + key + "]", true, false};
      collect(item.value(), place, key, places);
    } else if (value.is_object()) {
      const std::string full = here.key.empty() ? key : here.key + "." + key;
      // The list of requested settings may be null, but not the value of one.
      const bool is_optional = may_be_null(key) && !full.ends_with("].requested");
      const Place place{here.pointer / key, full, is_map(name) || is_optional, is_optional};
      collect(item.value(), place, key, places);
    }
  }
}

/// Every key and element of the full example.
std::vector<Place> places() {
  std::vector<Place> found;
  collect(to_json(example_record()), Place(), "", found);
  return found;
}

bool same_type(const Json& value, const Json& other) {
  if (value.is_number_float()) return other.is_number();
  return value.type() == other.type() || (value.is_number_integer() && other.is_number_integer());
}

/// The line of the reader's error, empty when it accepts the document.
std::string reader_error(const Json& document) {
  return input_error_of([&] { return read_record(parse_json(document.dump(), "some/r.json")); });
}

/// Both say no, and the reader's one line names file and key.
void check_rejected(const Json& document, const std::string& key, const std::string& what) {
  CAPTURE(key, what);
  CHECK_FALSE(schema().accepts(document));
  CHECK(reader_error(document).starts_with("some/r.json: key '" + key + "' "));
}

void check_accepted(const Json& document, const std::string& key, const std::string& what) {
  CAPTURE(key, what);
  CHECK(schema().accepts(document));
  CHECK(reader_error(document).empty());
}

Json without(Json document, const Json::json_pointer& pointer) {
  document.at(pointer.parent_pointer()).erase(pointer.back());
  return document;
}

Json with(Json document, const Json::json_pointer& pointer, const Json& value) {
  document.at(pointer) = value;
  return document;
}

}  // namespace

TEST_CASE("what save_record writes is valid") {
  const TemporaryFolder folder;
  for (const Record& record : {example_record(), bare_record(), Record{}}) {
    for (const char* name : {"/a.json", "/a.cbor"}) {
      save_record(record, folder.path() + name);
      CHECK(schema().accepts(load_json(folder.path() + name).json()));
    }
  }
}

TEST_CASE("the unit of samples is a number above 0 in schema and reader") {
  Json document = to_json(example_record());
  Json& unit = document["series"][0]["unit_seconds"];
  for (const Json& good : {Json(1e-9), Json(nullptr)}) {
    unit = good;
    check_accepted(document, "series[0].unit_seconds", good.dump());
  }
  for (const Json& bad : {Json(0), Json(-1e-9), Json("1 ns"), Json(true), Json::array()}) {
    unit = bad;
    check_rejected(document, "series[0].unit_seconds", bad.dump());
  }
}

TEST_CASE("extra keys of a later minor version are valid") {
  Json document = to_json(example_record());
  document["later"] = 1;
  document["series"][0]["later"] = Json::object();
  check_accepted(document, "later", "added");
}

TEST_CASE("deleting a required key is rejected by schema and reader") {
  const Json document = to_json(example_record());
  std::size_t deleted = 0;
  for (const Place& place : places()) {
    if (place.can_be_deleted) continue;
    ++deleted;
    check_rejected(without(document, place.pointer), place.key, "deleted");
  }
  CHECK(deleted > 70);
}

TEST_CASE("a wrong type is rejected by schema and reader, null too unless it is allowed") {
  const Json document = to_json(example_record());
  const std::vector<Json> values{nullptr, true, "text", 7, 0.5, Json::array(), Json::object()};
  for (const Place& place : places()) {
    for (const Json& value : values) {
      if (same_type(document.at(place.pointer), value)) continue;
      if (value.is_null() && place.can_be_null) continue;
      check_rejected(with(document, place.pointer, value), place.key, value.dump());
    }
  }
}

TEST_CASE("a key that may be null may be missing, for schema and reader") {
  const Json document = to_json(example_record());
  std::size_t tried = 0;
  for (const Place& place : places()) {
    if (!place.can_be_null) continue;
    ++tried;
    const Json null = with(document, place.pointer, nullptr);
    const Json missing = without(document, place.pointer);
    check_accepted(null, place.key, "null");
    check_accepted(missing, place.key, "missing");
    CHECK(read_record(parse_json(null.dump(), "a")) ==
          read_record(parse_json(missing.dump(), "a")));
  }
  CHECK(tried == 73);
}

TEST_CASE("numbers below their minimum are rejected by schema and reader") {
  const Json document = to_json(example_record());
  std::size_t tried = 0;
  for (const Place& place : places()) {
    if (!document.at(place.pointer).is_number()) continue;
    if (place.key.ends_with(".estimate_seconds")) continue;  // has a sign
    ++tried;
    check_rejected(with(document, place.pointer, -1), place.key, "-1");
  }
  CHECK(tried > 90);
}

TEST_CASE("words, batches and intervals are checked") {
  const Json document = to_json(example_record());
  check_rejected(with(document, "/status"_json_pointer, "done"), "status", "done");
  check_rejected(with(document, "/points/0/status"_json_pointer, "maybe"), "points[0].status", "");
  check_rejected(with(document, "/schema"_json_pointer, "hockney.record/3"), "schema", "3");
  check_rejected(with(document, "/series/0/batch"_json_pointer, 0), "series[0].batch", "0");
  for (const Json& ends : {Json{1.0}, Json{1.0, 2.0, 3.0}}) {
    check_rejected(with(document, "/series/0/summary/within_seconds"_json_pointer, ends),
                   "series[0].summary.within_seconds", ends.dump());
  }
  check_rejected(with(document, "/series/0/summary/within_level"_json_pointer, 1.5),
                 "series[0].summary.within_level", "1.5");
  // Which end is the lower one, and whether the median is between them, is beyond a schema.
  const auto summary = "/series/0/summary"_json_pointer;
  const double median = document.at(summary / "median_seconds").get<double>();
  for (const auto& [low, high] : {std::pair{1.001, 1.002}, std::pair{0.998, 0.999}}) {
    Json moved = with(document, summary / "within_seconds", Json{median * low, median * high});
    moved.at(summary)["minimum_seconds"] = median * 0.5;
    CHECK_THAT(reader_error(moved), Catch::StartsWith("some/r.json: key 'series[0].summary.") &&
                                        Catch::Contains("(quantiles ascend"));
  }
  CHECK(reader_error(with(document, "/series/0/summary/within_seconds"_json_pointer, {2e-6, 1e-6}))
            .starts_with("some/r.json: key 'series[0].summary.within_seconds' ends before it"));
}

TEST_CASE("what only CBOR can hold is refused in every place, with its key") {
  const Json document = to_json(example_record());
  const auto cbor_error = [](const Json& value) {
    const std::vector<std::uint8_t> cbor = Json::to_cbor(value);
    return input_error_of([&] { parse_cbor(std::string(cbor.begin(), cbor.end()), "r.cbor"); });
  };
  const double infinity = std::numeric_limits<double>::infinity();
  std::size_t tried = 0;
  for (const Place& place : places()) {
    std::vector<Json> wrong;
    if (document.at(place.pointer).is_number()) wrong = {infinity, -infinity, std::nan("")};
    if (document.at(place.pointer).is_string()) wrong = {"l\xff", std::string("l\0003", 3)};
    for (const Json& value : wrong) {
      ++tried;
      CHECK(cbor_error(with(document, place.pointer, value))
                .starts_with("r.cbor: key '" + place.key + "' "));
    }
  }
  CHECK(tried > 300);
}

}  // namespace hockney
