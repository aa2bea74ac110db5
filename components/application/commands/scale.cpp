#include <fmt/format.h>
#include <algorithm>
#include <iostream>
#include <random>
#include <set>

#include "components/application/commands/commands.hpp"
#include "components/application/commands/kernel_scaling.hpp"
#include "components/application/commands/profile_run.hpp"
#include "components/application/commands/program_launches.hpp"
#include "components/application/page/profile_page.hpp"
#include "core/atomic_file.hpp"
#include "core/cli/command_line.hpp"
#include "core/json_values.hpp"
#include "core/provenance.hpp"
#include "core/quantities.hpp"
#include "core/record.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"
#include "driver/campaign/config.hpp"
#include "driver/campaign/config_sources.hpp"
#include "driver/output/output.hpp"
#include "driver/subcommands.hpp"
#include "report/table.hpp"

namespace hockney::driver {
namespace {

constexpr std::string_view ranks_place = "{}";

struct ScaleCommand {
  std::vector<std::string> words;  ///< a command, or the config of a kernel
  std::vector<int> ranks;          ///< empty: the default numbers
  int blocks = 6;
  int doublings = 2;
  double efficiency = 0.7;
  double limit_seconds = 3600;
  std::optional<std::string> folder;
  std::optional<std::string> problem;
  bool weak = false;
  bool no_log = false;
  std::string scripts;
  bool no_page = false;
  campaign::OutputOptions output;

  /// Otherwise a command: it has several words, or {} in one.
  [[nodiscard]] bool is_of_kernel() const {
    return words.size() == 1 && words.front().find(ranks_place) == std::string::npos;
  }
};

/// The command with `ranks` in place of {}.
std::vector<std::string> words_for(const std::vector<std::string>& words, int ranks) {
  std::vector<std::string> filled = words;
  for (std::string& word : filled) {
    for (auto at = word.find(ranks_place); at != std::string::npos; at = word.find(ranks_place)) {
      word.replace(at, ranks_place.size(), std::to_string(ranks));
    }
  }
  return filled;
}

/// Fills in the default numbers of ranks; a kernel has at least two ranks.
ScaleCommand completed(ScaleCommand command) {
  if (!command.ranks.empty()) return command;
  command.ranks = command.is_of_kernel() ? std::vector{2, 4} : std::vector{1, 2, 4};
  return command;
}

void check(const ScaleCommand& command) {
  const auto has_place = [](const std::string& word) {
    return word.find(ranks_place) != std::string::npos;
  };
  if (command.words.empty()) {
    throw InputError({"no command to scale", "what is run stands after --",
                      "hockney scale -- mpirun -n {} ./app, or hockney scale halo"});
  }
  if (command.problem && !command.is_of_kernel()) {
    throw InputError({"--problem with a program", "it chooses one of a kernel's", "leave it out"});
  }
  if (command.weak && command.is_of_kernel()) {
    throw InputError({"--weak with a kernel",
                      "its config has the same grid or matrix at every number of ranks",
                      "scale a program: hockney scale --weak -- mpirun -n {} ./app {}"});
  }
  if (!command.is_of_kernel() && std::ranges::none_of(command.words, has_place)) {
    throw InputError({fmt::format("no {{}} in '{}'", join(command.words, " ")),
                      "it is replaced by the number of ranks",
                      "write mpirun -n {} ./app; options come before, a config stands alone"});
  }
  const std::set<int> distinct(command.ranks.begin(), command.ranks.end());
  if (distinct.size() == command.ranks.size() && distinct.size() > 1) return;
  throw InputError({"bad --ranks " + join_numbers(command.ranks, ","),
                    "a study needs two or more different numbers of ranks",
                    "write them like 1,2,4"});
}

std::string ranks_text(int ranks) {
  return report::count_text(static_cast<std::size_t>(ranks), "rank");
}

/// Launches at all numbers of ranks, in complete blocks.
struct Launched {
  std::vector<profile::Profile> profiles;
  std::vector<projection::ScalingTime> times;
  int blocks = 0;
};

/// nullopt if a signal ended it.
std::optional<std::vector<profile::Profile>> launch_block(const ScaleCommand& command,
                                                          const std::vector<std::string>& words,
                                                          int block, ProgramLaunches& programs,
                                                          std::mt19937_64& random) {
  std::vector<profile::Profile> profiles;
  for (const std::size_t number : random_order(command.ranks.size(), random)) {
    const int ranks = command.ranks[number];
    const std::string name = fmt::format("round-{}-{}", block, ranks);
    auto profile =
        programs.launch(name, words_for(words, ranks), {}, Seconds{command.limit_seconds});
    if (!profile) return std::nullopt;
    if (profile->world_ranks != ranks) {
      throw RunError({fmt::format("the launch {} had {}", name, ranks_text(profile->world_ranks)),
                      fmt::format("the command was to start {}", ranks),
                      "put {} where the launcher reads their number"});
    }
    profiles.push_back(std::move(*profile));
  }
  return profiles;
}

Launched launch_all(const ScaleCommand& command, const std::string& folder) {
  const std::vector<std::string> words = with_path(command.words);
  ProgramLaunches programs(folder, words_for(words, command.ranks.front()));
  std::mt19937_64 random(std::random_device{}());
  Launched launched;
  while (launched.blocks < command.blocks) {
    auto profiles = launch_block(command, words, launched.blocks + 1, programs, random);
    if (!profiles) break;
    ++launched.blocks;
    std::vector<std::string> reported;
    for (profile::Profile& profile : *profiles) {
      launched.times.push_back({launched.blocks, profile.world_ranks, profile.seconds});
      reported.push_back(fmt::format("{} {}", ranks_text(profile.world_ranks),
                                     report::short_time(profile.seconds)));
      launched.profiles.push_back(std::move(profile));
    }
    std::cerr << fmt::format("round {} of {}: {}\n", launched.blocks, command.blocks,
                             join(reported));
  }
  if (launched.blocks > 0) return launched;
  throw RunError({"ended before one round was complete", "what was launched is in " + folder, ""});
}

/// Launches the command once more at each number of ranks, with a log, and splits its time by a
/// replay. Failures become doubts.
void add_splits(const ScaleCommand& command, report::ScalingView& view) {
  const std::vector<std::string> words = with_path(command.words);
  ProgramLaunches programs(view.folder + "/split", words_for(words, command.ranks.front()));
  for (const int ranks : command.ranks) {
    try {
      const std::string name = std::to_string(ranks);
      const auto profile =
          programs.launch(name, words_for(words, ranks), {{profile_log_variable, "1"}},
                          Seconds{command.limit_seconds});
      if (!profile) return;
      view.shares.at(ranks).split =
          applications::split_by_replay(applications::TraceAnalysis(applications::load_trace(
                                            *profile, programs.file(name + ".json"))),
                                        {}, profile->provenance.environment);
    } catch (const Error& error) {
      view.doubts.push_back(fmt::format("no split at {}: {}", ranks_text(ranks), error.what()));
    }
  }
}

void study_program(const ScaleCommand& command, report::ScalingView& view) {
  const Launched launched = launch_all(command, view.folder);
  view.study = projection::study_scaling(launched.times, command.efficiency, command.doublings,
                                         view.problem);
  view.comparison =
      applications::compare(launched.profiles, command.weak ? applications::Scaling::weak
                                                            : applications::Scaling::strong);
  view.shares = report::scaling_shares(*view.comparison);
  view.oversubscribed = report::oversubscription_text(launched.profiles);
  if (launched.blocks < command.blocks) {
    view.doubts.push_back(
        fmt::format("ended after {} of {}", launched.blocks,
                    report::count_text(static_cast<std::size_t>(command.blocks), "round")));
  } else if (!command.no_log) {
    add_splits(command, view);
  }
}

void study_kernel(const ScaleCommand& command, report::ScalingView& view) {
  KernelScaling kernel = scale_kernel({.config = command.words.front(),
                                       .ranks = command.ranks,
                                       .launches = command.blocks,
                                       .folder = view.folder,
                                       .problem = command.problem});
  view.words = {kernel.name};
  view.shares = std::move(kernel.shares);
  view.doubts = std::move(kernel.doubts);
  view.oversubscribed = std::move(kernel.oversubscribed);
  view.study = projection::study_scaling(kernel.times, command.efficiency, command.doublings);
}

/// Writes the page into the folder of the launches.
void write_page_beside(const ScaleCommand& command, const report::ScalingView& view,
                       const report::PageScripts& scripts) {
  if (command.no_page) return;
  campaign::save_page(view.folder + "/page.html",
                      page_of(view, command.output.command({"--out", "--no-page"})), scripts);
  std::cerr << fmt::format("{} in {}/page.html\n",
                           scripts.missing.empty() ? "pictures" : "all tables",
                           escaped(view.folder));
}

ExitCode run_scale(const ScaleCommand& given) {
  const ScaleCommand command = completed(given);
  check(command);
  const report::PageScripts scripts =
      command.no_page ? report::PageScripts{} : campaign::scripts_in(command.scripts);
  report::ScalingView view{
      .words = without_secrets(command.words),
      .folder = command.folder ? *command.folder : unused_folder("hockney-scaling"),
      .efficiency = command.efficiency,
      .problem = command.weak ? projection::Problem::grows : projection::Problem::same,
      .shares = {},
      .study = {},
      .doubts = {},
      .oversubscribed = {}};
  if (command.is_of_kernel()) {
    study_kernel(command, view);
  } else {
    study_program(command, view);
  }
  write_atomically(view.folder + "/scaling.json", json_text(to_json(view)) + "\n");
  const auto print = [&](std::ostream& out) {
    report::print_view(out, "", report::view_of(view));
    if (view.comparison) report::print_comparison_tables(out, *view.comparison);
  };
  campaign::Output(command.output)
      .show({.summary = [&] { return screen_of(view); },
             .tables = print,
             .document = [&] { return to_json(view); },
             .csv = [&](std::ostream& out) { write_csv(out, report::view_of(view)); }});
  write_page_beside(command, view, scripts);
  return ExitCode::good;
}

void add_scale_options(CommandLine& app, ScaleCommand& command) {
  app.add_option(command_words, command.words,
                 "The program with its launcher after --, {} for the number of ranks; or a "
                 "config of hockney-halo or hockney-cannon")
      .type_name(must_complete() ? campaign::config_choice(is_of_kernel) : "TEXT")
      .default_str("none");
  app.add_option("--ranks", command.ranks, "Numbers of ranks, joined by commas")
      .delimiter(',')
      .one_at_a_time()
      .in_range(1, 1 << 20)
      .default_str("1,2,4; 2,4 of a kernel");
  add_count_option(app, "--rounds", command.blocks, 1, "Launches at each number of ranks")
      .default_str("6");
  add_count_option(app, "--blocks", command.blocks, 1, "The same").hidden();
  app.add_option("--efficiency", command.efficiency, "Least efficiency of more ranks")
      .in_range(0.01, 1.0)
      .capture_default_str();
  app.add_option("--beyond", command.doublings, "Doublings of the most ranks to extrapolate to")
      .in_range(0, 10)
      .capture_default_str();
  app.add_option("--limit", command.limit_seconds, "Of a launch, which is then ended [s]")
      .positive()
      .capture_default_str();
  app.add_option("-o,--out", command.folder, "New folder for the launches")
      .type_name("DIR")
      .default_str("hockney-scaling-<UTC time>");
  app.add_option("--problem", command.problem,
                 "Of a kernel that the config measures at several, such as 64x64")
      .default_str("the largest");
  app.add_flag(
      "--weak", command.weak,
      "The program's problem grows as its ranks do: {} is also an argument of the program");
  app.add_flag("--no-log", command.no_log,
               "Without the launch at each number of ranks that is logged and split");
  app.add_flag("--no-page", command.no_page, "Do not write page.html into that folder");
  campaign::add_scripts_option(app, command.scripts);
  add_output_options(app, command.output, {.file = false});
}

}  // namespace

void add_scale(CommandLine& driver, Action& chosen) {
  add_command<ScaleCommand>(
      driver, chosen, scale_beside.name, scale_beside.summary, add_scale_options, run_scale,
      {.examples = {{"hockney scale -- mpirun -n {} ./app", "at 1, 2 and 4 ranks, six times"},
                    {"hockney scale --ranks 2,4 --rounds 1 halo", "a kernel, by its config"},
                    {"hockney scale --ranks 2,4,8,16 --efficiency 0.8 -- srun -n {} ./app",
                     "on a cluster"}}});
}

}  // namespace hockney::driver
