#include "core/json_limits.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "tests/support/error_line.hpp"

namespace hockney {
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
