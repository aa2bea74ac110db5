#pragma once

#include <compare>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "application/analysis/trace_analysis.hpp"
#include "application/projection/model_network.hpp"
#include "application/projection/scheduled_program.hpp"

namespace hockney::projection {

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

}  // namespace hockney::projection
