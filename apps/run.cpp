#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

#include "apps/subcommands.hpp"
#include "campaign/conclusion.hpp"
#include "campaign/executables.hpp"
#include "campaign/execution.hpp"
#include "campaign/launcher_search.hpp"
#include "core/durations.hpp"
#include "core/names.hpp"
#include "core/numbers.hpp"
#include "core/record_file.hpp"
#include "core/shares.hpp"
#include "core/utc.hpp"
#include "placement/plan.hpp"
#include "placement/read_topology.hpp"
#include "report/progress.hpp"
#include "report/record_tables.hpp"

namespace hockney {
namespace {

/// The command line as the user wrote it; empty texts are options not given.
struct RunOptions {
  std::string config;
  std::string out;
  std::string launches;
  std::string ranks;
  std::string precision;
  std::string max_launches;
  std::string budget;
  std::string launcher;
  std::string launcher_command;
  std::string seed;
  std::vector<std::string> executable_folders;
  std::vector<std::string> arguments;
  bool resume = false;
  bool dry_run = false;
  bool tails = false;
};

/// What the command line says about stopping takes the place of all the config says about it.
void choose_stopping(const RunOptions& options, CampaignConfig& config) {
  if (!options.launches.empty()) {
    config.launches = parse_count<int>("--launches", options.launches, 1);
    config.precision.reset();
    config.most_launches.reset();
  } else if (!options.precision.empty() || !options.max_launches.empty()) {
    config.launches.reset();
  }
  if (!options.precision.empty()) {
    config.precision = parse_share("--precision", options.precision);
  }
  if (!options.max_launches.empty()) {
    config.most_launches = parse_count<int>("--max-launches", options.max_launches, 1);
  }
}

/// The config with the options of the command line in their places.
CampaignConfig resolved_config(const RunOptions& options) {
  CampaignConfig config = load_config(options.config);
  choose_stopping(options, config);
  if (!options.ranks.empty()) config.ranks = parse_ranks(options.ranks);
  if (!options.budget.empty()) config.budget = parse_duration(options.budget);
  if (!options.launcher.empty()) config.launcher.dialect = parse_dialect(options.launcher);
  if (!options.launcher_command.empty()) config.launcher.command = options.launcher_command;
  config.arguments.insert(config.arguments.end(), options.arguments.begin(),
                          options.arguments.end());
  check_config(config, options.config);
  return config;
}

/// "hops" means: as many ranks as it takes to have a pair of every hop class of this node.
int resolved_ranks(const CampaignConfig& config) {
  if (config.ranks) return *config.ranks;
  return std::max(2, ranks_to_cover_all(read_live_topology()));
}

CampaignRequest make_request(const RunOptions& options) {
  if (options.resume && options.out.empty()) {
    throw InputError({"--resume without --out", "the folder of the campaign is not known",
                      "name it with --out"});
  }
  CampaignRequest request{.config = resolved_config(options), .config_file = options.config};
  const auto config_folder = std::filesystem::path(options.config).parent_path();
  request.program =
      find_program(request.config.program, config_folder.string(), options.executable_folders);
  request.launcher =
      find_launcher(request.config.launcher, request.program, path_folders(), probe_version);
  request.ranks = resolved_ranks(request.config);
  request.folder =
      options.out.empty() ? "results/" + request.config.name + "-" + utc_stamp() : options.out;
  if (!options.seed.empty()) request.seed = parse_count<std::uint64_t>("--seed", options.seed, 0);
  request.resume = options.resume;
  return request;
}

StepEnd how_it_ended(AttemptStatus status) {
  if (status == AttemptStatus::complete) return StepEnd::done;
  return status == AttemptStatus::interrupted ? StepEnd::stopped : StepEnd::failed;
}

void show(Progress& progress, const CampaignStep& step) {
  if (!step.ended) return progress.begin(step.position, step.total, step.launch, step.remaining);
  progress.end(step.position, step.total, step.launch, how_it_ended(step.ended->status),
               {step.ended->duration_seconds}, step.ended->reason);
}

void print_tables(const CampaignFolder& folder, double level, bool tails) {
  const auto records = load_records({folder.records()});
  print_record_tables(std::cout, records, {.level = level, .tails = tails});
}

ExitCode run(const RunOptions& options) {
  const CampaignRequest request = make_request(options);
  if (options.dry_run) {
    for (const std::string& line : dry_run(request)) std::cout << line << '\n';
    return ExitCode::good;
  }
  Progress progress(std::cerr, style_of_stderr());
  const Manifest manifest =
      run_campaign(request, [&](const CampaignStep& step) { show(progress, step); });
  progress.finish();
  const CampaignFolder folder = campaign_folder(request.folder);
  const bool any = std::ranges::any_of(manifest.attempts, [](const Attempt& attempt) {
    return attempt.status == AttemptStatus::complete;
  });
  const double level = manifest.precision ? manifest.precision->level : default_level;
  if (any) print_tables(folder, level, options.tails);
  if (const auto reached = what_was_reached(manifest)) std::cerr << *reached << '\n';
  std::cerr << "records in " << request.folder << '\n';
  if (const auto missing = what_is_missing(manifest, folder)) throw RunError(*missing);
  return ExitCode::good;
}

void add_options(CLI::App& app, RunOptions& options) {
  app.add_option("config", options.config, "The campaign: a hockney.campaign/1 document")
      ->required();
  app.add_option("arguments", options.arguments,
                 "After --: further arguments for the program that is launched")
      ->default_str("none");
  app.add_option("--out", options.out, "Folder of the campaign")
      ->default_str("results/<name>-<time>");
  app.add_option("--launches", options.launches, "Launches of each setting")
      ->default_str("as the config says, or as many as precision and budget ask for");
  app.add_option("--precision", options.precision,
                 "Add launches until every interval is this close to its median, such as 5%")
      ->default_str("as the config says; 5% where there are neither launches nor a budget");
  app.add_option("--max-launches", options.max_launches, "Launches of each setting at most")
      ->default_str("as the config says, or 30");
  app.add_option("--ranks", options.ranks, "Ranks of each launch, or hops")
      ->default_str("as the config says");
  app.add_option("--budget", options.budget, "Wall time of the whole campaign, such as 60s or 5m")
      ->default_str("as the config says");
  app.add_flag("--resume", options.resume, "Go on with the campaign in --out");
  app.add_flag("--dry-run", options.dry_run, "Print the commands, run nothing");
  app.add_flag("--tails", options.tails, "Print high quantiles too");
  app.add_option("--launcher", options.launcher, "auto, openmpi, hydra, srun or smpirun")
      ->default_str("as the config says, else what the program is linked with");
  app.add_option("--launcher-command", options.launcher_command, "Such as /opt/mpi/bin/mpirun")
      ->default_str("found beside the MPI library or in PATH");
  app.add_option("--executable-dir", options.executable_folders,
                 "Where to look for the program first")
      ->default_str("beside this driver, then in PATH");
  app.add_option("--seed", options.seed, "Of the order of launches and of their own seeds")
      ->default_str("drawn anew");
}

}  // namespace

void add_run(CLI::App& driver, Action& chosen) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* app = driver.add_subcommand("run", "A campaign: plan, launch, record, resume");
  add_options(*app, *options);
  app->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace hockney
