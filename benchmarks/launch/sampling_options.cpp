#include "benchmarks/launch/sampling_options.hpp"

#include <random>

#include "benchmarks/launch/option_values.hpp"
#include "core/error.hpp"
#include "core/shares.hpp"

namespace hockney {

void SamplingOptionGroup::add_to(CLI::App& app) {
  app.add_option("--budget", budget_, "Time for measuring, such as 3s or 500ms")->default_str("3s");
  app.add_option("--epochs", epochs_, "Visits to every point; replaces --budget")
      ->default_str("as the budget allows; 2 under a simulator");
  app.add_option("--precision", precision_,
                 "End early when every median is known within half of this inside the launch, such "
                 "as 5%; a campaign gives its own")
      ->default_str("none");
  app.add_option("--samples", samples_, "Most samples in one visit")
      ->default_str("100; 1 under a simulator");
  app.add_option("--start", start_,
                 "How ranks begin together where the last one to end counts: round-time (an agreed "
                 "time), barrier (MPI_Barrier) or dissemination (a barrier of our own)")
      ->default_str("round-time; barrier where ranks share CPUs, and under a simulator");
  app.add_flag("--local-times", local_times_,
               "Record every rank's own time too, and print the shortest and the longest");
  app.add_flag("--tails", tails_, "Print high quantiles too");
  if (!clock_checks_.empty()) {
    app.add_option("--clock-checks", clock_checks_,
                   "Synchronisations of the clocks of ranks that read the same one, all recorded");
  }
  app.add_option("--seed", seed_, "Of the order of points and the places of buffers")
      ->default_str("drawn anew");
}

void SamplingOptionGroup::read_into(LaunchOptions& options) const {
  options.epochs = optional_count("--epochs", epochs_, 1);
  options.samples = optional_count("--samples", samples_, 1);
  options.clock_checks = optional_count("--clock-checks", clock_checks_, 0).value_or(0);
  options.local_times = local_times_;
  options.tails = tails_;
  if (!start_.empty()) options.start = parse_start(start_);
  if (!precision_.empty()) options.precision = parse_share("--precision", precision_);
  if (!budget_.empty()) options.budget = parse_budget(budget_);
  if (options.budget && options.epochs) {
    throw InputError({"both --budget and --epochs", "each says when to stop", "give one of them"});
  }
  const auto seed = optional_count<std::uint64_t>("--seed", seed_, 0);
  options.seed = seed ? *seed : std::random_device()();
}

}  // namespace hockney
