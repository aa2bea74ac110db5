#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "benchmarks/programs/launch/axes.hpp"
#include "benchmarks/programs/launch/option_parser.hpp"
#include "core/error.hpp"

namespace hockney::benchmarks::programs {
namespace {

const Axis& axis_of(const AnyParameter& parameter) {
  return *std::ranges::find(axes(), &parameter,
                            [](const Axis& axis) { return axis.values.parameter; });
}

TEST_CASE("every axis is another parameter, and its words are read as what records have") {
  std::set<const AnyParameter*> parameters;
  for (const Axis& axis : axes()) {
    INFO(axis.values.parameter->name);
    CHECK(parameters.insert(axis.values.parameter).second);
    CHECK((axis.section == Section::none) == axis.option.empty());
    for (const std::string& word : axis.values.words) {
      const ParameterValue value = axis.values.read(axis.option, word);
      CHECK(&value.parameter() == axis.values.parameter);
      CHECK(value.text() == word);
    }
  }
  CHECK(parameters.size() > 20);
}

TEST_CASE("what is no value of an axis is answered with the nearest one") {
  const auto read = [](const AnyParameter& parameter, const std::string& text) {
    const Axis& axis = axis_of(parameter);
    return axis.values.read(axis.option, text);
  };
  CHECK_THROWS_WITH(read(counts_parameter, "zipff"),
                    Catch::StartsWith("unknown distribution 'zipff' for --counts") &&
                        Catch::Contains("did you mean 'zipf'?"));
  CHECK_THROWS_WITH(
      read(cache_parameter, "hott"),
      Catch::StartsWith("unknown cache state 'hott'") && Catch::Contains("did you mean 'hot'?"));
  CHECK_THROWS_WITH(read(synchronisation_parameter, "fense"),
                    Catch::StartsWith("bad value 'fense' for --synchronisation") &&
                        Catch::Contains("did you mean 'fence'?"));
  CHECK_THROWS_AS(read(window_parameter, "0"), InputError);
  CHECK_THROWS_AS(read(threads_parameter, "100000"), InputError);
  CHECK(read(flows_parameter, "3").as<Flows>() == Flows{3});
  CHECK(read(root_parameter, "0").text() == "0");
}

TEST_CASE("an option that concerns none of the operations is an error that says why") {
  LaunchOptions options{.operations = {"bcast", "random-pairs"}};
  options.choices.set(pairing_parameter, {3});
  CHECK_NOTHROW(check_concerns(options));
  options.operations = {"bcast"};
  CHECK_THROWS_WITH(check_concerns(options),
                    "--pairing with the operations bcast (none of them draws pairs) leave it out, "
                    "or choose other operations; see --list");
}

TEST_CASE("the sides of guidelines say their parameters in words") {
  const Parameters parameters = parameters_of(GuidelineSide{
      .operation = "allreduce", .parameters = {{"in-place", "yes"}, {"operator", "user-sum"}}});
  CHECK(parameters[in_place_parameter] == ReceivePlace::in_place);
  CHECK(parameters[operator_parameter] == &find_operator("user-sum"));
  CHECK_THROWS_AS(
      parameters_of(GuidelineSide{.operation = "barrier", .parameters = {{"root", "1"}}}),
      std::logic_error);
}

}  // namespace
}  // namespace hockney::benchmarks::programs
