#include "benchmarks/programs/launch/path_options.hpp"

#include <algorithm>

#include "core/cli/cli11.hpp"
#include "core/error.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"

namespace hockney {
namespace {

constexpr const char* default_from = "64K";  // above the eager limits of all libraries

}  // namespace

void PathOptionGroup::add_to(CLI::App& app) {
  if (!proves_paths_) return;
  app.add_option("--expect-path", path_,
                 "cma, shm or tcp: where another path than this is proven, or none, the series is "
                 "flagged and the exit code is 1")
      ->default_str("none");
  app.add_option("--expect-from", from_, "The smallest message that --expect-path is about")
      ->default_str(default_from);
}

void PathOptionGroup::read_into(LaunchOptions& options) const {
  options.prove_paths = proves_paths_;
  if (path_.empty() && from_.empty()) return;
  if (path_.empty()) {
    throw InputError({"--expect-from without --expect-path", "it says from which size on",
                      "name the path, or leave it out"});
  }
  const std::vector<std::string> known{"cma", "shm", "tcp"};
  if (std::ranges::find(known, path_) == known.end()) {
    throw InputError(
        {"unknown path '" + path_ + "'", "no count could prove it", suggest(path_, known)});
  }
  const ExpectedPath expected{.path = path_,
                              .from = parse_bytes(from_.empty() ? default_from : from_)};
  if (std::ranges::max(options.sizes) < expected.from) {
    throw InputError({"--expect-path from " + format_bytes(expected.from) + " on",
                      "no message of that size is measured", "add --expect-from, or larger sizes"});
  }
  options.expected_path = expected;
}

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

}  // namespace hockney
