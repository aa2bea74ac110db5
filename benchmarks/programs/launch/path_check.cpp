#include "benchmarks/programs/launch/path_check.hpp"

#include <algorithm>

#include "core/quantities.hpp"

namespace hockney::benchmarks::programs {
namespace {

bool is_flagged(const Series& series) {
  return std::ranges::find(series.flags, path_differs_flag) != series.flags.end();
}

std::string text(const PathProof& proof) {
  return proof.path ? *proof.path : "unproven: " + proof.reason;
}

}  // namespace

void flag_paths(Record& record, const std::optional<ExpectedPath>& expected) {
  if (!expected) return;
  bool differs = false;
  for (Series& series : record.series) {
    if (!series.transport || series.point.bytes < expected->from) continue;
    if (series.point.path == expected->path) continue;
    series.flags.emplace_back(path_differs_flag);
    differs = true;
  }
  if (differs) record.flags.emplace_back(path_differs_flag);
}

std::optional<Message> path_difference(const Record& record,
                                       const std::optional<ExpectedPath>& expected) {
  if (!expected) return std::nullopt;
  const auto first = std::ranges::find_if(record.series, is_flagged);
  if (first == record.series.end()) return std::nullopt;
  const std::optional<Transport>& transport = first->transport;
  if (!transport) return std::nullopt;
  const auto differing = std::ranges::count_if(record.series, is_flagged);
  return Message{
      "the path is not " + expected->path + " as expected in " + std::to_string(differing) +
          " series",
      curve_name(first->point) + " at " + format_bytes(first->point.bytes) + " is " +
          text(prove_path(*transport)),
      "see what the MPI library made of its settings, in provenance.mpi.settings of the record"};
}

}  // namespace hockney::benchmarks::programs
