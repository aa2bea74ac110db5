#include "benchmarks/programs/kernels/kernel_program.hpp"

#include <mpi.h>

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <iostream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "benchmarks/kernels/cannon.hpp"
#include "benchmarks/kernels/grid.hpp"
#include "benchmarks/kernels/halo.hpp"
#include "benchmarks/kernels/poisson.hpp"
#include "benchmarks/programs/launch/communicators.hpp"
#include "benchmarks/programs/launch/launch.hpp"
#include "benchmarks/programs/launch/option_parser.hpp"
#include "benchmarks/programs/launch/program.hpp"
#include "core/cli/command_line.hpp"
#include "core/json_values.hpp"
#include "core/record_file.hpp"
#include "core/text.hpp"
#include "report/kernel_tables.hpp"

// hockney-cannon: Cannon's product of square matrices, with several ways to communicate blocks.
// hockney-halo: Poisson's equation on a grid in blocks, with several ways to communicate ghost
// cells.
namespace hockney::benchmarks::programs {
namespace {

/// One slot for each point, with all ranks.
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

/// Stores the record of rank 0 in `record`.
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

/// The option --work: which parts of a kernel are measured.
void add_work_option(CommandLine& app, std::vector<kernels::Work>& works) {
  const auto parse = [](const std::string& name) {
    return parse_word<kernels::Work>(name, fmt::format("unknown work '{}'", name),
                                     "no part of a kernel is called so");
  };
  works = {kernels::Work::none, kernels::Work::alone, kernels::Work::after, kernels::Work::during};
  add_list_option(app, "--work", works, valid_words<kernels::Work>(), parse,
                  "What is done: all, or some of none (no computing), alone (nothing else), after "
                  "(computing after communicating) and during (at the same time)")
      .default_str("all");
}

/// The option --mapping: which rank has which place in the grid of processes. One or several
/// mappings of kernels::positions_of; the help shows their form. Whether they fit is checked at
/// launch.
void add_mapping_option(CommandLine& app, std::vector<std::string>& mappings,
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
      .default_str(mappings.front());
}

/// All of main: options, launch, record and summary; returns the exit code.
int run_kernel_program(const KernelProgram& program, int argc, char** argv) {
  CommandLine app(program.description);
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

using kernels::CannonCase;
using kernels::ShiftWay;
using kernels::Work;

constexpr const char* cannon_description =
    "Measure Cannon's matrix product: the fastest way to pass blocks, and the gain of overlap";
constexpr const char* usual_rows = "32,64,128,256";

struct CannonOptions {
  std::vector<int> rows;
  std::vector<std::string> mappings;
  std::vector<std::string> ways;
  std::vector<Work> works;
};

std::vector<int> parse_rows(const std::string& text) {
  std::vector<int> all;
  for (const std::string& part : split(text, ',')) {
    const int rows = parse_count<int>("--sizes", part, 1);
    if (std::ranges::find(all, rows) == all.end()) all.push_back(rows);
  }
  return all;
}

void add_options(CommandLine& app, CannonOptions& options) {
  const std::vector<std::string> all =
      strings_of(kernels::shift_ways(), [](const ShiftWay& way) { return way.name; });
  options.rows = parse_rows(usual_rows);
  add_parsed_option(
      app, "--sizes", [&](const std::string& text) { options.rows = parse_rows(text); },
      "Rows of the square matrices, several joined by commas; the side of the square of processes "
      "divides them")
      .default_str(usual_rows);
  add_mapping_option(app, options.mappings, "linear|RxC,...");
  options.ways = all;
  add_list_option(app, "--ways", options.ways, all, checked_by(kernels::find_shift_way),
                  "Ways of communicating: all, or some of " + join(all))
      .default_str("all");
  add_work_option(app, options.works);
}

void list_shift_ways(std::ostream& out) {
  for (const ShiftWay& way : kernels::shift_ways()) {
    out << way.name << "\n    calls:     " << way.calls << "\n    computing: after"
        << (way.overlap == kernels::Overlap::possible ? ", during\n" : "\n");
  }
}

/// Side of the square of all ranks.
int side_of(int ranks) {
  int side = 1;
  while ((side + 1) * (side + 1) <= ranks) ++side;
  if (side > 1 && side * side == ranks) return side;
  const int less = std::max(2, side);
  throw InputError({fmt::format("{} ranks", ranks), "Cannon's product needs a square of them",
                    fmt::format("start {} or {} ranks", less * less, (less + 1) * (less + 1))});
}

void check_rows(int rows, int side) {
  if (rows % side == 0) return;
  throw InputError({fmt::format("--sizes {0} on {1}x{1} processes", rows, side),
                    "all blocks have as many rows", fmt::format("use a multiple of {}", side)});
}

/// Adds one point for each way and kind of work.
void add_points(std::vector<Point>& all, const CannonOptions& options, CannonCase cannon) {
  for (const std::string& name : options.ways) {
    const ShiftWay& way = kernels::find_shift_way(name);
    for (const Work work : options.works) {
      if (work == Work::during && way.overlap == kernels::Overlap::impossible) continue;
      cannon.way = name;
      cannon.work = work;
      all.push_back(kernels::point_of(cannon));
    }
  }
}

std::vector<Point> points_of(const CannonOptions& options, int ranks) {
  std::vector<Point> all;
  const int side = side_of(ranks);
  for (const int rows : options.rows) {
    check_rows(rows, side);
    CannonCase cannon{.rows = rows, .side = side, .mapping = {}, .way = {}};
    for (const std::string& mapping : options.mappings) {
      kernels::positions_of(mapping, cannon.processes());
      cannon.mapping = mapping;
      add_points(all, options, cannon);
    }
  }
  if (!all.empty()) return all;
  throw InputError({"nothing to measure", "no way of these computes during its communication",
                    "add other --ways, or other --work"});
}

int run_cannon(int argc, char** argv) {
  CannonOptions options;
  return run_kernel_program(
      {.procedure = "cannon",
       .description = cannon_description,
       .help =
           CommandHelp{
               .examples = {{"mpirun -n 4 hockney-cannon", "every way, four sizes"},
                            {"mpirun -n 4 hockney-cannon --sizes 1024 --ways blocking,immediate",
                             "two ways"},
                            {"mpirun -n 4 hockney-cannon --sizes 96 --work after -o record.json",
                             "without overlap"}},
               .common = {"--sizes", "--mapping", "--ways", "--work"}},
       .entry = kernels::cannon_entry(),
       .add_options = [&](CommandLine& app) { add_options(app, options); },
       .list_ways = list_shift_ways,
       .points = [&](int ranks) { return points_of(options, ranks); }},
      argc, argv);
}

using kernels::Grid;
using kernels::HaloWay;
using kernels::PoissonCase;

constexpr const char* halo_description =
    "Measure a halo exchange (Poisson's equation): the fastest way, and the gain of overlap";
constexpr const char* usual_points = "64x64,256x256,1024x1024";

struct HaloOptions {
  std::vector<Grid> points;
  std::optional<Grid> grid;
  std::vector<std::string> mappings;
  std::vector<std::string> ways;
  std::vector<Work> works;
  int iterations = PoissonCase{}.iterations;
};

std::vector<Grid> parse_points(const std::string& text) {
  std::vector<Grid> all;
  for (const std::string& part : split(text, ',')) {
    const Grid grid = kernels::parse_grid("--points", part);
    if (std::ranges::find(all, grid) == all.end()) all.push_back(grid);
  }
  return all;
}

void add_options(CommandLine& app, HaloOptions& options) {
  const std::vector<std::string> all =
      strings_of(kernels::halo_ways(), [](const HaloWay& way) { return way.name; });
  options.points = parse_points(usual_points);
  add_parsed_option(
      app, "--points", [&](const std::string& text) { options.points = parse_points(text); },
      "Points of the whole grid: rows x columns, or planes x rows x columns; several joined by "
      "commas",
      "RxC|PxRxC,...")
      .default_str(usual_points);
  add_parsed_option(
      app, "--grid",
      [&](const std::string& text) { options.grid = kernels::parse_grid("--grid", text); },
      "Processes in each dimension", "RxC|PxRxC")
      .default_str("as MPI_Dims_create has them");
  add_mapping_option(app, options.mappings, "linear|RxC|PxRxC,...");
  options.ways = all;
  add_list_option(app, "--ways", options.ways, all, checked_by(kernels::find_halo_way),
                  "Ways of communicating: all, or some of " + join(all))
      .default_str("all");
  add_work_option(app, options.works);
  add_count_option(app, "--iterations", options.iterations, 1,
                   "Of Jacobi's in one solution; times are those of one")
      .default_str(std::to_string(options.iterations));
}

void list_halo_ways(std::ostream& out) {
  for (const HaloWay& way : kernels::halo_ways()) {
    out << way.name << "\n    calls:     " << way.calls << "\n    computing: after"
        << (way.overlap == kernels::Overlap::possible ? ", during\n" : "\n");
  }
}

Grid grid_of(const HaloOptions& options, int dimensions, int ranks) {
  if (options.grid) {
    if (options.grid->size() == ranks) return *options.grid;
    throw InputError({fmt::format("--grid {} on {} ranks", kernels::text_of(*options.grid), ranks),
                      "each process is a rank",
                      fmt::format("start {} ranks, or leave it out", options.grid->size())});
  }
  Grid grid{.dimensions = dimensions};
  std::array<int, 3> extents{};
  mpi_check(MPI_Dims_create(ranks, dimensions, extents.data()));
  std::copy_n(extents.begin(), dimensions,
              grid.extents.begin() + static_cast<std::ptrdiff_t>(grid.first()));
  return grid;
}

bool is_possible(const HaloWay& way, Work work) {
  return work != Work::during || way.overlap == kernels::Overlap::possible;
}

/// Adds one point for each way and kind of work.
void add_points(std::vector<Point>& all, const HaloOptions& options, PoissonCase poisson) {
  for (const std::string& way : options.ways) {
    for (const Work work : options.works) {
      if (!is_possible(kernels::find_halo_way(way), work)) continue;
      poisson.way = way;
      poisson.work = work;
      all.push_back(kernels::point_of(poisson));
    }
  }
}

std::vector<Point> points_of(const HaloOptions& options, int ranks) {
  std::vector<Point> all;
  for (const Grid& points : options.points) {
    PoissonCase poisson{.decomposition = {.points = points,
                                          .processes = grid_of(options, points.dimensions, ranks)},
                        .mapping = {},
                        .way = {},
                        .iterations = options.iterations};
    check_decomposition(poisson.decomposition);
    for (const std::string& mapping : options.mappings) {
      kernels::positions_of(mapping, poisson.decomposition.processes);
      poisson.mapping = mapping;
      add_points(all, options, poisson);
    }
  }
  if (!all.empty()) return all;
  throw InputError({"nothing to measure", "no way of these computes during its communication",
                    "add other --ways, or other --work"});
}

int run_halo(int argc, char** argv) {
  HaloOptions options;
  return run_kernel_program(
      {.procedure = "halo",
       .description = halo_description,
       .help =
           CommandHelp{
               .examples =
                   {{"mpirun -n 4 hockney-halo", "every way, on three grids"},
                    {"mpirun -n 4 hockney-halo --points 512x512 --grid 4x1 --ways "
                     "blocking,immediate",
                     "stripes"},
                    {"mpirun -n 4 hockney-halo --points 48x48x48 --work after -o record.json",
                     "in space"}},
               .common = {"--points", "--grid", "--mapping", "--ways", "--work", "--iterations"}},
       .entry = kernels::halo_entry(),
       .add_options = [&](CommandLine& app) { add_options(app, options); },
       .list_ways = list_halo_ways,
       .points = [&](int ranks) { return points_of(options, ranks); }},
      argc, argv);
}

}  // namespace

NamedProgram cannon_program() { return {"cannon", cannon_description, run_cannon}; }

NamedProgram halo_program() { return {"halo", halo_description, run_halo}; }

}  // namespace hockney::benchmarks::programs
