#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/programs/launch/call_options.hpp"
#include "benchmarks/programs/launch/options.hpp"
#include "benchmarks/programs/launch/path_options.hpp"
#include "benchmarks/programs/launch/program.hpp"
#include "benchmarks/programs/launch/run_options.hpp"
#include "benchmarks/programs/launch/workload_options.hpp"
#include "core/cli/command_line.hpp"
#include "core/error.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"
#include "core/time.hpp"

namespace hockney {

/// nullopt for an option that was not given.
template <class Number>
std::optional<Number> optional_count(const std::string& option, const std::string& text,
                                     Number least) {
  return text.empty() ? std::nullopt : std::optional(parse_count<Number>(option, text, least));
}

/// "a,b" or "all" of the names there are, each once. `check` throws for an unknown name.
template <class Check>
std::vector<std::string> parse_names(const std::string& text, const std::vector<std::string>& all,
                                     Check check) {
  if (text == "all") return all;
  std::vector<std::string> names;
  for (const std::string& name : split(text, ',')) {
    check(name);
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

inline Seconds parse_budget(const std::string& text) {
  const Seconds budget = parse_duration(text);
  if (budget.value > 0) return budget;
  throw InputError({"bad value '" + text + "' for --budget", "nothing can be measured in no time",
                    "give more than 0 seconds"});
}

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
