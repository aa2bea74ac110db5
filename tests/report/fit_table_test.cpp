#include <catch2/catch.hpp>
#include <sstream>

#include "core/text.hpp"
#include "report/fit_table.hpp"
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

TEST_CASE("the fit table of ten launches of one line") {
  models::Curve curve = models::exact_curve({0, 1, 1024, 4096, 65536}, 10, steep_line);
  curve.point.pair = {0, 1};
  curve.pairs = 1;
  const auto lines = lines_of(set_of(curve));
  REQUIRE(lines.size() == 7);
  CHECK(lines[0] ==
        "# from[B] to[B] alpha[us] interval 1/beta[MB/s] interval beta [ns/B] n_half [B]");
  CHECK(lines[2] == "# pingpong ranks=2 hop=l3 pair=0-1: hockney, 10 launches, 5 sizes");
  CHECK(lines[3] == "0 64K 1.000 1.000 .. 1.000 4000 4000 .. 4000 0.2500 4000");
  CHECK(lines[4] ==
        "# error: mean 0.0 %, max 0.0 %, held-out sizes 0.0 %, held-out launches 0.0 %; "
        "noise floor 0.1 %");
}

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

}  // namespace hockney::report
