#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace hockney::benchmarks::kernels {

/// Who multiplies: "blas" where the build found a BLAS with CBLAS, "own" elsewhere.
std::string_view multiplier();

/// C += A B of square matrices with n rows, one row after the other, on one core.
void multiply_add(int n, const double* a, const double* b, double* c);

/// Floating-point operations of multiply_add().
inline double flops_of_product(int n) { return 2.0 * n * n * n; }

/// The two factors of a product: whole numbers between -4 and 4 drawn for each element, so that
/// sums are exact in whichever order they are taken.
struct Factors {
  std::uint64_t seed = 0;

  [[nodiscard]] double a(int row, int column) const;
  [[nodiscard]] double b(int row, int column) const;
};

/// Rows and columns of one block of a matrix.
struct MatrixBlock {
  int first_row = 0;
  int first_column = 0;
  int size = 0;  ///< of rows, and of columns
};

/// That block of a product whose inner index goes from `begin` to `end`, one element after the
/// other.
std::vector<double> serial_product(const Factors& factors, const MatrixBlock& block, int begin,
                                   int end);

}  // namespace hockney::benchmarks::kernels
