#pragma once

#include <string>

#include "benchmarks/launch/options.hpp"
#include "cli/cli11.hpp"

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

}  // namespace hockney
