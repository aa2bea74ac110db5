#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/record.hpp"
#include "verdicts/states.hpp"

namespace hockney::verdicts {

// Judges each launch by the launches of its campaign: in which state the machine was, and whether
// it ever had a free core.

/// A property of the machine that launches measure without MPI.
enum class MachineFigure {
  line,   ///< half the round trip of a cache line [s]
  noise,  ///< noise probe [s]
  copy    ///< time per byte of a copy [s/B]
};

constexpr auto words_of(std::type_identity<MachineFigure>) {
  return std::to_array<std::string_view>({"cache line", "noise probe", "copy"});
}

/// What distinguishes the states of some launches.
struct StateCause {
  MachineFigure figure = MachineFigure::line;
  std::vector<int> ranks;  ///< a pair, or one rank; empty: median of all
  double p_adjusted = 1;   ///< of the split (verdicts/states.hpp)

  friend bool operator==(const StateCause&, const StateCause&) = default;
};

/// One state of the machine.
struct MachineState {
  int number = 1;                     ///< 1 is the fastest by the first cause
  std::vector<double> values;         ///< of each cause, median over the launches; 0: unknown
  std::vector<std::size_t> launches;  ///< indices of the records in this state
};

/// The states of launches that use the same ranks and CPUs.
struct StateGroup {
  std::vector<StateCause> causes;     ///< the most important first, each once
  std::vector<MachineState> states;   ///< at least two
  std::vector<std::size_t> changed;   ///< records during which the state changed; they count in the
                                      ///< state in which they began or ended
  std::vector<std::size_t> left_out;  ///< records of which no part has one state
};

/// A launch that never had a free core at some points.
struct BusyLaunch {
  std::size_t record = 0;      ///< index
  std::size_t points = 0;      ///< number of points without an undisturbed block
  std::size_t all_points = 0;  ///< with noise probes
  double probe_seconds = 0;    ///< its shortest noise probe at these points, median
  double quiet_seconds = 0;    ///< that of the campaign
};

/// Results of a comparison of launches.
struct MachineStates {
  std::vector<StateGroup> groups;  ///< those with several states
  std::vector<BusyLaunch> busy;

  [[nodiscard]] bool any() const { return !groups.empty(); }
};

/// A launch whose shortest noise probe at a point is longer than that of the campaign by more than
/// this factor had no free core there. A busy sibling thread lengthens it by 1.5 to 2.
inline constexpr double busy_limit = 1.5;

/// Compares complete launches by their machine probes. Records without them are compared by the
/// floors and noise probes of their series. Launches of one procedure are compared if their ranks
/// have the same CPUs, or if setting and number of ranks are the same.
///
/// Launches of one state are also compared by the noise probes of each point. If more than half of
/// a setting's launches had a free core, blocks of the others are disturbed.
MachineStates compare_launches(std::span<const Record* const> records);
MachineStates compare_launches(std::span<const Record> records);

/// The same; also sets the state and the judgement of each record, which medians, rows, fits and
/// verdicts use.
MachineStates judge_launches(std::span<Record* const> records);
MachineStates judge_launches(std::vector<Record>& records);

/// The state in which most of some judged records are, the first of several; nullopt without
/// states.
std::optional<int> usual_state(std::span<const Record> records);

/// Judges the records, and removes those in other states than the usual one. Returns the states of
/// all records; indices are those before the removal.
MachineStates keep_usual_state(std::vector<Record>& records);

}  // namespace hockney::verdicts
