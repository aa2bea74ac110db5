// hockney-halo: Poisson's equation on a grid in blocks, whose ghost cells travel in several ways.

#include <mpi.h>
#include <algorithm>
#include <array>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "benchmarks/harness/mpi_error.hpp"
#include "benchmarks/kernels/grid.hpp"
#include "benchmarks/kernels/halo.hpp"
#include "benchmarks/kernels/poisson.hpp"
#include "benchmarks/kernels/work.hpp"
#include "benchmarks/programs/kernels/kernel_program.hpp"
#include "core/cli/cli11.hpp"
#include "core/text.hpp"

namespace hockney::benchmarks::programs {
namespace {

using kernels::Grid;
using kernels::HaloWay;
using kernels::PoissonCase;
using kernels::Work;

constexpr const char* halo_description =
    "Poisson's equation on a grid in blocks: which way of exchanging ghost cells "
    "is fastest, and what computing meanwhile wins";
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

void add_options(CLI::App& app, HaloOptions& options) {
  const std::vector<std::string> all =
      strings_of(kernels::halo_ways(), [](const HaloWay& way) { return way.name; });
  options.points = parse_points(usual_points);
  add_parsed_option(
      app, "--points", [&](const std::string& text) { options.points = parse_points(text); },
      "Points of the whole grid: rows x columns, or planes x rows x columns; several joined by "
      "commas",
      "RxC|PxRxC,...")
      ->default_str(usual_points);
  add_parsed_option(
      app, "--grid",
      [&](const std::string& text) { options.grid = kernels::parse_grid("--grid", text); },
      "Processes in each dimension", "RxC|PxRxC")
      ->default_str("as MPI_Dims_create has them");
  add_mapping_option(app, options.mappings, "linear|RxC|PxRxC,...");
  options.ways = all;
  add_list_option(app, "--ways", options.ways, all, checked_by(kernels::find_halo_way),
                  "Ways of communicating: all, or some of " + join(all))
      ->default_str("all");
  add_work_option(app, options.works);
  add_count_option(app, "--iterations", options.iterations, 1,
                   "Of Jacobi's in one solution; times are those of one")
      ->default_str(std::to_string(options.iterations));
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
    throw InputError(
        {"--grid " + kernels::text_of(*options.grid) + " on " + std::to_string(ranks) + " ranks",
         "each process is a rank",
         "start " + std::to_string(options.grid->size()) + " ranks, or leave it out"});
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

/// One point of each way and work.
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
       .add_options = [&](CLI::App& app) { add_options(app, options); },
       .list_ways = list_halo_ways,
       .points = [&](int ranks) { return points_of(options, ranks); }},
      argc, argv);
}

}  // namespace

NamedProgram halo_program() { return {"halo", halo_description, run_halo}; }

}  // namespace hockney::benchmarks::programs
