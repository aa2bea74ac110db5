#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/faults.hpp"
#include "core/text.hpp"
#include "health/detection/check.hpp"
#include "health/history/database.hpp"
#include "health/history/reading.hpp"
#include "verdicts/fleet/fleet.hpp"
#include "verdicts/fleet/links.hpp"

namespace hockney::health {

/// An environment change beside a verdict, and what of it changed.
struct NamedChange {
  std::int64_t day = 0;
  std::int64_t day_before = 0;
  std::vector<FactChange> facts;
};

/// One series and what is said of it.
struct JudgedSeries {
  SeriesKind kind;
  SeriesHealth health;
  std::optional<NightlyValue> last;      ///< of the day that was judged, or the last before it
  std::vector<NamedChange> environment;  ///< on which the change may have happened
  std::vector<Note> notes;               ///< of these days
};

/// The nodes and links of one point.
struct JudgedFleet {
  std::string point;
  std::int64_t day = 0;  ///< of the night, the last of this point
  fleet::FleetNight night;
  std::vector<fleet::LinkVerdict> links;  ///< that stay slow over nights
};

/// Everything that `hockney health check` found.
struct Report {
  std::int64_t day = 0;  ///< the night that was judged
  std::string checked_utc;
  std::string history;                 ///< file
  std::size_t nights = 0;              ///< up to that one
  std::vector<std::int64_t> future{};  ///< days of nights that are not judged: they are yet to come
  std::vector<JudgedSeries> series;
  std::vector<JudgedFleet> fleets;
  std::vector<FaultFinding> faults;  ///< of the night; its figures without them are judged
};

/// How many of something there are.
struct HealthCounts {
  std::size_t steady = 0;
  std::size_t improved = 0;
  std::size_t regressed = 0;
  std::size_t undecided = 0;
  std::size_t learning = 0;    ///< of the undecided: with too few nights, so far
  std::size_t slow_nodes = 0;  ///< named at one point or more
  std::size_t slow_links = 0;
};

HealthCounts count(const Report& report);

/// Whether a series regressed, or a node or link is named.
bool has_regression(const Report& report);

/// What a night is, all in all. `learning` is no `ok`: no series can be judged yet, or any more.
/// `corrupt`: some figures of the night are void (core/faults.hpp), whatever else was found.
enum class State { ok, learning, regressed, corrupt };
constexpr auto words_of(std::type_identity<State>) {
  return std::to_array<std::string_view>({"OK", "LEARNING", "REGRESSED", "CORRUPT"});
}

State state_of(const Report& report);

/// The answer in one line, beginning with the state: "LEARNING  night 2 of 15 needed; nothing can
/// be judged yet (76 series)", "OK        76 series steady over 120 nights".
std::string headline(const Report& report);

/// The worst of all.
fleet::Severity severity_of(const Report& report);

/// What a prolog or drain script takes as its reason: severity and what is worst, in one line:
/// "ISOLATE: node hx2 12 % slower ...". "OK: ..." when nothing is, "LEARNING: ..." when nobody
/// knows.
std::string reason_line(const Report& report);

/// Whether more nights are all that a verdict on a series waits for.
bool is_learning(const SeriesHealth& health);

/// "+10.2 %"; a change of 0.004 % is "+0.00 %".
std::string signed_percent(double change);

/// Which nights are not judged because they lie in the future; empty without such nights.
std::string future_text(const Report& report);

/// Why a series is undecided, for people; empty when it is decided.
std::string undecided_text(const SeriesHealth& health);

/// What happened to a series, in words: "8 B latency (pingpong, 2 ranks, l3)", "64K bandwidth
/// (stream, 2 ranks)", "fitted start-up time (bcast, 4 ranks)".
std::string happening_text(const SeriesKind& kind);

/// Whether a figure is a coefficient of a model, which no program ever waits for by itself.
bool is_fitted(const SeriesKind& kind);

/// A value in the unit that suits it, with its interval: "0.4930 us, interval 0.4810 .. 0.5060",
/// "10.50 GB/s". `unit` is that of SeriesKind.
std::string figure_text(double value, const std::optional<Interval>& interval,
                        const std::string& unit);

/// Series whose verdict is the same, the largest change first.
std::vector<const JudgedSeries*> series_with(const Report& report, Verdict verdict);

/// "+10.2 % since 2026-11-20 (2026-11-18 .. 2026-11-21), interval +8.1 .. +12.3 %"; empty without a
/// change.
std::string change_text(const SeriesHealth& health);

}  // namespace hockney::health
