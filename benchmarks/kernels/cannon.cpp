#include "benchmarks/kernels/cannon.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <string_view>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_error.hpp"
#include "benchmarks/harness/rank_groups.hpp"

namespace hockney::benchmarks::kernels {
namespace {

constexpr Parameter<Grid> matrix_parameter{"matrix"};
constexpr Parameter<std::string_view> multiply_parameter{"multiply"};

std::size_t elements_of(const CannonCase& cannon) {
  return static_cast<std::size_t>(cannon.block_rows()) *
         static_cast<std::size_t>(cannon.block_rows());
}

/// Rows, or columns, go all round.
int rank_at(int side, int row, int column) {
  return (row + side) % side * side + (column + side) % side;
}

}  // namespace

Point point_of(const CannonCase& cannon) {
  return {.operation = "cannon",
          .bytes = Bytes{static_cast<std::int64_t>(elements_of(cannon) * sizeof(double))},
          .ranks = cannon.side * cannon.side,
          .parameters = {
              {matrix_parameter, {.dimensions = 2, .extents = {1, cannon.rows, cannon.rows}}},
              {processes_parameter, cannon.processes()},
              {mapping_parameter, cannon.mapping},
              {multiply_parameter, multiplier()},
              {way_parameter, cannon.way},
              {work_parameter, cannon.work}}};
}

CannonCase cannon_case_of(const Point& point) {
  return {.rows = point.parameters[matrix_parameter].extents[1],
          .side = point.parameters[processes_parameter].extents[1],
          .mapping = point.parameters[mapping_parameter],
          .way = point.parameters[way_parameter],
          .work = point.parameters[work_parameter]};
}

Cannon::Cannon(MPI_Comm comm, const CannonCase& cannon, const ShiftWay& way)
    : cannon_(cannon),
      comm_(in_order_of_positions(comm, positions_of(cannon.mapping, cannon.processes()))),
      row_(rank_in(comm_.get()) / cannon.side),
      column_(rank_in(comm_.get()) % cannon.side),
      memory_(4 * elements_of(cannon), 0.0),
      blocks_{
          .comm = comm_.get(),
          .elements = static_cast<int>(elements_of(cannon)),
          .memory = {},
          .to = {rank_at(cannon.side, row_, column_ - 1), rank_at(cannon.side, row_ - 1, column_)},
          .from = {rank_at(cannon.side, row_, column_ + 1),
                   rank_at(cannon.side, row_ + 1, column_)}},
      product_(elements_of(cannon), 0.0) {
  for (std::size_t i = 0; i < blocks_.memory.size(); ++i) {
    blocks_.memory.at(i) = memory_.data() + i * elements_of(cannon);
  }
  shift_ = way.make(blocks_);
}

void Cannon::multiply() {
  multiply_add(cannon_.block_rows(), blocks_.block(turn_, 0), blocks_.block(turn_, 1),
               product_.data());
  pass_simulated_time(flops_of_product(cannon_.block_rows()));
}

void Cannon::pass_on() {
  shift_->begin(turn_);
  shift_->end(turn_);
  turn_ = 1 - turn_;
}

void Cannon::run_after() {
  for (int step = 1; step < cannon_.side; ++step) {
    multiply();
    pass_on();
  }
  multiply();
}

void Cannon::run_during() {
  for (int step = 1; step < cannon_.side; ++step) {
    shift_->begin(turn_);
    multiply();
    shift_->end(turn_);
    turn_ = 1 - turn_;
  }
  multiply();
}

void Cannon::run_batch(std::int64_t iterations) {
  for (std::int64_t i = 0; i < iterations; ++i) {
    switch (cannon_.work) {
      case Work::none:
        for (int step = 1; step < cannon_.side; ++step) pass_on();
        break;
      case Work::alone:
        for (int step = 0; step < cannon_.side; ++step) multiply();
        break;
      case Work::after:
        run_after();
        break;
      case Work::during:
        run_during();
        break;
    }
  }
  products_ += iterations;
}

void Cannon::ready() {
  std::ranges::copy(first_, memory_.begin());
  std::ranges::fill(product_, 0.0);
  turn_ = 0;
  products_ = 0;
  // Whoever begins first writes into the memory of its neighbours.
  mpi_check(MPI_Barrier(comm_.get()));
}

int Cannon::inner_block(std::int64_t shifts) const {
  return static_cast<int>((row_ + column_ + shifts) % cannon_.side);
}

std::vector<double> Cannon::factor_block(std::size_t factor, std::int64_t shifts) const {
  const int n = cannon_.block_rows();
  const int inner = inner_block(shifts) * n;
  std::vector<double> block;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      block.push_back(factor == 0 ? factors_.a(row_ * n + i, inner + j)
                                  : factors_.b(inner + i, column_ * n + j));
    }
  }
  return block;
}

/// Where the next blocks go there are no numbers, so that none can stay away unseen.
void Cannon::refill(std::uint64_t seed, std::int64_t) {
  factors_.seed = seed;
  first_.assign(memory_.size(), std::numeric_limits<double>::quiet_NaN());
  auto place = first_.begin();
  for (std::size_t factor = 0; factor < 2; ++factor) {
    place = std::ranges::copy(factor_block(factor, 0), place).out;
  }
  ready();
}

bool Cannon::verify() { return cannon_.work == Work::none ? holds_factors() : holds_product(); }

/// Each run adds the whole product once more. Who only computes has the product of its first blocks
/// so many times.
bool Cannon::holds_product() const {
  const int n = cannon_.block_rows();
  const MatrixBlock block{.first_row = row_ * n, .first_column = column_ * n, .size = n};
  const bool is_alone = cannon_.work == Work::alone;
  const int begin = is_alone ? inner_block(0) * n : 0;
  const std::vector<double> expected =
      serial_product(factors_, block, begin, is_alone ? begin + n : cannon_.rows);
  const auto times = static_cast<double>(is_alone ? products_ * cannon_.side : products_);
  return std::ranges::equal(product_, expected, {}, {}, [&](double one) { return times * one; });
}

bool Cannon::holds_factors() const {
  for (std::size_t factor = 0; factor < 2; ++factor) {
    const auto expected = factor_block(factor, products_ * (cannon_.side - 1));
    if (!std::ranges::equal(expected, std::span(blocks_.block(turn_, factor), expected.size()))) {
      return false;
    }
  }
  return true;
}

namespace {

/// Flops count nothing here: bytes of both factors, from every rank.
Volume cannon_volume(const Point& point) {
  const CannonCase cannon = cannon_case_of(point);
  const std::int64_t blocks = std::int64_t{2} * point.ranks * (cannon.side - 1);
  return {.operations = 1,
          .bytes = Bytes{cannon.work == Work::alone ? 0 : blocks * point.bytes.value}};
}

std::unique_ptr<PreparedOperation> prepare_cannon(const Workbench& bench, const Point& point) {
  const CannonCase cannon = cannon_case_of(point);
  return std::make_unique<Cannon>(bench.comm, cannon, find_shift_way(cannon.way));
}

}  // namespace

const CatalogueEntry& cannon_entry() {
  static const CatalogueEntry entry{
      .descriptor = {.name = "cannon",
                     .summary = "Cannon's product of two square matrices, until the last rank has "
                                "its block",
                     .counts = "the blocks that all ranks send",
                     .shape = GroupShape::everybody,
                     .timing = Timing::last_rank,
                     .single = true,
                     .sizes = "a block of one factor"},
      .volume = cannon_volume,
      .prepare = prepare_cannon,
      .obstacle = [](const Point&) { return std::optional<std::string>(); }};
  return entry;
}

}  // namespace hockney::benchmarks::kernels
