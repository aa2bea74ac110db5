#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "core/algorithm_use.hpp"
#include "core/json_values.hpp"
#include "core/record_file.hpp"
#include "core/site_file.hpp"
#include "core/text.hpp"
#include "tests/support/error_line.hpp"
#include "tests/support/example_record.hpp"

namespace hockney {
namespace {

using nlohmann::json;

/// A place in the example, a value that cannot be there, and the key that the error names where
/// that is another one.
struct Nonsense {
  std::string pointer;
  json value;
  std::string key{};
};

std::string key_of(const std::string& pointer) {
  std::string key;
  for (const std::string& name : split(pointer.substr(1), '/')) {
    const bool is_index = as_number<int>(name).has_value();
    key += is_index ? "[" + name + "]" : (key.empty() ? "" : ".") + name;
  }
  return key;
}

std::string record_error(const json& document) {
  return input_error_of([&] { read_record(parse_json(document.dump(), "r")); });
}

/// The error names the key, and says why.
void check_refused(const std::string& why, const std::vector<Nonsense>& all) {
  for (const Nonsense& nonsense : all) {
    json document = to_json(example_record());
    document.at(json::json_pointer(nonsense.pointer)) = nonsense.value;
    CAPTURE(nonsense.pointer, nonsense.value);
    const std::string key = nonsense.key.empty() ? key_of(nonsense.pointer) : nonsense.key;
    const std::string error = record_error(document);
    CHECK_THAT(error, Catch::StartsWith("r: key '" + key + "' is "));
    CHECK_THAT(error, Catch::Contains("(" + why));
  }
}

}  // namespace

TEST_CASE("numbers beyond the limits of their units are refused in a record") {
  constexpr std::int64_t most = 9223372036854775807;
  check_refused("it is at most ", {{"/elapsed_seconds", 1e300},
                                   {"/series/0/samples_seconds/2", 1e300},
                                   {"/series/0/noise_probes_seconds/0", 1e18},
                                   {"/series/0/skews_seconds/0", 9e15},
                                   {"/series/0/locals_seconds/1/0", 1e9},
                                   {"/sync/bound_seconds", 1e9},
                                   {"/clock/cost_seconds", 1e9},
                                   {"/machine/0/at_seconds", 1e9},
                                   {"/series/0/summary/page_faults", 1e300},
                                   {"/series/0/point/pair/1", 2147483647},
                                   {"/series/0/point/bytes", most},
                                   {"/series/0/point/ranks", 2147483647},
                                   {"/series/0/batch", most},
                                   {"/series/0/page_faults/1", 1e300},
                                   {"/series/0/transport/copied_bytes", most},
                                   {"/points/0/bus_bytes_per_sample", 1e300},
                                   {"/memory/0/rss_bytes", most},
                                   {"/noise/0/stolen/0", 1e19},
                                   {"/noise/0/interruptions", most},
                                   {"/noise/0/interruptions_per_second/0", 1e19},
                                   {"/noise/0/periods/0/share", 1e18},
                                   {"/noise/0/periods/0/false_alarm", 1.5},
                                   {"/ranks/1/actual_cpus/0", 2147483647},
                                   {"/provenance/hosts/0/cpus", 2147483647},
                                   {"/provenance/hosts/0/load_average", 1e300},
                                   {"/campaign/launch", 2147483647},
                                   {"/guidelines/0/factor", 1e300}});
}

TEST_CASE("values of a record that contradict each other are refused") {
  const std::string summary = "/series/0/summary/";
  check_refused("a launch measures no longer than it runs", {{"/measuring_seconds", 2.6}});
  check_refused("no time is longer than four times the launch, or an hour",
                {{"/series/0/samples_seconds/2", 4000},
                 {"/series/0/starts_seconds/1", 4000},
                 {"/series/0/noise_probes_seconds/0", 4000},
                 {"/series/0/skews_seconds/0", 4000},
                 {"/series/0/locals_seconds/1/0", 4000},
                 {summary + "maximum_seconds", 4000},
                 {"/clock/cost_seconds", 4000},
                 {"/noise/0/recorded_seconds", 4000},
                 {"/machine/0/at_seconds", 4000},
                 {"/machine/0/lines/0/seconds", 4000},
                 {"/machine/0/ranks/0/noise_probe_seconds", 4000}});
  check_refused("blocks add up to the samples", {{"/series/0/blocks", {1, 1}},
                                                 {"/series/0/starts_seconds", {0.5}},
                                                 {"/series/0/noise_probes_seconds", {1e-5}},
                                                 {"/series/0/page_faults", {0.0}}});
  check_refused("quantiles ascend",
                {{summary + "p90_seconds", 0.2},
                 {summary + "p999_seconds", 0.01, "series[0].summary.p99_seconds"},
                 {summary + "median_seconds", 0.2},
                 {summary + "mean_seconds", 0.2}});
  check_refused("a summary counts no more", {{summary + "skew_seconds", 1e-3},
                                             {summary + "page_faults", 1e6},
                                             {summary + "effective_samples", 7},
                                             {summary + "undisturbed_blocks", 3},
                                             {summary + "outliers/count", 7},
                                             {summary + "outliers/at_seconds/0", 1.6},
                                             {"/series/0/warm_up_blocks", 3}});
  check_refused("no machine moves an exabyte in a second",
                {{"/series/0/bytes_per_sample", 1'000'000'000'000'000'000}});
  check_refused("no rank is above the last one", {{"/memory/0/rank", 4},
                                                  {"/noise/0/rank", 4},
                                                  {"/machine/0/ranks/0/rank", 4},
                                                  {"/machine/0/lines/0/pair/1", 4},
                                                  {"/buffers/0/ranks/1", 4}});
  check_refused("limits are among the sizes tried",
                {{"/protocols/0/eager_limit_bytes", 4194305},
                 {"/protocols/0/evidence/unexpected/0/accepted", 4097}});
  check_refused("interruptions are parts of the recording",
                {{"/noise/0/stolen/0", 1e18},
                 {"/noise/0/interruptions", 1'000'000'000'000'000'000},
                 {"/noise/0/interruptions_per_second/0", 1e18},
                 {"/noise/0/longest_seconds", 2.6},
                 {"/noise/0/periods/0/period_seconds", 2.6}});
}

TEST_CASE("a record of a launch whose length is not known is taken") {
  json document = to_json(example_record());
  document["elapsed_seconds"] = 0;
  document["measuring_seconds"] = 0;
  CHECK(record_error(document).empty());
}

TEST_CASE("switches a thousand links apart are refused in a site file") {
  const auto error = [](const std::string& links) {
    return input_error_of([&] {
      read_sites(parse_json(
          R"({"schema":"hockney.sites/1","levels":["leaf"],"places":[{"hosts":"a","sites":["s"]},
              {"hosts":"b","sites":["t"]}],"hops":{"s":{"t":)" +
              links + "}}}",
          "f"));
    });
  };
  CHECK(error("2").empty());
  CHECK(error("2147483647") == "f: key 'hops.s.t' is 2147483647 (it is at most 1000)");
}

TEST_CASE("ranks that a call does not have are refused in a verification run") {
  VerificationRun run{.library = "l", .counting = "c"};
  run.points = {{.point = {.operation = "bcast", .bytes = {8}, .ranks = 4}}};
  const auto error = [&](int from, int root) {
    run.points.front().root = root;
    return input_error_of([&] {
      read_verification(verification_header(run) + verification_done(0, "", {{from, 1, 1, 8}}),
                        "f");
    });
  };
  CHECK(error(3, 3).empty());
  CHECK(error(4, 0) == "f: key 'traffic[0][0]' is 4 (it is at most 3)");
  CHECK(error(0, 4) ==
        "f: key 'points[0].root' is 4 (the root is one of the ranks) is the file damaged?");
}

}  // namespace hockney
