#include "driver/screens/models.hpp"

#include <catch2/catch.hpp>

#include "core/text.hpp"
#include "tests/models/curve_fixture.hpp"

namespace hockney::report {
namespace {

double steep_line(double n) { return 1e-6 + 2.5e-10 * n; }

models::Fit fit_named(const std::string& operation, const std::string& setting) {
  models::Curve curve = models::exact_curve({0, 1, 1024, 4096, 65536}, 10, steep_line);
  curve.point.operation = operation;
  models::Fit fit = fit_curves(models::Curves{.curves = {curve}}).fits.at(0);
  fit.setting = setting;
  return fit;
}

std::vector<std::string> names_in(const View& view) {
  std::vector<std::string> names;
  for (const auto& row : view.rows) names.push_back(std::get<std::string>(row.at(0)));
  return names;
}

std::vector<std::string> texts_in(const View& view) {
  return strings_of(view.texts, [](const TextLine& line) { return line.text; });
}

}  // namespace

TEST_CASE("what all models have in common stands above them") {
  const View view = summary_of({.fits = {fit_named("pingpong", "ranks=2,eager=4K"),
                                         fit_named("pingpong", "ranks=2,eager=8K")}},
                               {}, {});
  CHECK(names_in(view) ==
        std::vector<std::string>{"  setting=ranks=2,eager=4K", "  setting=ranks=2,eager=8K"});
  CHECK(texts_in(view) == std::vector<std::string>{"pingpong ranks=2 hop=l3"});
  CHECK(view.texts.at(0).row == 0);
}

TEST_CASE("the whole name of one model stands above it, and equal names stay whole") {
  models::Fit one = fit_named("pingpong", "a");
  CHECK(texts_in(summary_of({.fits = {one}}, {}, {})) ==
        std::vector<std::string>{"pingpong ranks=2 hop=l3 setting=a"});
  CHECK(names_in(summary_of({.fits = {one}}, {}, {})) == std::vector<std::string>{""});
  one.segments.push_back(one.segments.front());
  CHECK(texts_in(summary_of({.fits = {one}}, {}, {})).back() ==
        "alpha: of the first segment; 1/beta: of the last one");
  const models::Fit fit = fit_named("pingpong", "");
  const View view = summary_of({.fits = {fit, fit}}, {}, {});
  CHECK(names_in(view) ==
        std::vector<std::string>{"pingpong ranks=2 hop=l3", "pingpong ranks=2 hop=l3"});
  CHECK(view.texts.empty());
}

}  // namespace hockney::report
