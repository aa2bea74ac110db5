#pragma once

#include <array>
#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/json_functions.hpp"
#include "core/record.hpp"
#include "core/text.hpp"

namespace hockney {

/// Causes that void figures, the worst first. Their words are the flags of records and series.
enum class Fault { wrong_data, clocks_drifted, library_degraded };

constexpr auto words_of(std::type_identity<Fault>) {
  return std::to_array<std::string_view>({corrupt_flag, clock_drifted_flag, library_degraded_flag});
}

/// The worst fault of a series; nullopt if its figures are valid. Clocks that drifted apart void a
/// series if their error could be more than 1 % of a sample (batch times median).
std::optional<Fault> fault_of(const Record& record, const Series& series);

/// "wrong data were received"
std::string_view cause_of(Fault fault);
/// Whether a text is the cause of a fault.
bool is_fault(std::string_view cause);

/// Beginning of the reason of a point at which some rank missed every start.
inline constexpr std::string_view missed_starts_reason = "some rank missed every start";

/// If the clocks drifted apart far enough for a rank to miss every start, that is the reason of
/// such points, not other programs on the cores.
void name_drift(Record& record);

/// One kind of fault in several launches.
struct FaultFinding {
  Fault fault = Fault::wrong_data;
  std::size_t points = 0;       ///< different ones, by setting, curve and bytes
  std::size_t launches = 0;     ///< in which it was found
  std::size_t of_launches = 0;  ///< the launches that were searched
  std::string first;            ///< setting, operation and bytes of the first point
  std::string detail;           ///< the library's message, the largest clock error, or empty

  friend bool operator==(const FaultFinding&, const FaultFinding&) = default;
};

void to_json(nlohmann::json& json, const FaultFinding& finding);

template <>
inline constexpr bool has_json_functions<FaultFinding> = true;

/// Every fault in the launches, the worst first; faults of both sides are merged.
std::vector<FaultFinding> find_faults(std::span<const Record> launches,
                                      std::span<const Record> other_side = {});

}  // namespace hockney
