#include "benchmarks/kernels/poisson.hpp"

#include <algorithm>
#include <limits>

#include "benchmarks/harness/communicators.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_objects.hpp"

namespace hockney::benchmarks::kernels {
namespace {

/// Cells that a position sends in one step.
std::int64_t cells_sent(const Decomposition& decomposition, int position) {
  const Box box = decomposition.block_at(position);
  std::int64_t cells = 0;
  for (std::size_t i = decomposition.points.first(); i < 3; ++i) {
    for (const int side : {-1, 1}) {
      Triple place = decomposition.place_of(position);
      place.at(i) += side;
      if (decomposition.position_of(place) < 0) continue;
      cells += box.size() / (box.end.at(i) - box.begin.at(i));
    }
  }
  return cells;
}

constexpr Parameter<Grid> points_parameter{"points"};
constexpr Parameter<int> iterations_parameter{"iterations", 1};

constexpr std::int64_t cell_bytes = sizeof(double);

std::vector<std::int64_t> bytes_sent(const Decomposition& decomposition) {
  std::vector<std::int64_t> bytes;
  bytes.reserve(static_cast<std::size_t>(decomposition.processes.size()));
  for (int position = 0; position < decomposition.processes.size(); ++position) {
    bytes.push_back(cells_sent(decomposition, position) * cell_bytes);
  }
  return bytes;
}

Volume halo_volume(const Point& point) {
  const PoissonCase poisson = poisson_case_of(point);
  std::int64_t bytes = 0;
  for (const std::int64_t sent : bytes_sent(poisson.decomposition)) bytes += sent;
  return {.operations = poisson.iterations,
          .bytes = Bytes{poisson.work == Work::alone ? 0 : bytes}};
}

std::unique_ptr<PreparedOperation> prepare_halo(const Workbench& bench, const Point& point) {
  const PoissonCase poisson = poisson_case_of(point);
  return std::make_unique<Poisson>(bench.comm, poisson, find_halo_way(poisson.way));
}

}  // namespace

Point point_of(const PoissonCase& poisson) {
  const Decomposition& decomposition = poisson.decomposition;
  return {.operation = "halo",
          .bytes = Bytes{std::ranges::max(bytes_sent(decomposition))},
          .ranks = static_cast<int>(decomposition.processes.size()),
          .parameters = {{points_parameter, decomposition.points},
                         {processes_parameter, decomposition.processes},
                         {mapping_parameter, poisson.mapping},
                         {way_parameter, poisson.way},
                         {iterations_parameter, poisson.iterations},
                         {work_parameter, poisson.work}}};
}

PoissonCase poisson_case_of(const Point& point) {
  return {.decomposition = {.points = point.parameters[points_parameter],
                            .processes = point.parameters[processes_parameter]},
          .mapping = point.parameters[mapping_parameter],
          .way = point.parameters[way_parameter],
          .work = point.parameters[work_parameter],
          .iterations = point.parameters[iterations_parameter]};
}

Poisson::Poisson(MPI_Comm comm, const PoissonCase& poisson, const HaloWay& way)
    : poisson_(poisson),
      comm_(in_order_of_positions(comm,
                                  positions_of(poisson.mapping, poisson.decomposition.processes))),
      box_(poisson.decomposition.block_at(rank_in(comm_.get()))),
      layout_(box_, poisson.decomposition.points.dimensions),
      peeled_(peel(layout_.inner(), poisson.decomposition.points.first())),
      fields_(2 * layout_.cells(), 0.0),
      block_{.comm = comm_.get(),
             .processes = poisson.decomposition.processes,
             .fields = {fields_.data(), fields_.data() + layout_.cells()},
             .field_bytes = layout_.cells() * sizeof(double),
             .faces = make_faces(poisson.decomposition, rank_in(comm_.get()))},
      halo_(way.make(block_)),
      start_{.points = poisson.decomposition.points} {}

void Poisson::relax_box(const Box& box) {
  relax(layout_, block_.field(now_), block_.field(1 - now_), box);
  pass_simulated_time(static_cast<double>(box.size()) * flops_of_cell(layout_.dimensions()));
}

void Poisson::turn() { now_ = 1 - now_; }

void Poisson::communicate() {
  halo_->begin(now_);
  halo_->end(now_);
  turn();
}

void Poisson::compute() {
  relax_box(layout_.inner());
  turn();
}

void Poisson::compute_after() {
  halo_->begin(now_);
  halo_->end(now_);
  compute();
}

void Poisson::compute_during() {
  halo_->begin(now_);
  relax_box(peeled_.interior);
  halo_->end(now_);
  for (const Box& side : peeled_.rim) relax_box(side);
  turn();
}

void Poisson::run_batch(std::int64_t iterations) {
  const std::int64_t steps = iterations * poisson_.iterations;
  switch (poisson_.work) {
    case Work::none:
      for (std::int64_t i = 0; i < steps; ++i) communicate();
      break;
    case Work::alone:
      for (std::int64_t i = 0; i < steps; ++i) compute();
      break;
    case Work::after:
      for (std::int64_t i = 0; i < steps; ++i) compute_after();
      break;
    case Work::during:
      for (std::int64_t i = 0; i < steps; ++i) compute_during();
      break;
  }
  steps_ += steps;
}

void Poisson::ready() {
  std::ranges::copy(first_, fields_.begin());
  now_ = 0;
  steps_ = 0;
  // An earlier rank would write into the memory of its neighbours before they are ready.
  mpi_check(MPI_Barrier(comm_.get()));
}

/// Ghosts that a neighbour sends are NaN, so that a missing one is detected. With computation only
/// there are none: the block has the grid's edge on all sides.
void Poisson::refill(std::uint64_t seed, std::int64_t) {
  start_.seed = seed;
  const bool has_neighbours = poisson_.work != Work::alone;
  const Box all{{0, 0, 0}, start_.points.extents};
  const Box padded =
      moved({{}, layout_.padded()}, {-layout_.ghosts(0), -layout_.ghosts(1), -layout_.ghosts(2)});
  first_.assign(fields_.size(), 0.0);
  for_each_cell(common(padded, moved(all, negative(box_.begin))), [&](const Triple& cell) {
    const bool is_own = common({cell, moved(cell, {1, 1, 1})}, layout_.inner()).size() > 0;
    const double missing = has_neighbours ? std::numeric_limits<double>::quiet_NaN() : 0;
    const std::size_t index = layout_.index(cell);
    first_[index] = is_own ? start_.at(moved(cell, box_.begin)) : missing;
    first_[index + layout_.cells()] = first_[index];
  });
  ready();
}

bool Poisson::verify() {
  if (poisson_.work != Work::none) return holds_solution();
  return (steps_ < 1 || holds_neighbours(0)) && (steps_ < 2 || holds_neighbours(1));
}

bool Poisson::holds_solution() const {
  const Box all{{0, 0, 0}, start_.points.extents};
  const std::vector<double> expected = serial_solution(
      start_, poisson_.work == Work::alone ? box_ : all, box_, static_cast<int>(steps_));
  const double* const field = block_.field(now_);
  bool is_good = true;
  std::size_t next = 0;
  for_each_cell(layout_.inner(), [&](const Triple& cell) {
    is_good = field[layout_.index(cell)] == expected[next++] && is_good;
  });
  return is_good;
}

/// Whether the ghosts of a field equal the neighbours' cells at the start.
bool Poisson::holds_neighbours(int field) const {
  const double* const cells = block_.field(field);
  bool is_good = true;
  for (std::size_t side = 0; side < block_.faces.size(); ++side) {
    if (!block_.faces[side].has_neighbour()) continue;
    const std::size_t dimension = start_.points.first() + side / 2;
    Box ghosts = layout_.inner();
    ghosts.begin.at(dimension) = side % 2 == 0 ? -1 : layout_.inner().end.at(dimension);
    ghosts.end.at(dimension) = ghosts.begin.at(dimension) + 1;
    for_each_cell(ghosts, [&](const Triple& cell) {
      is_good = cells[layout_.index(cell)] == start_.at(moved(cell, box_.begin)) && is_good;
    });
  }
  return is_good;
}

const CatalogueEntry& halo_entry() {
  static const CatalogueEntry entry{
      .descriptor = {.name = "halo",
                     .summary = "an iteration of Jacobi's on a grid in blocks, until the last "
                                "rank has done it",
                     .counts = "what all ranks send in an iteration",
                     .shape = GroupShape::everybody,
                     .timing = Timing::last_rank,
                     .single = true,
                     .sizes = "all ghost cells that the rank with most of them sends"},
      .volume = halo_volume,
      .prepare = prepare_halo,
      .obstacle = [](const Point& point) {
        return halo_obstacle(find_halo_way(point.parameters[way_parameter]));
      }};
  return entry;
}

}  // namespace hockney::benchmarks::kernels
