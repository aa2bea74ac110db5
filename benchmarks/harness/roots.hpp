#pragma once

#include <optional>
#include <string>

#include "benchmarks/harness/operation.hpp"

namespace hockney {

/// InputError when `name` is none of "first", "rotating" and a rank's number.
void check_root(const std::string& name);

/// The rank that the point's parameter "root" names: 0 for "first", for "rotating" and without one.
int root_of(const Point& point);

/// Whether every call has the next rank as its root.
bool root_rotates(const Point& point);

/// The root of one call after the other, the same on every rank.
class Roots {
 public:
  Roots(const Context& context, const Point& point)
      : size_(context.size),
        step_(root_rotates(point) ? 1 : 0),
        coming_(root_of(point)),
        last_(coming_) {}

  /// The root of the next call; goes on to the one after it.
  int next() {
    last_ = coming_;
    coming_ += step_;
    if (coming_ == size_) coming_ = 0;
    return last_;
  }
  [[nodiscard]] int coming() const { return coming_; }
  [[nodiscard]] int last() const { return last_; }
  /// Whether `rank` is ever a root.
  [[nodiscard]] bool may_be(int rank) const { return step_ != 0 || coming_ == rank; }

 private:
  int size_;
  int step_;
  int coming_;
  int last_;
};

/// Whether the point's parameter "in-place" is "yes".
bool is_in_place(const Point& point);

}  // namespace hockney
