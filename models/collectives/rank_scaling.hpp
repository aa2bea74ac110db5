#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "core/record.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"

/// Costs of starting by number of ranks: times of operations without a size, and memory of a rank.
namespace hockney::collectives {

enum class ScalingUnit { seconds, bytes };

constexpr auto words_of(std::type_identity<ScalingUnit>) {
  return std::to_array<std::string_view>({"seconds", "bytes"});
}

/// The procedure of the records whose quantities are fitted over ranks: that of hockney-startup.
inline constexpr const char* startup_procedure = "startup";

/// One quantity at several numbers of ranks.
struct ScalingCurve {
  std::string quantity;  ///< "init thread-level=multiple", "memory after-init"
  ScalingUnit unit = ScalingUnit::seconds;
  std::string setting;  ///< without the number of ranks, where that was varied
  std::string mpi_library;
  std::vector<int> ranks;  ///< distinct, ascending
  /// ranks x launches, > 0. Rows differ in length.
  std::vector<std::vector<double>> values;

  /// The smallest number of launches that any number of ranks has.
  [[nodiscard]] std::size_t launches() const;
};

/// Curves of complete records of hockney-startup: the launch medians of every point without bytes,
/// the largest PSS of any rank after MPI_Init, and the largest memory of one communicator on any
/// rank. In order of first appearance.
std::vector<ScalingCurve> collect_scaling(std::span<const Record> records);

/// A term of constant + l log2 p + r p.
struct ScalingTerm {
  std::string name;  ///< "constant", "log2", "linear"
  double value = 0;  ///< >= 0, in the unit of the curve
  bool is_separable = true;
  std::optional<Interval> interval;  ///< over launches
};

struct Scaling {
  ScalingCurve curve;
  std::vector<ScalingTerm> terms;
  double max_relative_error = 0;         ///< of the fit, as a fraction
  std::optional<double> held_out_error;  ///< mean: each number of ranks predicted from the others

  /// The model's value for so many ranks, in the unit of the curve.
  [[nodiscard]] double at(int ranks) const;
};

inline constexpr std::size_t ranks_per_scaling = 3;

/// nullopt for fewer than `ranks_per_scaling` numbers of ranks.
std::optional<Scaling> fit_scaling(const ScalingCurve& curve);

/// Those of all curves that have one.
std::vector<Scaling> fit_scalings(std::span<const Record> records);

}  // namespace hockney::collectives
