#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "models/tables/collective_tables.hpp"
#include "tests/models/collectives/prediction_truth.hpp"

namespace hockney::report {
namespace {

using Json = nlohmann::json;

/// Fits to six equal launches of 2, 4 and 8 ranks.
collectives::Fits fits_of(const std::string& algorithm, const collectives::MessageTime& message) {
  const collectives::Truth truth{algorithm, "allreduce", algorithm, message};
  const collectives::Sweep exact{.launch_noise = 0, .cell_noise = 0};
  return collectives::fit_collectives({collectives::measured_curve(truth, exact, 1)});
}

}  // namespace

TEST_CASE("the document of a collective has the keys that others rely on") {
  const Json document = to_json(fits_of("recursive_doubling", collectives::straight));
  const Json& fit = document.at("collectives").at(0);
  CHECK(fit.at("operation") == "allreduce");
  CHECK(fit.at("algorithm") == "recursive_doubling");
  CHECK(fit.at("algorithm_proven") == true);
  CHECK(fit.at("setting").is_null());
  CHECK(fit.at("ranks") == Json{2, 4, 8});
  CHECK(fit.at("launches") == 6);
  CHECK(fit.at("held_out_mape").get<double>() < 1e-9);
  CHECK(fit.at("held_out_worst").contains("relative_error"));
  const Json& parameters = fit.at("segments").at(0).at("parameters");
  CHECK(parameters.at("alpha_seconds").at("value").get<double>() == Approx(0.8e-6));
  CHECK(parameters.at("alpha_seconds").at("ci").size() == 2);
  CHECK(parameters.at("alpha_seconds").at("reason").is_null());
  CHECK(parameters.at("gamma_seconds_per_byte").at("value").is_null());
  CHECK(parameters.at("gamma_seconds_per_byte").at("reason").is_string());
}

TEST_CASE("the document has the factors of a curve, and the error without them") {
  const collectives::Fits fits = fits_of("recursive_doubling", collectives::bent);
  const Json fit = to_json(fits).at("collectives").at(0);
  CHECK(fit.at("segments_mape") == fits.fits.at(0).unbent_mape);
  CHECK(fit.at("factors").size() == 5);
  CHECK(fit.at("factors").at(0).at("ranks").is_null());
}

TEST_CASE("the document of a prediction has the time, and what makes it unreliable") {
  const collectives::Question question{"allreduce", "recursive_doubling", ""};
  const Json json = to_json(question, predict(fits_of("recursive_doubling", collectives::straight),
                                              nullptr, question, {.ranks = 16, .bytes = {1024}}));
  CHECK(json.at("operation") == "allreduce");
  CHECK(json.at("ranks") == 16);
  CHECK(json.at("bytes") == 1024);
  CHECK(json.at("seconds").get<double>() == Approx(4 * collectives::straight(16, 1024)));
  CHECK(json.at("interval_seconds").size() == 2);
  CHECK(json.at("no_interval_because").is_null());
  CHECK(json.at("form") == "closed");
  CHECK(json.at("forced_because").is_null());
  CHECK(json.at("extrapolated") == Json{{"ranks", true}, {"bytes", false}});
  CHECK(json.size() == 12);
}

}  // namespace hockney::report
