#include <catch2/catch.hpp>

#include "core/error.hpp"

namespace hockney {

TEST_CASE("a message is one line of three parts") {
  CHECK(to_line({"problem", "why", "do this"}) == "problem (why) do this");
  CHECK(to_line({"problem", "why", ""}) == "problem (why)");
  CHECK(to_line({"problem", "", "do this"}) == "problem do this");
  CHECK(to_line({"problem", "", ""}) == "problem");
}

TEST_CASE("line breaks of foreign texts do not break the line") {
  CHECK(to_line({"key 'a\nb'", "is\r\n7", "\tfix it"}) == "key 'a b' (is  7)  fix it");
}

TEST_CASE("letters beyond ASCII stay as they are") {
  CHECK(to_line({"µs", "größer", ""}) == "µs (größer)");
}

TEST_CASE("long names are cut in messages, and paths are not") {
  const std::string name(100'000, 'x');
  const std::string line = to_line({"unknown name '" + name + "'", "why " + name, name});
  CHECK(line.size() < 1000);
  CHECK(line.starts_with("unknown name 'xxx"));
  CHECK(line.find("xxx' (100002 bytes) (why xxx") != std::string::npos);
  const std::string path = "/" + std::string(250, 'p') + "/" + std::string(250, 'q');
  CHECK(to_line({"no file '" + path + "'", "", ""}) == "no file '" + path + "'");
  std::string words;
  for (int i = 0; i < 50'000; ++i) words += "a ";
  CHECK(to_line({"unknown name '" + words + "'", "", ""}).size() < 7000);
}

TEST_CASE("errors carry the exit code of their kind") {
  const InputError input({"a", "b", "c"});
  CHECK(input.code() == ExitCode::bad_input);
  CHECK(std::string(input.what()) == "a (b) c");
  CHECK(RunError({"a", "", ""}).code() == ExitCode::run_failed);
  CHECK(static_cast<int>(ExitCode::good) == 0);
  CHECK(static_cast<int>(ExitCode::verdict_failed) == 1);
  CHECK(static_cast<int>(ExitCode::bad_input) == 2);
  CHECK(static_cast<int>(ExitCode::run_failed) == 3);
}

}  // namespace hockney
