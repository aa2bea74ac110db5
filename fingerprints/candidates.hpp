#pragma once

#include <string>
#include <vector>

#include "algorithms/schedule.hpp"
#include "algorithms/traffic.hpp"
#include "core/witness.hpp"
#include "fingerprints/asked.hpp"

namespace hockney {

/// An algorithm that may have run, and what it does.
struct PossibleAlgorithm {
  std::string algorithm;
  Workload workload;  ///< its companions included
  Schedule schedule;
};

/// Whether two schedules do the same: on every rank the same messages in the same steps, those of
/// one step in any order.
bool same_schedule(const Schedule& a, const Schedule& b);

/// Every algorithm known for the operation that fits the work and that libraries which count their
/// messages have: with the companions that were asked
/// for, and where none were, with each that libraries choose by themselves.
std::vector<PossibleAlgorithm> candidates(const WitnessedPoint& point, const AskedWay& way);

/// Those that send what was sent.
std::vector<PossibleAlgorithm> matching(std::vector<PossibleAlgorithm> all,
                                        const std::vector<SentTraffic>& sent);

/// The operation whose schedules a point has: "reduce_scatter" for "reduce-scatter", and
/// "allgather" for "allgatherv" with equal counts; empty when no algorithm of it is known.
std::string scheduled_name(const Point& point);

}  // namespace hockney
