#include "core/document_text.hpp"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <vector>

#include "core/json_node.hpp"
#include "core/json_values.hpp"
#include "core/record_file.hpp"
#include "tests/support/example_record.hpp"

namespace hockney {

using Json = nlohmann::json;

TEST_CASE("members of a document and items with parts have lines of their own") {
  const Json document{{"clock", {{"cost_seconds", 3e-8}, {"source", "a clock"}}},
                      {"empty", Json::array()},
                      {"flags", {"one", "two"}},
                      {"none", nullptr},
                      {"series",
                       {{{"blocks", {2, 1}}, {"samples_seconds", {1.5e-7, 2e-7, 1.0}}},
                        {{"blocks", Json::array()}}}},
                      {"whole", true}};
  CHECK(document_text(document) == R"({
 "clock": {"cost_seconds":3e-8,"source":"a clock"},
 "empty": [],
 "flags": ["one","two"],
 "none": null,
 "series": [
  {"blocks":[2,1],"samples_seconds":[1.5e-7,2e-7,1.0]},
  {"blocks":[]}
 ],
 "whole": true
}
)");
  CHECK(document_text(Json::object()) == "{}\n");
  CHECK(document_text(Json::array({1, 2})) == "[\n 1,\n 2\n]\n");
}

TEST_CASE("numbers have their fewest digits, and remain numbers with a fraction") {
  const std::vector<std::pair<double, std::string>> all{
      {0, "0.0"},
      {-0.0, "-0.0"},
      {1, "1.0"},
      {0.1, "0.1"},
      {-1.25e-7, "-1.25e-7"},
      {2e-5, "2e-5"},
      {0.001234, "0.001234"},
      {1e22, "1e22"},
      {1e-10, "1e-10"},
      {1e100, "1e100"},
      {5e-324, "5e-324"},
      {123456789012345680000.0, "1.2345678901234568e20"},
      {123456789012345.0, "123456789012345.0"},
      {5.478000000000001e-6, "5.478000000000001e-6"}};
  for (const auto& [number, text] : all) {
    CHECK(document_text(Json(number)) == text + "\n");
    const Json read = parse_json("[" + text + "]", "f").json().front();
    CHECK(read.is_number_float());
    CHECK(read.get<double>() == number);
  }
  CHECK(document_text(Json(std::numeric_limits<double>::infinity())) == "null\n");
  CHECK(document_text(Json(std::uint64_t{18446744073709551615U})) == "18446744073709551615\n");
  CHECK(document_text(Json(-7)) == "-7\n");
}

TEST_CASE("any double reads back as the same, with no more digits than nlohmann writes") {
  std::mt19937_64 draw(1);
  for (int i = 0; i < 20'000; ++i) {
    const double number = std::bit_cast<double>(draw() & ~(std::uint64_t{1} << 63U));
    if (!std::isfinite(number)) continue;
    const std::string text = document_text(Json(number));
    REQUIRE(parse_json(text, "f").json().get<double>() == number);
    REQUIRE(text.size() <= Json(number).dump().size() + 1);
  }
}

TEST_CASE("a file's text is the same document as that for people, escaped alike") {
  Json document = to_json(example_record());
  document["odd"] = "\x1b[31m \xff \xe2\x80\xae end";
  const std::string text = document_text(document);
  CHECK(parse_json(text, "f").json() == parse_json(json_text(document), "f").json());
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(text.find('\xff') == std::string::npos);
  CHECK(text.find("\xe2\x80\xae") == std::string::npos);
}

}  // namespace hockney
