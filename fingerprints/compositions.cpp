#include "fingerprints/compositions.hpp"

#include <algorithm>
#include <array>

namespace hockney {
namespace {

const std::array<Composition, 4>& compositions() {
  static const std::array<Composition, 4> all{
      {{"allreduce", "nonoverlapping", "reduce", Share::all, "bcast", Share::all},
       {"allgather", "linear", "gather", Share::all, "bcast", Share::of_ranks},
       {"reduce_scatter", "non-overlapping", "reduce", Share::all, "scatter", Share::of_one},
       {"reduce_scatter_block", "basic_linear", "reduce", Share::of_ranks, "scatter", Share::all}}};
  return all;
}

std::optional<Workload> share(Share share, Workload work) {
  if (share == Share::of_ranks) work.bytes = {work.bytes.value * work.ranks};
  if (share == Share::of_one) {
    if (work.bytes.value % (work.ranks * work.element_bytes) != 0) return std::nullopt;
    work.bytes = {work.bytes.value / work.ranks};
  }
  return work;
}

}  // namespace

std::vector<const Composition*> compositions_of(const std::string& operation, const AskedWay& way) {
  const std::string asked = canonical_algorithm(operation, way.algorithm);
  std::vector<const Composition*> found;
  for (const Composition& each : compositions()) {
    const bool may_have_run = way.is_default() || asked == each.name;
    if (each.operation == operation && may_have_run) found.push_back(&each);
  }
  return found;
}

bool is_composition(const std::string& operation, const std::string& algorithm) {
  return std::ranges::any_of(compositions(), [&](const Composition& each) {
    return each.operation == operation && each.name == algorithm;
  });
}

std::optional<std::pair<Workload, Workload>> parts_of(const Composition& composition,
                                                      const Workload& work) {
  const auto first = share(composition.first_share, work);
  const auto second = share(composition.second_share, work);
  if (!first || !second) return std::nullopt;
  return std::pair(*first, *second);
}

Schedule one_after_other(Schedule first, const Schedule& second) {
  for (std::size_t rank = 0; rank < first.ranks.size(); ++rank) {
    const RankSchedule& more = second.ranks[rank];
    for (std::size_t step = 0; step < more.steps(); ++step) {
      for (const Transfer& transfer : more.step(step)) first.ranks[rank].start(transfer);
      first.ranks[rank].wait();
    }
  }
  return first;
}

}  // namespace hockney
