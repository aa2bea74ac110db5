#include "report/screens/machine_words.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "core/samples.hpp"
#include "core/text.hpp"
#include "report/curve_tables.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

using verdicts::MachineFigure;
using verdicts::MachineState;
using verdicts::StateCause;
using verdicts::StateGroup;

/// Sentences about the states of the machine.
namespace words {

constexpr std::string_view states = "{} machine states: {}";
constexpr std::string_view state_changed =
    "the machine state changed during {}: only blocks of one state count";
constexpr std::string_view state_changed_always =
    "the machine state changed all the time during {}, left out";
constexpr std::string_view left_out_as_busy =
    "{} (noise probe {}, {} in other launches): left out there";
constexpr std::string_view never_free = "{} never had a free core";
constexpr std::string_view not_always_free = "{} had no free core at some points";
constexpr std::string_view others_not_always_free = "{} had none at some points";
constexpr std::string_view compared_within_states = "{}; launches are compared within states";
constexpr std::string_view compared_without_some =
    "{}; launches are compared within states, without {} in states of one side";
constexpr std::string_view machine_moved =
    "the machine moved: A and B were measured in different machine states at {} of {}, which are "
    "not judged";

}  // namespace words

/// "two", "three"; numbers above nine as digits.
std::string number_word(std::size_t number) {
  constexpr std::array words{"no",   "one", "two",   "three", "four",
                             "five", "six", "seven", "eight", "nine"};
  return number < words.size() ? words.at(number) : std::to_string(number);
}

std::string quantity_text(MachineFigure figure, double value) {
  constexpr double nanoseconds = 1e9;
  if (value <= 0) return "unknown";
  if (figure == MachineFigure::copy) return short_rate(BytesPerSecond{1 / value});
  return figure == MachineFigure::line ? significant(nanoseconds * value, 3) + " ns"
                                       : short_time(value);
}

std::string cause_text(const StateCause& cause) {
  const std::string_view figure = word(cause.figure);
  if (cause.ranks.empty()) return std::string(figure);
  return fmt::format("{} of rank{} {}", figure, cause.ranks.size() == 1 ? "" : "s",
                     join_numbers(cause.ranks, "-"));
}

/// "43.0 ns in 7 launches".
std::string state_text(const StateGroup& group, const MachineState& state, bool is_first) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < group.causes.size(); ++i) {
    const StateCause& cause = group.causes[i];
    const double value = state.values[i];
    const bool names_cause = is_first || group.causes.size() > 1;
    parts.push_back(names_cause ? value_text(cause, value) : quantity_text(cause.figure, value));
  }
  const std::size_t launches = state.launches.size();
  return fmt::format("{} in {}", join(parts, " and "),
                     is_first ? count_text(launches, "launch") : std::to_string(launches));
}

/// Whether a row is of launches in this group.
bool is_of(const StateGroup& group, const Row& row) {
  return std::ranges::any_of(group.states, [&](const MachineState& state) {
    return std::ranges::any_of(row.records, [&](std::size_t record) {
      return std::ranges::find(state.launches, record) != state.launches.end();
    });
  });
}

std::string state_of(const Row& row) {
  const auto found = row.point.parameters.find(machine_state_parameter);
  return found == row.point.parameters.end() ? "" : found->second;
}

/// The times of the first point that has several states: "pingpong at 8: 0.105 us and 0.351 us".
std::string times_text(const StateGroup& group, std::span<const Row> rows) {
  std::map<std::string, std::map<std::string, const Row*>> points;
  std::vector<std::string> names;
  for (const Row& row : rows) {
    if (!row.median_seconds || state_of(row).empty() || !is_of(group, row)) continue;
    Point point = row.point;
    point.parameters.erase(machine_state_parameter);
    const std::string name =
        fmt::format("{}\n{} {}", row.setting, curve_name(point), point.bytes.value);
    std::map<std::string, const Row*>& states = points[name];
    if (states.empty()) names.push_back(name);
    states.try_emplace(state_of(row), &row);
  }
  for (const std::string& name : names) {
    const std::map<std::string, const Row*>& states = points[name];
    if (states.size() < 2) continue;
    std::vector<std::string> times;
    for (const auto& [state, row] : states) {
      times.push_back(short_time(row->median_seconds.value_or(0), row->interval_seconds));
    }
    const Row& first = *states.begin()->second;
    return fmt::format("{} at {}: {}", inert(first.point.operation),
                       format_bytes(first.point.bytes), join(times, " and "));
  }
  return "";
}

std::string busy_text(const verdicts::MachineStates& found) {
  std::size_t whole = 0;
  const verdicts::BusyLaunch* worst = nullptr;
  for (const verdicts::BusyLaunch& launch : found.busy) {
    if (launch.points == launch.all_points) ++whole;
    if (worst == nullptr || launch.points > worst->points) worst = &launch;
  }
  if (worst == nullptr) return "";
  const std::size_t part = found.busy.size() - whole;
  std::vector<std::string> parts;
  if (whole > 0) parts.push_back(fmt::format(words::never_free, count_text(whole, "launch")));
  if (part > 0) {
    parts.push_back(whole > 0 ? fmt::format(words::others_not_always_free, part)
                              : fmt::format(words::not_always_free, count_text(part, "launch")));
  }
  return fmt::format(words::left_out_as_busy, join(parts), short_time(worst->probe_seconds),
                     short_time(worst->quiet_seconds));
}

bool is_judged(const Record& record) {
  return record.state || std::ranges::any_of(record.series, [](const Series& series) {
           return series.judgement.quiet_probe_seconds.has_value();
         });
}

}  // namespace

std::string value_text(const StateCause& cause, double value) {
  return fmt::format("{} {}", cause_text(cause), quantity_text(cause.figure, value));
}

std::string states_text(const StateGroup& group) {
  std::vector<std::string> states;
  for (const MachineState& state : group.states) {
    states.push_back(state_text(group, state, states.empty()));
  }
  return fmt::format(words::states, number_word(group.states.size()), join(states));
}

Lines machine_words(std::span<const Record> records, std::span<const Row> rows) {
  if (std::ranges::none_of(records, is_judged)) return {};
  const verdicts::MachineStates found = verdicts::compare_launches(records);
  Lines lines;
  for (const StateGroup& group : found.groups) {
    const std::string times = times_text(group, rows);
    lines.push_back(states_text(group) + (times.empty() ? "" : "; " + times));
    if (!group.changed.empty()) {
      lines.push_back(
          fmt::format(words::state_changed, count_text(group.changed.size(), "launch")));
    }
    if (!group.left_out.empty()) {
      lines.push_back(
          fmt::format(words::state_changed_always, count_text(group.left_out.size(), "launch")));
    }
  }
  if (std::string busy = busy_text(found); !busy.empty()) lines.push_back(std::move(busy));
  return lines;
}

Lines machine_words(const verdicts::CompareSet& set) {
  std::size_t moved = 0;
  std::size_t left_out = 0;
  for (const verdicts::Comparison& one : set.comparisons) {
    if (one.states == 0) ++moved;
    left_out = std::max(left_out, one.launches_left_out);
  }
  Lines lines;
  for (const StateGroup& group : set.machine.groups) {
    const std::string states = states_text(group);
    lines.push_back(moved == set.comparisons.size() ? states
                    : left_out == 0 ? fmt::format(words::compared_within_states, states)
                                    : fmt::format(words::compared_without_some, states,
                                                  count_text(left_out, "launch")));
  }
  if (moved == 0) return lines;
  lines.insert(lines.begin(), fmt::format(words::machine_moved, moved,
                                          count_text(set.comparisons.size(), "point")));
  return lines;
}

}  // namespace hockney::report
