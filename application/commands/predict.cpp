#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "application/commands/commands.hpp"
#include "application/commands/predict_kernel.hpp"
#include "application/commands/program_prediction.hpp"
#include "apps/beside.hpp"
#include "apps/collective_models.hpp"
#include "core/cli/standard_output.hpp"
#include "core/cli/subcommand.hpp"
#include "core/quantities.hpp"
#include "core/record_file.hpp"
#include "core/text.hpp"
#include "models/collectives/prediction.hpp"
#include "models/schedules/schedule.hpp"
#include "report/fault_lines.hpp"
#include "report/fit_table.hpp"
#include "report/screens/narrow.hpp"

namespace hockney::apps {
namespace {

struct PredictCommand {
  std::vector<std::string> paths;
  std::string operation;
  std::vector<std::string> algorithms;
  std::optional<std::string> setting;
  std::vector<int> ranks;
  std::string sizes = "8";
  std::optional<std::string> sites;
  bool force = false;
  std::optional<std::string> problem;
  std::optional<int> per_node;
  ProgramQuestion program;
  DocumentOptions document;
};

std::string spelt(const std::string& operation) {
  std::string name = operation;
  std::ranges::replace(name, '-', '_');
  const auto known = schedules::scheduled_operations();
  if (std::ranges::find(known, name) != known.end()) return name;
  throw InputError({"cannot predict operation '" + operation + "'",
                    "collectives have models of their algorithms", suggest(name, known)});
}

/// Records whose hop classes are those of the site file, if there is one.
CollectiveModels fit_models(const PredictCommand& options) {
  std::vector<Record> records = load_records(options.paths, Kept::times);
  report::print_faults(std::cerr, find_faults(records));
  note_asked_algorithms(records);
  const auto sites = options.sites ? std::optional(load_sites(*options.sites)) : std::nullopt;
  if (sites) name_network_hops(records, *sites);
  const models::FitSet pairs = models::fit_curves(models::collect_curves(records));
  return fit_collectives_of(records, pairs, sites);
}

collectives::Question question_of(const PredictCommand& options) {
  const std::string operation = spelt(options.operation);
  const std::string& asked = options.algorithms.front();
  const std::string algorithm =
      asked == "default" ? "" : schedules::canonical_algorithm(operation, asked);
  return {operation, algorithm, options.setting.value_or("")};
}

nlohmann::json document_of(const collectives::Question& question,
                           const std::vector<collectives::PredictedTime>& rows) {
  nlohmann::json predictions = nlohmann::json::array();
  for (const collectives::PredictedTime& row : rows) predictions.push_back(to_json(question, row));
  return {{"schema", "hockney.prediction/1"}, {"predictions", predictions}};
}

/// InputError where a collective is not told whole.
void check_collective(const PredictCommand& options) {
  const auto missing = [](const std::string& option) {
    throw InputError({"nothing to predict without " + option,
                      "a collective is told by its operation, algorithm and ranks",
                      "give all three, or a program with --profile"});
  };
  if (options.problem || options.per_node) {
    throw InputError({"--problem and --per-node with a collective", "they are of kernels",
                      "name one: --operation halo"});
  }
  if (options.operation.empty()) missing("--operation");
  if (options.algorithms.empty()) missing("--algorithm");
  if (options.ranks.empty()) missing("--ranks");
  if (options.algorithms.size() == 1) return;
  throw InputError(
      {"several algorithms of one collective", join(options.algorithms), "give one --algorithm"});
}

ExitCode run_predict_kernel(const PredictCommand& options) {
  if (!options.algorithms.empty() || options.force) {
    throw InputError(
        {"--algorithm and --force with a kernel", "they are of collectives", "leave them out"});
  }
  return predict_kernel({.kernel = options.operation,
                         .problem = options.problem,
                         .ranks = options.ranks,
                         .per_node = options.per_node.value_or(0)},
                        {options.paths, options.sites, options.setting}, options.document);
}

ExitCode run_predict(const PredictCommand& options) {
  if (options.program.profile) {
    ProgramQuestion question = options.program;
    question.algorithms = options.algorithms;
    return predict_program(question, {options.paths, options.sites, options.setting},
                           options.document);
  }
  if (is_kernel(options.operation)) return run_predict_kernel(options);
  check_collective(options);
  const collectives::Question question = question_of(options);
  const auto sizes = parse_sizes(question.operation == "barrier" ? "0" : options.sizes);
  const CollectiveModels models = fit_models(options);
  std::vector<collectives::PredictedTime> rows;
  for (const int ranks : options.ranks) {
    for (const Bytes bytes : sizes) {
      rows.push_back(
          predict(models.fits, models.network.get(), question, {.ranks = ranks, .bytes = bytes}));
      const auto objection = objection_to(rows.back());
      if (objection && !options.force) throw InputError(*objection);
    }
  }
  show_document(document_of(question, rows), options.document, [&](std::ostream& out) {
    report::print_narrowed(out, output_columns(), [&](std::ostream& narrow) {
      report::print_prediction_table(narrow, question, rows);
    });
  });
  return ExitCode::good;
}

void add_options(CLI::App& app, PredictCommand& options) {
  app.add_option("PATH", options.paths, "Record files, or folders searched for them")->required();
  add_under(app, "Of a program", [&] { add_program_options(app, options.program); });
  CLI::Option* const program = app.get_option("--profile");
  app.add_option("--operation", options.operation,
                 "The collective, such as allreduce; or a kernel, halo or cannon")
      ->default_str("none")
      ->excludes(program);
  app.add_option("--algorithm", options.algorithms,
                 "Its algorithm; default: the library's own choice. With --profile OPERATION=NAME, "
                 "once or more")
      ->allow_extra_args(false)
      ->default_str("none");
  app.add_option("--ranks", options.ranks, "Numbers of ranks, joined by commas")
      ->delimiter(',')
      ->check(CLI::Range(2, 1 << 20))
      ->default_str("none")
      ->excludes(program);
  app.add_option("--sizes", options.sizes, "Message sizes: 8,1K or 1:4M [B]")
      ->capture_default_str()
      ->excludes(program);
  app.add_option("--setting", options.setting, "The campaign's setting that ran it")
      ->default_str("the only one");
  app.add_option("--sites", options.sites,
                 "Site file of the network; ranks beyond those measured live on its first hosts")
      ->default_str("none");
  app.add_flag("--force", options.force,
               "Predict also where no model is to be relied on, and say so")
      ->excludes(program);
  app.add_option("--problem", options.problem,
                 "Points of a halo, such as 256x256; rows of the matrices of cannon")
      ->type_name("TEXT")
      ->default_str("none")
      ->excludes(program);
  app.add_option("--per-node", options.per_node, "Ranks of a kernel on each node")
      ->check(CLI::Range(1, 1 << 20))
      ->default_str("all on one")
      ->excludes(program);
  add_json_flag(app, options.document.json);
}

}  // namespace

void add_predict(CLI::App& driver, Action& chosen) {
  add_command<PredictCommand>(
      driver, chosen, predict_beside.name, predict_beside.summary, add_options, run_predict,
      {.examples =
           {{"hockney predict results/x --operation allreduce --algorithm ring --ranks 64",
             "8 bytes"},
            {"hockney predict results/hops --profile run.json", "what would help that program"},
            {"hockney predict results/hops --profile run.json --bandwidth 2 --eager-limit 64K",
             "both at once"}},
       .common = {"PATH", "--profile", "--eager-limit", "--latency", "--bandwidth", "--ideal",
                  "--map", "--machine", "--page", "--operation", "--algorithm", "--ranks",
                  "--sizes", "--problem", "--json"}});
}

}  // namespace hockney::apps
