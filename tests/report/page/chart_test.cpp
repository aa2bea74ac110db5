#include "report/page/chart.hpp"

#include <catch2/catch.hpp>

#include "report/page/plot.hpp"

namespace hockney::report {

using Json = nlohmann::json;

TEST_CASE("a placeholder becomes the value of its binding, and text inside a text") {
  const Json chart =
      R"({"x": "$number", "title": "time / $base", "y": "$series.color", "z": "$"})"_json;
  const Json bindings{{"number", 2}, {"base", "a $number"}, {"series", {{"color", "red"}}}};
  CHECK_THROWS_WITH(filled(chart, bindings), Catch::Contains("no value for '$'"));
  Json correct = chart;
  correct.erase("z");
  CHECK(filled(correct, bindings) == Json{{"x", 2}, {"title", "time / a $number"}, {"y", "red"}});
}

TEST_CASE("a placeholder without a value and an unused binding are errors that name them") {
  CHECK_THROWS_WITH(filled("$size", Json::object()), Catch::Contains("'$size'"));
  CHECK_THROWS_WITH(filled("$a.c", {{"a", {{"b", 1}}}}), Catch::Contains("'$a.c'"));
  CHECK_THROWS_WITH(filled("text", {{"size", 1}}), Catch::Contains("'size' is not used"));
  CHECK_THROWS_WITH(filled("a $size", {{"size", 1}}), Catch::Contains("not a text"));
  CHECK(filled("text", Json::object(), {{"size", 1}}) == "text");
  CHECK(filled("Over $base.", {{"base", "a"}}) == "Over a.");
  CHECK_THROWS_WITH(chart("ways", {{"ways", 1}}), Catch::StartsWith("chart ways: no value for"));
  CHECK_THROWS_AS(chart("no-such-chart", Json::object()), std::logic_error);
}

TEST_CASE("an object with a false condition is left out, and its bindings count as used") {
  const Json chart = R"([{"$if": "rows", "data": "$rows"}, {"x": {"$if": "flag", "y": 1}}])"_json;
  CHECK(filled(chart, {{"rows", {1}}, {"flag", true}}) ==
        R"([{"data": [1]}, {"x": {"y": 1}}])"_json);
  CHECK(filled(chart, {{"rows", Json::array()}, {"flag", nullptr}}) == R"([{}])"_json);
}

TEST_CASE("a part takes the members beside it, and the bindings around it") {
  const Json chart = R"({
    "$parts": {"axis": {"field": "$field", "title": "$title"}},
    "x": {"$use": "axis", "field": "low"},
    "y": {"$use": "axis", "field": "high", "title": "own", "$with": {"scale": {"domain": "$domain"}}}
  })"_json;
  CHECK(filled(chart, {{"title", "all"}, {"domain", nullptr}}) == R"({
    "x": {"field": "low", "title": "all"},
    "y": {"field": "high", "title": "own", "scale": {}}
  })"_json);
  const Json merged = filled(R"({"x": 1, "$with": {"y": "$legend", "x": "$none"}})"_json,
                             {{"legend", {{"title", nullptr}}}, {"none", nullptr}});
  CHECK(merged == R"({"y": {"title": null}})"_json);
  CHECK_THROWS_WITH(filled(R"({"$use": "unknown"})"_json, Json::object()),
                    Catch::Contains("'unknown'"));
}

TEST_CASE("a picture has the caption of its chart before its own, and the titles of its columns") {
  Picture picture{.id = "n", .title = "one slow", .caption = " More.", .table = {}};
  picture.table.headings = {{"host", "node"}, {"ratio", "times as long", Unit::number}};
  const Json values = R"([{"host": "a", "ratio": 2}])"_json;
  draw(picture, "nodes", values, {{"series", series_of("verdict", {"slow"})}});
  CHECK(picture.caption ==
        "How much longer the pairs of a node take than those of a usual node. More.");
  const Json& spec = picture.plot;
  CHECK(spec.at("description") == "one slow");
  CHECK(spec.at("data").at("values") == values);
  CHECK(spec.at("layer")[1].at("encoding").at("y").at("axis").at("title") == "times as long");
  CHECK_FALSE(spec.contains("caption"));
}

}  // namespace hockney::report
