#pragma once

#include <string>

#include "benchmarks/launch/options.hpp"
#include "benchmarks/launch/program.hpp"
#include "cli/cli11.hpp"

namespace hockney {

/// The paths of messages, in programs that prove them.
class PathOptionGroup {
 public:
  explicit PathOptionGroup(const Program& program) : proves_paths_(program.proves_paths) {}

  void add_to(CLI::App& app);

  /// InputError for an unknown path, for --expect-from alone, and where no size is large enough.
  void read_into(LaunchOptions& options) const;

 private:
  bool proves_paths_;
  std::string path_;
  std::string from_;
};

}  // namespace hockney
