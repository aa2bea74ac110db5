#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "components/health/detection/check.hpp"
#include "components/health/history/database.hpp"
#include "components/health/history/reading.hpp"
#include "components/health/report/node_report.hpp"
#include "core/faults.hpp"
#include "core/point.hpp"
#include "core/text.hpp"
#include "verdicts/fleet/fleet.hpp"
#include "verdicts/fleet/links.hpp"

namespace hockney::health {

/// An environment change with the changed facts.
struct NamedChange {
  std::int64_t day = 0;
  std::int64_t day_before = 0;
  std::vector<FactChange> facts;
};

/// One series with its verdict.
struct JudgedSeries {
  SeriesKind kind;
  SeriesHealth health;
  std::optional<NightlyValue> last;      ///< on the judged day, or the last before
  std::vector<NamedChange> environment;  ///< on the possible days of the change
  std::vector<Note> notes;               ///< of these days and the day before
  std::string missing{};  ///< why it has no value on the judged day, if one was due; else empty
  std::vector<NightlyValue> nights{};  ///< the last ones up to the judged day, as far as kept
};

/// The nodes and links of one point.
struct JudgedFleet {
  std::string point;
  std::int64_t day = 0;  ///< the last night of this point
  fleet::FleetNight night;
  std::vector<fleet::LinkVerdict> links;  ///< stay slow, or are confirmed by repetitions
};

/// The result of `hockney health check`.
struct Report {
  std::int64_t day = 0;  ///< the judged night
  std::string checked_utc;
  std::string history;                 ///< file
  std::size_t nights = 0;              ///< number of nights up to `day`
  std::vector<std::int64_t> future{};  ///< days of nights in the future, which are not judged
  std::vector<JudgedSeries> series;
  std::vector<JudgedFleet> fleets;
  std::optional<JudgedNodes> nodes{};  ///< that measured themselves; nullopt: none did
  std::vector<FaultFinding> faults;    ///< of the night; their figures are left out
  bool missing_ok = false;             ///< missing series are no failure
  std::map<std::string, std::string> environment{};  ///< facts that all figures of `day` share
};

/// Numbers of series, nodes and links by state.
struct HealthCounts {
  std::size_t steady = 0;
  std::size_t improved = 0;
  std::size_t regressed = 0;
  std::size_t undecided = 0;
  std::size_t learning = 0;    ///< undecided ones with too few nights so far
  std::size_t missing = 0;     ///< regressed ones too, if they are missing
  std::size_t suspect = 0;     ///< steady or improved ones, far outside of their usual spread
  std::size_t slow_nodes = 0;  ///< named at one point or figure, or more
  std::size_t slow_links = 0;
};

HealthCounts count(const Report& report);

/// Whether a series regressed, or a node or link is named.
bool has_regression(const Report& report);

/// State of a night; later ones have priority. `learning`: no series can be judged yet, or any
/// more. `suspect`: a value is far outside of its usual spread, and not decided yet. `missing`: a
/// series has no value though one was due. `corrupt`: some figures of the night are void
/// (core/faults.hpp).
enum class State { ok, learning, suspect, regressed, missing, corrupt };
constexpr auto words_of(std::type_identity<State>) {
  return std::to_array<std::string_view>(
      {"OK", "LEARNING", "SUSPECT", "REGRESSED", "MISSING", "CORRUPT"});
}

State state_of(const Report& report);

/// One line that begins with the state: "LEARNING  night 2 of 15 needed; nothing can be judged yet
/// (76 series)", "OK        76 series steady over 120 nights".
std::string headline(const Report& report);

/// `isolate` with faults; else the highest severity of all series, nodes and links.
fleet::Severity severity_of(const Report& report);

/// Reason for a prolog or drain script, in one line: severity and the worst finding, "ISOLATE: node
/// hx2 12 % slower ...". Without findings "OK: ...", or "LEARNING: ..." if nothing can be judged.
std::string reason_line(const Report& report);

/// What all nodes have in common, a line for each change: "all 200 nodes: 8 B latency (...) +4.10 %
/// since ...". Series of equal dates and facts are one line.
std::vector<std::string> common_lines(const Report& report);

/// Whether the check fails: exit code 1.
bool is_failure(State state);

/// Whether a figure is computed from measured points, and missing only if they are.
bool is_derived(const SeriesKind& kind);

/// Whether a series is undecided only because it needs more nights.
bool is_learning(const SeriesHealth& health);

/// "+10.2 %"; a change of 0.004 % is "+0.00 %".
std::string signed_percent(double change);

/// Reason for an undecided series, for people; empty if it is decided.
std::string undecided_text(const SeriesHealth& health);

/// What changed in a series: "8 B latency (pingpong, 2 ranks, l3)", "64K bandwidth (stream, 2
/// ranks)", "fitted start-up time (bcast, 4 ranks)".
std::string event_text(const SeriesKind& kind);

/// The figure of a series in words: "latency", "bandwidth", "fitted start-up time".
std::string figure_name(const SeriesName& name);

/// A value in a suitable unit, with its interval: "0.4930 us, interval 0.4810 .. 0.5060", "10.50
/// GB/s". `unit` is that of SeriesKind.
std::string figure_text(double value, const std::optional<Interval>& interval,
                        const std::string& unit);

/// Series with this verdict, the largest change first.
std::vector<const JudgedSeries*> series_with(const Report& report, Verdict verdict);

/// "+10.2 % since 2026-11-20 (2026-11-18 .. 2026-11-21), interval +8.1 .. +12.3 %"; empty without a
/// change.
std::string change_text(const SeriesHealth& health);

}  // namespace hockney::health
