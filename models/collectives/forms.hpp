#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/collectives/closed_forms.hpp"
#include "models/collectives/gamma_table.hpp"
#include "models/collectives/hop_costs.hpp"

namespace hockney {

/// A model that is linear in its parameters: T = sum of row[j] parameter[j].
struct Form {
  std::string name;                     ///< "closed", "log2", "replay"
  std::string formula;                  ///< for people
  std::vector<std::string> parameters;  ///< with units: "alpha_seconds"
  std::function<std::vector<double>(const Workload&)> row;
};

/// What is known beside the times of one algorithm.
struct FormContext {
  const GammaTable* gammas = nullptr;
  /// The network of a number of ranks; nullopt when it is not known.
  std::function<std::optional<RankNetwork>(int ranks)> network;
};

/// The forms worth trying, the more specific first. Without an algorithm those of the black box
/// remain.
std::vector<Form> forms_for(const std::string& operation,
                            const std::optional<std::string>& algorithm,
                            const FormContext& context = {});

}  // namespace hockney
