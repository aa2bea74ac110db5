#pragma once

#include <string>

#include "benchmarks/programs/launch/options.hpp"
#include "benchmarks/programs/launch/program.hpp"
#include "core/cli/command_line.hpp"

namespace hockney {

/// How collectives are called, and by which ranks.
class CallOptionGroup {
 public:
  void add_to(CLI::App& app);
  /// After the operations are known. InputError for an option that concerns none of them.
  void read_into(LaunchOptions& options) const;

 private:
  void add_work(CLI::App& app);
  void read_work(LaunchOptions& options) const;

  std::string counts_;
  std::string roots_;
  std::string in_place_;
  std::string cadences_;
  std::string communicators_;
  std::string works_;
  std::string tests_;
};

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
