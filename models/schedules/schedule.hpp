#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/quantities.hpp"

namespace hockney::schedules {

/// Size and ranks of a collective, and parameters of some of its algorithms.
struct Workload {
  int ranks = 1;
  /// The whole vector for bcast, reduce, allreduce, scan, exscan and reduce_scatter, the block of
  /// one rank otherwise [B].
  Bytes bytes{};
  std::int64_t element_bytes = 1;  ///< size of one element, never divided [B]
  Bytes segment{};                 ///< 0: not segmented [B]
  int fanout = 0;                  ///< chains, radix or requests under way; 0: the usual number
  int root = 0;

  friend bool operator==(const Workload&, const Workload&) = default;
};

/// The part of the data that a message carries. Data are a ring of equal slots: elements where
/// vectors are divided, blocks of ranks otherwise. `count` slots from `first` on; with a `run`,
/// only the first `run` of every `stride` of them.
struct Slots {
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::int64_t run = 0;     ///< 0: all of them
  std::int64_t stride = 0;  ///< without meaning when run is 0

  friend bool operator==(const Slots&, const Slots&) = default;
};

enum class Direction { send, receive };

/// Use of received data: it replaces the data there, is combined with it by the operator, or is
/// combined and also added to the prefix that a scan returns.
enum class Delivery { replace, combine, combine_prefix };

/// Source of a send: the data the rank works on, or the data last received, before it was combined.
enum class Source { working, received };

/// One message, as one of its two ranks sees it.
struct Transfer {
  Direction direction = Direction::send;
  Delivery delivery = Delivery::replace;
  Source source = Source::working;
  int peer = 0;
  std::int64_t bytes = 0;  ///< [B]
  Slots slots;
};

/// The steps of one rank. The messages of a step start together, and all end before the next step.
/// One message is a blocking send or receive, one each way is a send-receive, and more are
/// non-blocking calls and a waitall. Local reduction follows the messages of a step.
class RankSchedule {
 public:
  /// Adds to the step under way, which wait() ends.
  void start(const Transfer& transfer) { transfers_.push_back(transfer); }
  void wait();

  [[nodiscard]] std::size_t steps() const { return ends_.size(); }
  [[nodiscard]] std::span<const Transfer> step(std::size_t index) const;
  /// All messages of all steps, in order.
  [[nodiscard]] const std::vector<Transfer>& transfers() const { return transfers_; }

 private:
  std::vector<Transfer> transfers_;
  std::vector<std::size_t> ends_;  ///< of each step, one past its last transfer
};

struct Schedule {
  std::int64_t slots = 1;       ///< of the data of one rank
  std::int64_t slot_bytes = 0;  ///< [B]
  std::vector<RankSchedule> ranks;
};

/// Operations whose algorithms are known, in order of the alphabet.
std::vector<std::string> scheduled_operations();

/// Such an operation by its name in any spelling; nullopt for another one.
std::optional<std::string> scheduled_operation(std::string_view operation);

/// The algorithms of an operation by hockney's names. These are the names of Open MPI's coll/tuned
/// if it has the algorithm. Empty for an unknown operation.
std::vector<std::string> algorithms_of(const std::string& operation);

/// hockney's name of an algorithm that is also known under another ("dissemination" is the barrier
/// "bruck"); `algorithm` itself when no other name is known.
std::string canonical_algorithm(const std::string& operation, const std::string& algorithm);

/// Whether the operation has an algorithm of that canonical name.
bool has_algorithm(const std::string& operation, const std::string& algorithm);

/// Whether a library that counts its messages has the algorithm, not only simulators and the
/// literature.
bool is_in_libraries(const std::string& operation, const std::string& algorithm);

/// The algorithm that MPI libraries usually choose (Thakur, Rabenseifner, Gropp 2005): one for
/// short messages, another for long ones.
std::string usual_algorithm(const std::string& operation, const Workload& workload);

/// Reason why libraries run another algorithm than the requested one for this work; nullopt if the
/// algorithm fits, or is unknown.
std::optional<std::string> unfit(const std::string& operation, const std::string& algorithm,
                                 const Workload& workload);

/// The algorithm that Open MPI runs if this one is requested: the algorithm itself if it fits,
/// otherwise its replacement. nullopt if the replacement is unknown.
std::optional<std::string> algorithm_that_runs(const std::string& operation,
                                               const std::string& algorithm,
                                               const Workload& workload);

/// The steps of every rank. InputError for an unknown operation or algorithm, an invalid root or
/// number of ranks, or work that the algorithm does not fit.
Schedule schedule_of(const std::string& operation, const std::string& algorithm,
                     const Workload& workload);

/// Part `index` of `parts` of `slots`; sizes differ by at most one slot, larger parts first.
Slots even_part(const Slots& slots, std::int64_t parts, std::int64_t index);

/// Part `index` of slots divided into `parts` of ceil(count/parts); the last ones may be short or
/// empty.
Slots ceiling_part(const Slots& slots, std::int64_t parts, std::int64_t index);

/// The parts `first` to `last` (not included) of even_part in one range.
Slots even_parts(const Slots& slots, std::int64_t parts, std::int64_t first, std::int64_t last);

/// The whole vector of a workload.
Slots whole(const Workload& workload);

/// The segments of a vector, at least one.
std::vector<Slots> segments_of(const Workload& workload);

/// The largest power of two that is at most `ranks`.
int power_below(int ranks);

bool is_power_of_two(int ranks);

/// Every block goes round the ring twice: once to be combined, once to be distributed. Segmented:
/// blocks are combined in phases of at most one segment each.
Schedule allreduce_ring(const Workload& workload);
Schedule allreduce_segmented_ring(const Workload& workload);

/// Any number of ranks brought to a power of two: of the first 2 `extra` ranks, one of each pair of
/// neighbours stands aside.
struct Fold {
  int ranks = 1;
  int power = 1;
  int extra = 0;  ///< pairs with one rank that stands aside

  explicit Fold(int all);

  /// The rank of member `member` of the power of two: of a pair the odd one.
  [[nodiscard]] int odd(int member) const {
    return member < extra ? 2 * member + 1 : member + extra;
  }
  /// The same, of a pair the even one.
  [[nodiscard]] int even(int member) const { return member < extra ? 2 * member : member + extra; }
};

/// One algorithm of one operation.
struct Algorithm {
  std::string name;
  std::vector<std::string> other_names;  ///< of other libraries, and of the literature
  Schedule (*draw)(const Workload&) = nullptr;
  /// Reason why libraries run another one in its place; nullptr: it always fits.
  std::optional<std::string> (*unfit)(const Workload&) = nullptr;
  /// The one that Open MPI runs in its place then; empty if unknown.
  std::string in_its_place;
  bool is_in_libraries = true;  ///< false: only in simulators and the literature
};

using Family = std::vector<Algorithm>;

// The algorithms of each operation.
Family barrier_family();
Family bcast_family();
Family reduce_family();
Family allreduce_family();
Family allgather_family();
Family alltoall_family();
Family gather_family();
Family scatter_family();
Family reduce_scatter_family();
Family reduce_scatter_block_family();
Family scan_family();
Family exscan_family();

// Reasons why an algorithm is replaced by another; nullopt where it is not.

/// The vector has fewer elements than ranks.
std::optional<std::string> fewer_elements_than_ranks(const Workload& workload);

/// It has fewer elements than the largest power of two ranks.
std::optional<std::string> fewer_elements_than_power(const Workload& workload);

std::optional<std::string> ranks_no_power_of_two(const Workload& workload);

std::optional<std::string> odd_ranks(const Workload& workload);

std::optional<std::string> not_two_ranks(const Workload& workload);

}  // namespace hockney::schedules
