#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/text.hpp"
#include "models/tables/fit_table.hpp"
#include "tests/models/curve_fixture.hpp"
#include "tests/report/printed_tables.hpp"

namespace hockney::report {
namespace {

std::vector<std::string> lines_of(const models::FitSet& set) {
  std::ostringstream text;
  print_view(text, "", view_of(set));
  return strings_of(split(text.str(), '\n'), squeezed);
}

double steep_line(double n) { return 1e-6 + 2.5e-10 * n; }

models::FitSet set_of(const models::Curve& curve) {
  return fit_curves(models::Curves{.curves = {curve}});
}

}  // namespace

TEST_CASE("a missing interval says why") {
  const auto lines = lines_of(set_of(models::exact_curve({0, 1, 1024, 4096}, 5, steep_line)));
  REQUIRE(lines.size() == 8);
  CHECK(lines[3] == "0 4K 1.000 - 4000 - 0.2500 4000");
  CHECK(lines[5] == "# note: no interval (5 launches; 6 needed)");
}

TEST_CASE("a flat line has no bandwidth and an unbounded interval of it") {
  const models::Curve curve = models::exact_curve({1, 2, 4}, 6, [](double) { return 2e-6; });
  CHECK(lines_of(set_of(curve))[3] == "1 4 2.000 2.000 .. 2.000 unbounded .. unbounded 0.000");
}

TEST_CASE("an alpha that stays at its bound has no interval of width 0") {
  // A line through these would begin below 0.
  const auto convex = [](double n) { return 1e-10 * n - 5e-8; };
  const auto lines = lines_of(set_of(models::exact_curve({1024, 2048, 4096}, 6, convex)));
  CHECK_THAT(lines[3], Catch::Contains("0.000 at its bound"));
}

TEST_CASE("breakpoints show where they lie and how often they recur") {
  const auto jump = [](double n) { return n < 5000 ? steep_line(n) : 3 * steep_line(n); };
  const auto lines = lines_of(set_of(models::exact_curve(models::powers_of_two(20), 10, jump)));
  REQUIRE(lines.size() == 9);
  CHECK(lines[6] == "# breakpoints: 4K..8K (100.0 %)");
  const auto one = lines_of(set_of(models::exact_curve(models::powers_of_two(20), 1, jump)));
  CHECK(one[6] == "# breakpoints: 4K..8K");
  CHECK(one[8] == "# note: breakpoints rest on one launch (nothing shows that they recur)");
}

TEST_CASE("curves that were not fitted and records left out are told") {
  const models::Curves curves{.curves = {models::exact_curve({8, 1024}, 3, steep_line)},
                              .records_left_out = 1};
  const auto lines = lines_of(fit_curves(curves));
  CHECK(lines[1] ==
        "# pingpong ranks=2 hop=l3: not fitted (2 sizes: 8, 1K; 3 needed) measure more sizes");
  CHECK(lines[3] == "# note: 1 record left out (interrupted or failed launches)");
}

namespace {

using Json = nlohmann::json;

Json document_of(const models::Curve& curve) { return to_json(set_of(curve)); }

Json fit_of(const models::Curve& curve) { return document_of(curve).at("fits").at(0); }

}  // namespace

TEST_CASE("what is not known of a fit is null") {
  const Json fit =
      fit_of(models::exact_curve(models::powers_of_two(9), 1, [](double) { return 1e-6; }));
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

TEST_CASE("breakpoints in the document tell where they lie and what confirms them") {
  const auto jump = [](double n) { return n < 5000 ? models::line(n) : 3 * models::line(n); };
  const Json many = fit_of(models::exact_curve(models::powers_of_two(20), 6, jump));
  CHECK(many.at("model") == "piecewise-hockney");
  CHECK(many.at("breakpoints") == Json::array({{{"after_bytes", 4096},
                                                {"before_bytes", 8192},
                                                {"recurrence", 1.0},
                                                {"names", nullptr}}}));
  CHECK(many.at("breakpoints_confirmed_by") == "launches");
  const Json one = fit_of(models::exact_curve(models::powers_of_two(20), 1, jump));
  CHECK(one.at("breakpoints").at(0).at("recurrence").is_null());
  CHECK(one.at("breakpoints_confirmed_by") == "bic");
  CHECK(one.at("warnings") == Json{"few_launches", "unconfirmed_breakpoints"});
}

TEST_CASE("the document has curves that were not fitted, with the reason") {
  const Json document = document_of(models::exact_curve({8, 16}, 4, models::line));
  CHECK(document.at("fits").empty());
  const Json& failure = document.at("failures").at(0);
  CHECK(failure.at("operation") == "pingpong");
  CHECK(failure.at("reason") == "too_few_sizes");
  CHECK(failure.at("sizes_bytes") == Json{8, 16});
  CHECK(failure.at("sizes_needed") == 3);
}

}  // namespace hockney::report
