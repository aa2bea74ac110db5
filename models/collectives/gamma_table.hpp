#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>

#include "models/collectives/collective_curves.hpp"

namespace hockney::collectives {

/// gamma(k, n): how much longer a rank takes to send n bytes to k-1 others at once than to one
/// (Nuriyev and Lastovetsky 2020), from the linear bcast, which is just that.
class GammaTable {
 public:
  void set(int ranks, std::int64_t bytes, double ratio) { ratios_[ranks][bytes] = ratio; }

  /// Linear in n between measured sizes, the nearest outside; nullopt for a k that was not
  /// measured.
  [[nodiscard]] std::optional<double> at(int ranks, std::int64_t bytes) const;
  [[nodiscard]] bool empty() const { return ratios_.empty(); }
  [[nodiscard]] const std::map<int, std::map<std::int64_t, double>>& ratios() const {
    return ratios_;
  }

 private:
  std::map<int, std::map<std::int64_t, double>> ratios_;
};

/// The table of the bcasts "basic_linear" of one library, whose two-rank times are the unit; empty
/// where they are missing.
GammaTable measure_gammas(std::span<const Curve> curves, const std::string& mpi_library);

}  // namespace hockney::collectives
