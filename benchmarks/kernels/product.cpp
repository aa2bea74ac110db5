#include "benchmarks/kernels/product.hpp"

#include <algorithm>
#include <cstddef>

#ifdef HOCKNEY_HAVE_CBLAS
#include <cblas.h>
/// OpenBLAS would use all cores for each rank; other libraries do not have it.
extern "C" void openblas_set_num_threads(int) __attribute__((weak));
#endif

namespace hockney::benchmarks::kernels {
namespace {

/// Rows of B that stay in the inner cache while all rows of A meet them.
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

}  // namespace hockney::benchmarks::kernels
