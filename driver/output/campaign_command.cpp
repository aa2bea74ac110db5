#include "driver/output/campaign_command.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/atomic_file.hpp"
#include "core/cli/command_line.hpp"
#include "core/error.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"
#include "driver/campaign/execution.hpp"
#include "driver/campaign/launch_command.hpp"
#include "driver/campaign/mpi_stack.hpp"
#include "driver/campaign/outcome.hpp"
#include "driver/campaign/request.hpp"
#include "driver/campaign/subprocess.hpp"
#include "driver/campaign/varied_axes.hpp"
#include "driver/campaign/verification_runs.hpp"
#include "placement/machine.hpp"
#include "placement/plan.hpp"
#include "report/progress.hpp"

namespace hockney::campaign {
namespace {

/// ibnetdiscover takes seconds on a fabric of thousands of nodes.
constexpr Seconds longest_answer{30};

std::optional<std::string> answer_of(const std::vector<std::string>& command) {
  const auto program = find_executable(command.front(), path_folders());
  if (!program) return std::nullopt;
  std::vector<std::string> arguments = command;
  arguments.front() = *program;
  const auto [outcome, said] = capture({arguments, {}}, longest_answer);
  return outcome.succeeded() ? std::optional(said) : std::nullopt;
}

/// Prints the notes about skipped parts of the network to stderr too.
SiteFile with_notes_shown(placement::FoundNetwork network) {
  for (const std::string& note : network.notes) std::cerr << "network: " << escaped(note) << '\n';
  return std::move(network.sites);
}

/// The network for a campaign; InputError as read_network.
/// `sites` names a file in any format that placement::read_network takes; "none" gives nullopt. If
/// it is empty, a resumed campaign keeps its network. A new campaign detects the network of this
/// machine, unless its hosts are simulated.
std::optional<SiteFile> network_for(const std::string& sites, const Request& request) {
  if (sites == "none") return std::nullopt;
  if (!sites.empty()) return with_notes_shown(placement::read_network(sites));
  const std::string kept = campaign_folder(request.folder).network();
  if (request.resume && std::filesystem::exists(kept)) return load_sites(kept);
  if (request.launcher.kind == LauncherKind::simgrid) return std::nullopt;
  std::vector<placement::UnusedSource> unused;
  auto found = query_machine(this_machine(), unused);
  return found ? std::optional(with_notes_shown(*std::move(found))) : std::nullopt;
}

bool says_when_to_stop(const Options& options) {
  return !options.launches.empty() || !options.precision.empty() || !options.max_launches.empty() ||
         !options.budget.empty();
}

/// Applies the stopping options of the command line to the config; resolved_config() sets --budget.
/// --launches drops the config's precision and maximum. --precision and --max-launches drop its
/// number of launches. With --budget alone that number becomes the maximum. If a resumed campaign
/// gets any of these options, its former launches, maximum and budget are dropped first.
void choose_stopping(const Options& options, Config& config) {
  if (options.resume && says_when_to_stop(options)) {
    config.launches.reset();
    config.most_launches.reset();
    config.budget.reset();
  }
  if (!options.launches.empty()) {
    config.launches = parse_count<int>("--launches", options.launches, 1);
    config.precision.reset();
    config.most_launches.reset();
  } else if (!options.precision.empty() || !options.max_launches.empty()) {
    config.launches.reset();
  } else if (!options.budget.empty() && config.launches) {
    config.most_launches = std::exchange(config.launches, std::nullopt);
  }
  if (!options.precision.empty()) {
    config.precision = parse_fraction("--precision", options.precision);
  }
  if (!options.max_launches.empty()) {
    config.most_launches = parse_count<int>("--max-launches", options.max_launches, 1);
  }
}

/// Sets one number of ranks for all launches, also in place of an axis "ranks". InputError if
/// settings or other axes set their own.
void choose_ranks(const std::string& ranks, Config& config) {
  config.ranks = parse_ranks(ranks);
  if (config.ranks && fix_ranks(config, *config.ranks)) return;
  const auto has_own = [](const auto& each) { return each.ranks.has_value(); };
  bool is_varied = std::ranges::any_of(config.settings, has_own);
  for (const Axis& axis : config.sweep ? config.sweep->axes : std::vector<Axis>()) {
    is_varied = is_varied || (axis.values && std::ranges::any_of(*axis.values, has_own));
  }
  if (is_varied) {
    throw InputError({"--ranks for a campaign that varies the number of ranks",
                      "its settings say how many their launches have",
                      "leave it out, or change them in the config"});
  }
}

/// Names of options in arguments: "--sizes" of "--sizes=8:64K".
std::set<std::string> option_names(const std::vector<std::string>& arguments) {
  std::set<std::string> names;
  for (const std::string& argument : arguments) {
    if (argument.starts_with("-")) names.insert(argument.substr(0, argument.find('=')));
  }
  return names;
}

/// InputError if a setting or an axis sets an option of the command line. Of a repeated option the
/// last value counts. Arguments of the command line follow those of the config, and those of
/// settings and axes come last.
void reject_varied(const std::vector<std::string>& further, const Config& config) {
  const std::set<std::string> given = option_names(further);
  const auto reject_shared = [&](const std::vector<std::string>& arguments,
                                 const std::string& owner) {
    for (const std::string& name : option_names(arguments)) {
      if (!given.contains(name)) continue;
      throw InputError({fmt::format("argument '{}' of the command line would not count", name),
                        owner + " gives it, too, and comes later",
                        "leave it out, or change the config"});
    }
  };
  for (const Setting& setting : config.settings) {
    reject_shared(setting.arguments, fmt::format("setting '{}'", setting.name));
  }
  for (const Axis& axis : config.sweep ? config.sweep->axes : std::vector<Axis>()) {
    for (const AxisValue& value : axis.values.value_or(std::vector<AxisValue>())) {
      reject_shared(value.arguments, fmt::format("axis '{}'", axis.name));
    }
  }
}

Config resolved_config(Config config, const Options& options) {
  choose_stopping(options, config);
  if (!options.ranks.empty()) choose_ranks(options.ranks, config);
  if (!options.budget.empty()) config.budget = parse_duration(options.budget);
  config.each_node = config.each_node || options.each_node;
  if (!options.launcher.empty()) config.launcher.dialect = parse_dialect(options.launcher);
  if (!options.launcher_command.empty()) config.launcher.command = options.launcher_command;
  reject_varied(options.arguments, config);
  config.arguments.insert(config.arguments.end(), options.arguments.begin(),
                          options.arguments.end());
  check_config(config);
  return config;
}

/// "hops" takes as many ranks as give a pair of every hop class of this node. If the job has
/// several nodes, it adds the hop classes of the network.
int resolved_ranks(const Config& config, const std::optional<Allocation>& allocation) {
  if (config.ranks) return *config.ranks;
  const int covering = std::max(2, ranks_to_cover_all(placement::read_live_topology()));
  if (config.each_node) return covering;
  return allocation ? std::max(covering, fewest_across_nodes(*allocation)) : covering;
}

/// Nodes of the allocation, else of a file or list of hosts among the launcher's arguments; 1 if
/// neither is known.
int number_of_nodes(const Config& config, const std::optional<Allocation>& allocation) {
  if (allocation && !allocation->nodes.empty()) return static_cast<int>(allocation->nodes.size());
  const std::vector<std::string> hosts = hosts_of(config.launcher.arguments);
  return std::max<int>(1, static_cast<int>(hosts.size()));
}

/// InputError if the campaign is for another MPI library. A plan is shown all the same, unless the
/// library is to be asked for values.
void require_library(const Request& request, bool is_plan) {
  const bool has_queries = request.config.sweep &&
                           !std::ranges::all_of(request.config.sweep->axes, [](const Axis& axis) {
                             return axis.values.has_value();
                           });
  if (is_plan && !has_queries) return;
  auto other = other_library(request.config, request.launcher);
  if (!other) return;
  other->suggestion = is_plan ? "its plan takes the values that this library lists"
                              : "--dry-run shows its plan; hockney run --list the other configs";
  throw InputError(*other);
}

report::StepEnd how_it_ended(AttemptStatus status) {
  if (status == AttemptStatus::complete) return report::StepEnd::done;
  return status == AttemptStatus::interrupted ? report::StepEnd::stopped : report::StepEnd::failed;
}

void show(report::Progress& progress, const Step& step) {
  if (step.reached && !step.reached->widest_at.empty()) {
    progress.know("widest interval " + format_fraction(step.reached->widest));
  }
  if (const auto& running = step.running) {
    return progress.within(step.position, step.total, step.launch, running->elapsed,
                           running->blocks, step.remaining);
  }
  if (!step.ended) return progress.begin(step.position, step.total, step.launch, step.remaining);
  progress.end(step.position, step.total, step.launch, how_it_ended(step.ended->status),
               {step.ended->duration_seconds}, step.ended->reason);
}

CampaignEnd run_and_show(const Request& request, bool quiet) {
  if (!request.resume) {
    if (const auto too_long = budget_error(request)) throw InputError(*too_long);
  }
  if (quiet) return run_campaign(request, [](const Step&) {});
  report::Progress progress(std::cerr, report::style_of_stderr());
  bool is_said = false;
  CampaignEnd end = run_campaign(request, [&](const Step& step) {
    const bool may_say = !request.resume || !step.verifies;
    if (may_say && !std::exchange(is_said, true)) {
      const auto lines = request.resume ? remaining_lines(step) : forecast_lines(request);
      for (const std::string& line : lines) std::cerr << line << '\n';
    }
    show(progress, step);
  });
  progress.finish();
  if (!is_said) std::cerr << extend_hint(end.manifest, request.folder) << '\n';
  return end;
}

/// Whether the config's arguments name a network (--sites).
bool names_sites(const Config& config) {
  return option_names(config.arguments).contains("--sites");
}

}  // namespace

placement::Machine this_machine() {
  return {.output_of = answer_of, .is_in_job = std::getenv("SLURM_JOB_ID") != nullptr, .root = {}};
}

std::vector<CommandOption> add_campaign_options(CommandLine& app, Options& options,
                                                const Defaults& defaults) {
  return {
      app.add_option("--out", options.out, "Folder of the campaign").default_str(defaults.out),
      app.add_option("--launches", options.launches, "Launches of each setting")
          .default_str(defaults.launches),
      app.add_option("--ranks", options.ranks, "Ranks of each launch, or hops")
          .default_str(defaults.ranks),
      app.add_option("--budget", options.budget,
                     "Wall time of the whole campaign, such as 60s or 5m")
          .default_str(defaults.budget),
      app.add_flag("--resume", options.resume, "Go on with the campaign in --out"),
      app.add_flag("--dry-run", options.dry_run, "Print the commands, run nothing"),
      app.add_option("--launcher", options.launcher, "How launches are started")
          .type_name("auto|openmpi|hydra|srun|smpirun")
          .default_str(defaults.launcher),
      app.add_option("--launcher-command", options.launcher_command, "Such as /opt/mpi/bin/mpirun")
          .default_str("found beside the MPI library or in PATH"),
      app.add_option("--executable-dir", options.executable_folders,
                     "Where to look for the program first; may be given several times")
          .one_at_a_time()
          .default_str("beside this driver, then in PATH")};
}

Request make_request(Config config, const Options& options) {
  if (options.resume && options.out.empty()) {
    throw InputError({"--resume without --out", "the folder of the campaign is not known",
                      "name it with --out"});
  }
  Request request{.config = resolved_config(std::move(config), options)};
  const auto config_folder = std::filesystem::path(request.config.file).parent_path();
  request.program =
      find_program(request.config.program, config_folder.string(), options.executable_folders);
  request.launcher =
      find_launcher(request.config.launcher, request.program, search_folders(), probe_version);
  require_library(request, options.dry_run);
  const auto allocation = current_allocation(query_job);
  request.ranks = resolved_ranks(request.config, allocation);
  if (request.config.each_node) {
    request.per_node = request.ranks;
    request.ranks *= number_of_nodes(request.config, allocation);
  }
  if (allocation) request.deadline = deadline_of(*allocation);
  request.folder = options.out.empty()
                       ? fmt::format("results/{}-{}", request.config.name, utc_stamp())
                       : options.out;
  if (!options.seed.empty()) request.seed = parse_count<std::uint64_t>("--seed", options.seed, 0);
  request.resume = options.resume;
  request.extends = options.resume && says_when_to_stop(options);
  const bool both = !options.budget.empty() && !options.launches.empty();
  request.terms.rule = both ? BudgetRule::both_hold : BudgetRule::launches_first;
  if (!options.dry_run) check_writable_folder(request.folder);
  settle_request(request, options.dry_run);
  if (!names_sites(request.config)) {
    request.network = network_for(options.sites, request);
  }
  return request;
}

int ranks_of_job() {
  const auto allocation = current_allocation(query_job);
  if (allocation && allocation->tasks_of_first && !allocation->nodes.empty()) {
    return *allocation->tasks_of_first * static_cast<int>(allocation->nodes.size());
  }
  return static_cast<int>(placement::count_groups(placement::read_live_topology()).cores);
}

std::vector<Record> verify_and_show(const Request& request) {
  report::Progress progress(std::cerr, report::style_of_stderr());
  const auto known = run_verification(request, [&](const Step& step) { show(progress, step); });
  progress.finish();
  std::vector<Record> records;
  for (const Setting& setting : request.config.settings) {
    const auto found = known.find(setting.name);
    if (found == known.end()) continue;
    Record record;
    record.provenance.mpi.library = found->second.library;
    record.campaign =
        CampaignPlace{.name = request.config.name, .setting = setting.name, .axes = setting.axes};
    record.algorithms = found->second.algorithms;
    records.push_back(std::move(record));
  }
  return records;
}

std::optional<CampaignEnd> run_or_print(const Request& request, const Options& options) {
  if (options.dry_run) {
    for (const std::string& line : dry_run(request)) std::cout << line << '\n';
    return std::nullopt;
  }
  return run_and_show(request, options.quiet);
}

}  // namespace hockney::campaign
