#include "campaign/fingerprints/candidates.hpp"

#include <algorithm>
#include <array>
#include <tuple>

namespace hockney::campaign {

using schedules::Schedule;
using schedules::Workload;
namespace {

const std::array<Composition, 4>& compositions() {
  static const std::array<Composition, 4> all{
      {{"allreduce", "nonoverlapping", "reduce", Portion::all, "bcast", Portion::all},
       {"allgather", "linear", "gather", Portion::all, "bcast", Portion::of_ranks},
       {"reduce_scatter", "non-overlapping", "reduce", Portion::all, "scatter", Portion::of_one},
       {"reduce_scatter_block", "basic_linear", "reduce", Portion::of_ranks, "scatter",
        Portion::all}}};
  return all;
}

std::optional<Workload> portion_of(Workload work, Portion portion) {
  if (portion == Portion::of_ranks) work.bytes = {work.bytes.value * work.ranks};
  if (portion == Portion::of_one) {
    if (work.bytes.value % (work.ranks * work.element_bytes) != 0) return std::nullopt;
    work.bytes = {work.bytes.value / work.ranks};
  }
  return work;
}

/// Segments that libraries cut messages into by themselves [B].
constexpr std::array<std::int64_t, 12> usual_segments{0,         1 << 10,   2 << 10,   4 << 10,
                                                      8 << 10,   16 << 10,  32 << 10,  64 << 10,
                                                      128 << 10, 256 << 10, 512 << 10, 1 << 20};

/// An operation with a count for each rank, and what it does when all are equal.
struct VectorForm {
  std::string_view name;
  std::string_view equal;
};

constexpr std::array<VectorForm, 5> vector_forms{{{"allgatherv", "allgather"},
                                                  {"alltoallv", "alltoall"},
                                                  {"alltoallw", "alltoall"},
                                                  {"gatherv", "gather"},
                                                  {"scatterv", "scatter"}}};

/// Algorithms of simulators and the literature, which no library has whose messages are counted.
struct Elsewhere {
  std::string_view operation;
  std::string_view algorithm;
};

constexpr std::array<Elsewhere, 3> elsewhere{
    {{"bcast", "linear_in_turn"}, {"bcast", "in-order_binomial"}, {"reduce_scatter", "pairwise"}}};

bool is_elsewhere(const std::string& operation, const std::string& algorithm) {
  return std::ranges::any_of(elsewhere, [&](const Elsewhere& each) {
    return each.operation == operation && each.algorithm == algorithm;
  });
}

std::vector<Bytes> segments(const VerificationPoint& point, const RequestedAlgorithm& requested) {
  if (requested.segment) return {*requested.segment};
  if (!requested.is_default()) return {Bytes{0}};
  std::vector<Bytes> all;
  for (const std::int64_t segment : usual_segments) {
    if (segment < point.point.bytes.value) all.push_back({segment});
  }
  return all.empty() ? std::vector<Bytes>{Bytes{0}} : all;
}

/// 0 stands for the library's own number.
int fanout_of(const std::string& algorithm, const RequestedAlgorithm& requested) {
  if (algorithm == "chain") return requested.chains.value_or(0);
  if (algorithm == "knomial") return requested.radix.value_or(0);
  return 0;
}

/// The messages of a step in an order of their own.
std::vector<std::tuple<schedules::Direction, int, std::int64_t>> messages(
    std::span<const schedules::Transfer> step) {
  std::vector<std::tuple<schedules::Direction, int, std::int64_t>> all;
  for (const schedules::Transfer& transfer : step) {
    all.emplace_back(transfer.direction, transfer.peer, transfer.bytes);
  }
  std::ranges::sort(all);
  return all;
}

bool same_rank(const schedules::RankSchedule& a, const schedules::RankSchedule& b) {
  if (a.steps() != b.steps()) return false;
  for (std::size_t step = 0; step < a.steps(); ++step) {
    if (messages(a.step(step)) != messages(b.step(step))) return false;
  }
  return true;
}

void add(std::vector<PossibleAlgorithm>& all, const std::string& algorithm,
         const Workload& workload, Schedule schedule) {
  const auto is_known = [&](const PossibleAlgorithm& known) {
    return known.algorithm == algorithm && same_schedule(known.schedule, schedule);
  };
  if (std::ranges::any_of(all, is_known)) return;
  all.push_back({algorithm, workload, std::move(schedule)});
}

std::vector<std::string> usable(const std::string& operation, const Workload& workload) {
  std::vector<std::string> names = schedules::algorithms_of(operation);
  std::erase_if(names, [&](const std::string& name) {
    return unfit(operation, name, workload) || is_elsewhere(operation, name);
  });
  return names;
}

void add(std::vector<PossibleAlgorithm>& all, const std::string& operation,
         const std::string& algorithm, const Workload& workload) {
  if (unfit(operation, algorithm, workload) || is_elsewhere(operation, algorithm)) return;
  add(all, algorithm, workload, schedule_of(operation, algorithm, workload));
}

/// For each of the two operations the library chooses an algorithm by itself.
void add(std::vector<PossibleAlgorithm>& all, const Composition& composition,
         const Workload& work) {
  const auto parts = parts_of(composition, work);
  if (!parts) return;
  for (const std::string& first : usable(composition.first, parts->first)) {
    const Schedule before = schedule_of(composition.first, first, parts->first);
    for (const std::string& second : usable(composition.second, parts->second)) {
      add(all, composition.name, work,
          one_after_other(before, schedule_of(composition.second, second, parts->second)));
    }
  }
}

}  // namespace

std::vector<const Composition*> compositions_of(const std::string& operation,
                                                const RequestedAlgorithm& requested) {
  const std::string name = schedules::canonical_algorithm(operation, requested.algorithm);
  std::vector<const Composition*> found;
  for (const Composition& each : compositions()) {
    const bool may_have_run = requested.is_default() || name == each.name;
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
  const auto first = portion_of(work, composition.first_portion);
  const auto second = portion_of(work, composition.second_portion);
  if (!first || !second) return std::nullopt;
  return std::pair(*first, *second);
}

Schedule one_after_other(Schedule first, const Schedule& second) {
  for (std::size_t rank = 0; rank < first.ranks.size(); ++rank) {
    const schedules::RankSchedule& more = second.ranks[rank];
    for (std::size_t step = 0; step < more.steps(); ++step) {
      for (const schedules::Transfer& transfer : more.step(step)) first.ranks[rank].start(transfer);
      first.ranks[rank].wait();
    }
  }
  return first;
}

bool same_schedule(const Schedule& a, const Schedule& b) {
  return std::ranges::equal(a.ranks, b.ranks, same_rank);
}

std::string scheduled_name(const Point& point) {
  std::string name = point.operation;
  const auto counts = point.parameters.find("counts");
  const bool equal = counts == point.parameters.end() || counts->second == "equal";
  for (const VectorForm& form : vector_forms) {
    if (equal && form.name == point.operation) name = form.equal;
  }
  std::string underscored = name;
  std::ranges::replace(underscored, '-', '_');
  const std::vector<std::string> known = schedules::scheduled_operations();
  for (const std::string& spelling : {name, underscored}) {
    if (std::ranges::find(known, spelling) != known.end()) return spelling;
  }
  return {};
}

std::vector<PossibleAlgorithm> candidates(const VerificationPoint& point,
                                          const RequestedAlgorithm& requested) {
  std::vector<PossibleAlgorithm> all;
  const std::string operation = scheduled_name(point.point);
  if (operation.empty()) return all;
  for (const Composition* each : compositions_of(operation, requested)) {
    add(all, *each,
        {.ranks = point.point.ranks,
         .bytes = point.point.bytes,
         .element_bytes = point.element_bytes});
  }
  for (const std::string& algorithm : schedules::algorithms_of(operation)) {
    for (const Bytes segment : segments(point, requested)) {
      add(all, operation, algorithm,
          {.ranks = point.point.ranks,
           .bytes = point.point.bytes,
           .element_bytes = point.element_bytes,
           .segment = segment,
           .fanout = fanout_of(algorithm, requested),
           .root = point.root});
    }
  }
  return all;
}

std::vector<PossibleAlgorithm> matching(std::vector<PossibleAlgorithm> all,
                                        const std::vector<SentTraffic>& sent) {
  schedules::Traffic traffic;
  for (const SentTraffic& each : sent) {
    traffic[{each.from, each.to}] = {each.messages, each.bytes};
  }
  std::erase_if(all, [&](const PossibleAlgorithm& candidate) {
    return traffic_of(candidate.schedule) != traffic;
  });
  return all;
}

}  // namespace hockney::campaign
