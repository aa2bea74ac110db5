#include "application/analysis/trace_analysis.hpp"

namespace hockney::applications {

const Matching& TraceAnalysis::matching() const {
  if (!matching_) matching_ = match(trace_);
  return *matching_;
}

const std::map<std::string, HostClock>& TraceAnalysis::clocks() const {
  if (!clocks_) clocks_ = align_clocks(trace_, matching());
  return *clocks_;
}

const HappensBefore& TraceAnalysis::program() const {
  if (program_) return *program_;
  check_whole(trace_);
  return program_.emplace(happens_before(trace_, matching()));
}

}  // namespace hockney::applications
