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

void check_wheels(const JsonNode& object, Bicycle& bicycle) {
  if (bicycle.wheels.size() > 2) object.at("wheels").reject("are too many", "it has two", "");
}

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
      key("slope", &Bicycle::slope, any_number), key("parts", &Bicycle::parts),
      members_of(&Bicycle::owner, key("owner", &Owner::name),
                 inner_object("about", key("age", &Owner::age))),
      key("doubled", &Bicycle::doubled, FieldCodec<int, int>{halved, twice}),
      key("cogs", &Bicycle::cogs, KeyUse::may_be_missing), checked_by(check_wheels));
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
  CHECK_THAT(with("/wheels/2", good.at("spare")), Catch::Contains("key 'wheels' are too many"));
  CHECK(with("/gears", -1) == "b.json: key 'gears' is -1 (it is out of range)");
  CHECK(with("/gears", 4'294'967'298) == "b.json: key 'gears' is 4294967298 (it is out of range)");
  CHECK(with("/log_bytes", -1) == "b.json: key 'log_bytes' is -1 (bytes cannot be negative)");
  CHECK(with("/about/age", 0.5) == "b.json: key 'about.age' is not a whole number (it is number)");
  CHECK_THAT(with("/parts/brakes", "front"), Catch::Contains("key 'parts.brakes' is not an array"));
}

namespace {

/// The line about a document that a limit refuses; empty where it takes it.
template <class Limit>
std::string limit_error(const Limit& limit, const std::string& document) {
  int owner = 0;
  return input_error_of([&] { limit.read(parse_json(document, "f"), owner); });
}

}  // namespace

TEST_CASE("a number beyond its limit is refused with key, value and limit") {
  const NumberLimit limit = at_most("share", 1);
  CHECK(limit_error(limit, R"({"share": 1})").empty());
  CHECK(limit_error(limit, R"({"share": null})").empty());
  CHECK(limit_error(limit, "{}").empty());
  CHECK(limit_error(limit, R"({"share": 1.5})") == "f: key 'share' is 1.5 (it is at most 1)");
  CHECK(limit_error(at_least("ranks", 2), R"({"ranks": 1})") ==
        "f: key 'ranks' is 1 (it is at least 2)");
  CHECK(limit_error(below("rank", 2), R"({"rank": 2})") == "f: key 'rank' is 2 (it is below 2)");
  CHECK(limit_error(below("rank", 2), R"({"rank": 1})").empty());
  CHECK(limit_error(within("error", 1), R"({"error": -1})").empty());
  CHECK(limit_error(within("error", 1), R"({"error": -1e300})") ==
        "f: key 'error' is -1e+300 (its magnitude is at most 1)");
}

TEST_CASE("a path goes through objects, and through all elements of arrays") {
  const NumberLimit limit = at_most("a.b.c", 1);
  CHECK(limit_error(limit, R"({"a": [{"b": {"c": [0, 1]}}, {"b": {"c": [[1], [2]]}}]})") ==
        "f: key 'a[1].b.c[1][0]' is 2 (it is at most 1)");
  CHECK(limit_error(limit, R"({"a": {"b": 7}, "c": 7, "b": {"c": 7}})").empty());
  CHECK(limit_error(limit, R"({"a": {"b": {"c": {"d": 7}}}})").empty());
  CHECK(limit_error(limit, R"({"a": "text"})").empty());
}

TEST_CASE("a star is every key below that ends in this way") {
  const NumberLimit limit = at_most("*seconds", 1);
  CHECK(limit_error(limit, R"({"bytes": 7, "seconds_of": 7, "a": [7]})").empty());
  CHECK(limit_error(limit, R"({"seconds": 7})").find("key 'seconds'") != std::string::npos);
  CHECK(limit_error(limit, R"({"a": [{"b": {"x_seconds": [1, 7]}}]})").find("b.x_seconds[1]'") !=
        std::string::npos);
  CHECK(limit_error(limit, R"({"x_seconds": {"y_seconds": 7}})").find("x_seconds.y_seconds'") !=
        std::string::npos);
  CHECK_FALSE(limit_error(at_most("a.*seconds", 1), R"({"a": {"b": {"seconds": 7}}})").empty());
}

TEST_CASE("other keys bound a number where they are there") {
  CHECK(limit_error(at_most("a", number_of("b")), R"({"a": 3, "b": 2})") ==
        "f: key 'a' is 3 (it is at most 'b', 2)");
  CHECK(limit_error(at_most("a", number_of("b")), R"({"a": 3, "b": null})").empty());
  CHECK(limit_error(at_most("a", number_of("b").times(2)), R"({"a": 4, "b": 2})").empty());
  CHECK(limit_error(at_most("a", number_of("b").times(2)), R"({"a": 5, "b": 2})") ==
        "f: key 'a' is 5 (it is at most 2 times 'b', 4)");
  CHECK(limit_error(at_most("a", known("b")), R"({"a": 3, "b": 0})").empty());
  CHECK_FALSE(limit_error(at_most("a", known("b")), R"({"a": 3, "b": 2})").empty());
  CHECK(limit_error(at_most("a", size_of_array("b")), R"({"a": 3, "b": [9, 9]})") ==
        "f: key 'a' is 3 (it is at most the number of 'b', 2)");
  CHECK(limit_error(at_most("a", largest_of("b.c")), R"({"a": 3, "b": [{"c": 1}, {"c": 2}]})") ==
        "f: key 'a' is 3 (it is at most the largest of 'b.c', 2)");
  CHECK(limit_error(at_most("a", largest_of("b")), R"({"a": 3, "b": []})").empty());
  CHECK(limit_error(at_least("a", smallest_of("b")), R"({"a": 3, "b": [5, 4]})") ==
        "f: key 'a' is 3 (it is at least the smallest of 'b', 4)");
  CHECK(limit_error(at_most("a", sum_of("b")), R"({"a": 10, "b": [5, 4]})") ==
        "f: key 'a' is 10 (it is at most the sum of 'b', 9)");
  CHECK(limit_error(at_most("a", ratio_of("b", "c")), R"({"a": 3, "b": [3, 1], "c": 2})") ==
        "f: key 'a' is 3 (it is at most 'b' / 'c', 2)");
  CHECK(limit_error(at_most("a", ratio_of("b", "c")), R"({"a": 3, "b": 1, "c": 0})").empty());
  CHECK(limit_error(at_most("a", product_of("b", "c")), R"({"a": 9, "b": 4, "c": 2})") ==
        "f: key 'a' is 9 (it is at most 'b' x 'c', 8)");
  CHECK(limit_error(at_most("a", inverse_of("b")), R"({"a": 5, "b": 0.25})") ==
        "f: key 'a' is 5 (it is at most 1 / 'b', 4)");
}

TEST_CASE("the rounding of computed numbers is no reason to refuse them") {
  CHECK(
      limit_error(at_most("a", number_of("b")), R"({"a": 0.30000000000000004, "b": 0.3})").empty());
  CHECK_FALSE(limit_error(at_most("a", number_of("b")), R"({"a": 0.3001, "b": 0.3})").empty());
}

TEST_CASE("keys that ascend are compared in pairs, also around a missing one") {
  const auto keys = ascending("low", "middle", "high");
  CHECK(limit_error(keys, R"({"low": 1, "middle": 1, "high": 2})").empty());
  CHECK(limit_error(keys, R"({"low": 1, "middle": 0, "high": 2})") ==
        "f: key 'low' is 1 (it is at most 'middle', 0)");
  CHECK(limit_error(keys, R"({"low": 3, "high": 2})") ==
        "f: key 'low' is 3 (it is at most 'high', 2)");
}

}  // namespace hockney
