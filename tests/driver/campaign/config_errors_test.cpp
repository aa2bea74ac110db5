#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "driver/campaign/config.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney::campaign {

using Json = nlohmann::json;

namespace {

struct BadConfig {
  std::string what;
  std::string patch;  ///< merged into a good config (RFC 7386), or the whole text when no object
  std::string says;   ///< must be in the message
};

const std::vector<BadConfig> bad_configs{
    {"truncated", "{\"schema\": \"hockney.campaign/1\", \"na", "cannot be read"},
    {"empty file", "", "cannot be read"},
    {"an array", "[1]", "object"},
    {"unknown schema", R"({"schema": "hockney.campaign/9"})", "hockney.campaign/9"},
    {"schema of a record", R"({"schema": "hockney.record/1"})", "hockney.campaign/1"},
    {"no schema", R"({"schema": null})", "schema"},
    {"unknown key", R"({"lanches": 3})", "did you mean 'launches'"},
    {"unknown key of a setting", R"({"settings": [{"name": "a", "enviroment": {}}]})",
     "did you mean 'environment'"},
    {"unknown key of the launcher", R"({"launcher": {"dialekt": "srun"}})",
     "did you mean 'dialect'"},
    {"unknown dialect", R"({"launcher": {"dialect": "openmp"}})", "did you mean 'openmpi'"},
    {"no name", R"({"name": null})", "name"},
    {"name with a slash", R"({"name": "a/b"})", "not plain"},
    {"name of dots", R"({"name": ".."})", "not plain"},
    {"no program", R"({"program": null})", "program"},
    {"empty program", R"({"program": ""})", "program"},
    {"mistyped program", R"({"program": 5})", "not a text"},
    {"mistyped arguments", R"({"arguments": "--sizes 0:4M"})", "arguments"},
    {"ranks 0", R"({"ranks": 0})", "ranks is 0"},
    {"negative ranks", R"({"ranks": -4})", "ranks is -4"},
    {"absurd ranks", R"({"ranks": 1000001})", "1000000"},
    {"ranks beyond any integer", R"({"ranks": 9000000000000000000})", "1000000"},
    {"fractional ranks", R"({"ranks": 2.5})", "whole number"},
    {"ranks in words", R"({"ranks": "hop"})", "hops"},
    {"launches 0", R"({"launches": 0})", "launches is 0"},
    {"too many launches", R"({"launches": 10001})", "10000"},
    {"no precision at all", R"({"precision": 0})", "precision"},
    {"a precision of one", R"({"precision": 1})", "precision"},
    {"precision as text", R"({"precision": "5%"})", "not a number"},
    {"max_launches 0", R"({"max_launches": 0})", "max_launches is 0"},
    {"launches and a precision", R"({"launches": 9, "precision": 0.05})",
     "both 'launches' and 'precision'"},
    {"launches and their maximum", R"({"launches": 9, "max_launches": 12})",
     "both 'launches' and 'max_launches'"},
    {"a precision of its own", R"({"launches": null, "arguments": ["--precision=5%"]})",
     "--precision=5%"},
    {"no budget", R"({"budget_seconds": 0})", "budget"},
    {"an endless budget", R"({"budget_seconds": 1e300})", "longer than ten years"},
    {"negative timeout", R"({"launch_timeout_seconds": -1})", "launch_timeout_seconds"},
    {"budget as text", R"({"budget_seconds": "60s"})", "not a number"},
    {"no settings", R"({"settings": []})", "settings"},
    {"settings no array", R"({"settings": {"name": "a"}})", "not an array"},
    {"setting without name", R"({"settings": [{}]})", "name"},
    {"settings twice", R"({"settings": [{"name": "a"}, {"name": "a"}]})", "occurs twice"},
    {"setting with a slash", R"({"settings": [{"name": "a/b"}]})", "a/b"},
    {"number in the environment", R"({"settings": [{"name": "a", "environment": {"A": 1}}]})",
     "settings[0].environment.A"},
    {"no variable", R"({"settings": [{"name": "a", "environment": {"A B": "1"}}]})", "'A B'"},
    {"output in the arguments", R"({"arguments": ["--output", "x"]})", "--output"},
    {"seed in a setting", R"({"settings": [{"name": "a", "arguments": ["--seed=1"]}]})", "--seed"},
    {"epochs in a budget", R"({"budget_seconds": 9, "arguments": ["--epochs=5"]})", "--epochs=5"},
    {"axes beside settings", R"({"settings": [{"name": "a"}], "axes": [{"name": "b",
      "variable": "B", "values": ["1"]}]})",
     "beside 'axes'"},
    {"a sweep without axes", R"({"sweep": "full"})", "without 'axes'"},
    {"conditions without axes", R"({"conditions": []})", "without 'axes'"},
    {"no axes", R"({"axes": []})", "'axes' is empty"},
    {"axis without values", R"({"axes": [{"name": "b", "variable": "B", "values": []}]})",
     "no values"},
    {"unknown key of an axis", R"({"axes": [{"name": "b", "variabel": "B", "values": ["1"]}]})",
     "did you mean 'variable'"},
    {"values in words", R"({"axes": [{"name": "b", "variable": "B", "values": "all"}]})",
     "write \"ask\""},
    {"asking for nothing", R"({"axes": [{"name": "b", "values": "ask"}]})", "name the variable"},
    {"a text without variable", R"({"axes": [{"name": "b", "values": ["1"]}]})",
     "name the variable"},
    {"except without asking",
     R"({"axes": [{"name": "b", "variable": "B", "values": ["1"], "except": ["2"]}]})", "except"},
    {"an axis twice", R"({"axes": [{"name": "b", "variable": "B", "values": ["1"]},
      {"name": "b", "variable": "C", "values": ["1"]}]})",
     "axis 'b' occurs twice"},
    {"a value twice", R"({"axes": [{"name": "b", "variable": "B", "values": ["1", "1"]}]})",
     "value '1' of axis 'b' occurs twice"},
    {"two axes of one variable", R"({"axes": [{"name": "b", "variable": "B", "values": ["1"]},
      {"name": "c", "variable": "B", "values": ["1"]}]})",
     "two axes set 'B'"},
    {"an axis of the environment", R"({"environment": {"B": "1"},
      "axes": [{"name": "b", "variable": "B", "values": ["1"]}]})",
     "of the campaign's environment"},
    {"an axis that is not plain",
     R"({"axes": [{"name": "b=c", "variable": "B", "values": ["1"]}]})", "'b=c' is not plain"},
    {"an axis of no variable", R"({"axes": [{"name": "b", "variable": "B C", "values": ["1"]}]})",
     "'B C'"},
    {"number as a value", R"({"axes": [{"name": "b", "variable": "B", "values": [8192]}]})",
     "axes[0].values[0]"},
    {"unknown sweep", R"({"axes": [{"name": "b", "variable": "B", "values": ["1"]}],
      "sweep": "ful"})",
     "did you mean 'full'"},
    {"a draw of none", R"({"axes": [{"name": "b", "variable": "B", "values": ["1"]}],
      "sweep": {"random": 0}})",
     "draws no combinations"},
    {"a condition on no axis", R"({"axes": [{"name": "bb", "variable": "B", "values": ["1"]}],
      "conditions": [{"when": {"b": ["1"]}, "because": "x"}]})",
     "did you mean 'bb'"},
    {"a condition on no value", R"({"axes": [{"name": "b", "variable": "B", "values": ["10"]}],
      "conditions": [{"when": {"b": ["1"]}, "because": "x"}]})",
     "did you mean '10'"},
    {"a condition without reason", R"({"axes": [{"name": "b", "variable": "B", "values": ["1"]}],
      "conditions": [{"when": {"b": ["1"]}}]})",
     "because"},
    {"a condition on nothing", R"({"axes": [{"name": "b", "variable": "B", "values": ["1"]}],
      "conditions": [{"when": {}, "because": "x"}]})",
     "empty 'when'"},
    {"unknown policy", R"({"ignored_settings": "flags"})", "did you mean 'flag'"},
    {"axes in the arguments", R"({"arguments": ["--axes", "a=1"]})", "--axes"},
    {"no variable for all", R"({"environment": {"A B": "1"}})", "'A B'"},
    {"two budgets", R"({"budget_seconds": 9, "arguments": ["--budget", "1"]})", "--budget"},
};

std::string text_of(const BadConfig& bad) {
  if (!bad.patch.starts_with("{") || bad.what == "truncated") return bad.patch;
  Json config{{"schema", "hockney.campaign/1"}, {"name", "good"}, {"program", "prog"}};
  config.merge_patch(Json::parse(bad.patch));
  return config.dump();
}

}  // namespace

TEST_CASE("a bad config is one line that names the file and what is wrong") {
  const TemporaryFolder folder;
  for (const BadConfig& bad : bad_configs) {
    CAPTURE(bad.what);
    const std::string file = folder.write("bad.json", text_of(bad));
    try {
      check_config(load_config(file));
      FAIL("accepted");
    } catch (const InputError& error) {
      const std::string line = error.what();
      CAPTURE(line);
      CHECK(error.code() == ExitCode::bad_input);
      CHECK(line.find('\n') == std::string::npos);
      CHECK(line.find("bad.json") != std::string::npos);
      CHECK(line.find(bad.says) != std::string::npos);
    }
  }
}

TEST_CASE("a config that does not exist is an input error") {
  CHECK_THROWS_AS(load_config("/no/such/config.json"), InputError);
}

}  // namespace hockney::campaign
