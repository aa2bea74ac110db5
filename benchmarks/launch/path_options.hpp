#pragma once

#include <string>

#include "benchmarks/launch/options.hpp"
#include "cli/cli11.hpp"

namespace hockney {

/// The options of a program that proves paths, as the user wrote them.
class PathOptions {
 public:
  void add_to(CLI::App& app);

  /// InputError for an unknown path, for --expect-from alone, and where no size is large enough.
  void apply(LaunchOptions& options) const;

 private:
  std::string path_;
  std::string from_;
};

}  // namespace hockney
