#pragma once

#include <optional>
#include <string>

#include "benchmarks/programs/launch/options.hpp"
#include "benchmarks/programs/launch/program.hpp"
#include "core/cli/command_line.hpp"
#include "core/error.hpp"
#include "core/record.hpp"

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

/// Flags the series of the expected sizes whose path is proven to be another one, or is not
/// proven, and their record. Only series whose messages were counted are asked.
void flag_paths(Record& record, const std::optional<ExpectedPath>& expected);

/// One line about the paths that differ; nullopt when all are as expected.
std::optional<Message> path_difference(const Record& record,
                                       const std::optional<ExpectedPath>& expected);

}  // namespace hockney
