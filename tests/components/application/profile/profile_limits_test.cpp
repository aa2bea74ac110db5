#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "components/application/profile/profile_file.hpp"
#include "tests/support/error_line.hpp"

namespace hockney::profile {
namespace {

using nlohmann::json;

json whole_profile() {
  return load_json(HOCKNEY_SOURCE_DIR "/tests/fixtures/profiles/p2.json").json();
}

std::string profile_error(const json& document) {
  return input_error_of([&] { read_value<Profile>(parse_json(document.dump(), "p")); });
}

std::string error_with(const std::string& pointer, const json& value) {
  json document = whole_profile();
  document.at(json::json_pointer(pointer)) = value;
  return profile_error(document);
}

}  // namespace

TEST_CASE("numbers that cannot be are refused in a profile, with their key") {
  CHECK(profile_error(whole_profile()).empty());
  struct Nonsense {
    std::string pointer;
    json value;
    std::string key;
  };
  const std::vector<Nonsense> all{
      {"/seconds", 1e300, "seconds"},
      {"/ranks/0/seconds", 1e3, "ranks[0].seconds"},
      {"/ranks/1/mpi_seconds", 1e300, "ranks[1].mpi_seconds"},
      {"/ranks/1/io_seconds", 1e6, "ranks[1].io_seconds"},
      {"/ranks/1/mpi_io_seconds", 1e6, "ranks[1].mpi_io_seconds"},
      {"/ranks/0/calls", 9223372036854775807, "ranks[0].calls"},
      {"/ranks/0/folded_calls", 9223372036854775807, "ranks[0].folded_calls"},
      {"/ranks/0/io_bytes", 9223372036854775807, "ranks[0].io_bytes"},
      {"/ranks/0/signal", 2147483647, "ranks[0].signal"},
      {"/ranks/0/cpus/0", 2147483647, "ranks[0].cpus[0]"},
      {"/calls/0/count", 9223372036854775807, "calls[0].count"},
      {"/calls/0/bytes", 9223372036854775807, "calls[0].bytes"},
      {"/calls/0/seconds", 1e300, "calls[0].seconds"},
      {"/calls/0/max_seconds", 1e18, "calls[0].max_seconds"},
      {"/calls/0/ranks", 2147483647, "calls[0].ranks"},
      {"/calls/0/slowest_rank", 2147483647, "calls[0].slowest_rank"},
      {"/calls/0/slowest_seconds", 1e300, "calls[0].slowest_seconds"},
      {"/messages/0/bytes", 9223372036854775807, "messages[0].bytes"},
      {"/messages/0/messages", 9223372036854775807, "messages[0].messages"},
      {"/messages/0/min_bytes", 9223372036854775807, "messages[0].min_bytes"},
      {"/regions/0/seconds", 1e300, "regions[0].seconds"},
      {"/regions/0/entered", 9223372036854775807, "regions[0].entered"},
      {"/communicators/0/size", 2147483647, "communicators[0].size"},
      {"/price/send_seconds", 1e308, "price.send_seconds"},
      {"/price/other_seconds", 0.9, "price.other_seconds"},
      {"/provenance/hosts/0/cpus", 2147483647, "provenance.hosts[0].cpus"},
  };
  for (const Nonsense& nonsense : all) {
    CAPTURE(nonsense.pointer);
    CHECK(error_with(nonsense.pointer, nonsense.value)
              .starts_with("p: key '" + nonsense.key + "' is "));
  }
}

TEST_CASE("values of a profile that contradict each other are refused") {
  struct Contradiction {
    std::string pointer;
    json value;
    std::string why;
  };
  const std::vector<Contradiction> all{
      {"/calls/0/site", 1000, "communicators, sites, regions and ranks of rows exist"},
      {"/messages/0/to", 1000, "communicators, sites, regions and ranks of rows exist"},
      {"/ranks/1/rank", 0, "ranks ascend"},
      {"/ranks/1/rank", 1000, "ranks ascend"},
      {"/seconds", 1e6, "a rank runs no longer than the program"},
      {"/ranks/0/seconds", 1e6, "a rank runs no longer than the program"},
      {"/ranks/1/io_seconds", 1e6, "a rank runs no longer than the program"},
      {"/calls/0/count", 1'000'000'000'000'000, "calls, messages and regions fit into the time"},
      {"/calls/0/max_seconds", 1e6, "calls, messages and regions fit into the time"},
      {"/regions/0/seconds", 1e6, "calls, messages and regions fit into the time"},
      {"/calls/0/min_bytes", 1'000'000'000'000, "the largest value is between"},
      {"/calls/0/slowest_seconds", 1e6, "the largest value is between"},
      {"/messages/0/bytes", 1'000'000'000'000'000, "the largest value is between"},
      {"/price/other_seconds", 0.9, "recording takes no longer than the calls"}};
  for (const Contradiction& one : all) {
    CAPTURE(one.pointer);
    CHECK_THAT(error_with(one.pointer, one.value), Catch::Contains("(" + one.why));
  }
}

TEST_CASE("stacks without frames or ranks are refused in a profile") {
  const json stack{{"frames", {0}}, {"call", ""}, {"ranks", {0, 1}}, {"counts", {3, 4}}};
  const json samples{{"period_seconds", 0.01},
                     {"lost", 0},
                     {"folded", 0},
                     {"threads", 1},
                     {"handler_seconds", 1e-6},
                     {"modules", {{{"path", "/bin/p"}, {"build_id", ""}}}},
                     {"frames", {{{"module", 0}, {"offset", 16}}}},
                     {"stacks", {stack}}};
  const auto error = [&](const std::string& pointer, const json& value) {
    json document = whole_profile();
    document["samples"] = samples;
    document["samples"].at(json::json_pointer(pointer)) = value;
    return profile_error(document);
  };
  CHECK(error("/lost", 0).empty());
  const std::string why = " (stacks have known frames, and a count for each of ascending ranks)";
  for (const auto& [pointer, value, problem] :
       std::vector<std::tuple<std::string, json, std::string>>{
           {"/frames/0/module", 1, "frames[0].module' is 1"},
           {"/stacks/0/frames", {1}, "stacks[0].frames' is wrong"},
           {"/stacks/0/counts", {3}, "stacks[0].counts' is wrong"},
           {"/stacks/0/ranks", {1, 1}, "stacks[0].ranks' is wrong"},
           {"/stacks/0/ranks", {0, 2}, "stacks[0].ranks' is wrong"}}) {
    CHECK_THAT(error(pointer, value), Catch::StartsWith("p: key 'samples." + problem + why));
  }
}

TEST_CASE("threads of a rank may be in files for longer than it runs") {
  CHECK(error_with("/ranks/0/io_seconds", 40).empty());
}

TEST_CASE("facts of a rank that are damaged behind its host are an input error") {
  const std::string name(100, 'n');  // on the heap
  const std::string host = R"({"name":")" + name + R"(","cpu_model":")" + name +
                           R"(","kernel":"","governor":"","clocksource":"","topology_digest":"",)" +
                           R"("cpus":2,"load_average":0.5})";
  const std::string rest = R"(,"command_line":[],"environment":{},"library":"","standard":""})";
  CHECK(facts_of(R"({"host":)" + host + R"(,"cpus":[0])" + rest, 0).host.name == name);
  CHECK_FALSE(
      input_error_of([&] { facts_of(R"({"host":)" + host + R"(,"cpus":"x")" + rest, 0); }).empty());
}

}  // namespace hockney::profile
