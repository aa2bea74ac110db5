#pragma once

#include <string>
#include <vector>

#include "tune/evidence.hpp"
#include "tune/target.hpp"

namespace hockney::tune {

/// A row of a file of predictions: times of an operation that nobody measured.
struct PredictedRow {
  std::string operation;
  int ranks = 0;
  Bytes bytes{};
  Choice choice;  ///< the library's own for the algorithm "default"
  double seconds = 0;
  double low = 0;   ///< of its interval [s]
  double high = 0;  ///< [s]
};

/// Reads CSV with a header that holds operation, ranks, bytes, algorithm, seconds, low and high,
/// and may hold segment and fanout. InputError naming file, line and column.
std::vector<PredictedRow> read_predicted(const std::string& text, const std::string& file,
                                         Target target);

/// Adds predictions as candidates where nothing was measured of the same choice. One is shown to be
/// faster when its whole interval lies below that of the default, measured or itself predicted, and
/// it gains enough; where nothing is known of the default, none is.
void add_predicted(Evidence& evidence, const std::vector<PredictedRow>& rows);

}  // namespace hockney::tune
