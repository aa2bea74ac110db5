#pragma once

#include <string>

#include "benchmarks/launch/options.hpp"
#include "benchmarks/launch/path_options.hpp"
#include "benchmarks/launch/program.hpp"
#include "cli/cli11.hpp"

namespace hockney {

/// The options of a launch on a command line. The texts are kept as the user wrote them until
/// `options()`, which checks them: InputError for anything unknown or out of range.
class LaunchOptionParser {
 public:
  /// Adds the options to `app`, with the defaults of `program`.
  LaunchOptionParser(CLI::App& app, const Program& program);

  [[nodiscard]] LaunchOptions options() const;

 private:
  void add_workload(CLI::App& app);
  void add_variants(CLI::App& app);
  void add_sampling(CLI::App& app);
  void add_placement(CLI::App& app);
  void add_output(CLI::App& app);

  std::string operations_;
  std::string sizes_;
  std::string slow_downs_;
  std::string clock_checks_;
  std::string datatypes_;
  std::string operators_;
  std::string compat_;
  std::string caches_;
  std::string pairs_ = "representative";
  std::string hops_;
  bool concurrent_ = false;
  std::string window_;
  std::string epochs_;
  std::string budget_;
  std::string precision_;
  std::string samples_;
  std::string start_;
  bool local_times_ = false;
  std::string seed_;
  std::string bind_ = "hops";
  bool allow_misplaced_ = false;
  std::string output_;
  bool json_ = false;
  bool tails_ = false;
  std::string campaign_;
  std::string setting_;
  std::string launch_;
  bool proves_paths_ = false;
  PathOptions paths_;
};

}  // namespace hockney
