#pragma once

#include <string>

#include "benchmarks/launch/options.hpp"
#include "benchmarks/launch/program.hpp"
#include "cli/cli11.hpp"

namespace hockney {

/// Which guidelines are measured, in the program that holds libraries to them; nothing in others.
class GuidelineOptionGroup {
 public:
  explicit GuidelineOptionGroup(const Program& program) : is_used_(program.holds_to_guidelines) {}

  void add_to(CLI::App& app);
  /// After the operations are known, which are those on left sides: puts the operations and points
  /// of both sides in their place. InputError for an unknown guideline, or when none is left.
  void read_into(LaunchOptions& options) const;

 private:
  bool is_used_;
  std::string guidelines_ = "all";
  bool itself_ = false;
};

}  // namespace hockney
