#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "application/analysis/clocks.hpp"
#include "application/analysis/happens_before.hpp"
#include "application/analysis/matching.hpp"
#include "application/analysis/trace.hpp"

namespace hockney::applications {

/// The log of one run, and what follows from it alone. Each part is computed when it is first asked
/// for and kept, so that views, splits, projections and exports of one command share it. Not for
/// several threads at once.
class TraceAnalysis {
 public:
  explicit TraceAnalysis(Trace trace) : trace_(std::move(trace)) {}

  [[nodiscard]] const Trace& trace() const { return trace_; }
  [[nodiscard]] const Matching& matching() const;
  /// Of each host, by its name.
  [[nodiscard]] const std::map<std::string, HostClock>& clocks() const;
  /// InputError for a trace with ranks or calls missing.
  [[nodiscard]] const HappensBefore& program() const;

 private:
  Trace trace_;
  mutable std::optional<Matching> matching_;
  mutable std::optional<std::map<std::string, HostClock>> clocks_;
  mutable std::optional<HappensBefore> program_;
};

}  // namespace hockney::applications
