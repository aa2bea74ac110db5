#pragma once

#include "benchmarks/launch/call_options.hpp"
#include "benchmarks/launch/guideline_options.hpp"
#include "benchmarks/launch/options.hpp"
#include "benchmarks/launch/path_options.hpp"
#include "benchmarks/launch/program.hpp"
#include "benchmarks/launch/run_options.hpp"
#include "benchmarks/launch/sampling_options.hpp"
#include "benchmarks/launch/workload_options.hpp"
#include "cli/cli11.hpp"

namespace hockney {

/// The options of a launch on a command line, one group for each concern. The texts are kept as the
/// user wrote them until `options()`, which checks them: InputError for anything unknown or out of
/// range.
class LaunchOptionParser {
 public:
  /// Adds the options to `app`, with the defaults of `program`.
  LaunchOptionParser(CLI::App& app, const Program& program);

  [[nodiscard]] LaunchOptions options() const;

 private:
  WorkloadOptionGroup workload_;
  CallOptionGroup calls_;
  GuidelineOptionGroup guidelines_;
  PathOptionGroup paths_;
  SamplingOptionGroup sampling_;
  PlacementOptionGroup placement_;
  OutputOptionGroup output_;
  CampaignOptionGroup campaign_;
};

}  // namespace hockney
