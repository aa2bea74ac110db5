#pragma once

#include "benchmarks/programs/launch/options.hpp"
#include "benchmarks/programs/launch/program.hpp"
#include "core/cli/command_line.hpp"

namespace hockney::benchmarks::programs {

// Each of these adds options that put what they are given into `options`, parsed and checked as
// soon as it is read: InputError for anything unknown or out of range. `options` must outlive the
// command line; it gets the defaults at once.

/// Every option of a launch, with the defaults of `program`.
void add_launch_options(CommandLine& app, const Program& program, LaunchOptions& options);

/// Where the ranks run, what is written and printed, and the place in a campaign, which
/// `hockney run` gives.
void add_surrounding_options(CommandLine& app, LaunchOptions& options);
/// How long, and how often, is measured.
void add_effort_options(CommandLine& app, LaunchOptions& options);
/// How ranks begin together.
void add_start_option(CommandLine& app, LaunchOptions& options);
/// Only pairs of some hop classes.
void add_hop_option(CommandLine& app, LaunchOptions& options);
/// The time for measuring, `help` says what it does.
void add_budget_option(CommandLine& app, LaunchOptions& options, const std::string& help,
                       const std::string& shown_default);
/// The most time that all may take.
void add_limit_option(CommandLine& app, LaunchOptions& options, const std::string& shown_default);
/// The seed, drawn anew without the option; `help` says of what.
void add_seed_option(CommandLine& app, LaunchOptions& options, const std::string& help);

/// What is measured: operations, sizes, data, pairs.
void add_workload_options(CommandLine& app, const Program& program, LaunchOptions& options);
/// How collectives are called, by which ranks, and with which work beside them.
void add_call_options(CommandLine& app, LaunchOptions& options);

/// Which files are written and read, in the program that measures them.
void add_file_options(CommandLine& app, LaunchOptions& options);
/// How long noise is recorded, what neighbours do, and where pages are.
void add_noise_options(CommandLine& app, LaunchOptions& options);
/// How many threads ranks have, and what they share.
void add_thread_options(CommandLine& app, LaunchOptions& options);
/// Has the record state that threads must not be slower than as many ranks (--same-cores).
void hold_threads_to_ranks(LaunchOptions& options);

/// Which guidelines are measured, in the program that holds libraries to them.
struct GuidelineChoice {
  std::string names = "all";  ///< joined by commas
  bool itself = false;        ///< left sides against themselves, in place of the guidelines
};
void add_guideline_options(CommandLine& app, GuidelineChoice& choice);

/// Puts the operations and points of both sides in the place of the operations, which are those on
/// left sides. InputError for an unknown guideline, and when none is left.
void choose_guidelines(const GuidelineChoice& choice, LaunchOptions& options);

/// What can be judged only when all options are known. InputError for one that concerns none of the
/// operations, and for those that contradict each other or make no sense alone.
void check_launch_options(const LaunchOptions& options);
/// The part of it about how long is measured.
void check_effort(const LaunchOptions& options);
/// The part of it about the place in a campaign.
void check_campaign_place(const LaunchOptions& options);
/// The part of it about options that concern none of the operations.
void check_concerns(const LaunchOptions& options);

}  // namespace hockney::benchmarks::programs
