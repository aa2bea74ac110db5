#pragma once

#include <string>
#include <vector>

#include "core/algorithm_use.hpp"
#include "driver/campaign/fingerprints/verdict.hpp"
#include "models/schedules/traffic.hpp"

namespace hockney::campaign {

/// A call that was made and counted, in which nothing was sent yet.
inline VerificationPoint counted_call(const std::string& operation, std::int64_t bytes, int ranks,
                                      std::int64_t element_bytes = 1) {
  return {.point = {.operation = operation, .bytes = {bytes}, .ranks = ranks},
          .element_bytes = element_bytes,
          .stage = VerificationStage::done};
}

/// The same with what an algorithm sends.
inline VerificationPoint call_of(const std::string& operation, const std::string& algorithm,
                                 schedules::Workload workload) {
  VerificationPoint call =
      counted_call(operation, workload.bytes.value, workload.ranks, workload.element_bytes);
  for (const auto& [pair, sent] : traffic_of(schedule_of(operation, algorithm, workload))) {
    call.traffic.push_back({pair.first, pair.second, sent.messages, sent.bytes});
  }
  return call;
}

inline const VerificationRun counting_library{.library = "Open MPI v4.1.4",
                                              .counting = "a counter"};

inline RequestedAlgorithm requesting(const std::string& algorithm) {
  RequestedAlgorithm way;
  way.algorithm = algorithm;
  return way;
}

}  // namespace hockney::campaign
