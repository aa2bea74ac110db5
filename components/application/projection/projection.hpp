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

#include "components/application/analysis/trace_analysis.hpp"
#include "components/application/projection/machine.hpp"
#include "core/statistics.hpp"

namespace hockney::projection {

/// Algorithm that replaces each collective of a program, or each kind of collective; nullopt: the
/// collective stays.
using Carriers = std::vector<std::optional<std::string>>;

/// Replaces collectives by the messages of their schedules, so that ranks enter and leave them one
/// by one. A nonblocking collective runs in the call that completes it. A call without data, such
/// as the making of a communicator, runs as a barrier. InputError if an algorithm cannot do the
/// work.
models::Program with_schedules(const models::Program& program, const Carriers& carriers);

/// Number of messages that with_schedules() adds.
std::int64_t scheduled_messages(const models::Program& program, const Carriers& carriers);

/// One program with several sets of schedules. Keeps the first set requested, and the last of the
/// others. The program must outlive this object.
class ScheduledPrograms {
 public:
  explicit ScheduledPrograms(const models::Program& program);

  /// Algorithms for each kind of blocking collective, if some algorithms are forced. Nonblocking
  /// ones stay: their progress while ranks compute is unknown.
  [[nodiscard]] Carriers carriers(const collectives::Fits& fits,
                                  const ForcedAlgorithms& forced) const;

  /// The program with the messages of these carriers. Unchanged if there are no messages, or too
  /// many. Valid until the next call with other carriers. Errors as in with_schedules().
  const models::Program& with(const Carriers& of_kinds);

 private:
  struct Made {
    Carriers of_kinds;
    std::optional<models::Program> program;  ///< nullopt: unchanged
  };
  [[nodiscard]] Made made(const Carriers& of_kinds) const;

  const models::Program& program_;
  std::vector<std::size_t> first_calls_;                  ///< of each kind
  std::vector<std::optional<std::size_t>> kind_of_call_;  ///< nullopt: stays a collective
  std::array<std::optional<Made>, 2> made_;
};

/// Two ends [s] without a probability: they include everything that the models leave open.
struct Range {
  double low_seconds = 0;
  double high_seconds = 0;
};

/// Effect of a change on the time of a program.
enum class Effect { faster, slower, none, no_prediction };

constexpr auto words_of(std::type_identity<Effect>) {
  return std::to_array<std::string_view>({"faster", "slower", "no change", "cannot tell"});
}

/// Projected time of the program for one question.
struct Projection {
  std::string question;
  double seconds = 0;  ///< projected time of the run
  Range range;
  Effect effect = Effect::no_prediction;
  std::string why_not;  ///< reason why no projection is possible; if set, `seconds` is undefined
};

/// Agreement of the models with the measured time.
struct Validation {
  double measured_seconds = 0;  ///< T
  double model_seconds = 0;     ///< R1, the replay on the models
  double ideal_seconds = 0;     ///< R2: on a network without costs, with rendezvous.
  /// Factor on all costs for which R1 = T; nullopt if it is outside of 1/8 to 8. It is 1 if no
  /// factor fits and R1 is within 1 % of T.
  std::optional<double> stretch;

  /// (R1 - T)/T.
  [[nodiscard]] double error() const { return model_seconds / measured_seconds - 1; }
};

/// One run of a program, replayed on the models of a machine. Each replay is made once. The run and
/// the machine must outlive this object. Not thread-safe.
class Projector {
 public:
  /// `forced`: algorithms of collectives in the run. InputError if the trace is incomplete, the run
  /// is empty, or a distance between ranks was not measured.
  Projector(const applications::TraceAnalysis& run, const Machine& machine,
            ForcedAlgorithms forced = {});

  [[nodiscard]] double measured_seconds() const { return measured_seconds_; }
  [[nodiscard]] double model_seconds() const { return model_seconds_; }
  [[nodiscard]] Validation validation() const;

  /// The range covers three projections at measured costs: the middle and both ends of their
  /// intervals. It also covers one at costs stretched to explain the measured time.
  [[nodiscard]] Projection project(const std::string& question, const WhatIf& what_if) const;

  /// On another machine with equally fast processors.
  [[nodiscard]] Projection project(const std::string& question, const WhatIf& what_if,
                                   const Machine& machine) const;

  /// Hosts of the ranks, in order.
  [[nodiscard]] const std::vector<std::string>& hosts() const { return hosts_; }

  /// Missing knowledge about the program or the machine, a sentence each.
  [[nodiscard]] std::vector<std::string> doubts() const;

  [[nodiscard]] std::int64_t largest_message_bytes() const;
  /// Sizes of the messages between ranks of one node, or of two, distinct and ascending [B].
  [[nodiscard]] std::vector<std::int64_t> message_sizes(applications::Reach reach) const;
  /// Collectives of the program that have schedules.
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
  /// The program with the messages of collectives whose algorithm is forced, or assumed to be the
  /// usual one. Unchanged if these would be too many.
  [[nodiscard]] const models::Program& scheduled(const Machine& machine,
                                                 const ForcedAlgorithms& forced) const;
  [[nodiscard]] double replay_on(const Machine& machine, const Replay& replay) const;
  /// Time of the program on its own machine [s].
  [[nodiscard]] double replayed(const WhatIf& what_if, const Costs& costs) const;
  /// Value of Validation::stretch.
  [[nodiscard]] std::optional<double> stretch() const;
  [[nodiscard]] std::optional<double> find_stretch() const;

  const Machine& machine_;
  ForcedAlgorithms forced_;
  const models::Program& program_;
  std::vector<std::string> hosts_;
  double measured_seconds_ = 0;
  double model_seconds_ = 0;
  mutable ScheduledPrograms programs_;
  // Earlier results on the program's own machine.
  mutable std::map<ForcedAlgorithms, Carriers> carriers_;
  mutable std::map<Replay, double> seconds_of_;
  mutable std::optional<std::optional<double>> stretch_;
};

/// Ranks dealt out to the same nodes in turn: "a a b b" becomes "a b a b".
std::vector<std::string> round_robin(const std::vector<std::string>& hosts);
/// Ranks filling one node after the other: "a b a b" becomes "a a b b".
std::vector<std::string> in_blocks(const std::vector<std::string>& hosts);

/// Time of a program at one number of ranks, in one block; a block has launches at all numbers.
struct ScalingTime {
  int block = 0;
  int ranks = 1;
  double seconds = 0;
};

/// Whether the problem is the same at every number of ranks (strong scaling), or grows with the
/// ranks (weak scaling).
enum class Problem { same, grows };

/// T(p) = constant + divided / p + doubled log2(p), with coefficients from 0 on [s]. They are the
/// work of every rank, the shared work, and the cost of each doubling (Amdahl 1967, with message
/// trees). If the problem grows, divided is 0.
struct ScalingLaw {
  double constant_seconds = 0;
  double divided_seconds = 0;
  double doubled_seconds = 0;

  [[nodiscard]] double seconds(int ranks) const;
};

/// A measured number of ranks, or an extrapolated one.
struct ScalingPoint {
  int ranks = 1;
  bool is_measured = true;
  double seconds = 0;                        ///< median over blocks
  std::optional<Interval> interval_seconds;  ///< over blocks, if there are at least six
  /// T(p0) p0 / (T(p) p), with p0 the fewest ranks. For a problem that grows: T(p0) / T(p).
  double efficiency = 1;
};

struct ScalingStudy {
  std::optional<ScalingLaw> law;     ///< of the medians; nullopt for two numbers of ranks
  std::vector<ScalingPoint> points;  ///< by ranks; doublings follow the measured ones.
  /// Relative error at the most ranks of a law fitted to all other medians. nullopt for fewer than
  /// four numbers of ranks.
  std::optional<double> held_out_error;
  /// The most ranks of `points` with the requested efficiency; nullopt if none has it.
  std::optional<ScalingPoint> best;
};

/// Fits the law to the medians and to each block, by relative errors. Extrapolates by `doublings`
/// if there is a law. InputError for fewer than two numbers of ranks, for incomplete blocks, and
/// for an efficiency outside of (0, 1].
ScalingStudy study_scaling(std::span<const ScalingTime> times, double efficiency, int doublings,
                           Problem problem = Problem::same);

}  // namespace hockney::projection
