#include "campaign/simulated_uses.hpp"

#include "fingerprints/asked.hpp"

namespace hockney {

std::vector<AlgorithmUse> simulated_uses(const Record& record,
                                         const std::vector<std::string>& launcher_arguments) {
  std::vector<AlgorithmUse> uses;
  for (const PlannedPoint& planned : record.points) {
    const AskedWay way = asked_way(planned.point.operation, {}, launcher_arguments);
    if (way.is_default() || use_of(planned.point, uses) != nullptr) continue;
    uses.push_back({.operation = planned.point.operation,
                    .bytes = planned.point.bytes,
                    .ranks = planned.point.ranks,
                    .asked = way.algorithm,
                    .evidence = "the simulator runs the algorithm of this name unless it falls "
                                "back to another, and does not tell",
                    .parameters = choosing_parameters(planned.point)});
  }
  return uses;
}

}  // namespace hockney
