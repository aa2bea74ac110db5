#include "verdicts/imported_guidelines.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/call_guidelines.hpp"

namespace hockney::verdicts {
namespace {

/// The size of a call in a sum, by that of the left side.
enum class PartSize { same, all_blocks, block, smallest };

struct SumPart {
  std::string_view operation;
  PartSize size = PartSize::same;
};

/// A right side that does the work of the left one (docs/guidelines.md), of calls with other sizes
/// or of several calls.
struct CallSum {
  std::string_view guideline;
  std::string_view left;
  std::string_view right;
  SumPart first;
  SumPart second{};
};

constexpr std::array<CallSum, 11> call_sums{
    {{"gather <= reduce", "gather", "reduce of all blocks", {"reduce", PartSize::all_blocks}},
     {"scatter <= bcast", "scatter", "bcast of all blocks", {"bcast", PartSize::all_blocks}},
     {"allgather <= allreduce",
      "allgather",
      "allreduce of all blocks",
      {"allreduce", PartSize::all_blocks}},
     {"allgather <= gather + bcast",
      "allgather",
      "gather + bcast",
      {"gather"},
      {"bcast", PartSize::all_blocks}},
     {"allreduce <= reduce + bcast", "allreduce", "reduce + bcast", {"reduce"}, {"bcast"}},
     {"allreduce <= reduce-scatter-block + allgather",
      "allreduce",
      "reduce-scatter-block + allgather",
      {"reduce-scatter-block", PartSize::block},
      {"allgather", PartSize::block}},
     {"allreduce <= reduce-scatter + allgather",
      "allreduce",
      "reduce-scatter + allgather",
      {"reduce-scatter"},
      {"allgather", PartSize::block}},
     {"bcast <= scatter + allgather",
      "bcast",
      "scatter + allgather",
      {"scatter", PartSize::block},
      {"allgather", PartSize::block}},
     {"reduce <= reduce-scatter + gather",
      "reduce",
      "reduce-scatter + gather",
      {"reduce-scatter"},
      {"gather", PartSize::block}},
     {"reduce-scatter-block <= reduce-scatter",
      "reduce-scatter-block",
      "reduce-scatter of all blocks",
      {"reduce-scatter", PartSize::all_blocks}},
     {"barrier <= allreduce of one element",
      "barrier",
      "allreduce of one element",
      {"allreduce", PartSize::smallest}}}};

/// Calls that do more than the left one, with its size.
constexpr std::array<std::pair<const char*, const char*>, 4> larger_calls{
    {{"gather", "allgather"},
     {"allgather", "alltoall"},
     {"reduce", "allreduce"},
     {"reduce-scatter", "allreduce"}}};

Guideline stated_between(const std::string& name, std::string_view left, std::string_view right) {
  Guideline made{.name = name, .left = {}, .right = {}};
  made.left.operation = left;
  made.right.operation = right;
  return made;
}

/// Up to so many bytes are one element.
constexpr std::int64_t element = 8;

bool has_size(const Point& part, const Point& left, PartSize size) {
  switch (size) {
    case PartSize::same:
      return part.bytes == left.bytes;
    case PartSize::all_blocks:
      return part.bytes.value == left.bytes.value * left.ranks;
    case PartSize::block:
      return left.bytes.value > 0 && part.bytes.value * left.ranks == left.bytes.value;
    case PartSize::smallest:
      return part.bytes.value > 0 && part.bytes.value <= element;
  }
  return false;
}

/// Whether the parameters are the same, but for those of reductions where only one call has them.
bool have_like_parameters(const Point& a, const Point& b) {
  auto own = other_parameters(a, {});
  auto other = other_parameters(b, {});
  for (const char* key : {"datatype", "operator"}) {
    if (own.contains(key) == other.contains(key)) continue;
    own.erase(key);
    other.erase(key);
  }
  return own == other;
}

const TimedPoint* find_part(const std::vector<TimedPoint>& points, const TimedPoint& left,
                            const SumPart& part) {
  const TimedPoint* found = nullptr;
  for (const TimedPoint& timed : points) {
    const bool fits = timed.point.operation == part.operation && timed.place == left.place &&
                      timed.point.ranks == left.point.ranks && timed.point.hop == left.point.hop &&
                      timed.point.pair == left.point.pair &&
                      has_size(timed.point, left.point, part.size) &&
                      have_like_parameters(timed.point, left.point);
    if (fits && (found == nullptr || timed.point.bytes < found->point.bytes)) found = &timed;
  }
  return found;
}

std::optional<TimedPoint> timed_sum(const std::vector<TimedPoint>& points, const TimedPoint& left,
                                    const CallSum& sum) {
  const TimedPoint* first = find_part(points, left, sum.first);
  if (first == nullptr) return std::nullopt;
  TimedPoint made{
      .place = left.place, .point = left.point, .launches = first->launches, .reason = {}};
  made.point.operation = std::string(sum.right);
  if (sum.second.operation.empty()) return made;
  const TimedPoint* second = find_part(points, left, sum.second);
  if (second == nullptr) return std::nullopt;
  std::erase_if(made.launches,
                [&](const auto& launch) { return !second->launches.contains(launch.first); });
  for (auto& [launch, time] : made.launches) {
    const GuidelineTime& other = second->launches.at(launch);
    time.seconds += other.seconds;
    time.clock_seconds += other.clock_seconds;
  }
  return made;
}

}  // namespace

std::vector<Guideline> imported_guidelines() {
  std::vector<Guideline> all = guidelines_between_calls();
  for (const auto& [left, right] : larger_calls) {
    all.push_back(stated_between(std::string(left) + " <= " + right, left, right));
  }
  for (const CallSum& sum : call_sums) {
    all.push_back(stated_between(std::string(sum.guideline), sum.left, sum.right));
  }
  for (const char* operation : {"allgather", "allreduce", "alltoall", "bcast", "gather", "reduce",
                                "reduce-scatter", "reduce-scatter-block", "scatter", "barrier"}) {
    for (Guideline& guideline : unary_guidelines(operation, true)) {
      all.push_back(std::move(guideline));
    }
  }
  return all;
}

void add_sums(GuidelineTimes& times) {
  std::vector<TimedPoint> sums;
  for (const TimedPoint& left : times.points) {
    for (const CallSum& sum : call_sums) {
      if (sum.left != left.point.operation) continue;
      if (auto made = timed_sum(times.points, left, sum)) sums.push_back(std::move(*made));
    }
  }
  std::ranges::move(sums, std::back_inserter(times.points));
}

}  // namespace hockney::verdicts
