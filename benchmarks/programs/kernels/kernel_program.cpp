#include "benchmarks/programs/kernels/kernel_program.hpp"

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <utility>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/kernels/grid.hpp"
#include "benchmarks/programs/launch/communicators.hpp"
#include "benchmarks/programs/launch/launch.hpp"
#include "benchmarks/programs/launch/option_parser.hpp"
#include "benchmarks/programs/launch/program.hpp"
#include "core/cli/cli11.hpp"
#include "core/json_values.hpp"
#include "core/record_file.hpp"
#include "core/text.hpp"
#include "core/words.hpp"
#include "report/kernel_tables.hpp"

namespace hockney::benchmarks::programs {
namespace {

/// One slot for each point, all of all ranks.
LaunchPlan plan_kernel(const CatalogueEntry& entry, const std::vector<Point>& points,
                       const JobPlacement& job) {
  require_two_ranks(job, std::string(entry.descriptor.name));
  std::vector<int> all(job.sites.size());
  std::iota(all.begin(), all.end(), 0);
  const auto hop = common_hop(job, all);
  LaunchPlan plan;
  plan.rounds.push_back({{.ranks = all, .hop = hop, .parameters = {}}});
  for (const Point& point : points) {
    PlannedMeasurement& planned = plan.points.emplace_back();
    planned.point = point;
    planned.point.hop = hop;
    if (const auto obstacle = entry.obstacle(point)) {
      planned.status = PointStatus::skipped;
      planned.reason = *obstacle;
      continue;
    }
    planned.bytes_per_sample = entry.volume(point).bytes.value;
    plan.slots.push_back({.operation = &entry, .round = 0, .points = {plan.points.size() - 1}});
  }
  return plan;
}

/// Leaves the record of rank 0 in `record`.
ExitCode launch(const KernelProgram& program, const LaunchOptions& options,
                std::optional<Record>& record) {
  const std::vector<Point> points = program.points(size_of(MPI_COMM_WORLD));
  record = run_launch(MPI_COMM_WORLD, program.procedure, options,
                      [&](const LaunchOptions&, const JobPlacement& job) {
                        return plan_kernel(program.entry, points, job);
                      });
  if (!record) return ExitCode::good;
  if (options.json) {
    std::cout << json_text(to_json(*record)) << '\n';
  } else {
    report::print_kernel_tables(std::cout, report::kernel_points({&*record, 1}));
  }
  return judge_launch(*record);
}

CommandHelp with_usual_options(CommandHelp help) {
  help.common.insert(help.common.end(),
                     {"--list", "--budget", "--epochs", "--bind", "--output", "--json"});
  return help;
}

}  // namespace

void add_work_option(CLI::App& app, std::vector<kernels::Work>& works) {
  const auto& words = enum_words<kernels::Work>;
  const std::vector<std::string> all(words.begin(), words.end());
  const auto parse = [all](const std::string& name) {
    if (const auto work = find_word<kernels::Work>(name)) return *work;
    throw InputError(
        {"unknown work '" + name + "'", "no part of a kernel is called so", suggest(name, all)});
  };
  works = {kernels::Work::none, kernels::Work::alone, kernels::Work::after, kernels::Work::during};
  add_list_option(app, "--work", works, all, parse,
                  "What is done: all, or some of none (no computing), alone (nothing else), after "
                  "(computing after communicating) and during (at the same time)")
      ->default_str("all");
}

void add_mapping_option(CLI::App& app, std::vector<std::string>& mappings,
                        const std::string& form) {
  mappings = {std::string(kernels::linear_mapping)};
  const auto parse = [&mappings](const std::string& text) {
    mappings.clear();
    for (std::string& mapping : split(text, ',')) {
      if (std::ranges::find(mappings, mapping) == mappings.end()) {
        mappings.push_back(std::move(mapping));
      }
    }
  };
  add_parsed_option(
      app, "--mapping", parse,
      "Which rank is where: linear, or a tile such as 2x4, which ranks fill one after "
      "the other; several joined by commas",
      form)
      ->default_str(mappings.front());
}

int run_kernel_program(const KernelProgram& program, int argc, char** argv) {
  CLI::App app(program.description);
  bool list = false;
  app.add_flag("--list", list, "List the ways of communicating and their calls");
  add_under(app, "What is measured", [&] { program.add_options(app); });
  LaunchOptions options;
  add_under(app, "How long, and from which start", [&] {
    add_effort_options(app, options);
    add_start_option(app, options);
    add_seed_option(app, options, "Of the order of points and the data");
  });
  add_surrounding_options(app, options);
  hockney::describe(app, with_usual_options(program.help));
  const auto prepare = [&] {
    check_effort(options);
    check_campaign_place(options);
    if (list) program.list_ways(std::cout);
    return list;
  };
  std::optional<Record> record;
  return run_mpi_program(app,
                         {.prepare = prepare,
                          .run = [&] { return launch(program, options, record); },
                          .keep = [&] { return place_of(record, options.output); },
                          .limit = [&] { return time_limit(options); }},
                         argc, argv);
}

}  // namespace hockney::benchmarks::programs
