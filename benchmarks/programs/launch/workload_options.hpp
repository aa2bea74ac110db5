#pragma once

#include <string>

#include "benchmarks/programs/launch/options.hpp"
#include "benchmarks/programs/launch/program.hpp"
#include "core/cli/command_line.hpp"

namespace hockney {

/// What is measured: operations, sizes, data, pairs.
class WorkloadOptionGroup {
 public:
  explicit WorkloadOptionGroup(const Program& program)
      : operations_(program.operations), sizes_(program.sizes), slow_downs_(program.slow_downs) {}

  void add_to(CLI::App& app);
  void read_into(LaunchOptions& options) const;

 private:
  void add_variants(CLI::App& app);

  std::string operations_;
  std::string sizes_;
  std::string slow_downs_;
  std::string datatypes_;
  std::string operators_;
  std::string compat_;
  std::string caches_;
  std::string pairs_ = "representative";
  std::string hops_;
  bool concurrent_ = false;
  std::string window_;
};

}  // namespace hockney
