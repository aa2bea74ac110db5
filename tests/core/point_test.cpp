#include <catch2/catch.hpp>

#include "core/point.hpp"
#include "core/record_file.hpp"
#include "tests/support/example_record.hpp"

namespace hockney {

TEST_CASE("a curve is named by everything but the size") {
  CHECK(curve_name({.operation = "bcast", .ranks = 4}) == "bcast ranks=4");
  CHECK(curve_name(hockney::example_point(8)) ==
        "pingpong ranks=2 hop=l3 algorithm=direct pair=0-3 window=16");
  CHECK(curve_name(hockney::example_point(8)) == curve_name(hockney::example_point(64)));
}

TEST_CASE("hot caches are what a record means that does not name them") {
  const auto name_with = [](const char* cache) {
    return curve_name({.operation = "bcast", .ranks = 4, .parameters = {{"cache", cache}}});
  };
  CHECK(name_with("hot") == curve_name({.operation = "bcast", .ranks = 4}));
  CHECK(name_with("cold") == "bcast ranks=4 cache=cold");
  CHECK(name_with("fresh") == "bcast ranks=4 cache=fresh");
}

TEST_CASE("a series name has its parts in a fixed order and reads back") {
  const SeriesName name{.operation = "pingpong",
                        .keys = {{"setting", "nightly"},
                                 {"bytes", "8"},
                                 {"cache", "cold"},
                                 {"hop", "l3"},
                                 {"ranks", "2"}},
                        .figure = "seconds"};
  CHECK(name.text() == "pingpong/ranks=2 hop=l3 bytes=8 cache=cold setting=nightly/seconds");
  const SeriesName again = parse_series_name(name.text());
  CHECK(again.operation == "pingpong");
  CHECK(again.keys == name.keys);
  CHECK(again.figure == "seconds");
  CHECK(again.at("hop") == "l3");
  CHECK(again.at("window").empty());
}

TEST_CASE("separators inside of a value do not break a name") {
  const SeriesName name{.operation = "a/b", .keys = {{"setting", "x y/z"}}, .figure = "seconds"};
  CHECK(name.text() == "a+b/setting=x+y+z/seconds");
}

TEST_CASE("what was found is no part of a series, what was asked is") {
  Point point{.operation = "pingpong",
              .bytes = {8},
              .ranks = 2,
              .hop = "l3",
              .path = "shm",
              .algorithm = "ring",
              .pair = {0, 1},
              .parameters = {{"cache", "hot"}, {"window", "64"}}};
  const std::map<std::string, std::string> keys{{"ranks", "2"}, {"hop", "l3"}, {"window", "64"}};
  CHECK(series_keys(point) == keys);
  point.hop.reset();
  CHECK(series_keys(point).at("pair") == "0-1");
}

TEST_CASE("a content digest is that of RFC 4122") {
  // uuid.uuid5(uuid.UUID(int=0), "hockney") of Python.
  CHECK(content_digest("hockney") == "da08b019-b4d1-5778-9880-dca65043ea89");
  CHECK(content_digest("hockney ") != content_digest("hockney"));
}

TEST_CASE("a star stands for any text") {
  CHECK(matches("pingpong/bytes=8/seconds", "*"));
  CHECK(matches("pingpong/bytes=8/seconds", "pingpong/*"));
  CHECK(matches("pingpong/bytes=8/seconds", "*bytes=8*seconds"));
  CHECK(matches("aab", "*ab"));
  CHECK(matches("", "*"));
  CHECK(matches("", ""));
  CHECK_FALSE(matches("pingpong/bytes=8/seconds", "*bytes=80*"));
  CHECK_FALSE(matches("pingpong", "pingpon"));
  CHECK_FALSE(matches("", "a"));
}

}  // namespace hockney
