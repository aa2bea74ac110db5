#include "core/text.hpp"

#include <catch2/catch.hpp>

using namespace hockney;
using Texts = std::vector<std::string>;

TEST_CASE("the nearest name has the fewest edits") {
  const Texts names{"pingpong", "pingping", "exchange", "bandwidth"};
  CHECK(nearest_name("pingpnog", names) == "pingpong");
  CHECK(nearest_name("pingpin", names) == "pingping");
  CHECK(nearest_name("exchange", names) == "exchange");
  CHECK(nearest_name("bandwith", names) == "bandwidth");
}

TEST_CASE("one insertion, deletion or replacement is one edit") {
  // Each target is one edit away and its rival two.
  CHECK(nearest_name("abc", {"axyc", "abxc"}) == "abxc");
  CHECK(nearest_name("abc", {"a", "ac"}) == "ac");
  CHECK(nearest_name("abc", {"xyc", "xbc"}) == "xbc");
  CHECK(nearest_name("abc", {"abcdef", "xy"}) == "abcdef");  // both three: the first
}

TEST_CASE("nothing is near among no names") {
  CHECK(nearest_name("a", {}).empty());
  CHECK(nearest_name("", {"ab", "c"}) == "c");
  CHECK(suggest("a", {}).empty());
}

TEST_CASE("a suggestion names the nearest and all valid names") {
  CHECK(suggest("pingpon", {"exchange", "pingpong"}) ==
        "did you mean 'pingpong'? Valid: exchange, pingpong");
}

TEST_CASE("strings are made of members or by functions, in the order of the items") {
  struct Named {
    std::string name;
  };
  CHECK(strings_of(std::vector<Named>{{"b"}, {"a"}}, &Named::name) == Texts{"b", "a"});
  CHECK(strings_of(std::vector<int>{}, [](int i) { return std::to_string(i); }).empty());
}

TEST_CASE("assignments are joined as key=value, in order of keys") {
  CHECK(join_assignments({}).empty());
  CHECK(join_assignments({{"window", "64"}, {"cache", "hot"}}) == "cache=hot,window=64");
  CHECK(join_assignments({{"a", ""}, {"b", "1"}}, ";") == "a=;b=1");
}

TEST_CASE("join puts separators only between parts") {
  CHECK(join({}).empty());
  CHECK(join({"a"}) == "a");
  CHECK(join({"a", "", "b"}) == "a, , b");
  CHECK(join({"a", "b"}, "-") == "a-b");
}

TEST_CASE("split keeps empty parts") {
  CHECK(split("", ',') == Texts{""});
  CHECK(split("a", ',') == Texts{"a"});
  CHECK(split("a,b,,c", ',') == Texts{"a", "b", "", "c"});
  CHECK(split(",a,", ',') == Texts{"", "a", ""});
}
