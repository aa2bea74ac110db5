#pragma once

#include <span>
#include <string>
#include <utility>

#include "components/application/screens/profile_report.hpp"

namespace hockney::report {

/// The view of a profile, with its log if there is one.
inline ProfileView view_of(profile::Profile profile, const std::string& file,
                           std::span<const Record> records = {},
                           const applications::TraceAnalysis* log = nullptr,
                           applications::LogDetail detail = {}) {
  return {.report = applications::analyse(std::move(profile),
                                          {.log = log, .detail = detail, .protocols = records}),
          .file = file};
}

}  // namespace hockney::report
