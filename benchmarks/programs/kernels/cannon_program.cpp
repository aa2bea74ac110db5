// hockney-cannon: Cannon's product of square matrices, whose blocks travel in several ways.

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "benchmarks/kernels/cannon.hpp"
#include "benchmarks/kernels/shift.hpp"
#include "benchmarks/kernels/work.hpp"
#include "benchmarks/programs/kernels/kernel_program.hpp"
#include "core/cli/cli11.hpp"
#include "core/text.hpp"

namespace hockney::benchmarks::programs {
namespace {

using kernels::CannonCase;
using kernels::ShiftWay;
using kernels::Work;

constexpr const char* cannon_description =
    "Cannon's product of square matrices: which way of passing blocks on is "
    "fastest, and what multiplying meanwhile wins";
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

void add_options(CLI::App& app, CannonOptions& options) {
  const std::vector<std::string> all =
      strings_of(kernels::shift_ways(), [](const ShiftWay& way) { return way.name; });
  options.rows = parse_rows(usual_rows);
  add_parsed_option(
      app, "--sizes", [&](const std::string& text) { options.rows = parse_rows(text); },
      "Rows of the square matrices, several joined by commas; the side of the square of processes "
      "divides them")
      ->default_str(usual_rows);
  add_mapping_option(app, options.mappings, "linear|RxC,...");
  options.ways = all;
  add_list_option(app, "--ways", options.ways, all, checked_by(kernels::find_shift_way),
                  "Ways of communicating: all, or some of " + join(all))
      ->default_str("all");
  add_work_option(app, options.works);
}

void list_shift_ways(std::ostream& out) {
  for (const ShiftWay& way : kernels::shift_ways()) {
    out << way.name << "\n    calls:     " << way.calls << "\n    computing: after"
        << (way.overlap == kernels::Overlap::possible ? ", during\n" : "\n");
  }
}

/// Of the square that the ranks make.
int side_of(int ranks) {
  int side = 1;
  while ((side + 1) * (side + 1) <= ranks) ++side;
  if (side > 1 && side * side == ranks) return side;
  const int less = std::max(2, side);
  throw InputError({std::to_string(ranks) + " ranks", "Cannon's product needs a square of them",
                    "start " + std::to_string(less * less) + " or " +
                        std::to_string((less + 1) * (less + 1)) + " ranks"});
}

void check_rows(int rows, int side) {
  if (rows % side == 0) return;
  throw InputError({"--sizes " + std::to_string(rows) + " on " + std::to_string(side) + "x" +
                        std::to_string(side) + " processes",
                    "all blocks have as many rows", "use a multiple of " + std::to_string(side)});
}

/// One point of each way and work.
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
       .add_options = [&](CLI::App& app) { add_options(app, options); },
       .list_ways = list_shift_ways,
       .points = [&](int ranks) { return points_of(options, ranks); }},
      argc, argv);
}

}  // namespace

NamedProgram cannon_program() { return {"cannon", cannon_description, run_cannon}; }

}  // namespace hockney::benchmarks::programs
