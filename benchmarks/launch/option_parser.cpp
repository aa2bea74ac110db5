#include "benchmarks/launch/option_parser.hpp"

#include <algorithm>
#include <limits>
#include <random>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/operators.hpp"
#include "core/durations.hpp"
#include "core/error.hpp"
#include "core/names.hpp"
#include "core/numbers.hpp"
#include "core/shares.hpp"
#include "core/sizes.hpp"
#include "placement/cpu_list.hpp"

namespace hockney {
namespace {

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

std::vector<std::string> parse_operations(const std::string& text) {
  std::vector<std::string> all;
  for (const CatalogueEntry& entry : catalogue()) all.emplace_back(entry.descriptor.name);
  return parse_names(text, all, [](const std::string& name) { find_operation(name); });
}

/// Whether any of the operations is so described; an option for none of them is an error.
void require_use(const std::string& option, const LaunchOptions& options,
                 bool Descriptor::*concerned, const std::string& why) {
  const auto is_concerned = [&](const std::string& name) {
    return find_operation(name).descriptor.*concerned;
  };
  if (std::ranges::any_of(options.operations, is_concerned)) return;
  throw InputError({option + " with the operations " + join(options.operations), why,
                    "leave it out, or choose other operations; see --list"});
}

void parse_data(const std::string& datatypes, const std::string& operators,
                LaunchOptions& options) {
  if (!datatypes.empty()) {
    options.datatypes = parse_names(datatypes, datatype_names(), check_datatype_name);
    require_use("--datatype", options, &Descriptor::sized, "none of them carries data");
  }
  if (!operators.empty()) {
    options.operators = parse_names(operators, operator_names(), find_operator);
    require_use("--operator", options, &Descriptor::reduces, "none of them is a reduction");
  }
}

std::vector<Suite> parse_compat(const std::string& text) {
  if (text.empty()) return {};
  std::vector<Suite> suites;
  for (const std::string& name : parse_names(text, suite_names(), parse_suite)) {
    suites.push_back(parse_suite(name));
  }
  return suites;
}

void parse_caches(const std::string& text, LaunchOptions& options) {
  if (text.empty()) return;
  for (const std::string& name : parse_names(text, cache_names(), parse_cache)) {
    options.caches.push_back(parse_cache(name));
  }
  require_use("--cache", options, &Descriptor::sized, "none of them carries data");
}

std::vector<Bytes> parse_message_sizes(const std::string& text) {
  std::vector<Bytes> sizes = parse_sizes(text);
  if (sizes.back().value > std::numeric_limits<int>::max()) {
    throw InputError({"bad size '" + format_bytes(sizes.back()) + "'",
                      "MPI 3 counts at most 2147483647 bytes in one message",
                      "use sizes below 2G"});
  }
  return sizes;
}

PairChoice parse_pairs(const std::string& text) {
  if (text == "representative") return PairChoice::representative;
  if (text == "all") return PairChoice::all;
  throw InputError({"bad value '" + text + "' for --pairs", "it is no choice of pairs",
                    suggest(text, {"representative", "all"})});
}

PlacementOptions parse_placement(const std::string& bind, bool allow_misplaced) {
  PlacementOptions options{.bind = bind != "none", .allow_misplaced = allow_misplaced};
  const bool list = !bind.empty() && bind.find_first_not_of("0123456789,-") == std::string::npos;
  if (list) {
    options.plan.policy = Policy::listed;
    options.plan.cpus = parse_cpus(bind);
  } else if (options.bind) {
    options.plan.policy = parse_policy(bind);
  }
  return options;
}

/// The place in a campaign; InputError for a part of it without a campaign to belong to.
std::optional<CampaignPlace> parse_place(const std::string& campaign, const std::string& setting,
                                         const std::string& launch) {
  if (campaign.empty() && !(setting.empty() && launch.empty())) {
    throw InputError({"--setting or --launch without --campaign", "they are places in a campaign",
                      "name the campaign, or leave them out"});
  }
  if (campaign.empty()) return std::nullopt;
  return CampaignPlace{.name = campaign,
                       .setting = setting.empty() ? "default" : setting,
                       .launch = optional_count("--launch", launch, 1).value_or(1)};
}

/// "a", "b" and "slow-5" for "5".
std::vector<Variant> parse_variants(const std::string& slow_downs) {
  if (slow_downs.empty()) return {};
  constexpr double percent = 0.01;
  std::vector<Variant> variants{{"a", 0}, {"b", 0}};
  for (const std::string& text : split(slow_downs, ',')) {
    const int share = parse_count<int>("--slow-downs", text, 1);
    variants.push_back({"slow-" + text, share * percent});
  }
  return variants;
}

Seconds parse_budget(const std::string& text) {
  const Seconds budget = parse_duration(text);
  if (budget.value > 0) return budget;
  throw InputError({"bad value '" + text + "' for --budget", "nothing can be measured in no time",
                    "give more than 0 seconds"});
}

}  // namespace

LaunchOptionParser::LaunchOptionParser(CLI::App& app, const Program& program)
    : operations_(program.operations),
      sizes_(program.sizes),
      slow_downs_(program.slow_downs),
      clock_checks_(program.clock_checks),
      proves_paths_(program.proves_paths) {
  app.option_defaults()->always_capture_default();
  add_workload(app);
  if (proves_paths_) paths_.add_to(app);
  add_sampling(app);
  add_placement(app);
  add_output(app);
}

void LaunchOptionParser::add_workload(CLI::App& app) {
  app.add_option("-b,--sizes", sizes_,
                 "Message sizes: 0,8,1K or 0:4M (doubling) or 1:4M:8 (eight an octave)");
  app.add_option("--operations", operations_, "Names joined by commas, or all; see --list");
  app.add_option("--datatype", datatypes_, "all, or some of " + join(datatype_names()))
      ->default_str("byte; double in reductions");
  app.add_option("--operator", operators_,
                 "Of reductions: all, or some of " + join(operator_names()))
      ->default_str("sum");
  app.add_option(
         "--cache", caches_,
         "all, or some of hot (the same buffers again), cold (more than the caches hold) and "
         "fresh (untouched pages)")
      ->default_str("hot");
  app.add_option("--pairs", pairs_,
                 "representative: one pair of ranks for each hop class; all: every pair");
  app.add_option("--hops", hops_, "Only these hop classes, joined by commas")->default_str("all");
  app.add_flag("--concurrent", concurrent_,
               "Measure disjoint pairs at the same time instead of one after the other");
  add_variants(app);
  app.add_option("--window", window_, "Messages in a window of the windowed operations")
      ->default_str("64, fewer above 512K");
}

/// A self-test is of hockney's own way of timing.
void LaunchOptionParser::add_variants(CLI::App& app) {
  if (!slow_downs_.empty()) {
    app.add_option(
        "--slow-downs", slow_downs_,
        "Planted slow-downs [%], beside two variants without, which differ in name only");
    return;
  }
  app.add_option(
         "--compat", compat_,
         "Beside each time what these suites would print, measured in the same launch: osu "
         "(the first rank's mean or the mean over ranks), imb (t_max); joined by commas, or "
         "all. --start and --samples do not apply to them")
      ->default_str("none");
}

void LaunchOptionParser::add_sampling(CLI::App& app) {
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
      ->default_str("round-time; barrier under a simulator");
  app.add_flag("--local-times", local_times_,
               "Record every rank's own time too, and print the shortest and the longest");
  if (!clock_checks_.empty()) {
    app.add_option("--clock-checks", clock_checks_,
                   "Synchronisations of the clocks of ranks that read the same one, all recorded");
  }
  app.add_option("--seed", seed_, "Of the order of points and the places of buffers")
      ->default_str("drawn anew");
}

void LaunchOptionParser::add_placement(CLI::App& app) {
  app.add_option("--bind", bind_,
                 "hops, compact or scatter; a list of CPUs such as 0,2,4-7; or none");
  app.add_flag("--allow-misplaced", allow_misplaced_,
               "Go on when a rank is not on the CPU it was bound to");
}

void LaunchOptionParser::add_output(CLI::App& app) {
  app.add_option("-o,--output", output_, "File for the record: .json, or .cbor to save space")
      ->default_str("none");
  app.add_flag("--json", json_, "Print the record instead of the table");
  app.add_flag("--tails", tails_, "Print high quantiles too");
  app.add_option("--campaign", campaign_, "Name of the campaign this launch belongs to")
      ->default_str("none")
      ->group("Set by hockney run");
  app.add_option("--setting", setting_, "Name of the campaign's setting")
      ->default_str("default")
      ->group("Set by hockney run");
  app.add_option("--launch", launch_, "Number of the launch")
      ->default_str("1")
      ->group("Set by hockney run");
}

LaunchOptions LaunchOptionParser::options() const {
  LaunchOptions options{.operations = parse_operations(operations_),
                        .sizes = parse_message_sizes(sizes_),
                        .pairs = parse_pairs(pairs_),
                        .hops = hops_.empty() ? std::vector<Hop>() : parse_hops(hops_),
                        .concurrent = concurrent_,
                        .window = optional_count("--window", window_, 1),
                        .epochs = optional_count("--epochs", epochs_, 1),
                        .samples = optional_count("--samples", samples_, 1),
                        .placement = parse_placement(bind_, allow_misplaced_),
                        .output = output_,
                        .json = json_,
                        .tails = tails_};
  options.variants = parse_variants(slow_downs_);
  options.compat = parse_compat(compat_);
  options.clock_checks = optional_count("--clock-checks", clock_checks_, 0).value_or(0);
  parse_data(datatypes_, operators_, options);
  options.local_times = local_times_;
  parse_caches(caches_, options);
  if (!start_.empty()) options.start = parse_start(start_);
  if (!precision_.empty()) options.precision = parse_share("--precision", precision_);
  if (!budget_.empty()) options.budget = parse_budget(budget_);
  if (options.budget && options.epochs) {
    throw InputError({"both --budget and --epochs", "each says when to stop", "give one of them"});
  }
  const auto seed = optional_count<std::uint64_t>("--seed", seed_, 0);
  options.seed = seed ? *seed : std::random_device()();
  options.campaign = parse_place(campaign_, setting_, launch_);
  options.prove_paths = proves_paths_;
  paths_.apply(options);
  return options;
}

}  // namespace hockney
