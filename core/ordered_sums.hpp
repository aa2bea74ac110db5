#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace hockney {

/// The order statistics of all sums of two numbers, each found by bisection over the doubles
/// themselves: exact, without ever storing the sums. What the Hodges-Lehmann estimates and the
/// intervals of rank tests are made of.
class OrderedSums {
 public:
  /// Of the n(n+1)/2 sums x_i + x_j, i <= j: twice the Walsh averages. InputError for a sample that
  /// is not finite, here and below.
  static OrderedSums within(std::span<const double> samples);
  /// Of the n m differences x_i - y_j.
  static OrderedSums between(std::span<const double> samples, std::span<const double> reference);

  /// How many sums there are.
  [[nodiscard]] std::size_t size() const { return size_; }
  /// The sum of this rank in ascending order, from 1 to size().
  [[nodiscard]] double at_rank(std::size_t rank) const;
  /// nullopt where there are no sums.
  [[nodiscard]] std::optional<double> median() const;

 private:
  enum class Pairs { ordered, all };  ///< i <= j of one set, or all of two

  OrderedSums(std::vector<double> a, std::vector<double> b, Pairs pairs);
  [[nodiscard]] std::size_t count_up_to(double limit) const;

  std::vector<double> a_;  ///< ascending
  std::vector<double> b_;  ///< ascending
  Pairs pairs_;
  std::size_t size_ = 0;
};

}  // namespace hockney
