#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "core/record.hpp"

namespace hockney::stacks {

/// What the records of a campaign under one MPI library must say.
struct Expected {
  std::string library;    ///< how the library begins to speak of itself
  std::size_t ranks = 2;  ///< of every launch
  bool bound = true;      ///< whether ranks are on CPUs of their own; those of a simulator are not
};

/// One space for every run of white space: MPICH puts tabs or spaces after its colons.
inline std::string with_single_spaces(std::string_view text) {
  std::string single;
  for (const char c : text) {
    const bool space = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!space || (!single.empty() && single.back() != ' ')) single += space ? ' ' : c;
  }
  return single;
}

inline void check_places(const Record& record, std::vector<std::string>& complaints) {
  for (const RankPlace& place : record.ranks) {
    const std::string who = "rank " + std::to_string(place.rank);
    if (const auto requested = place.requested_cpu; !requested) {
      complaints.push_back(who + " was not bound");
    } else if (place.actual_cpus != std::vector<int>{*requested}) {
      complaints.push_back(who + " is not on CPU " + std::to_string(*requested));
    }
  }
}

inline void check_data(const Record& record, std::vector<std::string>& complaints) {
  for (const PlannedPoint& planned : record.points) {
    if (planned.status == PointStatus::measured) continue;
    complaints.push_back(planned.point.operation + " was not measured: " + planned.reason);
  }
  for (const Series& series : record.series) {
    if (series.samples_seconds.empty()) complaints.push_back("a series without samples");
    if (std::ranges::find(series.flags, "corrupt") == series.flags.end()) continue;
    complaints.push_back(series.point.operation + " delivered wrong data");
  }
}

/// What is wrong with a record, one line each; none when it is as expected.
inline std::vector<std::string> complaints_of(const Record& record, const Expected& expected) {
  std::vector<std::string> complaints;
  if (record.status != LaunchStatus::complete) complaints.emplace_back("it is not complete");
  const std::string library = with_single_spaces(record.provenance.mpi.library);
  if (!library.starts_with(expected.library)) {
    complaints.push_back("it is of '" + library + "', not of '" + expected.library + "'");
  }
  if (record.ranks.size() != expected.ranks) {
    complaints.push_back("it has " + std::to_string(record.ranks.size()) + " ranks");
  }
  if (record.series.empty()) complaints.emplace_back("nothing was measured");
  if (expected.bound) check_places(record, complaints);
  check_data(record, complaints);
  return complaints;
}

}  // namespace hockney::stacks
