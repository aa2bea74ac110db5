#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hockney::models {

/// The ranks that must have entered a collective before a rank leaves it, by the call's meaning.
enum class CollectiveWaits {
  for_no_rank,
  for_all,
  for_root,      ///< data comes from one rank; the root does not wait
  root_for_all,  ///< data goes to one rank; the others do not wait
  for_lower_ranks,
  for_neighbours  ///< the log does not record the neighbours
};

/// One step of a rank: computing, an action, then a condition it waits for.
struct ProgramStep {
  enum class Does : std::uint8_t {
    nothing,
    sends,     ///< message `index`
    receives,  ///< posts the receive of message `index`
    enters     ///< collective `index`
  };
  /// Condition on which the rank continues.
  enum class Needs : std::uint8_t {
    nothing,
    sent,      ///< message `index`: its sender may continue
    received,  ///< message `index`
    left       ///< collective `index`
  };

  ProgramStep(double computing, Does what, Needs condition, std::uint32_t index_of_both,
              std::size_t event_place)
      : computing_seconds(computing),
        index(index_of_both),
        event(event_place & (most_events - 1U)),
        does(what),
        needs(condition) {}

  static constexpr std::size_t most_events = std::size_t{1} << 28U;  ///< of a rank

  double computing_seconds;  ///< since the previous step, with I/O
  std::uint32_t index;
  std::uint32_t event : 28;  ///< call of the rank that the step belongs to
  Does does : 2;
  Needs needs : 2;
};
static_assert(sizeof(ProgramStep) == 16, "there are up to four steps in a call");

/// One message of the program.
struct Message {
  int from = 0;  ///< places in Program::ranks
  int to = 0;
  std::int64_t bytes = 0;
  bool is_synchronous = false;  ///< MPI_Ssend and the like: the sender always waits
};

struct CollectiveCall {
  int function = -1;  ///< of MPI, by a number that the network of the program reads
  CollectiveWaits waits = CollectiveWaits::for_all;
  int root = -1;           ///< place in `ranks`; -1: not among them
  std::vector<int> ranks;  ///< places in Program::ranks, in order
  std::int64_t bytes = 0;  ///< largest contribution of one rank
};

/// A program by MPI's order alone: the steps of each rank, in order. Only intervals on one rank's
/// own clock are used.
struct Program {
  std::vector<std::vector<ProgramStep>> ranks;
  std::vector<double> tail_seconds;  ///< computing of each rank after its last step
  std::vector<Message> messages;
  std::vector<CollectiveCall> collectives;
  /// Reasons why waits or costs are not replayed, a sentence each.
  std::vector<std::string> notes;
};

/// Event that a sender waits for.
enum class SenderWaits {
  for_no_rank,
  for_progress,  ///< until the receiver is inside MPI and makes progress
  for_receive    ///< rendezvous: the transfer starts once the receive is posted
};

/// Costs of moving data in a replay. This base class costs nothing: messages arrive when they are
/// sent, and no sender waits.
class ReplayNetwork {
 public:
  ReplayNetwork() = default;
  ReplayNetwork(const ReplayNetwork&) = delete;
  ReplayNetwork& operator=(const ReplayNetwork&) = delete;
  ReplayNetwork(ReplayNetwork&&) = delete;
  ReplayNetwork& operator=(ReplayNetwork&&) = delete;
  virtual ~ReplayNetwork() = default;

  /// Arrival of a message that starts at `begin_seconds` [s]. Called in the order of these times.
  virtual double carry(const Message& /*message*/, double begin_seconds) { return begin_seconds; }
  [[nodiscard]] virtual SenderWaits waits(const Message& message) const {
    return message.is_synchronous ? SenderWaits::for_receive : SenderWaits::for_no_rank;
  }
  /// Time that a rank is busy with a message it sends, from the call on [s].
  [[nodiscard]] virtual double sending_seconds(const Message& /*message*/) const { return 0; }
  /// Least time to receive a message, from the posting of the receive on [s].
  [[nodiscard]] virtual double receiving_seconds(const Message& /*message*/) const { return 0; }
  /// Duration of a collective, from the arrival of the ranks it waits for on [s].
  virtual double collective_seconds(const CollectiveCall& /*call*/) { return 0; }
};

/// Waiting times of the ranks of a program.
struct ReplayedTimes {
  double seconds = 0;                     ///< until the last rank ends
  std::vector<double> rank_seconds;       ///< until each rank ends
  std::vector<double> factors;            ///< on the computing of each rank
  std::vector<std::vector<double>> left;  ///< end of each step of each rank [s]

  /// When a rank enters MPI in a step; or when it ends, for the number of its steps [s].
  [[nodiscard]] double entered(const Program& program, std::size_t rank, std::size_t step) const {
    const auto& steps = program.ranks[rank];
    const double computing =
        step < steps.size() ? steps[step].computing_seconds : program.tail_seconds[rank];
    return (step == 0 ? 0 : left[rank][step - 1]) + factors[rank] * computing;
  }
  /// Waiting time in a step of a rank [s].
  [[nodiscard]] double wait(const Program& program, std::size_t rank, std::size_t step) const {
    return left[rank][step] - entered(program, rank, step);
  }
};

/// Replays the program on a network, from each rank's computing and MPI's order alone (max-plus).
/// `factors`: on the computing of each rank, or empty.
/// RunError if ranks deadlock on that network.
ReplayedTimes replay(const Program& program, ReplayNetwork& network,
                     std::span<const double> factors = {});

}  // namespace hockney::models
