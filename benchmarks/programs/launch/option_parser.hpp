#pragma once

#include "benchmarks/programs/launch/options.hpp"
#include "benchmarks/programs/launch/program.hpp"
#include "core/cli/command_line.hpp"

namespace hockney::benchmarks::programs {

// Each function adds options that store their values in `options`. A value is parsed and checked as
// soon as it is read: InputError if it is unknown or out of range. `options` gets the defaults at
// once and must outlive the command line.

/// Every option of a launch, with the defaults of `program`.
void add_launch_options(CommandLine& app, const Program& program, LaunchOptions& options);

/// Options for the ranks' places, for output, and for the launch's place in a campaign, which
/// `hockney run` passes.
void add_surrounding_options(CommandLine& app, LaunchOptions& options);
/// Options for the time and number of measurements.
void add_effort_options(CommandLine& app, LaunchOptions& options);
/// The option for the start scheme.
void add_start_option(CommandLine& app, LaunchOptions& options);
/// The option for hop classes of pairs.
void add_hop_option(CommandLine& app, LaunchOptions& options);
/// The time for measuring; `help` is its description.
void add_budget_option(CommandLine& app, LaunchOptions& options, const std::string& help,
                       const std::string& shown_default);
/// The time limit.
void add_limit_option(CommandLine& app, LaunchOptions& options, const std::string& shown_default);
/// The seed, random without the option; `help` says what it determines.
void add_seed_option(CommandLine& app, LaunchOptions& options, const std::string& help);

/// Options for the workload: operations, sizes, data, pairs.
void add_workload_options(CommandLine& app, const Program& program, LaunchOptions& options);

/// Options for files, in the program that measures them.
void add_file_options(CommandLine& app, LaunchOptions& options);
/// Options for the duration of noise recordings, for neighbours' work, and for pages.
void add_noise_options(CommandLine& app, LaunchOptions& options);
/// Options for the number of threads of ranks, and what they share.
void add_thread_options(CommandLine& app, LaunchOptions& options);
/// Adds to the record that threads must not be slower than as many ranks (--same-cores).
void hold_threads_to_ranks(LaunchOptions& options);

/// The guidelines to measure, in the program that checks them.
struct GuidelineChoice {
  std::string names = "all";  ///< joined by commas
  bool itself = false;        ///< compare left sides with themselves instead
};
void add_guideline_options(CommandLine& app, GuidelineChoice& choice);

/// Replaces the operations by the operations and points of both sides. The given operations are
/// left sides. InputError for an unknown guideline, or if none remains.
void choose_guidelines(const GuidelineChoice& choice, LaunchOptions& options);

/// Checks that need all options. InputError for an option that concerns none of the operations, and
/// for options that contradict each other or make no sense alone.
void check_launch_options(const LaunchOptions& options);
/// The part that checks the time and number of measurements.
void check_effort(const LaunchOptions& options);
/// The part that checks the place in a campaign.
void check_campaign_place(const LaunchOptions& options);
/// The part that checks for options that concern none of the operations.
void check_concerns(const LaunchOptions& options);

}  // namespace hockney::benchmarks::programs
