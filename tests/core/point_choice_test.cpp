#include <catch2/catch.hpp>

#include "core/error.hpp"
#include "core/point_choice.hpp"
#include "tests/support/error_line.hpp"

namespace hockney {
namespace {

Point reduction(std::int64_t bytes, std::map<std::string, std::string> parameters = {}) {
  return {
      .operation = "allreduce", .bytes = {bytes}, .ranks = 2, .parameters = std::move(parameters)};
}

bool names(const std::string& text, const Point& point) {
  return parse_point_choice(text).names(point);
}

}  // namespace

TEST_CASE("the choice of a point names it alone, and reads back") {
  const Point point = reduction(4096, {{"memory", "cuda"}});
  const PointChoice choice = choice_of(point);
  CHECK(choice.text() == "allreduce ranks=2 memory=cuda at 4096 bytes");
  CHECK(parse_point_choice(choice.text()) == choice);
  CHECK(choice.names(point));
  CHECK_FALSE(choice.names(reduction(4096)));
  CHECK_FALSE(choice.names(reduction(8192, {{"memory", "cuda"}})));
}

TEST_CASE("what a choice leaves open names all") {
  CHECK(names("allreduce", reduction(8)));
  CHECK(names("allreduce ranks=2", reduction(8, {{"memory", "cuda"}})));
  CHECK_FALSE(names("allreduce ranks=4", reduction(8)));
  CHECK_FALSE(names("reduce", reduction(8)));
  CHECK(names("allreduce from 4K", reduction(4096)));
  CHECK(names("allreduce from 4K", reduction(1 << 20)));
  CHECK_FALSE(names("allreduce from 4K", reduction(4095)));
  CHECK(names("allreduce at 4K", reduction(4096)));
}

TEST_CASE("a value that names leave out can be chosen, too") {
  CHECK(names("allreduce memory=host", reduction(8)));
  CHECK_FALSE(names("allreduce memory=host", reduction(8, {{"memory", "cuda"}})));
}

TEST_CASE("choices travel in one text with their reasons") {
  const std::vector<PointChoice> choices{
      {.operation = "bcast", .bytes = Bytes{8}, .reason = "SIGSEGV: libmpi; 2 launches"},
      {.operation = "reduce", .words = {"memory=cuda"}, .bytes = Bytes{16}, .and_larger = true}};
  const std::string text = text_of(choices);
  CHECK(text == "bcast at 8 bytes: SIGSEGV: libmpi, 2 launches;reduce memory=cuda from 16 bytes");
  const std::vector<PointChoice> again = parse_point_choices(text);
  REQUIRE(again.size() == 2);
  CHECK(again[0].reason == "SIGSEGV: libmpi, 2 launches");
  CHECK(again[1] == choices[1]);
}

TEST_CASE("texts that name no points are refused") {
  const auto error = [](const std::string& text) {
    return error_line([&] { parse_point_choices(text); });
  };
  CHECK(error("") ==
        "'' names no points (it has no operation) write it like 'allreduce memory=cuda "
        "at 8 bytes'");
  CHECK_THAT(error("bcast cuda"), Catch::Contains("'cuda' is no parameter with its value"));
  CHECK_THAT(error("bcast at noon"), Catch::Contains("noon"));
}

}  // namespace hockney
