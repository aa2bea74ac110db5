#include "models/collectives/prediction_json.hpp"

#include <nlohmann/json.hpp>

#include "core/json_values.hpp"

namespace hockney {

nlohmann::json to_json(const CollectiveQuestion& question, const PredictedTime& predicted) {
  const std::string& algorithm = question.algorithm;
  const CollectivePrediction& found = predicted.prediction;
  const auto objection = objection_to(predicted);
  return {{"operation", question.operation},
          {"algorithm", algorithm.empty() ? nlohmann::json(nullptr) : nlohmann::json(algorithm)},
          {"ranks", predicted.work.ranks},
          {"bytes", predicted.work.bytes.value},
          {"seconds", found.seconds},
          {"interval_seconds", bounds_or_null(found.interval)},
          {"no_interval_because", predicted.no_interval.empty()
                                      ? nlohmann::json(nullptr)
                                      : nlohmann::json(predicted.no_interval)},
          {"form", predicted.form},
          {"held_out_mape", or_null(found.held_out)},
          {"forced_because", objection ? nlohmann::json(objection->why) : nlohmann::json(nullptr)},
          {"extrapolated",
           {{"ranks", found.extrapolated.in_ranks}, {"bytes", found.extrapolated.in_bytes}}}};
}

}  // namespace hockney
