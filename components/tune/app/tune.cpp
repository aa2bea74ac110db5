#include "components/tune/app/tune.hpp"

#include <unistd.h>

#include <fmt/format.h>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

#include "components/tune/deciding.hpp"
#include "components/tune/tables/tables.hpp"
#include "components/tune/tuning.hpp"
#include "components/tune/verification.hpp"
#include "core/atomic_file.hpp"
#include "core/cli/command_line.hpp"
#include "core/cli/standard_output.hpp"
#include "core/error.hpp"
#include "core/faults.hpp"
#include "core/json_values.hpp"
#include "core/quantities.hpp"
#include "core/record.hpp"
#include "core/record_file.hpp"
#include "core/shell.hpp"
#include "core/text.hpp"
#include "driver/subcommands.hpp"
#include "report/curve_tables.hpp"
#include "report/screen.hpp"
#include "verdicts/compare.hpp"
#include "verdicts/disturbance.hpp"
#include "verdicts/multiplicity.hpp"

namespace hockney::tune {
namespace {

/// A share that may be 0.
double parse_least(const std::string& option, const std::string& text) {
  return text == "0" || text == "0%" ? 0 : parse_fraction(option, text);
}

std::map<std::string, std::string> parse_parameters(const std::string& text) {
  std::map<std::string, std::string> parameters;
  if (text.empty()) return parameters;
  for (const std::string& part : split(text, ',')) {
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw InputError({fmt::format("bad --parameters '{}'", text),
                        fmt::format("'{}' is no NAME=VALUE", part),
                        "write it like cache=hot,root=fixed"});
    }
    parameters[part.substr(0, equals)] = part.substr(equals + 1);
  }
  return parameters;
}

void add_choosing(CommandLine& app, Command& command) {
  app.add_text(
         "--for", [&command](const std::string& text) { command.target = parse_target(text); },
         "The library, openmpi being 4.1 and 5.0")
      .type_name(join(valid_words<Target>(), "|"))
      .default_str("the library that the records come from");
  app.add_option("--default", command.base_setting, "The setting that others must beat")
      .default_str("the one whose axes are all at default");
  app.add_option("--operations,--operation", command.operations,
                 "Only these operations, joined by commas")
      .default_str("all");
  app.add_option("--parameters", command.parameters,
                 "Only points with these parameters, such as cache=hot")
      .default_str("all");
  app.add_option("--least-gain", command.least_gain,
                 "Share of the default's time that a switch must save")
      .capture_default_str();
  app.add_option("--most-regret", command.most_regret,
                 "Share of the best time that fewer rules may cost at a point")
      .capture_default_str();
  app.add_option("--alpha", command.alpha, "Chance of a false alarm").capture_default_str();
  app.add_option("--correction", command.correction,
                 "For many tests, how their p-values are adjusted")
      .type_name("max-t|holm|bh|none")
      .capture_default_str();
}

void add_sources(CommandLine& app, Command& command) {
  app.add_flag("--exact", command.exact,
               "The times are a simulator's without noise: every difference is one");
  command.only_tuning = {
      app.add_flag("--extend", command.extend,
                   "Outermost choices hold beyond the measured sizes and ranks, too"),
      app.add_option("--predicted", command.predicted,
                     "CSV of predicted times, candidates where nothing was measured")
          .default_str("none"),
      app.add_option("--verified", command.verified,
                     "What --verify has found, its folder or document: sizes at which the file was "
                     "slower stay the default's; may be repeated")
          .one_at_a_time()
          .default_str("none"),
      app.add_flag("--force", command.force,
                   "Write rules although ranks shared CPUs, as 4 ranks on 2 CPUs do"),
      app.add_option("--base", command.base_tree,
                     "For mpich-json: a complete selection tree to put the rules into")
          .default_str("none")};
  tried_first(
      app.add_option("-o,--output", command.output, "The selection file; of --verify its document"))
      .default_str("stdout; none");
  add_page_options(app, command.page);
  const CommandOption json = app.add_flag("--json", command.json, "Print the JSON document");
  command.only_tuning.push_back(
      app.add_flag("--csv", command.csv, "Print the choice at each point as CSV").excludes(json));
}

void add_verifying(CommandLine& app, Command& command) {
  app.add_option("--verify", command.verify,
                 "Measure the default against this file, with the program, ranks and environment "
                 "of the one campaign that results names; exit with 1 when it is slower anywhere")
      .default_str("none");
  const campaign::Defaults defaults{.out = "results/<name>-verify-<time>",
                                    .launches = "those of the campaign",
                                    .ranks = "those of the campaign",
                                    .budget = "none",
                                    .launcher = "that of the campaign"};
  command.only_verifying = add_campaign_options(app, command.campaign, defaults);
  command.only_verifying.push_back(
      app.add_option("--sizes", command.sizes, "To verify at, such as 12,3K")
          .default_str("between those that were measured"));
  command.only_verifying.push_back(
      app.add_option("--oracle", command.oracle,
                     "Forced settings to measure beside; chosen: those of the file")
          .type_name("chosen|all|none")
          .capture_default_str());
}

/// Adds all options with their help texts.
void add_tune_options(CommandLine& app, Command& command) {
  app.add_option("results", command.results,
                 "Records of campaigns whose settings force algorithms: folders or files")
      .required();
  add_choosing(app, command);
  add_sources(app, command);
  add_verifying(app, command);
}

std::optional<BaseTree> base_tree(const std::string& file) {
  if (file.empty()) return std::nullopt;
  return BaseTree{file, read_file(file)};
}

/// Leaves sizes to the default that a verification found slower.
void take_back(Tuning& tuning, const std::vector<std::string>& verified) {
  for (const std::string& name : verified) {
    const bool is_folder = std::filesystem::is_directory(name);
    const std::string file = is_folder ? fmt::format("{}/{}", name, verification_file) : name;
    leave_to_default(tuning.evidence, read_slower_sizes(read_file(file), file));
    tuning.verified.push_back(file);
  }
}

Tuning make_tuning(const Command& command) {
  Tuning tuning;
  tuning.options = decide_options(command);
  std::vector<Record> records = load_judged_records(command.results);
  report::print_faults(std::cerr, find_faults(records));
  tuning.oversubscribed = oversubscription_text(records);
  if (!command.operations.empty()) keep_operations({&records}, command.operations);
  tuning.evidence = gather_evidence(std::move(records), evidence_options(command));
  tuning.target = chosen_target(command, tuning.evidence.library);
  if (!command.predicted.empty()) {
    add_predicted(tuning.evidence,
                  read_predicted(read_file(command.predicted), command.predicted, tuning.target));
  }
  keep_expressible(tuning.target, tuning.evidence);
  if (tuning.evidence.points.empty()) {
    throw InputError({"nothing to choose for", "the records hold no time of a collective operation",
                      "name the folder of a campaign of hockney-collectives"});
  }
  take_back(tuning, command.verified);
  tuning.decisions = decide_all(tuning.evidence, tuning.options);
  tuning.file = selection_file(tuning.target, tuning.decisions, comments_of(tuning),
                               base_tree(command.base_tree));
  return tuning;
}

void reject_given(const std::vector<CommandOption>& options, const std::string& why) {
  for (const CommandOption option : options) {
    if (!option.is_given()) continue;
    throw InputError({option.name() + " here", why, "leave it out"});
  }
}

/// InputError if ranks of the launches shared CPUs.
void refuse_shared_cpus(const Tuning& tuning) {
  if (tuning.oversubscribed.empty()) return;
  throw InputError({"no rules are written of " + tuning.oversubscribed,
                    "what is fastest there is not where every rank has a CPU",
                    "measure with a CPU for each rank, or add --force"});
}

/// Prints the form that the command asks for: a document, the rules, or the summary.
void show(const Command& command, const Tuning& tuning, bool writes_rules) {
  if (command.json) {
    std::cout << json_text(to_json(tuning)) << '\n';
  } else if (command.csv) {
    report::write_csv(std::cout, view_of(tuning.decisions, tuning.evidence.options.replication));
  } else if (writes_rules && command.output.empty()) {
    std::cout << tuning.file.text;
  } else {
    const WrittenFile written{.name = writes_rules ? command.output : "",
                              .results = command.results};
    print_selection(std::cout, tuning, written, output_columns());
  }
}

report::Page page_of(const Tuning& tuning, const Command& command) {
  return {.title = "Fastest algorithms of " + escaped(join(command.results, " ")),
          .made_by = "hockney tune " + escaped(shell_words(command.results)) + " --page page.html",
          .documents = {{"selection", to_json(tuning)}}};
}

ExitCode run(const Command& command) {
  if (!command.verify.empty()) {
    reject_given(command.only_tuning, "it makes a file, and --verify has one");
    return verify_tuning(command);
  }
  reject_given(command.only_verifying, "it is for measuring, which only --verify does");
  const report::PageScripts scripts = scripts_for(command.page, command.results);
  const Tuning tuning = make_tuning(command);
  const bool is_nothing = changes_nothing(tuning.decisions);
  const bool is_file_shown = command.output.empty() && !command.json && !command.csv;
  const bool writes_rules = !is_nothing && (is_file_shown || !command.output.empty());
  if (writes_rules && !command.force) refuse_shared_cpus(tuning);
  if (!command.output.empty() && !is_nothing) write_atomically(command.output, tuning.file.text);
  if (command.page.is_wanted()) {
    campaign::save_page(command.page.file, page_of(tuning, command), scripts);
  }
  show(command, tuning, writes_rules);
  if (is_nothing && !command.output.empty()) {
    std::cerr << "note: " << escaped(command.output)
              << " is not written: it would change nothing\n";
  }
  for (const std::string& note : selection_notes(tuning)) std::cerr << note << '\n';
  return ExitCode::good;
}

}  // namespace

EvidenceOptions evidence_options(const Command& command) {
  return {.base = command.base_setting,
          .alpha = verdicts::parse_alpha(command.alpha),
          .least_gain = parse_least("--least-gain", command.least_gain),
          .correction = verdicts::parse_correction(command.correction),
          .replication = command.exact ? Replication::exact : Replication::launches,
          .parameters = parse_parameters(command.parameters)};
}

DecideOptions decide_options(const Command& command) {
  return {.most_regret = parse_least("--most-regret", command.most_regret),
          .beyond = command.extend ? Beyond::extended : Beyond::library,
          .replication = command.exact ? Replication::exact : Replication::launches};
}

Target chosen_target(const Command& command, const std::string& library) {
  if (!command.target) return target_of_library(library);
  const Target target = *command.target;
  if (prints_of(target, library)) return target;
  throw InputError({fmt::format("--for {} from records of '{}'", word(target), library),
                    "libraries do not share their algorithms",
                    fmt::format("use --for {}", word(target_of_library(library)))});
}

std::vector<Record> load_judged_records(const std::vector<std::string>& paths) {
  std::vector<Record> records = load_records(paths);
  verdicts::judge_launches(records);
  return records;
}

void add_tune(CommandLine& driver, Action& chosen) {
  add_command<Command>(
      driver, chosen, driver::tune_beside.name, driver::tune_beside.summary, add_tune_options, run,
      {.examples = {{"hockney tune results/bcast -o bcast.rules", "choose, and write the file"},
                    {"hockney tune results/bcast --verify bcast.rules",
                     "measure the file against the default"},
                    {"hockney tune results/p4 --for mpich -o tuned.sh",
                     "in the format of another library"}},
       .common = {"results", "--for", "--operations", "--least-gain", "--verified", "--output",
                  "--force", "--json", "--verify", "--sizes", "--budget", "--dry-run"}});
}

}  // namespace hockney::tune
