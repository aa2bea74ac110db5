#pragma once

#include <string>
#include <vector>

#include "algorithms/workload.hpp"
#include "models/collectives/costs.hpp"

namespace hockney {

/// The textbook time of one algorithm on a network where all ranks are equally far apart and every
/// rank sends and receives one message at a time (Thakur, Rabenseifner, Gropp 2005).
struct ClosedForm {
  std::string name;     ///< "closed", or what sets it apart: "closed, sends at once"
  std::string formula;  ///< with L = ceil(log2 p), h(n) = a + b n, m = segment, s = segments
  Costs (*costs)(const Workload&) = nullptr;
};

/// The closed forms of an algorithm under its canonical name (algorithms/schedule.hpp), the usual
/// one first; several where libraries differ in what they wait for. Empty where there is none.
std::vector<ClosedForm> closed_forms(const std::string& operation, const std::string& algorithm);

}  // namespace hockney
