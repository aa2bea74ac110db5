#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "models/fit_set.hpp"
#include "tests/models/curve_fixture.hpp"

namespace hockney::models {

using Json = nlohmann::json;

namespace {

Json document_of(const Curve& curve) { return to_json(fit_curves(Curves{.curves = {curve}})); }

}  // namespace

TEST_CASE("the document has the keys that others rely on") {
  Curve curve = exact_curve(powers_of_two(12), 10, line);
  curve.point.path = "cma";
  curve.point.pair = {0, 3};
  curve.point.parameters = {{"window", "64"}};
  const Json document = document_of(curve);
  CHECK(document.at("schema") == "hockney.fit/1");
  REQUIRE(document.at("fits").size() == 1);
  const Json& fit = document.at("fits").at(0);
  CHECK(fit.at("operation") == "pingpong");
  CHECK(fit.at("point") == Json{{"ranks", 2},
                                {"hop", "l3"},
                                {"path", "cma"},
                                {"algorithm", nullptr},
                                {"pair", {0, 3}},
                                {"parameters", {{"window", "64"}}}});
  CHECK(fit.at("model") == "hockney");
  CHECK(fit.at("launches") == 10);
  CHECK(fit.at("mape").get<double>() < 1e-9);
  CHECK(fit.at("max_relative_error").get<double>() < 1e-9);
  CHECK(fit.at("held_out_mape").get<double>() < 1e-9);
  CHECK(fit.at("domain") == Json{{"from_bytes", 1}, {"to_bytes", 2048}});
  CHECK(fit.at("breakpoints_confirmed_by").is_null());
  CHECK(fit.at("warnings").empty());
  REQUIRE(fit.at("segments").size() == 1);
  const Json& segment = fit.at("segments").at(0);
  CHECK(segment.at("from_bytes") == 1);
  CHECK(segment.at("to_bytes") == 2048);
  CHECK(segment.at("alpha_seconds").get<double>() == Approx(1e-6));
  CHECK(segment.at("beta_seconds_per_byte").get<double>() == Approx(1e-10));
  REQUIRE(segment.at("alpha_ci_seconds").size() == 2);
  REQUIRE(segment.at("beta_ci_seconds_per_byte").size() == 2);
  CHECK(segment.at("alpha_ci_seconds").at(0).get<double>() == Approx(1e-6));
  CHECK(segment.at("ci_level").get<double>() == Approx(0.978515625));
  CHECK(segment.at("bandwidth_bytes_per_second").get<double>() == Approx(1e10));
  CHECK(segment.at("n_half_bytes").get<double>() == Approx(1e4));
}

TEST_CASE("what is not known is null") {
  const Json fit =
      document_of(exact_curve(powers_of_two(9), 1, [](double) { return 1e-6; })).at("fits").at(0);
  const Json& segment = fit.at("segments").at(0);
  CHECK(segment.at("alpha_ci_seconds").is_null());
  CHECK(segment.at("beta_ci_seconds_per_byte").is_null());
  CHECK(segment.at("ci_level").is_null());
  CHECK(segment.at("bandwidth_bytes_per_second").is_null());
  CHECK(segment.at("n_half_bytes").is_null());
  CHECK(fit.at("held_out_launch_mape").is_null());
  CHECK(fit.at("setting").is_null());
  CHECK(fit.at("warnings") == Json{"few_launches"});
}

TEST_CASE("breakpoints tell where they lie and what confirms them") {
  const auto jump = [](double n) { return n < 5000 ? line(n) : 3 * line(n); };
  const Json many = document_of(exact_curve(powers_of_two(20), 6, jump)).at("fits").at(0);
  CHECK(many.at("model") == "piecewise-hockney");
  CHECK(many.at("breakpoints") == Json::array({{{"after_bytes", 4096},
                                                {"before_bytes", 8192},
                                                {"recurrence", 1.0},
                                                {"names", nullptr}}}));
  CHECK(many.at("breakpoints_confirmed_by") == "launches");
  const Json one = document_of(exact_curve(powers_of_two(20), 1, jump)).at("fits").at(0);
  CHECK(one.at("breakpoints").at(0).at("recurrence").is_null());
  CHECK(one.at("breakpoints_confirmed_by") == "bic");
  CHECK(one.at("warnings") == Json{"few_launches", "unconfirmed_breakpoints"});
}

TEST_CASE("a failure is listed with its reason") {
  const Json document = document_of(exact_curve({8, 16}, 4, line));
  CHECK(document.at("fits").empty());
  const Json& failure = document.at("failures").at(0);
  CHECK(failure.at("operation") == "pingpong");
  CHECK(failure.at("reason") == "too_few_sizes");
  CHECK(failure.at("sizes_bytes") == Json{8, 16});
  CHECK(failure.at("sizes_needed") == 3);
}

}  // namespace hockney::models
