#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "apps/config_list.hpp"
#include "apps/fit.hpp"
#include "apps/subcommands.hpp"
#include "campaign/app/campaign_command.hpp"
#include "campaign/app/page_output.hpp"
#include "campaign/config.hpp"
#include "campaign/config_sources.hpp"
#include "campaign/deadly_points.hpp"
#include "campaign/launch_command.hpp"
#include "campaign/manifest.hpp"
#include "campaign/operation_campaign.hpp"
#include "campaign/outcome.hpp"
#include "core/atomic_file.hpp"
#include "core/cli/command_line.hpp"
#include "core/cli/standard_output.hpp"
#include "core/error.hpp"
#include "core/json_values.hpp"
#include "core/record.hpp"
#include "core/record_file.hpp"
#include "core/shell.hpp"
#include "core/text.hpp"
#include "placement/network/inferred_sites.hpp"
#include "report/library_tables.hpp"
#include "verdicts/compare_axis.hpp"
#include "verdicts/fleet/fleet.hpp"
#include "verdicts/machine_states.hpp"

namespace hockney::apps {
namespace {

/// Repetitions of each suspect that `hockney health check --again` needs for a verdict.
constexpr int usual_repetitions = 3;

constexpr std::size_t fewest_companions = 4;  // they show how far all links moved that night

/// Two hosts.
struct Link {
  std::string a;
  std::string b;
  friend auto operator<=>(const Link&, const Link&) = default;
};

/// Distance of a link from its expectation, at the worst of its points.
struct ScoredLink {
  double worst = 0;  ///< [sigma]
  Link link;
  friend auto operator<=>(const ScoredLink&, const ScoredLink&) = default;
};

std::map<std::string, std::vector<fleet::NightlyPair>> pairs_by_point(
    const std::vector<Record>& records) {
  std::map<std::string, std::vector<fleet::NightlyPair>> points;
  for (const fleet::NightPair& pair : fleet::host_pairs(records, ""))
    points[pair.point].push_back(pair.pair);
  return points;
}

/// Links to measure again: the suspects of each point, and the links nearest to their expectation.
class Chosen {
 public:
  void add(const fleet::FleetNight& night) {
    judged_ = judged_ || night.undecided == fleet::FleetUndecided::none;
    for (const fleet::LinkEffect& link : night.suspects) suspects_.insert({link.a, link.b});
    for (const fleet::LinkEffect& link : night.links) {
      double& worst = worst_[Link{link.a, link.b}];
      worst = std::max(worst, std::abs(link.score));
    }
  }

  [[nodiscard]] bool judged() const { return judged_; }
  [[nodiscard]] bool any() const { return !suspects_.empty(); }

  [[nodiscard]] std::vector<Link> links() const {
    std::vector<ScoredLink> others;
    for (const auto& [link, worst] : worst_) {
      if (!suspects_.contains(link)) others.push_back({worst, link});
    }
    std::ranges::sort(others);
    others.resize(std::min(others.size(), std::max(fewest_companions, suspects_.size())));
    std::vector<Link> links(suspects_.begin(), suspects_.end());
    for (const ScoredLink& other : others) links.push_back(other.link);
    return links;
  }

 private:
  bool judged_ = false;
  std::set<Link> suspects_;
  std::map<Link, double> worst_;  ///< score over all points, on either side [sigma]
};

/// "0-3,2-5": the first ranks of the hosts.
std::string as_rank_pairs(const std::vector<Link>& links, const fleet::HostsOfRanks& hosts) {
  std::map<std::string, int> first_rank;
  for (const auto& [rank, host] : hosts) first_rank.emplace(host, rank);
  std::vector<std::string> pairs;
  for (const auto& [a, b] : links) {
    const auto [low, high] = std::minmax(first_rank.at(a), first_rank.at(b));
    pairs.push_back(fmt::format("{}-{}", low, high));
  }
  return join(pairs, ",");
}

bool is_of(const Record& record, const campaign::Config& config) {
  return record.campaign && record.campaign->name == config.name;
}

/// The complete launches of the campaign's first setting.
std::vector<Record> records_of(const campaign::Config& config, const std::string& folder) {
  std::vector<Record> records = load_records({folder}, Kept::times);
  std::erase_if(records, [&](const Record& record) { return !is_of(record, config); });
  if (records.empty()) {
    throw InputError({fmt::format("no records of the campaign '{}' in {}", config.name, folder),
                      "suspects are measured again by the campaign that found them",
                      "name its config and its folder"});
  }
  std::erase_if(records, [&](const Record& record) {
    return record.status != LaunchStatus::complete ||
           record.campaign->setting != config.settings.front().name;
  });
  return records;
}

void require_one_placement(const std::vector<Record>& records, const std::string& folder) {
  const bool same = std::ranges::all_of(records, [&](const Record& record) {
    return fleet::hosts_by_rank(record) == fleet::hosts_by_rank(records.front());
  });
  if (same) return;
  throw InputError({fmt::format("the launches in {} had their ranks on different hosts", folder),
                    "pairs are measured again by their ranks",
                    "start them all in one allocation, on the same nodes in the same order"});
}

/// Changes a campaign between pairs of nodes into one that measures again in the same night, under
/// its first setting. It measures only the suspects among the links of the records below `folder`,
/// and as many links that were as expected. Returns the hosts of its ranks, as pairs are named by
/// ranks. nullopt without suspects, with the config unchanged. InputError for:
/// - a sweep, or records of another campaign;
/// - launches with ranks on different hosts;
/// - records that allow no verdict on a fleet.
std::optional<fleet::HostsOfRanks> restrict_to_suspects(campaign::Config& config,
                                                        const std::string& folder) {
  if (config.sweep) {
    throw InputError({"--suspects of a sweep", "its settings are not nights of one machine",
                      "use a campaign without axes"});
  }
  const std::vector<Record> records = records_of(config, folder);
  Chosen chosen;
  for (const auto& [point, pairs] : pairs_by_point(records)) chosen.add(fleet::judge_fleet(pairs));
  if (!chosen.judged()) {
    throw InputError({"no suspects can be found in " + folder,
                      "it takes pairs of at least 4 nodes, more of them than nodes",
                      "measure with --pairs all or sparse:16 on one rank a node"});
  }
  require_one_placement(records, folder);
  if (!chosen.any()) return std::nullopt;
  fleet::HostsOfRanks hosts = fleet::hosts_by_rank(records.front());
  // The last --pairs counts.
  config.arguments.insert(config.arguments.end(),
                          {"--pairs", as_rank_pairs(chosen.links(), hosts)});
  config.settings.resize(1);
  return hosts;
}

/// RunError if a rank of a record ran on another host: then other links than the suspects were
/// measured.
void require_hosts(std::span<const Record> records, const fleet::HostsOfRanks& hosts) {
  for (const Record& record : records) {
    for (const auto& [rank, host] : fleet::hosts_by_rank(record)) {
      const auto known = hosts.find(rank);
      if (known != hosts.end() && known->second == host) continue;
      throw RunError({fmt::format("rank {} ran on {} this time", rank, host),
                      "the suspects are links of other nodes, and have not been measured",
                      "repeat in the allocation of the night, with as many ranks"});
    }
  }
}

struct RunOptions {
  std::string config;  ///< or the first operation
  std::string sizes;
  std::string like;
  std::string compat;
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

/// A config with the file it came from.
struct ChosenConfig {
  std::string file;
  campaign::Config config;
};

/// The config of the campaign in a folder, or one that repeats the measurements of its records.
ChosenConfig config_like(const RunOptions& options) {
  if (!options.config.empty()) {
    throw InputError({"both a config and --like", "each says what to measure", "give one of them"});
  }
  const std::string file = campaign::campaign_folder(options.like).manifest();
  std::error_code unreachable;
  ChosenConfig chosen;
  if (std::filesystem::exists(file, unreachable)) {
    campaign::Manifest manifest = campaign::load_manifest(file);
    chosen = {manifest.config_file, std::move(manifest.config)};
  } else {
    chosen.config =
        campaign::config_like(load_records({options.like}, Kept::times), inert(options.like));
  }
  vary(chosen.config, options.varied);
  return chosen;
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
ChosenConfig config_named(const RunOptions& options) {
  const auto file = config_of(options.config);
  if (file && options.further.empty()) return {*file, campaign::load_config(*file)};
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
  return {"", std::move(made.config)};
}

/// The named config, or when resuming that of the campaign.
ChosenConfig chosen_config(const RunOptions& options) {
  if (!options.like.empty()) return config_like(options);
  if (!options.config.empty()) {
    ChosenConfig chosen = config_named(options);
    vary(chosen.config, options.varied);
    return chosen;
  }
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
  const campaign::Manifest manifest = campaign::load_manifest(file);
  return {manifest.config_file, manifest.config};
}

/// "quick", or "pingpong bcast".
std::string subject_of(const RunOptions& options) {
  std::vector<std::string> words{options.config};
  campaign::append(words, options.further);
  return inert(shell_words(words));
}

/// The next steps for such records, most useful first.
std::vector<report::NextStep> next_steps(const RunOptions& options, const std::string& folder,
                                         std::span<const Record> records) {
  const std::string name = inert(shell_word(folder));
  std::vector<report::NextStep> steps;
  const std::vector<std::string> axes = verdicts::axes_of(records);
  std::set<std::string> settings;
  for (const Record& record : records) {
    if (record.campaign) settings.insert(inert(record.campaign->setting));
  }
  const auto has_guidelines = [](const Record& record) { return !record.guidelines.empty(); };
  const bool is_guidelines = std::ranges::any_of(records, has_guidelines);
  if (is_guidelines) {
    steps.push_back({fmt::format("hockney guidelines {} --all", name), "every verdict"});
  } else if (std::ranges::count(axes, "algorithm") > 0) {
    steps.push_back(
        {fmt::format("hockney tune {} -o rules", name), "a file of the best for the library"});
  } else if (!axes.empty()) {
    steps.push_back({fmt::format("hockney compare {} --by {} --all", name, inert(axes.front())),
                     "every verdict with its interval"});
  } else if (settings.size() > 1) {
    steps.push_back({fmt::format("hockney compare {0}:{1} {0}:{2} --all", name, *settings.begin(),
                                 *std::next(settings.begin())),
                     "every verdict with its interval"});
  }
  steps.push_back({fmt::format("hockney report {} --all", name), "all tables"});
  if (!options.config.empty() && settings.size() == 1 && !is_guidelines) {
    steps.push_back(
        {fmt::format("hockney run {} --vary VARIABLE=default,VALUE", subject_of(options)),
         "what if a setting were another"});
  }
  return steps;
}

void show(const RunOptions& options, const std::string& folder, const campaign::Manifest& manifest,
          report::RecordFolders& found) {
  campaign::OutputOptions forms = options.output;
  forms.all = forms.all || options.tails;
  const auto summary = [&] {
    report::Screen screen = screen_of(found, campaign::style_of_terminal());
    report::Names failed;
    for (const std::string& setting : settings_that_failed(manifest)) failed.add(setting);
    if (!failed.empty())
      screen.reliability.insert(screen.reliability.begin(),
                                "no launch completed of " + failed.text());
    screen.next = next_steps(options, folder, found.all().records());
    return screen;
  };
  campaign::Output(forms).show(result_of(found, summary, verdicts::axes_of(found.all().records()),
                                         {.tails = options.tails}));
}

/// Writes the page beside the records, again after each --resume. Returns its exception, to be
/// reported after all results; nullptr if there was none.
std::exception_ptr write_page_beside(const RunOptions& options,
                                     const campaign::FinishedCampaign& finished,
                                     const std::string& folder, report::RecordFolders& found) {
  if (options.no_page) return nullptr;
  report::PageScripts scripts;
  try {
    const report::Page page = page_with_fit(found);
    scripts = campaign::scripts_in(options.scripts);
    campaign::save_page(finished.folder.page(), page, scripts);
  } catch (const Error&) {
    return std::current_exception();
  }
  if (options.output.quiet) return nullptr;
  const bool has_plots = scripts.missing.empty();
  std::cerr << (has_plots ? "pictures in " : "all tables in ") << inert(folder) << "/page.html\n";
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
std::optional<std::string> guess_network(const campaign::FinishedCampaign& finished,
                                         std::span<const Record> records) {
  if (finished.manifest.network) return std::nullopt;
  const auto latencies = placement::host_latencies(records);
  const auto guess = latencies.empty() ? std::nullopt : try_to_infer(latencies);
  if (!guess || guess->sites.levels.empty()) return std::nullopt;
  const std::string file = finished.folder.guessed_network();
  write_atomically(file, json_text(to_json(guess->sites)) + "\n");
  return fmt::format(
      "hops between nodes, guessed from latencies ({} of pairs agree): "
      "hockney fit RECORDS --sites {}",
      format_fraction(guess->agreement), inert(shell_word(file)));
}

/// What is left to say of the records of a campaign when they are shown.
struct Shown {
  std::optional<std::string> guess;  ///< of the network
  std::exception_ptr no_page;        ///< why page.html could not be written
  bool has_faults = false;
  bool has_failed_points = false;
};

bool has_failed_points(std::span<const Record> records) {
  const auto has_failed = [](const Record& record) {
    return std::ranges::any_of(record.points, [](const PlannedPoint& planned) {
      return planned.status == PointStatus::failed;
    });
  };
  return std::ranges::any_of(records, has_failed);
}

Shown show_records(const RunOptions& options, const std::string& folder,
                   campaign::FinishedCampaign& finished,
                   const std::optional<fleet::HostsOfRanks>& hosts) {
  const auto& precision = finished.manifest.precision;
  std::vector<Record> taken = finished.take_records();
  verdicts::judge_launches(taken);
  report::RecordFolders found(folder, std::move(taken),
                              precision ? precision->level : default_level);
  const std::span<const Record> records = found.all().records();
  if (hosts) require_hosts(records, *hosts);
  show(options, folder, finished.manifest, found);
  return {.guess = guess_network(finished, records),
          .no_page = write_page_beside(options, finished, folder, found),
          .has_faults = !found.all().faults().empty(),
          .has_failed_points = has_failed_points(records)};
}

/// What tables do not say, and where the records are.
void say_where(const RunOptions& options, const std::string& folder,
               const campaign::FinishedCampaign& finished, const Shown& shown) {
  const bool shows_tables = options.output.all || options.tails;
  const auto reached = shows_tables ? what_was_reached(finished.manifest) : std::nullopt;
  if (reached) std::cerr << *reached << '\n';
  if (shown.guess) std::cerr << *shown.guess << '\n';
  std::cerr << "records in " << inert(folder) << '\n';
}

ExitCode run(const RunOptions& options, const ChosenConfig& chosen,
             const std::optional<fleet::HostsOfRanks>& hosts = std::nullopt) {
  const campaign::Request request = make_request(chosen.config, chosen.file, options.campaign);
  if (options.campaign.algorithms_only && !options.campaign.dry_run) {
    report::print_algorithm_tables(std::cout, verify_and_show(request));
    return ExitCode::good;
  }
  auto finished = run_or_print(request, options.campaign);
  if (!finished) return ExitCode::good;
  Shown shown;
  if (finished->complete_launches() > 0) {
    shown = show_records(options, request.folder, *finished, hosts);
  }
  if (!options.output.quiet) say_where(options, request.folder, *finished, shown);
  if (finished->missing) throw RunError(*finished->missing);
  if (shown.no_page) std::rethrow_exception(shown.no_page);
  if (shown.has_faults) return ExitCode::run_failed;
  const std::vector<std::string> left_out = what_was_left_out(finished->manifest);
  for (const std::string& line : left_out) std::cerr << "not measured: " << inert(line) << '\n';
  const bool died = !left_out.empty() || shown.has_failed_points;
  return died ? ExitCode::point_died : ExitCode::good;
}

ExitCode run_again(RunOptions options, ChosenConfig chosen) {
  const auto hosts = restrict_to_suspects(chosen.config, options.suspects);
  if (!hosts) {
    std::cerr << "no link is suspect in " << inert(options.suspects)
              << ": nothing to measure again\n";
    return ExitCode::good;
  }
  if (options.campaign.launches.empty()) {
    options.campaign.launches = std::to_string(usual_repetitions);
  }
  return run(options, chosen, hosts);
}

ExitCode run(const RunOptions& given) {
  if (given.list) return list_configs(given.config, given.campaign.executable_folders);
  RunOptions options = given;
  options.campaign.quiet = options.output.quiet;
  options.further = take_words(options);
  if (!options.sizes.empty()) {
    options.campaign.arguments.insert(options.campaign.arguments.end(), {"--sizes", options.sizes});
  }
  if (!options.compat.empty()) {
    options.campaign.arguments.insert(options.campaign.arguments.end(),
                                      {"--compat", options.compat});
  }
  if (!options.scripts.empty())
    campaign::scripts_in(options.scripts);  // refused before anything runs
  ChosenConfig chosen = chosen_config(options);
  return options.suspects.empty() ? run(options, chosen) : run_again(options, std::move(chosen));
}

void add_subject_options(CommandLine& app, RunOptions& options) {
  app.add_option("config", options.config,
                 "The campaign: operations, as hockney, OMB, IMB or MPI name them (allreduce, "
                 "osu_bw bcast, IMB-MPI1 Allreduce), a name of --list, or the file of a "
                 "hockney.campaign/1 document")
      .type_name(is_asked_to_complete() ? campaign::config_choice([](const auto&) { return true; })
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
         "of ranks; 'default' is the library's own choice, '+' in a value a comma, 'ask' all "
         "values the library lists")
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
  app.add_flag("--witness-only", options.campaign.algorithms_only, "The same").hidden();
  app.add_option("--sites", options.campaign.sites,
                 "File of the network for hop classes between nodes, as hockney "
                 "topo --network takes it; 'none': all are cross-node")
      .type_name("FILE")
      .default_str("from scontrol show topology, ibnetdiscover, ...");
  add_output_options(app, options.output, {.file = false});
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

}  // namespace hockney::apps
