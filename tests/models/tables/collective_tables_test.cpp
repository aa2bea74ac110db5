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

TEST_CASE("the document has the factors of a curve, and the error without them") {
  const collectives::Fits fits = fits_of("recursive_doubling", collectives::bent);
  const Json fit = to_json(fits).at("collectives").at(0);
  CHECK(fit.at("segments_mape") == fits.fits.at(0).unbent_mape);
  CHECK(fit.at("factors").size() == 5);
  CHECK(fit.at("factors").at(0).at("ranks").is_null());
}

}  // namespace hockney::report
