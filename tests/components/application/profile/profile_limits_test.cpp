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
