#pragma once

#include <string>

#include "benchmarks/launch/options.hpp"
#include "benchmarks/launch/program.hpp"
#include "cli/cli11.hpp"

namespace hockney {

/// How it is measured: for how long, from which start, in which order.
class SamplingOptionGroup {
 public:
  explicit SamplingOptionGroup(const Program& program) : clock_checks_(program.clock_checks) {}

  void add_to(CLI::App& app);
  void read_into(LaunchOptions& options) const;

 private:
  std::string clock_checks_;
  std::string epochs_;
  std::string budget_;
  std::string precision_;
  std::string samples_;
  std::string start_;
  bool local_times_ = false;
  std::string seed_;
};

}  // namespace hockney
