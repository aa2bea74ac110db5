#include <fmt/format.h>
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "components/application/commands/commands.hpp"
#include "components/application/commands/program_model.hpp"
#include "components/application/page/profile_page.hpp"
#include "components/application/profile/profile_file.hpp"
#include "components/application/screens/projection_report.hpp"
#include "core/atomic_file.hpp"
#include "core/cli/command_line.hpp"
#include "core/cli/standard_output.hpp"
#include "core/error.hpp"
#include "core/json_values.hpp"
#include "core/quantities.hpp"
#include "core/record_file.hpp"
#include "core/text.hpp"
#include "driver/fit.hpp"
#include "driver/output/output.hpp"
#include "driver/subcommands.hpp"
#include "models/collectives/collective_fit.hpp"
#include "models/schedules/schedule.hpp"
#include "models/tables/collective_tables.hpp"
#include "report/curve_tables.hpp"
#include "report/screen.hpp"
#include "report/table.hpp"

namespace hockney::driver {
namespace {

/// Options for a kernel at several numbers of ranks.
struct KernelQuestion {
  std::string kernel;                  ///< "halo" or "cannon"
  std::optional<std::string> problem;  ///< "256x256"; for Cannon's product the rows of its matrices
  std::vector<int> ranks;
  int per_node = 0;  ///< 0: all ranks on one node
};

/// Options for changes to a logged program.
struct ProgramQuestion {
  std::optional<std::string> profile;
  std::optional<std::string> eager_limit;
  std::optional<double> latency;
  std::optional<double> bandwidth;
  bool ideal = false;
  std::optional<std::string> map;
  std::vector<std::string> algorithms;  ///< "allreduce=ring"
  std::vector<std::string> machine;     ///< records of another machine
};

using projection::Kernel;

/// "256x256" for a halo; "64" or "64x64" for Cannon's product.
std::vector<int> extents_of(Kernel kernel, const std::string& problem) {
  const auto refuse = [&] {
    throw InputError(
        {fmt::format("bad --problem '{}'", problem),
         kernel == Kernel::halo ? "a grid has two or three dimensions" : "matrices are square",
         kernel == Kernel::halo ? "write it like 256x256" : "write its rows: 1024"});
  };
  std::vector<int> extents;
  for (const std::string& part : split(problem, 'x')) {
    const auto number = as_number<int>(part);
    if (number.value_or(0) < 1) refuse();
    extents.push_back(number.value_or(0));
  }
  if (kernel == Kernel::cannon && extents.size() == 1) extents.push_back(extents.front());
  const bool is_good = kernel == Kernel::halo
                           ? extents.size() == 2 || extents.size() == 3
                           : extents.size() == 2 && extents.front() == extents.back();
  if (!is_good) refuse();
  return extents;
}

/// Hosts of ranks that fill one node after the other. Names are from the site file, else generated.
std::vector<std::string> hosts_for(int ranks, int per_node, const std::optional<SiteFile>& sites) {
  std::vector<std::string> hosts;
  for (int rank = 0; rank < ranks; ++rank) {
    const auto node = static_cast<std::size_t>(per_node > 0 ? rank / per_node : 0);
    if (sites && node >= sites->hosts.size()) {
      throw InputError({fmt::format("no hosts for {} ranks", ranks),
                        fmt::format("the site file has {}", sites->hosts.size()),
                        "put more on each with --per-node"});
    }
    hosts.push_back(sites ? sites->hosts[node] : fmt::format("node{}", node));
  }
  return hosts;
}

/// Whether a name is that of a kernel.
bool is_kernel(const std::string& operation) { return find_word<Kernel>(operation).has_value(); }

/// InputError if the records do not suffice for the kernel or the machine.
ExitCode predict_kernel(const KernelQuestion& question, const MachineRecords& records,
                        const campaign::Output& output, const std::string& command) {
  const Kernel kernel = find_word<Kernel>(question.kernel).value_or(Kernel::halo);
  if (!question.problem || question.ranks.empty()) {
    throw InputError({"nothing to predict without --problem and --ranks",
                      "a kernel needs a size and numbers of ranks",
                      "write --problem 256x256 --ranks 16,64"});
  }
  const std::vector<int> extents = extents_of(kernel, *question.problem);
  const auto sites = records.sites ? std::optional(load_sites(*records.sites)) : std::nullopt;
  const std::vector<Record> loaded = load_machine(records.paths, sites);
  report::KernelPredictionView view{.kernel = kernel,
                                    .problem = join_numbers(extents, "x"),
                                    .records = records.paths,
                                    .ranks = question.ranks,
                                    .why_not = {},
                                    .answers = {},
                                    .doubts = {}};
  const int most = std::ranges::max(question.ranks);
  const projection::Machine machine(loaded, sites,
                                    {.hosts = hosts_for(most, question.per_node, sites),
                                     .setting = records.setting,
                                     .mpi_library = ""});
  view.has_intervals = machine.has_intervals();
  view.doubts = machine.doubts();
  view.oversubscribed = oversubscription_text(loaded);
  for (const int ranks : question.ranks) {
    view.answers.emplace_back();
    view.why_not.emplace_back();
    try {
      const projection::KernelSetup setup{kernel, extents, usual_grid(kernel, extents, ranks)};
      view.answers.back() = projection::predict_kernel(
          setup, machine, hosts_for(ranks, question.per_node, sites), loaded);
    } catch (const Error& error) {
      view.why_not.back() = error.what();
    }
  }
  output.show({.summary = [&] { return screen_of(view); },
               .tables = [&](std::ostream& out) { print_view(out, "", report::view_of(view)); },
               .document = [&] { return to_json(view); },
               .csv = [&](std::ostream& out) { write_csv(out, report::view_of(view)); },
               .page =
                   [&] {
                     return report::Page{
                         .title = fmt::format("Prediction of {} {}", question.kernel, view.problem),
                         .made_by = command + " --page page.html",
                         .documents = {
                             {"kernel-prediction", with_summary(to_json(view), screen_of(view))}}};
                   }});
  return ExitCode::good;
}

using projection::Machine;
using projection::Projector;
using projection::WhatIf;

std::pair<std::string, std::string> forced_algorithm(const std::string& text) {
  const auto equals = text.find('=');
  const std::string name = text.substr(0, equals);
  const auto operation = schedules::scheduled_operation(name);
  if (equals == std::string::npos || !operation) {
    throw InputError({fmt::format("bad --algorithm '{}'", text),
                      "with --profile it is a collective and its algorithm, such as allreduce=ring",
                      suggest(name, schedules::scheduled_operations())});
  }
  const std::string algorithm = schedules::canonical_algorithm(*operation, text.substr(equals + 1));
  if (schedules::has_algorithm(*operation, algorithm)) return {*operation, algorithm};
  throw InputError({fmt::format("bad --algorithm '{}'", text),
                    fmt::format("{} has no algorithm '{}'", *operation, algorithm),
                    suggest(algorithm, schedules::algorithms_of(*operation))});
}

std::vector<std::string> mapped_hosts(const std::string& map,
                                      const std::vector<std::string>& hosts) {
  if (map == "blocks") return projection::in_blocks(hosts);
  if (map == "round-robin") return projection::round_robin(hosts);
  if (!std::filesystem::exists(map)) {
    throw InputError({fmt::format("bad --map '{}'", map),
                      "ranks go to nodes one by one, in blocks, or as a file of their hosts says",
                      suggest(map, {"blocks", "round-robin"})});
  }
  std::vector<std::string> mapped = split(read_file(map), '\n');
  std::erase(mapped, "");
  if (mapped.size() == hosts.size()) return mapped;
  throw InputError({fmt::format("'{}' does not place this program", map),
                    fmt::format("it has {} for {}", report::count_text(mapped.size(), "line"),
                                report::count_text(hosts.size(), "rank")),
                    "write one: hockney map FILE --format hosts -o HOSTS"});
}

/// A question and its text.
struct RequestedValue {
  std::string words;
  WhatIf what_if;
};

/// All options of the user as one question; an empty text if there are none.
RequestedValue requested_of(const ProgramQuestion& question,
                            const std::vector<std::string>& hosts) {
  RequestedValue requested;
  std::vector<std::string> words;
  if (question.eager_limit) {
    requested.what_if.eager_limit_bytes = parse_bytes(*question.eager_limit).value;
    words.push_back("eager limit " + *question.eager_limit);
  }
  if (question.latency) {
    requested.what_if.latency_divisor = *question.latency;
    words.push_back("latency / " + report::significant(*question.latency, 3));
  }
  if (question.bandwidth) {
    requested.what_if.bandwidth_factor = *question.bandwidth;
    words.push_back("bandwidth x " + report::significant(*question.bandwidth, 3));
  }
  if (question.ideal) {
    requested.what_if.is_free = true;
    words.emplace_back("network costs nothing");
  }
  if (question.map) {
    requested.what_if.hosts = mapped_hosts(*question.map, hosts);
    words.push_back("ranks on nodes " + escaped(*question.map));
  }
  for (const std::string& text : question.algorithms) {
    const auto [operation, algorithm] = forced_algorithm(text);
    requested.what_if.algorithms[operation] = algorithm;
    words.push_back(fmt::format("{} by {}", operation, algorithm));
  }
  if (!question.machine.empty()) {
    words.insert(words.begin(), "on " + escaped(join(question.machine)));
  }
  requested.words = join(words);
  return requested;
}

/// Default questions.
std::vector<RequestedValue> usual_questions(const Projector& projector, const Machine& machine) {
  std::vector<RequestedValue> requested;
  const applications::SendLimits& limits = machine.limits();
  if (projector.largest_message_bytes() >
      std::min(limits.in_node.eager, limits.between_nodes.eager)) {
    requested.push_back({"no message waits for its receive",
                         {.eager_limit_bytes = std::numeric_limits<std::int64_t>::max()}});
  }
  requested.push_back({"half the latency", {.latency_divisor = 2}});
  requested.push_back({"twice the bandwidth", {.bandwidth_factor = 2}});
  const auto& hosts = projector.hosts();
  for (const auto& [words, mapped] :
       {std::pair{"ranks on nodes round-robin", projection::round_robin(hosts)},
        std::pair{"ranks on nodes in blocks", projection::in_blocks(hosts)}}) {
    if (mapped != hosts) requested.push_back({words, {.hosts = mapped}});
  }
  requested.push_back({"network costs nothing", {.is_free = true}});
  return requested;
}

report::ProjectionView answers_to(const ProgramQuestion& question, const MachineRecords& records) {
  const std::string file = question.profile.value_or("");
  const ProgramModel model(file, records);
  const Projector& projector = model.projector();
  report::ProjectionView view{.profile = model.profile(), .file = file};
  view.validation = projector.validation();
  view.has_intervals = model.machine().has_intervals();
  view.doubts = projector.doubts();
  view.oversubscribed = oversubscription_text(model.records());
  const RequestedValue requested = requested_of(question, projector.hosts());
  if (requested.words.empty()) {
    for (const auto& [words, what_if] : usual_questions(projector, model.machine())) {
      view.answers.push_back(projector.project(words, what_if));
    }
    return view;
  }
  if (question.machine.empty()) {
    view.answers.push_back(projector.project(requested.words, requested.what_if));
    return view;
  }
  const Machine other(load_machine(question.machine, model.sites()), model.sites(),
                      {.hosts = projector.hosts(), .setting = {}, .mpi_library = ""});
  view.answers.push_back(projector.project(requested.words, requested.what_if, other));
  view.doubts.emplace_back("processors of the other machine are taken to compute as fast");
  return view;
}

/// Adds --profile and the options that require it.
void add_program_options(CommandLine& app, ProgramQuestion& question) {
  const CommandOption profile =
      app.add_option("--profile", question.profile,
                     "In place of a collective: a run of a program, recorded with --log")
          .type_name("FILE")
          .default_str("none");
  const auto question_option = [&](const std::string& name, auto& value, const std::string& help,
                                   const std::string& type) {
    return app.add_option(name, value, help)
        .type_name(type)
        .default_str("as it was")
        .needs(profile);
  };
  question_option("--eager-limit", question.eager_limit,
                  "What if messages of up to so many bytes went without a receive", "SIZE");
  constexpr double most = 1e6;
  question_option("--latency", question.latency, "What if latency were so many times lower",
                  "FACTOR")
      .in_range(1 / most, most);
  question_option("--bandwidth", question.bandwidth, "What if bandwidth were so many times higher",
                  "FACTOR")
      .in_range(1 / most, most);
  app.add_flag("--ideal", question.ideal, "What if the network cost nothing").needs(profile);
  question_option("--map", question.map,
                  "What if ranks lay on nodes blocks or round-robin, or on the hosts of a file",
                  "WORD|FILE");
  question_option("--machine", question.machine,
                  "What if it ran on the machine of these records, with equal processors", "PATH")
      .one_at_a_time();
}

/// Projects the time of a logged program with the user's changes; without changes, with other
/// settings and networks; `command` is for its page. InputError if the records do not suffice.
ExitCode predict_program(const ProgramQuestion& question, const MachineRecords& records,
                         const campaign::Output& output, const std::string& command) {
  const report::ProjectionView view = answers_to(question, records);
  const auto print = [&](std::ostream& out) {
    print_screen(out, report::screen_of(view), report::ScreenSize::whole, output_columns());
  };
  output.show({.summary = [&] { return report::screen_of(view); },
               .tables = print,
               .document = [&] { return report::to_json(view); },
               .csv = [&](std::ostream& out) { write_csv(out, report::view_of(view)); },
               .page = [&] { return page_of(view, command); }});
  return ExitCode::good;
}

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
  campaign::OutputOptions output;
};

std::string spelt(const std::string& operation) {
  if (const auto name = schedules::scheduled_operation(operation)) return *name;
  throw InputError({fmt::format("cannot predict operation '{}'", operation),
                    "collectives have models of their algorithms",
                    suggest(operation, schedules::scheduled_operations())});
}

CollectiveModels fit_models(const PredictCommand& options) {
  const auto sites = options.sites ? std::optional(load_sites(*options.sites)) : std::nullopt;
  const std::vector<Record> records = load_machine(options.paths, sites);
  const models::FitSet pairs = models::fit_curves(models::collect_curves(records));
  return fit_collectives_of(records, pairs, sites);
}

collectives::Question question_of(const PredictCommand& options) {
  const std::string operation = spelt(options.operation);
  const std::string requested = options.algorithms.empty() ? "default" : options.algorithms.front();
  const std::string algorithm =
      requested == "default" ? "" : schedules::canonical_algorithm(operation, requested);
  return {operation, algorithm, options.setting.value_or("")};
}

/// Faults of the models of a curve without a launch whose ranks had a CPU each.
report::Lines faults_of(const std::vector<collectives::PredictedTime>& rows) {
  if (!rows.front().shares_cpus) return {};
  return {
      "in every launch of this model ranks shared CPUs: it is of the scheduler more than of MPI"};
}

nlohmann::json document_of(const collectives::Question& question,
                           const std::vector<collectives::PredictedTime>& rows) {
  const report::Lines faults = faults_of(rows);
  return {{"schema", "hockney.prediction/1"},
          {"oversubscribed", faults.empty() ? nlohmann::json() : nlohmann::json(faults.front())},
          {"predictions", array_json(rows, [&](const collectives::PredictedTime& row) {
             return report::to_json(question, row);
           })}};
}

std::string title_of(const collectives::Question& question) {
  return escaped(fmt::format("{} algorithm={}", question.operation,
                             question.algorithm.empty() ? "default" : question.algorithm));
}

/// InputError unless the options describe one collective.
void check_collective(const PredictCommand& options) {
  const auto missing = [](const std::string& option) {
    throw InputError({"nothing to predict without " + option,
                      "a collective needs an operation and ranks",
                      "give both, or a program with --profile"});
  };
  if (options.problem || options.per_node) {
    throw InputError({"--problem and --per-node with a collective", "they are of kernels",
                      "name one: --operation halo"});
  }
  if (options.operation.empty()) missing("--operation");
  if (options.ranks.empty()) missing("--ranks");
  if (options.algorithms.size() <= 1) return;
  throw InputError(
      {"several algorithms of one collective", join(options.algorithms), "give one --algorithm"});
}

ExitCode run_predict_kernel(const PredictCommand& options, const campaign::Output& output) {
  if (!options.algorithms.empty() || options.force) {
    throw InputError(
        {"--algorithm and --force with a kernel", "they are of collectives", "leave them out"});
  }
  return predict_kernel({.kernel = options.operation,
                         .problem = options.problem,
                         .ranks = options.ranks,
                         .per_node = options.per_node.value_or(0)},
                        {options.paths, options.sites, options.setting}, output,
                        options.output.command({}));
}

/// InputError for numbers of ranks beside a program.
void reject_ranks_of_program(const PredictCommand& options) {
  if (options.ranks.empty()) return;
  throw InputError({"--ranks with --profile", "a logged run has one number of ranks",
                    "measure others: hockney scale -- mpirun -n {} ./app"});
}

ExitCode run_predict(const PredictCommand& options) {
  std::vector<std::string> inputs = options.paths;
  inputs.push_back(options.program.profile.value_or(""));
  const campaign::Output output(options.output, inputs);
  if (options.program.profile) {
    reject_ranks_of_program(options);
    ProgramQuestion question = options.program;
    question.algorithms = options.algorithms;
    return predict_program(question, {options.paths, options.sites, options.setting}, output,
                           options.output.command({}));
  }
  if (is_kernel(options.operation)) return run_predict_kernel(options, output);
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
  const auto print = [&](std::ostream& out) {
    print_view(out, title_of(question), report::view_of(rows));
  };
  const auto summary = [&] {
    return report::Screen{.faults = faults_of(rows),
                          .answer = report::lines_printed(print),
                          .rows = report::rows_of(report::view_of(rows)),
                          .verdict = fmt::format("{}: {}", title_of(question),
                                                 report::prediction_text(rows.front()))};
  };
  output.show({.summary = summary,
               .tables = print,
               .document = [&] { return document_of(question, rows); },
               .csv = [&](std::ostream& out) { write_csv(out, report::view_of(rows)); },
               .page =
                   [&] {
                     return report::Page{
                         .title = "Prediction of " + title_of(question),
                         .made_by = options.output.command({}) + " --page page.html",
                         .documents = {
                             {"prediction", with_summary(document_of(question, rows), summary())}}};
                   }});
  return ExitCode::good;
}

void add_options(CommandLine& app, PredictCommand& options) {
  app.add_option("PATH", options.paths, "Record files, or folders searched for them").required();
  add_under(app, "Of a program", [&] { add_program_options(app, options.program); });
  const CommandOption program = app.option("--profile");
  app.add_option("--operation", options.operation,
                 "The collective, such as allreduce; or a kernel, halo or cannon")
      .default_str("none")
      .excludes(program);
  app.add_option("--algorithm", options.algorithms,
                 "Its algorithm; default: the library's own choice. With --profile OPERATION=NAME, "
                 "once or more")
      .one_at_a_time()
      .default_str("none");
  app.add_option("--ranks", options.ranks, "Numbers of ranks, joined by commas")
      .delimiter(',')
      .in_range(2, 1 << 20)
      .default_str("none");
  app.add_option("--sizes", options.sizes, "Message sizes: 8,1K or 1:4M [B]")
      .capture_default_str()
      .excludes(program);
  app.add_option("--setting", options.setting, "The campaign's setting that ran it")
      .default_str("the only one");
  app.add_option("--sites", options.sites,
                 "Site file of the network; ranks beyond those measured live on its first hosts")
      .default_str("none");
  app.add_flag("--force", options.force,
               "Predict also where no model is to be relied on, and say so")
      .excludes(program);
  app.add_option("--problem", options.problem,
                 "Points of a halo, such as 256x256; rows of the matrices of cannon")
      .type_name("TEXT")
      .default_str("none")
      .excludes(program);
  app.add_option("--per-node", options.per_node, "Ranks of a kernel on each node")
      .in_range(1, 1 << 20)
      .default_str("all on one")
      .excludes(program);
  add_output_options(app, options.output, {.page = true});
}

}  // namespace

void add_predict(CommandLine& driver, Action& chosen) {
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

}  // namespace hockney::driver
