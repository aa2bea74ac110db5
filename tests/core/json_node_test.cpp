#include <catch2/catch.hpp>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

#include "core/json_node.hpp"
#include "tests/support/error_line.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney {
namespace {

JsonNode sample() {
  return parse_json(R"({"text": "a", "whole": -7, "huge": 18446744073709551615, "real": 0.5,
    "yes": true, "nothing": null, "list": [1, 2], "texts": ["x", "y"], "mixed": [1, "z"],
    "inner": {"deep": [{"n": 3}]}})",
                    "a.json");
}

}  // namespace

TEST_CASE("values are read by type") {
  const JsonNode node = sample();
  CHECK(node.at("text").text() == "a");
  CHECK(node.at("text").is_text());
  CHECK(node.at("whole").integer() == -7);
  CHECK(node.at("whole").number() == -7.0);
  CHECK(node.at("huge").unsigned_integer() == 18446744073709551615U);
  CHECK(node.at("real").number() == 0.5);
  CHECK(node.at("yes").boolean());
  CHECK(node.at("list").integers() == std::vector<std::int64_t>{1, 2});
  CHECK(node.at("list").numbers() == std::vector<double>{1, 2});
  CHECK(node.at("texts").texts() == std::vector<std::string>{"x", "y"});
  CHECK(node.at("inner").is_object());
  CHECK(node.at("inner").at("deep").elements().front().at("n").integer() == 3);
  CHECK(node.at("inner").members().front().name == "deep");
  CHECK(node.file() == "a.json");
}

TEST_CASE("members are found whatever their order") {
  const JsonNode node =
      parse_json(R"({"ba": 1, "": 2, "b": 3, "aaa": 4, "ab": 5, "abc": 6, "a": 7})", "a.json");
  const std::vector<std::string> names{"", "a", "aaa", "ab", "abc", "b", "ba"};
  std::vector<std::string> found;
  std::vector<std::int64_t> values;
  for (const auto& [name, value] : node.members()) {
    found.push_back(name);
    values.push_back(node.at(name).integer());
    CHECK(value.integer() == values.back());
  }
  CHECK(found == names);
  CHECK(values == std::vector<std::int64_t>{2, 7, 4, 5, 6, 3, 1});
  for (const char* const other : {"aa", "bb", "c", "abd", "abcd"}) CHECK_FALSE(node.find(other));
}

TEST_CASE("a key of several names and places leads to a value") {
  const JsonNode node = sample();
  CHECK(node.find_below("inner.deep[0].n")->integer() == 3);
  CHECK(node.find_below("list[1]")->integer() == 2);
  for (const char* const other : {"inner.deep[1].n", "list.a", "text[0]", "inner[0]", "x.y", "]"}) {
    CHECK_FALSE(node.find_below(other));
  }
}

TEST_CASE("find tells missing and null from present") {
  const JsonNode node = sample();
  CHECK_FALSE(node.find("missing"));
  CHECK_FALSE(node.find("nothing"));
  REQUIRE(node.find("whole"));
  CHECK(node.find("whole")->integer() == -7);
}

TEST_CASE("a node outlives the document it came from") {
  const JsonNode inner = sample().at("inner").at("deep").elements().front();
  CHECK(inner.at("n").integer() == 3);
}

TEST_CASE("every error names file and key") {
  const JsonNode node = sample();
  struct Case {
    std::function<void()> action;
    std::string line;
  };
  const std::vector<Case> cases{
      {[&] { (void)node.at("txt"); }, "a.json: key 'txt' is missing (the document needs it)"},
      {[&] { (void)node.at("inner").at("x"); },
       "a.json: key 'inner.x' is missing (the document needs it)"},
      {[&] { (void)node.at("whole").text(); }, "a.json: key 'whole' is not a text (it is number)"},
      {[&] { (void)node.at("text").number(); },
       "a.json: key 'text' is not a number (it is string)"},
      {[&] { (void)node.at("real").integer(); },
       "a.json: key 'real' is not a whole number (it is number)"},
      {[&] { (void)node.at("huge").integer(); },
       "a.json: key 'huge' is 18446744073709551615 (it is out of range)"},
      {[&] { (void)node.at("whole").unsigned_integer(); },
       "a.json: key 'whole' is not a whole number of at least 0 (it is number)"},
      {[&] { (void)node.at("text").boolean(); },
       "a.json: key 'text' is not true or false (it is string)"},
      {[&] { (void)node.at("text").elements(); },
       "a.json: key 'text' is not an array (it is string)"},
      {[&] { (void)node.at("list").members(); },
       "a.json: key 'list' is not an object (it is array)"},
      {[&] { (void)node.at("list").at("a"); }, "a.json: key 'list' is not an object (it is array)"},
      {[&] { (void)node.at("text").find("a"); },
       "a.json: key 'text' is not an object (it is string)"},
      {[&] { (void)node.at("mixed").integers(); },
       "a.json: key 'mixed[1]' is not a whole number (it is string)"},
      {[&] { (void)node.at("mixed").texts(); },
       "a.json: key 'mixed[0]' is not a text (it is number)"},
      {[&] { (void)node.at("inner").at("deep").elements().front().at("m"); },
       "a.json: key 'inner.deep[0].m' is missing (the document needs it)"},
      {[&] { node.at("inner").at("deep").elements().front().allow_only({"m"}); },
       "a.json: key 'inner.deep[0].n' is unknown (nothing would read it) Valid: "
       "m"},
      {[&] { node.at("whole").reject("is odd", "it must be even", "double it"); },
       "a.json: key 'whole' is odd (it must be even) double it"},
      {[] { (void)parse_json("[1]", "b.json").at("a"); },
       "b.json: is not an object (it is array)"}};
  for (const Case& bad : cases) CHECK(input_error_of(bad.action) == bad.line);
}

TEST_CASE("known keys are allowed") {
  CHECK_NOTHROW(parse_json(R"({"a": 1, "b": 2})", "a.json").allow_only({"a", "b", "c"}));
}

TEST_CASE("malformed documents are input errors of one line") {
  for (const char* text : {"", "{", "[1,", "{\"a\": 1,}", "{} {}", "nul", "\"\n\"", "\"\xff\"",
                           "{\"a\"\n:\n\n?}", "1e999"}) {
    CAPTURE(text);
    const std::string line = input_error_of([&] { return parse_json(text, "some/a.json"); });
    CHECK(line.starts_with("some/a.json: cannot be read ("));
    CHECK(line.ends_with(") is the file whole?"));
  }
}

TEST_CASE("a key that occurs twice in one object is an input error") {
  const auto refused = [](const char* text) {
    return input_error_of([&] { return parse_json(text, "a.json"); });
  };
  CHECK(refused(R"({"a": 1, "b": [{"c": 2, "c": 3}]})")
            .starts_with("a.json: key 'b[0].c' occurs twice"));
  CHECK(refused(R"({"aa": 1, "b": 2, "c": 3, "ab": [4], "b": 5})")
            .starts_with("a.json: key 'b' occurs twice"));
  CHECK(refused(R"({"a": {"b": 1}, "a": 2})").starts_with("a.json: key 'a' occurs twice"));
  CHECK_NOTHROW(parse_json(R"({"a": {"a": [{"a": 1}, {"a": 1}]}, "b": {"a": 1}})", "a.json"));
}

TEST_CASE("files are JSON or CBOR by name") {
  const TemporaryFolder folder;
  const nlohmann::json value{{"a", {1, 2}}};
  const std::vector<std::uint8_t> cbor = nlohmann::json::to_cbor(value);
  const std::string binary(cbor.begin(), cbor.end());
  CHECK(load_json(folder.write("a.json", value.dump())).json() == value);
  CHECK(load_json(folder.write("a.cbor", binary)).json() == value);
  const std::string cut = folder.write("cut.cbor", binary.substr(0, binary.size() - 1));
  CHECK(input_error_of([&] { return load_json(cut); }).starts_with(cut + ": cannot be read ("));
  const std::string text = folder.write("text.cbor", value.dump());
  CHECK(input_error_of([&] { return load_json(text); }).starts_with(text + ": "));
}

TEST_CASE("documents beyond the limits are refused before there is a tree of them") {
  const std::string levels = "x: has more than 64 levels of arrays and objects (";
  const auto repeated = [](const std::string& part, std::size_t times) {
    std::string text;
    for (std::size_t i = 0; i < times; ++i) text += part;
    return text;
  };
  const auto json = [](const std::string& text) {
    return input_error_of([&] { parse_json(text, "x"); });
  };
  const auto cbor = [](const std::string& bytes) {
    return input_error_of([&] { parse_cbor(bytes, "x"); });
  };
  for (const std::size_t times : {65U, 50'000U, 5'000'000U}) {
    CAPTURE(times);
    CHECK(json(repeated("[", times)).starts_with(levels));
    CHECK(json(repeated("{\"a\":", times)).starts_with(levels));
    CHECK(cbor(repeated("\x81", times)).starts_with(levels));          // array of one
    CHECK(cbor(repeated("\x9f", times)).starts_with(levels));          // array without a length
    CHECK(cbor(repeated("\xa1\x61\x61", times)).starts_with(levels));  // object of one
    CHECK(cbor(repeated("\xbf\x61\x61", times)).starts_with(levels));  // without a length
    CHECK(cbor(repeated("\xc1", times)).starts_with("x: cannot be"));  // tags
    CHECK(cbor(repeated("\x7f", times)).starts_with("x: cannot be"));  // texts in parts of texts
    CHECK(cbor(repeated("\x5f", times)).starts_with("x: cannot be"));  // bytes in parts of bytes
    CHECK(cbor("\xa1" + repeated("\x7f\x61\x61", times)).starts_with("x: cannot be"));
  }
  const std::string deepest = repeated("[", 64) + repeated("]", 64);
  CHECK(json(deepest).empty());
  CHECK(cbor(repeated("\x81", 63) + "\x80").empty());
}

TEST_CASE("what no document holds is told with its place among arrays and objects") {
  const std::string nan{"\xf9\x7e\x00", 3};
  const std::string list = "\x83\x01\x82\x02\x80\x82\xa1\x61\x61\x81" + nan;
  const std::string why = "a number that is not finite (nothing measured is) use the file as it ";
  CHECK(input_error_of([&] { parse_cbor(list, "x"); }) ==
        "x: key '[2][0].a[0]' holds " + why + "was written");
  CHECK(input_error_of([&] { parse_cbor(nan, "x"); }) == "x: key '' holds " + why + "was written");
}

TEST_CASE("a length that CBOR declares is not believed") {
  for (const char head : {'\x5b', '\x7b', '\x9b', '\xbb'}) {  // bytes, text, array, object
    for (const char first : {'\x10', '\x7f', '\xff'}) {
      const std::string bytes{head, first, 0, 0, 0, 0, 0, 0, 0, '\x61', 'a'};
      CHECK(input_error_of([&] { parse_cbor(bytes, "x"); }).starts_with("x: "));
    }
  }
}

TEST_CASE("texts of CBOR in parts are put together, bytes are no text") {
  const std::string text{"\xa1\x61\x61\x7f\x61\x62\x61\x63\xff"};
  CHECK(parse_cbor(text, "x").at("a").text() == "bc");
  CHECK(input_error_of([] {
          parse_cbor("\xa1\x61\x61\x41\x62", "x");
        }).starts_with("x: key 'a' holds bytes ("));
}

TEST_CASE("numbers read as they are, however they are parsed") {
  const JsonNode node =
      parse_json("[0.1, 5e-324, 1.7976931348623157e308, -0.0, 9007199254740993, 1e2, 1.2e29]", "x");
  CHECK(node.numbers() == std::vector<double>{0.1, 5e-324, 1.7976931348623157e308, -0.0,
                                              9007199254740992, 100, 1.2e29});
  CHECK(input_error_of([] {
          parse_json("123456789012345678901234567890", "x");
        }).starts_with("x: cannot be read ("));
}

TEST_CASE("a document may have so many bytes, levels and values and no more") {
  const DocumentLimits limits{.bytes = 12, .levels = 2, .values = 5};
  const auto refused = [&](const std::string& text) {
    const std::vector<std::uint8_t> cbor = nlohmann::json::to_cbor(nlohmann::json::parse(text));
    const std::string bytes(cbor.begin(), cbor.end());
    const std::string line = input_error_of([&] { parse_json(text, "x", limits); });
    CHECK(input_error_of([&] { parse_cbor(bytes, "x", limits); }) ==
          (line.find(" bytes ") == std::string::npos ? line : ""));
    return line.substr(0, line.find(" ("));
  };
  CHECK(refused("[1,2,3,[ ]]").empty());
  CHECK(refused("[1,2,3,4,5]") == "x: has more than 5 values");
  CHECK(refused("[{\"a\":{ }}]") == "x: has more than 2 levels of arrays and objects");
  CHECK(refused("[1,         2]") == "x: has more than 12 bytes");
}

TEST_CASE("a file that is too large is not read") {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.json", "[");
  std::filesystem::resize_file(file, DocumentLimits().bytes + 1);  // takes no place on the disk
  CHECK(input_error_of([&] { load_json(file); }) ==
        "cannot read '" + file + "' (it has more than 536870912 bytes) check the name");
  CHECK(input_error_of([] { load_json("/dev/zero", {.bytes = 1000}); }) ==
        "cannot read '/dev/zero' (it has more than 1000 bytes) check the name");
}

TEST_CASE("a mark of UTF-8 at the beginning is passed over") {
  CHECK(parse_json("\xef\xbb\xbf[1]", "x").integers() == std::vector<std::int64_t>{1});
}

TEST_CASE("a text with NUL is refused with its key") {
  CHECK(input_error_of([] { parse_json(R"({"a": {"b": ["\u0000"]}})", "f"); }) ==
        "f: key 'a.b[0]' holds the character NUL (no text of a document does) use the file as it "
        "was written");
}

}  // namespace hockney
