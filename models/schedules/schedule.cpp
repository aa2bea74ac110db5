#include "models/schedules/schedule.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include "core/collectives.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "models/schedules/traffic.hpp"

namespace hockney::schedules {

void RankSchedule::wait() {
  const std::size_t begun = ends_.empty() ? 0 : ends_.back();
  if (transfers_.size() > begun) ends_.push_back(transfers_.size());
}

std::span<const Transfer> RankSchedule::step(std::size_t index) const {
  const std::size_t begin = index == 0 ? 0 : ends_[index - 1];
  return std::span(transfers_).subspan(begin, ends_[index] - begin);
}

Slots even_part(const Slots& slots, std::int64_t parts, std::int64_t index) {
  return even_parts(slots, parts, index, index + 1);
}

Slots even_parts(const Slots& slots, std::int64_t parts, std::int64_t first, std::int64_t last) {
  const std::int64_t least = slots.count / parts;
  const std::int64_t larger = slots.count % parts;
  const auto begin = [&](std::int64_t part) { return part * least + std::min(part, larger); };
  return {.first = slots.first + begin(first), .count = begin(last) - begin(first)};
}

Slots ceiling_part(const Slots& slots, std::int64_t parts, std::int64_t index) {
  const std::int64_t size = (slots.count + parts - 1) / parts;
  const std::int64_t begin = std::min(index * size, slots.count);
  return {.first = slots.first + begin, .count = std::min(size, slots.count - begin)};
}

Slots whole(const Workload& workload) {
  return {.first = 0, .count = workload.bytes.value / workload.element_bytes};
}

std::vector<Slots> segments_of(const Workload& workload) {
  const Slots all = whole(workload);
  const std::int64_t wanted =
      std::max<std::int64_t>(workload.segment.value / workload.element_bytes, 1);
  if (workload.segment.value <= 0 || wanted >= all.count) return {all};
  std::vector<Slots> segments;
  for (std::int64_t first = 0; first < all.count; first += wanted) {
    segments.push_back({.first = first, .count = std::min(wanted, all.count - first)});
  }
  return segments;
}

int power_below(int ranks) {
  int power = 1;
  while (power <= ranks / 2) power *= 2;
  return power;
}

bool is_power_of_two(int ranks) { return power_below(ranks) == ranks; }

namespace {

constexpr Bytes usual_segment{1 << 20};  // coll_tuned_allreduce_algorithm_segmentsize for the ring

/// Phase `phase` of `phases` of block `block`, which wraps round.
Slots block_phase(const ScheduleBuilder& builder, int block, std::int64_t phases,
                  std::int64_t phase) {
  const int ranks = builder.ranks();
  const Slots slots =
      even_part(whole(builder.workload()), ranks, ((block % ranks) + ranks) % ranks);
  return even_part(slots, phases, phase);
}

Schedule ring(const Workload& workload, std::int64_t phases) {
  ScheduleBuilder builder = draw_vector(workload);
  const int ranks = workload.ranks;
  const auto round = [&](int shift, std::int64_t of, std::int64_t phase, Delivery delivery) {
    for (int rank = 0; rank < ranks; ++rank) {
      builder.receive(rank, (rank - 1 + ranks) % ranks,
                      block_phase(builder, rank + shift - 1, of, phase), delivery);
      builder.send(rank, (rank + 1) % ranks, block_phase(builder, rank + shift, of, phase));
      builder.wait(rank);
    }
  };
  for (std::int64_t phase = 0; phase < phases; ++phase) {
    for (int k = 0; k < ranks - 1; ++k) round(-k, phases, phase, Delivery::combine);
  }
  for (int k = 0; k < ranks - 1; ++k) round(1 - k, 1, 0, Delivery::replace);
  return builder.finish();
}

std::optional<std::string> too_few(const Workload& workload, int needed) {
  const std::int64_t elements = whole(workload).count;
  if (elements >= needed) return std::nullopt;
  return fmt::format("{} elements cannot be divided among {} ranks", elements, needed);
}

constexpr std::int64_t any_size = std::numeric_limits<std::int64_t>::max();

/// The algorithms of an operation, and those that libraries usually choose.
struct Scheduled {
  std::string_view operation;
  Family (*family)();
  std::string_view of_short;
  std::int64_t to_bytes = any_size;  ///< of the whole vector
  std::string_view of_long = of_short;
};

constexpr std::array scheduled{
    Scheduled{"allgather", allgather_family, "bruck", 80 << 10, "ring"},
    Scheduled{"allreduce", allreduce_family, "recursive_doubling", 2 << 10, "rabenseifner"},
    Scheduled{"alltoall", alltoall_family, "modified_bruck", 256, "pairwise"},
    Scheduled{"barrier", barrier_family, "bruck"},
    Scheduled{"bcast", bcast_family, "binomial", 12 << 10, "scatter_allgather"},
    Scheduled{"exscan", exscan_family, "recursive_doubling"},
    Scheduled{"gather", gather_family, "binomial"},
    Scheduled{"reduce", reduce_family, "binomial", 2 << 10, "rabenseifner"},
    Scheduled{"reduce-scatter", reduce_scatter_family, "recursive_halving", 512 << 10, "pairwise"},
    Scheduled{"reduce-scatter-block", reduce_scatter_block_family, "recursive_halving"},
    Scheduled{"scan", scan_family, "recursive_doubling"},
    Scheduled{"scatter", scatter_family, "binomial"}};
static_assert(covers_schedules(scheduled));

/// nullptr for an operation without schedules.
const Family* find_family(std::string_view operation) {
  static const std::map<std::string_view, Family> families = [] {
    std::map<std::string_view, Family> all;
    for (const Scheduled& row : scheduled) all[row.operation] = row.family();
    return all;
  }();
  const auto found = families.find(plain_name(operation));
  return found == families.end() ? nullptr : &found->second;
}

/// nullptr for an unknown one.
const Algorithm* find(const std::string& operation, const std::string& name) {
  const Family* const family = find_family(operation);
  if (family == nullptr) return nullptr;
  const auto is_it = [&](const Algorithm& algorithm) {
    return algorithm.name == name || std::ranges::count(algorithm.other_names, name) > 0;
  };
  const auto found = std::ranges::find_if(*family, is_it);
  return found == family->end() ? nullptr : &*found;
}

const Algorithm& demand(const std::string& operation, const std::string& name) {
  if (find_family(operation) == nullptr) {
    throw InputError({fmt::format("no algorithms are known for operation '{}'", operation),
                      "only collectives have schedules",
                      suggest(operation, scheduled_operations())});
  }
  if (const Algorithm* found = find(operation, name)) return *found;
  throw InputError({fmt::format("unknown algorithm '{}' of {}", name, operation),
                    "hockney has no schedule of that name",
                    suggest(name, algorithms_of(operation))});
}

void check(const Workload& workload) {
  if (workload.ranks < 1) {
    throw InputError({fmt::format("no schedule for {} ranks", workload.ranks),
                      "a collective has at least one", "give a number of ranks above 0"});
  }
  if (workload.root < 0 || workload.root >= workload.ranks) {
    throw InputError({fmt::format("root {} is no rank", workload.root),
                      fmt::format("ranks are 0 to {}", workload.ranks - 1), "choose one of them"});
  }
  if (workload.bytes.value < 0 || workload.element_bytes < 1) {
    throw InputError({fmt::format("no schedule for elements of {} bytes in a size of {}",
                                  workload.element_bytes, workload.bytes.value),
                      "sizes are not negative, elements not empty", "give other sizes"});
  }
}

}  // namespace

Schedule allreduce_ring(const Workload& workload) { return ring(workload, 1); }

Schedule allreduce_segmented_ring(const Workload& workload) {
  const Bytes segment = workload.segment.value > 0 ? workload.segment : usual_segment;
  const std::int64_t elements = std::max<std::int64_t>(segment.value / workload.element_bytes, 1);
  const std::int64_t largest = even_part(whole(workload), workload.ranks, 0).count;
  return ring(workload, std::max<std::int64_t>((largest + elements - 1) / elements, 1));
}

Fold::Fold(int all) : ranks(all), power(power_below(all)), extra(all - power) {}

std::optional<std::string> fewer_elements_than_ranks(const Workload& workload) {
  return too_few(workload, workload.ranks);
}

std::optional<std::string> fewer_elements_than_power(const Workload& workload) {
  return too_few(workload, power_below(workload.ranks));
}

std::optional<std::string> ranks_no_power_of_two(const Workload& workload) {
  if (is_power_of_two(workload.ranks)) return std::nullopt;
  return fmt::format("{} is no power of two", workload.ranks);
}

std::optional<std::string> odd_ranks(const Workload& workload) {
  if (workload.ranks % 2 == 0) return std::nullopt;
  return fmt::format("{} ranks cannot be paired", workload.ranks);
}

std::optional<std::string> not_two_ranks(const Workload& workload) {
  if (workload.ranks == 2) return std::nullopt;
  return fmt::format("{} ranks are not two", workload.ranks);
}

std::vector<std::string> scheduled_operations() {
  return strings_of(scheduled, [](const Scheduled& row) { return std::string(row.operation); });
}

std::optional<std::string> scheduled_operation(std::string_view operation) {
  const Collective* const collective = find_collective(operation);
  if (collective == nullptr || !has_schedules(*collective)) return std::nullopt;
  return std::string(collective->name);
}

std::vector<std::string> algorithms_of(const std::string& operation) {
  const Family* const family = find_family(operation);
  if (family == nullptr) return {};
  return strings_of(*family, &Algorithm::name);
}

bool has_algorithm(const std::string& operation, const std::string& algorithm) {
  const Algorithm* found = find(operation, algorithm);
  return found != nullptr && found->name == algorithm;
}

bool is_in_libraries(const std::string& operation, const std::string& algorithm) {
  const Algorithm* found = find(operation, algorithm);
  return found != nullptr && found->is_in_libraries;
}

std::string usual_algorithm(const std::string& operation, const Workload& workload) {
  const auto* const row =
      std::ranges::find(scheduled, plain_name(operation), &Scheduled::operation);
  const auto fits = [&](const std::string& name) { return !unfit(operation, name, workload); };
  const bool is_short = workload.bytes.value <= row->to_bytes;
  for (const std::string_view wanted : {is_short ? row->of_short : row->of_long, row->of_short}) {
    std::string name(wanted);
    if (has_algorithm(operation, name) && fits(name)) return name;
  }
  const std::vector<std::string> known = algorithms_of(operation);
  return *std::ranges::find_if(known, fits);
}

std::string canonical_algorithm(const std::string& operation, const std::string& algorithm) {
  const Algorithm* found = find(operation, algorithm);
  return found == nullptr ? algorithm : found->name;
}

std::optional<std::string> unfit(const std::string& operation, const std::string& algorithm,
                                 const Workload& workload) {
  const Algorithm* found = find(operation, algorithm);
  if (found == nullptr || found->unfit == nullptr) return std::nullopt;
  return found->unfit(workload);
}

std::optional<std::string> algorithm_that_runs(const std::string& operation,
                                               const std::string& algorithm,
                                               const Workload& workload) {
  const Algorithm* found = find(operation, algorithm);
  if (found == nullptr || !unfit(operation, algorithm, workload)) return algorithm;
  if (found->in_its_place.empty()) return std::nullopt;
  return found->in_its_place;
}

Schedule schedule_of(const std::string& operation, const std::string& algorithm,
                     const Workload& workload) {
  const Algorithm& found = demand(operation, algorithm);
  check(workload);
  if (const auto why = unfit(operation, algorithm, workload)) {
    throw InputError({fmt::format("{} of {} is unfit for this work", found.name, operation), *why,
                      "choose another algorithm; libraries run one in its place"});
  }
  Workload work = workload;
  if (!find_collective(operation)->rooted) work.root = 0;
  return found.draw(work);
}

}  // namespace hockney::schedules
