#include "benchmarks/kernels/cannon.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <string_view>

#include "benchmarks/harness/communicators.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

#ifdef HOCKNEY_HAVE_CBLAS
#include <cblas.h>
/// OpenBLAS would use all cores for each rank. Other libraries lack this function.
extern "C" void openblas_set_num_threads(int) __attribute__((weak));
#endif

namespace hockney::benchmarks::kernels {
namespace {

/// Rows of B that stay in the inner cache while all rows of A are multiplied with them.
constexpr int rows_at_a_time = 64;

/// A whole number between -4 and 4.
double drawn(std::uint64_t word) {
  constexpr std::uint64_t values = 9;
  constexpr double least = -4;
  word = (word ^ (word >> 30U)) * 0xBF58476D1CE4E5B9U;  // splitmix64
  word = (word ^ (word >> 27U)) * 0x94D049BB133111EBU;
  return least + static_cast<double>((word ^ (word >> 31U)) % values);
}

std::uint64_t key(std::uint64_t seed, int row, int column) {
  return seed * 0x9E3779B97F4A7C15U + (static_cast<std::uint64_t>(row) << 32U) +
         static_cast<std::uint64_t>(column);
}

void add_multiple(int n, double factor, const double* __restrict row, double* __restrict sum) {
  for (int j = 0; j < n; ++j) sum[j] += factor * row[j];
}

}  // namespace

#ifdef HOCKNEY_HAVE_CBLAS

std::string_view multiplier() { return "blas"; }

void multiply_add(int n, const double* a, const double* b, double* c) {
  if (openblas_set_num_threads != nullptr) openblas_set_num_threads(1);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a, n, b, n, 1, c, n);
}

#else

std::string_view multiplier() { return "own"; }

void multiply_add(int n, const double* a, const double* b, double* c) {
  for (int first = 0; first < n; first += rows_at_a_time) {
    const int last = std::min(n, first + rows_at_a_time);
    for (int i = 0; i < n; ++i) {
      const std::ptrdiff_t row = std::ptrdiff_t{i} * n;
      for (int k = first; k < last; ++k) {
        add_multiple(n, a[row + k], b + std::ptrdiff_t{k} * n, c + row);
      }
    }
  }
}

#endif

double Factors::a(int row, int column) const { return drawn(key(2 * seed, row, column)); }
double Factors::b(int row, int column) const { return drawn(key(2 * seed + 1, row, column)); }

std::vector<double> serial_product(const Factors& factors, const MatrixBlock& block, int begin,
                                   int end) {
  const auto n = static_cast<std::size_t>(block.size);
  std::vector<double> product(n * n, 0.0);
  std::vector<double> row(n);
  for (int k = begin; k < end; ++k) {
    for (int j = 0; j < block.size; ++j) {
      row[static_cast<std::size_t>(j)] = factors.b(k, block.first_column + j);
    }
    for (int i = 0; i < block.size; ++i) {
      add_multiple(block.size, factors.a(block.first_row + i, k), row.data(),
                   product.data() + static_cast<std::size_t>(i) * n);
    }
  }
  return product;
}

namespace {

/// One factor after the other, each completed before the next.
class BlockingShift final : public Shift {
 public:
  explicit BlockingShift(const FactorBlocks& blocks) : blocks_(blocks) {}

  void begin(int) override {}

  void end(int turn) override {
    for (std::size_t factor = 0; factor < 2; ++factor) {
      MPI_Sendrecv(blocks_.block(turn, factor), blocks_.elements, MPI_DOUBLE, blocks_.to[factor], 0,
                   blocks_.block(1 - turn, factor), blocks_.elements, MPI_DOUBLE,
                   blocks_.from[factor], 0, blocks_.comm, MPI_STATUS_IGNORE);
    }
  }

 private:
  const FactorBlocks& blocks_;
};

/// Both factors at once, nonblocking.
class ImmediateShift final : public Shift {
 public:
  explicit ImmediateShift(const FactorBlocks& blocks) : blocks_(blocks) {}

  void begin(int turn) override {
    for (std::size_t factor = 0; factor < 2; ++factor) {
      const int tag = static_cast<int>(factor);
      MPI_Irecv(blocks_.block(1 - turn, factor), blocks_.elements, MPI_DOUBLE, blocks_.from[factor],
                tag, blocks_.comm, &requests_[2 * factor]);
      MPI_Isend(blocks_.block(turn, factor), blocks_.elements, MPI_DOUBLE, blocks_.to[factor], tag,
                blocks_.comm, &requests_[2 * factor + 1]);
    }
  }

  void end(int) override {
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  }

 private:
  const FactorBlocks& blocks_;
  std::array<MPI_Request, 4> requests_{};
};

/// Puts both factors into the receivers' memory; a fence completes them.
class FenceShift final : public Shift {
 public:
  explicit FenceShift(const FactorBlocks& blocks) : blocks_(blocks) {
    const auto bytes = static_cast<MPI_Aint>(4 * sizeof(double)) * blocks.elements;
    mpi_check(MPI_Win_create(blocks.block(0, 0), bytes, sizeof(double), MPI_INFO_NULL, blocks.comm,
                             window_.out()));
    take_mpi_errors(window_.get());
    mpi_check(MPI_Win_fence(0, window_.get()));
  }
  FenceShift(const FenceShift&) = delete;
  FenceShift& operator=(const FenceShift&) = delete;
  FenceShift(FenceShift&&) = delete;
  FenceShift& operator=(FenceShift&&) = delete;
  ~FenceShift() override { MPI_Win_fence(MPI_MODE_NOSUCCEED, window_.get()); }

  void begin(int turn) override {
    for (std::size_t factor = 0; factor < 2; ++factor) {
      const auto place =
          static_cast<MPI_Aint>(blocks_.block(1 - turn, factor) - blocks_.block(0, 0));
      MPI_Put(blocks_.block(turn, factor), blocks_.elements, MPI_DOUBLE, blocks_.to[factor], place,
              blocks_.elements, MPI_DOUBLE, window_.get());
    }
  }

  void end(int) override { MPI_Win_fence(0, window_.get()); }

 private:
  const FactorBlocks& blocks_;
  UniqueWin window_;
};

template <class OneWay>
std::unique_ptr<Shift> make(const FactorBlocks& blocks) {
  return std::make_unique<OneWay>(blocks);
}

}  // namespace

const std::vector<ShiftWay>& shift_ways() {
  static const std::vector<ShiftWay> ways{
      {"blocking", "MPI_Sendrecv of each factor", Overlap::impossible, make<BlockingShift>},
      {"immediate", "MPI_Irecv and MPI_Isend of both factors, MPI_Waitall", Overlap::possible,
       make<ImmediateShift>},
      {"fence", "MPI_Put of both factors, MPI_Win_fence", Overlap::possible, make<FenceShift>}};
  return ways;
}

const ShiftWay& find_shift_way(const std::string& name) {
  const auto& ways = shift_ways();
  const auto found = std::ranges::find(ways, name, &ShiftWay::name);
  if (found != ways.end()) return *found;
  throw InputError({fmt::format("unknown way '{}'", name), "no blocks are passed on like that",
                    suggest(name, strings_of(ways, [](const ShiftWay& way) { return way.name; }))});
}

namespace {

constexpr Parameter<Grid> matrix_parameter{"matrix"};
constexpr Parameter<std::string_view> multiply_parameter{"multiply"};

std::size_t elements_of(const CannonCase& cannon) {
  return static_cast<std::size_t>(cannon.block_rows()) *
         static_cast<std::size_t>(cannon.block_rows());
}

/// Rows and columns are cyclic.
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
  // An earlier rank would write into the memory of its neighbours before they are ready.
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

/// The room for the next blocks is NaN, so that a missing block is detected.
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

/// Each run adds the whole product once more. With computation only, the result is a multiple of
/// the product of the first blocks.
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

/// Operations do not count here: the volume is the bytes of both factors, from every rank.
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
