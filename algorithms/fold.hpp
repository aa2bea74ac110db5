#pragma once

namespace hockney {

/// Any number of ranks brought to a power of two: of the first 2 `extra` ranks, one of each pair of
/// neighbours stands aside.
struct Fold {
  int ranks = 1;
  int power = 1;
  int extra = 0;  ///< pairs, one of which stands aside

  explicit Fold(int all);

  /// The rank of member `member` of the power of two: of a pair the odd one.
  [[nodiscard]] int odd(int member) const {
    return member < extra ? 2 * member + 1 : member + extra;
  }
  /// The same, of a pair the even one.
  [[nodiscard]] int even(int member) const { return member < extra ? 2 * member : member + extra; }
};

}  // namespace hockney
