#pragma once

#include <map>
#include <vector>

namespace hockney::models {

/// What the factors of a FactorCurve depend on.
enum class Bend {
  none,            ///< there are no factors: the form as it is
  sizes,           ///< message size alone
  sizes_and_ranks  ///< message size and number of ranks, which share caches and memory
};

/// The ranks of factors that do not depend on them.
inline constexpr int all_ranks = 0;

/// One measured factor.
struct Factor {
  int ranks = 0;
  double message_bytes = 0;  ///< of one message [B]
  double factor = 1;         ///< measured time over the form's time, > 0
};

/// Measured times over those of a form, as a function of message size and number of ranks. Between
/// measured sizes the logarithm of the factor is linear in the logarithm of the size; outside, the
/// factor of the nearest size holds. A form whose messages take alpha + beta m becomes one whose
/// messages take a measured time (PLogP: Kielmann, Bal and Verstoep 2000). It stays exact where
/// alpha + beta m is true.
class FactorCurve {
 public:
  FactorCurve() = default;
  /// Factors of equal ranks and size are averaged.
  FactorCurve(Bend bend, const std::vector<Factor>& factors);

  /// With Bend::sizes_and_ranks, interpolates between the neighbouring numbers of ranks. Beyond the
  /// largest, the factor grows at its mean measured rate per doubling. It never shrinks, and grows
  /// for no more doublings than were measured.
  [[nodiscard]] double at(int ranks, double message_bytes) const;

  /// By ranks, then size.
  [[nodiscard]] std::vector<Factor> factors() const;
  [[nodiscard]] Bend bend() const { return bend_; }

 private:
  using Curve = std::map<double, double>;  ///< log(1 + bytes) to log(factor)

  [[nodiscard]] double at_ranks(double log_ranks, double place) const;
  [[nodiscard]] double growth_beyond(double log_ranks, double place) const;

  Bend bend_ = Bend::none;
  std::map<int, Curve> curves_;  ///< by ranks; none is empty
};

}  // namespace hockney::models
