#include <fmt/format.h>
#include <algorithm>
#include <exception>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/atomic_file.hpp"
#include "core/cli/command_line.hpp"
#include "core/error.hpp"
#include "core/json_values.hpp"
#include "core/quantities.hpp"
#include "core/record.hpp"
#include "core/record_file.hpp"
#include "core/shell.hpp"
#include "core/statistics.hpp"
#include "core/suite_names.hpp"
#include "core/text.hpp"
#include "driver/campaign/config.hpp"
#include "driver/campaign/config_sources.hpp"
#include "driver/campaign/crashing_points.hpp"
#include "driver/campaign/launch_command.hpp"
#include "driver/campaign/manifest.hpp"
#include "driver/campaign/operation_campaign.hpp"
#include "driver/campaign/outcome.hpp"
#include "driver/campaign/varied_axes.hpp"
#include "driver/config_list.hpp"
#include "driver/fit.hpp"
#include "driver/output/campaign_command.hpp"
#include "driver/output/output.hpp"
#include "driver/screens/answers.hpp"
#include "driver/screens/nodes.hpp"
#include "driver/subcommands.hpp"
#include "driver/suite_layout.hpp"
#include "driver/suspects.hpp"
#include "placement/machine.hpp"
#include "placement/network/inferred_sites.hpp"
#include "placement/rank_pairs.hpp"
#include "report/library_tables.hpp"
#include "report/size_table.hpp"
#include "verdicts/compare_axis.hpp"
#include "verdicts/disturbance.hpp"
#include "verdicts/fleet/fleet.hpp"

namespace hockney::driver {
namespace {

struct RunOptions {
  std::string config;  ///< or the first operation
  std::string sizes;
  std::string like;
  std::string compat;
  std::string layout;
  std::string suspects;
  std::vector<std::string> varied;
  std::vector<std::string> further;  ///< operations
  campaign::Options campaign;
  campaign::OutputOptions output;
  bool tails = false;
  bool list = false;
  bool no_page = false;
  std::string scripts;
};

/// InputError if records that were imported lack the hop class that a new measurement will have:
/// that of two ranks, or the only one of this node.
void require_hop(std::span<const Record> records, const std::string& path) {
  const auto lacks_hop = [](const PlannedPoint& planned) { return !planned.point.hop; };
  const auto is_of_pair = [](const PlannedPoint& planned) { return planned.point.ranks == 2; };
  const auto hops =
      strings_of(placement::count_pairs(placement::read_live_topology()),
                 [](const placement::HopCount& count) { return placement::hop_name(count.hop); });
  for (const Record& record : records) {
    if (!is_imported(record) || std::ranges::none_of(record.points, lacks_hop)) continue;
    if (hops.size() != 1 && std::ranges::none_of(record.points, is_of_pair)) continue;
    throw InputError(
        {fmt::format("'{}' does not say how far apart its ranks were", escaped(path)),
         "results are compared within a hop class, and those of a new measurement have one",
         hops.size() == 1 ? fmt::format("import it again with --hop {}", hops.front())
                          : fmt::format("import it again with --hop CLASS: {}", join(hops, ", ")) +
                                " or cross-node (hockney topo shows them)"});
  }
}

/// The config of the campaign in a folder, or one that repeats the measurements of its records.
campaign::Config config_like(const RunOptions& options) {
  if (!options.config.empty()) {
    throw InputError({"both a config and --like", "each says what to measure", "give one of them"});
  }
  const std::string file = campaign::campaign_folder(options.like).manifest();
  std::error_code unreachable;
  if (std::filesystem::exists(file, unreachable)) return campaign::load_manifest(file).config;
  const std::vector<Record> records = load_records({options.like}, Kept::times);
  require_hop(records, options.like);
  return campaign::config_like(records, escaped(options.like));
}

bool is_word(const std::string& argument) { return !argument.starts_with('-'); }

/// Takes the words behind the first operation from the arguments of the program.
std::vector<std::string> take_words(RunOptions& options) {
  std::vector<std::string>& arguments = options.campaign.arguments;
  const auto end = std::ranges::find_if_not(arguments, is_word);
  std::vector<std::string> words(arguments.begin(), end);
  arguments.erase(arguments.begin(), end);
  return words;
}

std::optional<std::string> config_of(const std::string& word) {
  const auto file = campaign::known_config(word, campaign::config_folders());
  return file && campaign::is_elf(*file) ? std::nullopt : file;
}

/// InputError if neither a config nor an operation has the name.
campaign::Config config_named(const RunOptions& options) {
  const auto file = config_of(options.config);
  if (file && options.further.empty()) return campaign::load_config(*file);
  if (file) {
    throw InputError(
        {fmt::format("'{}' behind the config '{}'", options.further.front(), options.config),
         "a config says itself what it measures",
         "run it by itself; arguments for its program follow --"});
  }
  std::vector<std::string> words{options.config};
  campaign::append(words, options.further);
  campaign::OperationCampaign made = campaign::operation_campaign(
      words, campaign::listed_operations(options.campaign.executable_folders),
      campaign::config_names(campaign::config_folders()), campaign::ranks_of_job());
  if (!options.output.quiet) {
    for (const std::string& remark : made.remarks) std::cerr << remark << '\n';
  }
  return std::move(made.config);
}

/// InputError if the ranks are varied and fixed.
void require_one_choice_of_ranks(const RunOptions& options) {
  const auto is_of_ranks = [](const std::string& text) {
    return text.starts_with(fmt::format("{}=", campaign::ranks_axis));
  };
  const auto varied = std::ranges::find_if(options.varied, is_of_ranks);
  if (options.campaign.ranks.empty() || varied == options.varied.end()) return;
  throw InputError({fmt::format("--ranks {} and --vary {}", options.campaign.ranks, *varied),
                    "each says how many ranks a launch has", "leave one of them out"});
}

/// The config of the campaign that is resumed.
campaign::Config resumed_config(const RunOptions& options) {
  if (!options.campaign.resume || options.campaign.out.empty()) {
    throw InputError(
        {"no config named", "a campaign is run from a config",
         "name one of hockney run --list, such as quick, or an operation, such as allreduce"});
  }
  if (!options.varied.empty()) {
    throw InputError({"--vary for a campaign that is there", "its settings stay as they are",
                      "leave it out to go on with the campaign"});
  }
  const std::string file = campaign::campaign_folder(options.campaign.out).manifest();
  if (std::error_code unreachable; !std::filesystem::exists(file, unreachable)) {
    throw InputError({fmt::format("no campaign in '{}'", options.campaign.out),
                      "it has no manifest.json",
                      "name the folder that --out had, or a config to begin with"});
  }
  return campaign::load_manifest(file).config;
}

/// The named config, or when resuming that of the campaign.
campaign::Config chosen_config(const RunOptions& options) {
  if (options.like.empty() && options.config.empty()) return resumed_config(options);
  campaign::Config config = options.like.empty() ? config_named(options) : config_like(options);
  vary(config, options.varied);
  return config;
}

/// "quick", or "pingpong bcast".
std::string subject_of(const RunOptions& options) {
  std::vector<std::string> words{options.config};
  campaign::append(words, options.further);
  return escaped(shell_words(words));
}

/// The next steps for such records, most useful first.
std::vector<report::NextStep> next_steps(const RunOptions& options, const std::string& folder,
                                         std::span<const Record> records) {
  const std::string name = escaped(shell_word(folder));
  std::vector<report::NextStep> steps;
  const std::vector<std::string> axes = verdicts::axes_of(records);
  std::set<std::string> settings;
  for (const Record& record : records) {
    if (record.campaign) settings.insert(escaped(record.campaign->setting));
  }
  const auto has_guidelines = [](const Record& record) { return !record.guidelines.empty(); };
  const bool is_guidelines = std::ranges::any_of(records, has_guidelines);
  if (is_guidelines) {
    steps.push_back({fmt::format("hockney guidelines {} --all", name), "every verdict"});
  } else if (std::ranges::count(axes, "algorithm") > 0) {
    steps.push_back(
        {fmt::format("hockney tune {} -o rules", name), "a file of the best for the library"});
  } else if (!axes.empty()) {
    steps.push_back({fmt::format("hockney compare {} --by {} --all", name, escaped(axes.front())),
                     "every verdict with its interval"});
  } else if (settings.size() > 1) {
    steps.push_back({fmt::format("hockney compare {0}:{1} {0}:{2} --all", name, *settings.begin(),
                                 *std::next(settings.begin())),
                     "every verdict with its interval"});
  }
  if (!options.like.empty()) {
    steps.push_back({fmt::format("hockney compare {} {}", escaped(shell_word(options.like)), name),
                     "what changed since then"});
  }
  if (report::are_of_several_nodes(records)) {
    steps.push_back({fmt::format("hockney report {} --csv", name), "every node"});
  }
  steps.push_back({fmt::format("hockney report {} --all", name), "all tables"});
  if (!options.config.empty() && settings.size() == 1 && !is_guidelines) {
    steps.push_back(
        {fmt::format("hockney run {} --vary VARIABLE=default,VALUE", subject_of(options)),
         "what if a setting were another"});
  }
  return steps;
}

/// The nodes without figures in each launch of --each-node.
std::vector<std::vector<MissingNode>> missing_in(const std::string& folder) {
  std::vector<std::vector<MissingNode>> missing;
  std::error_code unreachable;
  const std::string records = campaign::campaign_folder(folder).records();
  for (const auto& entry : std::filesystem::directory_iterator(records, unreachable)) {
    const std::string file = entry.path().string();
    if (std::filesystem::exists(nodes_file(file), unreachable)) {
      missing.push_back(missing_nodes(file));
    }
  }
  return missing;
}

void show(const RunOptions& options, const std::string& folder, const campaign::Manifest& manifest,
          report::Results& results) {
  campaign::OutputOptions forms = options.output;
  const std::optional<report::SuiteLayout> layout = layout_of(options.layout);
  forms.all = forms.all || options.tails || layout;
  const report::ScreenStyle style = campaign::style_of_terminal();
  const auto summary = [&] {
    report::Screen screen = screen_of(results, style);
    report::Names failed;
    for (const std::string& setting : settings_that_failed(manifest)) failed.add(setting);
    if (!failed.empty()) {
      screen.findings.insert(screen.findings.begin(),
                             {.what = "no launch completed of " + failed.text()});
    }
    const std::vector<Finding> missing = report::missing_findings(missing_in(folder));
    screen.findings.insert(screen.findings.begin(), missing.begin(), missing.end());
    for (const campaign::SkippedCombination& skipped : manifest.skipped) {
      if (!skipped.because.starts_with(campaign::nothing_changes)) continue;
      screen.findings.insert(screen.findings.begin(),
                             {.what = fmt::format("not compared: {} ({})", escaped(skipped.setting),
                                                  escaped(skipped.because))});
    }
    screen.next = next_steps(options, folder, results.records());
    const bool is_of_nodes = report::are_of_several_nodes(results.records());
    if (!is_of_nodes && campaign::is_of_operations(manifest.config)) {
      put_sizes(screen, results.shown_rows());
    }
    return screen;
  };
  campaign::Result result =
      result_of(results, summary, verdicts::axes_of(results.records()), {.tails = options.tails});
  if (layout) use_layout(result, *layout, results.rows());
  campaign::Output(forms).show(result);
}

/// Writes the page beside the records, again after each --resume. Returns its exception, to be
/// reported after all results; nullptr if there was none.
std::exception_ptr write_page_beside(const RunOptions& options, const campaign::Folder& folder,
                                     report::Results& results) {
  if (options.no_page) return nullptr;
  report::PageScripts scripts;
  try {
    const report::Page page = page_with_fit(results);
    scripts = campaign::scripts_in(options.scripts);
    campaign::save_page(folder.page(), page, scripts);
  } catch (const Error&) {
    return std::current_exception();
  }
  if (options.output.quiet) return nullptr;
  const bool has_plots = scripts.missing.empty();
  std::cerr << (has_plots ? "pictures in " : "all tables in ") << escaped(results.names().front())
            << "/page.html\n";
  return nullptr;
}

std::optional<placement::InferredSites> try_to_infer(
    const std::vector<placement::HostLatency>& latencies) {
  try {
    return placement::infer_sites(latencies, "the records of this campaign");
  } catch (const InputError&) {
    return std::nullopt;  // too few hosts, or pairs
  }
}

/// If the places of hosts are unknown, guesses them from latencies and saves them beside the
/// records. Returns a remark on the guess.
std::optional<std::string> guess_network(const campaign::CampaignEnd& end,
                                         std::span<const Record> records) {
  if (end.manifest.network) return std::nullopt;
  const auto latencies = placement::host_latencies(records);
  const auto guess = latencies.empty() ? std::nullopt : try_to_infer(latencies);
  if (!guess || guess->sites.levels.empty()) return std::nullopt;
  const std::string file = end.folder.guessed_network();
  write_atomically(file, json_text(to_json(guess->sites)) + "\n");
  return fmt::format(
      "hops between nodes, guessed from latencies ({} of pairs agree): "
      "hockney fit RECORDS --sites {}",
      format_fraction(guess->agreement), escaped(shell_word(file)));
}

/// Points were planned, and none has a time.
bool has_no_figure(const std::vector<report::Row>& rows) {
  return !rows.empty() && std::ranges::none_of(rows, [](const report::Row& row) {
    return row.median_seconds.has_value();
  });
}

bool has_failed_points(std::span<const Record> records) {
  const auto has_failed = [](const Record& record) {
    return std::ranges::any_of(record.points, [](const PlannedPoint& planned) {
      return planned.status == PointStatus::failed;
    });
  };
  return std::ranges::any_of(records, has_failed);
}

report::IntervalAims aims_of(const campaign::Manifest& manifest) {
  return {.level = manifest.precision ? manifest.precision->level : default_level,
          .precision = manifest.config.precision.value_or(default_precision)};
}

/// What tables do not say, and where the records are.
void say_where(const RunOptions& options, const std::string& folder,
               const campaign::Manifest& manifest, const std::optional<std::string>& guess) {
  if (options.output.quiet) return;
  const bool shows_tables = options.output.all || options.tails;
  const auto reached = shows_tables ? what_was_reached(manifest) : std::nullopt;
  for (const auto& line : {reached, start_up_text(manifest), guess}) {
    if (line) std::cerr << *line << '\n';
  }
  std::cerr << "records in " << escaped(folder) << '\n';
}

/// The worst that happened in a complete campaign.
ExitCode code_of(const campaign::Manifest& manifest, report::Results& results) {
  if (!results.faults().empty()) return ExitCode::run_failed;
  const std::vector<std::string> left_out = what_was_left_out(manifest);
  for (const std::string& line : left_out) std::cerr << "not measured: " << escaped(line) << '\n';
  const bool died =
      !left_out.empty() || has_failed_points(results.records()) || has_no_figure(results.rows());
  return died ? ExitCode::point_died : ExitCode::good;
}

ExitCode run(const RunOptions& options, campaign::Config config,
             const std::optional<fleet::HostsOfRanks>& hosts = std::nullopt) {
  const campaign::Request request = make_request(std::move(config), options.campaign);
  if (options.campaign.algorithms_only && !options.campaign.dry_run) {
    report::print_algorithm_tables(std::cout, verify_and_show(request));
    return ExitCode::good;
  }
  auto end = run_or_print(request, options.campaign);
  if (!end) return ExitCode::good;
  std::vector<Record> records;
  if (end->manifest.complete_launches() > 0) records = end->take_records();
  verdicts::judge_launches(records);
  report::Results results(std::move(records), request.folder, aims_of(end->manifest));
  std::optional<std::string> guess;
  std::exception_ptr no_page;
  if (!results.records().empty()) {
    if (hosts) require_hosts(results.records(), *hosts);
    show(options, request.folder, end->manifest, results);
    guess = guess_network(*end, results.records());
    no_page = write_page_beside(options, end->folder, results);
  }
  say_where(options, request.folder, end->manifest, guess);
  if (const auto missing = end->missing()) throw RunError(*missing);
  if (no_page) std::rethrow_exception(no_page);
  return code_of(end->manifest, results);
}

ExitCode run_again(RunOptions options, campaign::Config config) {
  const auto hosts = restrict_to_suspects(config, options.suspects);
  if (!hosts) {
    std::cerr << "no link is suspect in " << escaped(options.suspects)
              << ": nothing to measure again\n";
    return ExitCode::good;
  }
  if (options.campaign.launches.empty()) {
    options.campaign.launches = std::to_string(usual_repetitions);
  }
  return run(options, std::move(config), hosts);
}

ExitCode run(const RunOptions& given) {
  if (given.list) return list_configs(given.config, given.campaign.executable_folders);
  RunOptions options = given;
  options.campaign.quiet = options.output.quiet;
  options.further = take_words(options);
  if (!options.sizes.empty()) {
    parse_sizes(options.sizes);  // refused before anything runs
    options.campaign.arguments.insert(options.campaign.arguments.end(), {"--sizes", options.sizes});
  }
  if (!options.compat.empty()) {
    options.campaign.arguments.insert(options.campaign.arguments.end(),
                                      {"--compat", options.compat});
  }
  if (!options.scripts.empty())
    campaign::scripts_in(options.scripts);  // refused before anything runs
  const std::optional<report::SuiteLayout> layout = layout_of(options.layout);
  require_one_choice_of_ranks(options);
  campaign::Config config = chosen_config(options);
  if (layout) require_suite_table(*layout, campaign::chosen_operations(config));
  return options.suspects.empty() ? run(options, std::move(config))
                                  : run_again(options, std::move(config));
}

void add_subject_options(CommandLine& app, RunOptions& options) {
  app.add_option("config", options.config,
                 "The campaign: operations, as hockney, OMB, IMB or MPI name them (allreduce, "
                 "osu_bw bcast, IMB-MPI1 Allreduce), a name of --list, or the file of a "
                 "hockney.campaign/1 document")
      .type_name(must_complete() ? campaign::config_choice([](const auto&) { return true; })
                                 : "TEXT")
      .default_str("with --resume that of the campaign in --out");
  app.add_option(further_words, options.campaign.arguments,
                 "After --: further arguments for the program that is launched")
      .default_str("none");
  app.add_option("--sizes", options.sizes,
                 "Message sizes: 0,8,1K or 0:4M (doubling) or 1:4M:8 (eight an octave)")
      .default_str("as the config says; all sizes of an operation");
  app.add_flag("--list", options.list,
               "List the configs that can be named; --list all: those of other MPI libraries, and "
               "experiments, too");
  app.add_option(
         "--vary", options.varied,
         "NAME=VALUE,VALUE: compare settings of a variable, of an --option of the program or "
         "of ranks; 'default' is the library's own choice, '+' in a value a comma")
      .one_at_a_time()
      .default_str("none");
  app.add_option("--like", options.like,
                 "In place of a config: measure what these records have (imported ones too), the "
                 "same operations, sizes, ranks and way of timing")
      .type_name("RECORDS")
      .default_str("none");
  app.add_option("--compat", options.compat,
                 "Time operations as these suites would, too, for comparing with their results")
      .type_name("osu|imb")
      .default_str("none");
}

void add_options(CommandLine& app, RunOptions& options) {
  add_subject_options(app, options);
  add_campaign_options(app, options.campaign);
  app.add_option("--precision", options.campaign.precision,
                 "Add launches until every interval is this close to its median, such as 5%")
      .default_str("as the config says; 5% where there are neither launches nor a budget");
  app.add_option("--max-launches", options.campaign.max_launches,
                 "Launches of each setting at most")
      .default_str("as the config says, or 30");
  app.add_option("--suspects", options.suspects,
                 fmt::format("Only measure again, {} times under its first setting, the links that "
                             "are slow in these records of the campaign",
                             usual_repetitions))
      .default_str("none");
  app.add_flag("--verification-only", options.campaign.algorithms_only,
               "Only show which algorithms run, measure nothing");
  app.add_option("--sites", options.campaign.sites,
                 "File of the network for hop classes between nodes, as hockney "
                 "topo --network takes it; 'none': all are cross-node")
      .type_name("FILE")
      .default_str("from scontrol show topology, ibnetdiscover, ...");
  app.add_flag("--each-node", options.campaign.each_node,
               "Every node of the job measures itself, all at the same time; --ranks are those of "
               "each node");
  add_output_options(app, options.output, {.file = false});
  add_layout_option(app, options.layout);
  app.add_flag("--tails", options.tails, "All tables, with high quantiles too")
      .excludes(app.option("--quiet"))
      .excludes(app.option("--json"))
      .excludes(app.option("--csv"));
  app.add_flag("--no-page", options.no_page, "Write no page.html beside the records");
  campaign::add_scripts_option(app, options.scripts);
  app.add_option("--seed", options.campaign.seed, "Of the order of launches and of their own seeds")
      .default_str("drawn anew");
}

}  // namespace

void add_run(CommandLine& driver, Action& chosen) {
  add_command<RunOptions>(
      driver, chosen, "run", "Run a campaign of launches, resume it, summarise it", add_options,
      run,
      {.examples = {{"hockney run allreduce --ranks 64", "any operation; also osu_allreduce"},
                    {"hockney run hops --budget 60s --out results/hops",
                     "the best result in a minute"},
                    {"hockney run quick --vary OMPI_MCA_btl=default,self+tcp",
                     "what if a setting were another"}},
       .common = {"config", "arguments", "--sizes", "--list", "--vary", "--budget", "--launches",
                  "--ranks", "--precision", "--out", "--resume", "--dry-run", "--all", "--quiet"}});
}

}  // namespace hockney::driver
