#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "application/analysis/replay.hpp"
#include "application/projection/machine.hpp"
#include "core/statistics.hpp"

namespace hockney::projection {

/// For each collective of a program, or each kind of them, the algorithm that carries it out;
/// nullopt: it stays one.
using Carriers = std::vector<std::optional<std::string>>;

/// The program with the messages of schedules in place of collectives, so that ranks come to them
/// and leave them one by one. What is started in one call and completed in another happens where it
/// is completed. A call without data, as for the making of communicators, goes as a barrier does.
/// InputError for an algorithm that is unfit for the work.
applications::HappensBefore with_schedules(const applications::HappensBefore& program,
                                           const Carriers& carriers);

/// How many messages that adds.
std::int64_t scheduled_messages(const applications::HappensBefore& program,
                                const Carriers& carriers);

/// One program with several sets of schedules, each made once: those that were asked for first are
/// kept, of the others the last. The program must outlive this.
class ScheduledPrograms {
 public:
  explicit ScheduledPrograms(const applications::HappensBefore& program);

  /// What carries out each kind of blocking collectives where some algorithms are forced: what goes
  /// on in others while ranks compute is not known.
  [[nodiscard]] Carriers carriers(const collectives::Fits& fits,
                                  const ForcedAlgorithms& forced) const;

  /// With the messages of these carriers; as it is where there are none, or too many. It lasts
  /// until others are asked for. Errors as with_schedules().
  const applications::HappensBefore& with(const Carriers& of_kinds);

 private:
  struct Made {
    Carriers of_kinds;
    std::optional<applications::HappensBefore> program;  ///< nullopt: as it is
  };
  [[nodiscard]] Made made(const Carriers& of_kinds) const;

  const applications::HappensBefore& program_;
  std::vector<std::size_t> first_calls_;                  ///< of each kind
  std::vector<std::optional<std::size_t>> kind_of_call_;  ///< nullopt: not to be carried out
  std::array<std::optional<Made>, 2> made_;
};

/// Two ends [s], without a probability: whatever the models leave open is within them.
struct Range {
  double low_seconds = 0;
  double high_seconds = 0;
};

/// What a change does to the time of a program.
enum class Effect { faster, slower, none, cannot_tell };

constexpr auto words_of(std::type_identity<Effect>) {
  return std::to_array<std::string_view>({"faster", "slower", "no change", "cannot tell"});
}

/// The answer to one question.
struct Projection {
  std::string question;
  double seconds = 0;  ///< the time it would have taken
  Range range;
  Effect effect = Effect::cannot_tell;
  std::string why_not;  ///< it cannot be told; empty where it can, and `seconds` means nothing else
};

/// How near the models come to the time that was measured.
struct Validation {
  double measured_seconds = 0;  ///< T
  double model_seconds = 0;     ///< R1, the replay on the models
  double ideal_seconds = 0;     ///< R2, on a network that costs nothing
  /// What all costs must be multiplied by for R1 = T; nullopt where not even an eighth or eight
  /// times as much would do.
  std::optional<double> stretch;

  /// (R1 - T)/T.
  [[nodiscard]] double error() const { return model_seconds / measured_seconds - 1; }
};

/// One run of a program, replayed on the models of a machine as questions are asked; no replay is
/// made twice. The run and the machine must outlive it. Not for several threads at once.
class Projector {
 public:
  /// `forced`: algorithms of collectives in the run. InputError for a trace that is not whole, for
  /// an empty run, and for ranks whose distances were not measured.
  Projector(const applications::TraceAnalysis& run, const Machine& machine,
            ForcedAlgorithms forced = {});

  [[nodiscard]] double measured_seconds() const { return measured_seconds_; }
  [[nodiscard]] double model_seconds() const { return model_seconds_; }
  [[nodiscard]] Validation validation() const;

  /// The range holds the answers of the costs as they were measured, at both ends of their
  /// intervals, and stretched until they explain the measured time.
  [[nodiscard]] Projection project(const std::string& question, const WhatIf& what_if) const;

  /// On another machine, whose processors compute as fast.
  [[nodiscard]] Projection project(const std::string& question, const WhatIf& what_if,
                                   const Machine& machine) const;

  /// Where the ranks were, in order.
  [[nodiscard]] const std::vector<std::string>& hosts() const { return hosts_; }

  /// What is not known of the program or the machine, in a sentence each.
  [[nodiscard]] std::vector<std::string> doubts() const;

  [[nodiscard]] std::int64_t largest_message_bytes() const;
  /// Sizes of the messages between ranks of one node, or of two, each once, ascending [B].
  [[nodiscard]] std::vector<std::int64_t> message_sizes(applications::Reach reach) const;
  /// Its collectives that have schedules, each once.
  [[nodiscard]] std::set<std::string> operations() const;

 private:
  struct Costs {
    Level level = Level::middle;
    double stretch = 1;

    friend auto operator<=>(const Costs&, const Costs&) = default;
  };
  struct Replay {
    WhatIf what_if;
    Costs costs;

    friend auto operator<=>(const Replay&, const Replay&) = default;
  };
  /// The program with the messages of those collectives whose algorithms are forced, or taken to be
  /// the usual ones; as it is where these would be too many.
  [[nodiscard]] const applications::HappensBefore& scheduled(const Machine& machine,
                                                             const ForcedAlgorithms& forced) const;
  [[nodiscard]] double replay_on(const Machine& machine, const Replay& replay) const;
  /// How long the program takes on its own machine [s].
  [[nodiscard]] double replayed(const WhatIf& what_if, const Costs& costs) const;
  /// What Validation::stretch is.
  [[nodiscard]] std::optional<double> stretch() const;
  [[nodiscard]] std::optional<double> find_stretch() const;

  const Machine& machine_;
  ForcedAlgorithms forced_;
  const applications::HappensBefore& program_;
  std::vector<std::string> hosts_;
  double measured_seconds_ = 0;
  double model_seconds_ = 0;
  mutable ScheduledPrograms programs_;
  // Of its own machine, what was asked for already.
  mutable std::map<ForcedAlgorithms, Carriers> carriers_;
  mutable std::map<Replay, double> seconds_of_;
  mutable std::optional<std::optional<double>> stretch_;
};

/// The ranks dealt to the same nodes one after the other: "a a b b" becomes "a b a b".
std::vector<std::string> round_robin(const std::vector<std::string>& hosts);
/// And filling one node after the other: "a b a b" becomes "a a b b".
std::vector<std::string> in_blocks(const std::vector<std::string>& hosts);

/// The time of a program at one number of ranks, in one block of launches at all of them.
struct ScalingTime {
  int block = 0;
  int ranks = 1;
  double seconds = 0;
};

/// Whether the problem is the same at every number of ranks (strong scaling), or grows as the ranks
/// do (weak scaling).
enum class Problem { same, grows };

/// T(p) = constant + divided / p + doubled log2(p), none of them negative [s]: what every rank
/// does, what ranks share, and what each doubling adds (Amdahl 1967, with trees of messages). Of a
/// problem that grows nothing is divided.
struct ScalingLaw {
  double constant_seconds = 0;
  double divided_seconds = 0;
  double doubled_seconds = 0;

  [[nodiscard]] double seconds(int ranks) const;
};

/// A number of ranks that was measured, or that the law was asked for.
struct ScalingPoint {
  int ranks = 1;
  bool is_measured = true;
  double seconds = 0;                        ///< median over blocks
  std::optional<Interval> interval_seconds;  ///< over blocks, from six on
  /// T(p0) p0 / (T(p) p), p0 the fewest ranks; of a problem that grows T(p0) / T(p).
  double efficiency = 1;
};

struct ScalingStudy {
  std::optional<ScalingLaw> law;     ///< of the medians; nullopt for two numbers of ranks
  std::vector<ScalingPoint> points;  ///< by ranks; beyond the measured ones, doublings
  /// What the law of all others says of the most ranks, over what was measured, less 1; nullopt for
  /// fewer than four numbers of ranks.
  std::optional<double> held_out_error;
  /// The most ranks of `points` that are as efficient as was asked; nullopt where none is.
  std::optional<ScalingPoint> best;
};

/// Fits the law to relative errors, of the medians and of each block; extrapolates by as many
/// doublings, where there is a law. InputError for fewer than two numbers of ranks, for blocks that
/// lack one, and for an efficiency outside of (0, 1].
ScalingStudy study_scaling(std::span<const ScalingTime> times, double efficiency, int doublings,
                           Problem problem = Problem::same);

}  // namespace hockney::projection
