#include <catch2/catch.hpp>
#include <string>

#include "core/json_fields.hpp"
#include "tests/support/error_line.hpp"

namespace hockney {

using Json = nlohmann::json;

namespace {

enum class Colour { red, green };

struct Wheel {
  double inches = 0;
  friend bool operator==(const Wheel&, const Wheel&) = default;
};

struct Owner {
  std::string name;
  int age = 0;
  friend bool operator==(const Owner&, const Owner&) = default;
};

/// One member of each kind that lists know.
struct Bicycle {
  Colour colour = Colour::red;
  std::vector<Wheel> wheels;
  std::optional<int> gears;
  std::optional<Wheel> spare;
  std::vector<double> rides_seconds;
  std::string lock = "none";
  std::string bell;
  Bytes log{};
  double slope = 0;
  std::map<std::string, std::vector<std::string>> parts;
  Owner owner;
  int doubled = 0;
  std::vector<int> cogs{11};
  friend bool operator==(const Bicycle&, const Bicycle&) = default;
};

int halved(const JsonNode& node) { return static_cast<int>(node.integer() / 2); }
int twice(const int& value) { return 2 * value; }

constexpr auto words_of(std::type_identity<Colour>) {
  return std::to_array<std::string_view>({"red", "green"});
}

constexpr auto fields_of(std::type_identity<Wheel>) {
  return object_of(key("inches", &Wheel::inches));
}

constexpr auto fields_of(std::type_identity<Bicycle>) {
  return strict_object(
      DocumentSchema{"bicycle/1", "bring a bicycle"}, key("colour", &Bicycle::colour),
      key("wheels", &Bicycle::wheels), key("gears", &Bicycle::gears), key("spare", &Bicycle::spare),
      key("rides_seconds", &Bicycle::rides_seconds, KeyUse::null_if_empty),
      key("lock", &Bicycle::lock, KeyUse::may_be_missing),
      key("bell", &Bicycle::bell, KeyUse::left_out_if_empty), key("log_bytes", &Bicycle::log),
      key("slope", &Bicycle::slope, any_number).up_to(1), key("parts", &Bicycle::parts),
      members_of(&Bicycle::owner, key("owner", &Owner::name),
                 inner_object("about", key("age", &Owner::age))),
      key("doubled", &Bicycle::doubled, FieldCodec<int, int>{halved, twice}),
      key("cogs", &Bicycle::cogs, KeyUse::may_be_missing));
}

Bicycle full() {
  return {.colour = Colour::green,
          .wheels = {{28}, {26.5}},
          .gears = 7,
          .spare = Wheel{28},
          .rides_seconds = {60.5},
          .lock = "chain",
          .bell = "ring",
          .log = {8},
          .slope = -0.5,
          .parts = {{"brakes", {"front", "back"}}},
          .owner = {.name = "Ada", .age = 36},
          .doubled = 21,
          .cogs = {13, 15}};
}

std::string refusal_of(const Json& document) {
  return input_error_of([&] { return read_value<Bicycle>(parse_json(document.dump(), "b.json")); });
}

}  // namespace

TEST_CASE("a list writes the document that it reads") {
  const Json document = full();
  CHECK(document == Json::parse(R"({"schema": "bicycle/1", "colour": "green",
    "wheels": [{"inches": 28.0}, {"inches": 26.5}], "gears": 7, "spare": {"inches": 28.0},
    "rides_seconds": [60.5], "lock": "chain", "bell": "ring", "log_bytes": 8, "slope": -0.5,
    "parts": {"brakes": ["front", "back"]}, "owner": "Ada", "about": {"age": 36},
    "doubled": 42, "cogs": [13, 15]})"));
  CHECK(read_value<Bicycle>(parse_json(document.dump(), "b.json")) == full());
}

TEST_CASE("empty members are written as the list says, and read back") {
  Bicycle bare = full();
  bare.gears.reset();
  bare.spare.reset();
  bare.rides_seconds.clear();
  bare.bell.clear();
  Json document = bare;
  CHECK(document.at("gears").is_null());
  CHECK(document.at("spare").is_null());
  CHECK(document.at("rides_seconds").is_null());
  CHECK_FALSE(document.contains("bell"));
  CHECK(read_value<Bicycle>(parse_json(document.dump(), "b.json")) == bare);
  for (const char* key : {"gears", "spare", "rides_seconds", "lock", "cogs"}) document.erase(key);
  bare.lock = "none";
  bare.cogs = {11};
  CHECK(read_value<Bicycle>(parse_json(document.dump(), "b.json")) == bare);
}

TEST_CASE("whatever is wrong is refused with its key") {
  const Json good = full();
  const auto with = [&](const char* pointer, const Json& value) {
    Json document = good;
    document[Json::json_pointer(pointer)] = value;
    return refusal_of(document);
  };
  CHECK(refusal_of(good).empty());
  for (const char* key : {"schema", "colour", "wheels", "log_bytes", "owner", "about", "doubled"}) {
    Json document = good;
    document.erase(key);
    CHECK(refusal_of(document) ==
          "b.json: key '" + std::string(key) + "' is missing (the document needs it)");
  }
  CHECK(with("/schema", "bicycle/2") ==
        "b.json: key 'schema' is 'bicycle/2' (this program reads 'bicycle/1') bring a bicycle");
  CHECK_THAT(with("/colour", "gren"), Catch::Contains("did you mean 'green'?"));
  CHECK_THAT(with("/wheel", 1), Catch::Contains("did you mean 'wheels'?"));
  CHECK(with("/wheels/1/inches", -1) ==
        "b.json: key 'wheels[1].inches' is -1.000000 (it cannot be negative)");
  CHECK(with("/gears", -1) == "b.json: key 'gears' is -1 (it is out of range)");
  CHECK(with("/gears", 4'294'967'298) == "b.json: key 'gears' is 4294967298 (it is out of range)");
  CHECK(with("/log_bytes", -1) == "b.json: key 'log_bytes' is -1 (bytes cannot be negative)");
  CHECK(with("/about/age", 0.5) == "b.json: key 'about.age' is not a whole number (it is number)");
  CHECK_THAT(with("/parts/brakes", "front"), Catch::Contains("key 'parts.brakes' is not an array"));
}

TEST_CASE("a key has the limit of its unit") {
  CHECK(most_of("share") == 1);
  CHECK(most_of("p90_seconds") == longest_seconds);
  CHECK(most_of("bytes_per_second") == most_copy_rate);
  CHECK(most_of("interruptions_per_second") == most_total);
  CHECK(most_of("timeshare") == most_total);
}

TEST_CASE("numbers beyond the limit of a key are refused, in lists of lists too") {
  const auto error = [](const char* key, const Json& value) {
    Json document = full();
    document[Json::json_pointer(key)] = value;
    return refusal_of(document);
  };
  CHECK(error("/rides_seconds", {60, 1e300}) ==
        "b.json: key 'rides_seconds[1]' is 1e+300 (it is at most 316224000)");
  CHECK(error("/slope", -1e300) == "b.json: key 'slope' is -1e+300 (it is at most 1)");
  CHECK(error("/cogs", {11, 2'000'000}).empty());
  CHECK(error("/log_bytes", 9'000'000'000'000'000'000) ==
        "b.json: key 'log_bytes' is 9000000000000000000 (it is at most 1.125899906842624e+15)");
  CHECK(exceeds(std::vector<std::vector<int>>{{1}, {1, 2}}, 1));
  CHECK_FALSE(exceeds(std::optional<double>(), 1));
}

}  // namespace hockney
