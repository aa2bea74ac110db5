#pragma once

#include <mpi.h>

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "benchmarks/engine/prepared.hpp"
#include "benchmarks/harness/communicators.hpp"
#include "benchmarks/harness/payload.hpp"
#include "tests/benchmarks/corruption/corruptor.hpp"
#include "tests/benchmarks/operations/one_operation.hpp"

namespace hockney::benchmarks {

/// Of a message: odd, so that no datatype ends with a word of the pattern.
inline constexpr std::size_t trial_elements = 33;

/// Damage that can be done to every delivery of whatever operation.
inline constexpr std::array local_damage{
    Corruption::first_bit, Corruption::middle_bit, Corruption::last_bit,      Corruption::last_byte,
    Corruption::element,   Corruption::block,      Corruption::swapped_blocks};

/// The same of one element, which has no blocks.
inline constexpr std::span<const Corruption> element_damage = std::span(local_damage).first<5>();

/// What came of the combinations of operation, datatype, operator, corruption, rank and delivery.
struct Tally {
  int clean = 0;          ///< data left alone, and found good
  int corrupted = 0;      ///< with wrong data
  int swapped_ranks = 0;  ///< of these, with data of two ranks in each other's place
  int noticed = 0;        ///< of the corrupted ones
  int faults = 0;         ///< of the library itself, noticed
  std::vector<std::string> mistakes;
};

/// The cache state of a trial, and how many places of a ring are used: every one must be looked at.
struct Rotation {
  CachePlan cache{};
  std::int64_t iterations = 1;
};

/// One operation at one point, run again and again on one group.
class Trial {
 public:
  Trial(const CatalogueEntry& entry, const Point& point, const UniqueComm& group,
        BufferPool& buffers, Tally& tally, const Rotation& rotation = {})
      : name_(curve_name(point)),
        iterations_(rotation.iterations),
        comm_(group.get()),
        rank_(rank_in(comm_)),
        // Of an exclusive scan nobody receives what the last rank contributes.
        contributors_(size_of(comm_) - (point.operation.ends_with("exscan") ? 1 : 0)),
        period_(root_rotates(point) ? size_of(comm_) : 1),
        tally_(tally),
        operation_(entry.prepare({comm_, rank_, size_of(comm_), buffers, rotation.cache}, point)) {}

  void expect_fault() {
    if (run({}).good) return complain("a wrong result was accepted");
    ++tally_.faults;
  }

  /// Ranks do not receive as much as each other, so that their data cannot be swapped.
  Trial& unlike() {
    are_alike_ = false;
    return *this;
  }

  /// What one-sided calls and files are given changes on its way, so that nothing can be swapped
  /// when it is there; of one element neither blocks nor halves are damaged.
  Trial& one_sided(const Descriptor& descriptor) {
    swaps_ = false;
    if (descriptor.one_element) damages_ = element_damage;
    return *this;
  }

  void expect_check(bool reduces) {
    const Outcome clean = run({});
    if (!clean.good) return complain("good data were refused");
    ++tally_.clean;
    count(clean.deliveries);
    if (receivers_.empty() && !are_alike_) return;  // all there is may be the root's own
    if (receivers_.empty()) return complain("nothing was seen to arrive");
    for (const Corruption damage : damages_) damage_all(damage);
    for (int rank = 0; reduces && rank < contributors_; ++rank) {
      must_be_noticed({Corruption::wrong_contributions, rank, 0});
    }
    if (receivers_.size() > 1 && are_alike_ && swaps_) swap_ranks();
    if (!run({Corruption::gaps, receivers_[0], 0}).good) complain("gaps were looked at");
  }

  /// One delivery in fifty is wrong, on every rank that receives. The point's datatype is
  /// MPI_FLOAT, which nothing consists of but the data.
  void expect_rare_fault_found() {
    const Checked clean = check(Corruption::none);
    if (!clean.is_good || clean.deliveries != deliveries_to_check)
      complain("good data were refused");
    ++tally_.clean;
    const Checked faulty = check(Corruption::last_bit);
    ++tally_.corrupted;
    if (faulty.is_good) return complain("one wrong delivery in fifty was missed");
    ++tally_.noticed;
  }

 private:
  Checked check(Corruption corruption) {
    MpiRankGroup group(comm_);
    const auto clock = make_clock();
    const Corruptor corruptor(corruption, {.type = MPI_FLOAT, .every = 50});
    return check_deliveries(*operation_, group, *clock, {.least = deliveries_to_check});
  }

  struct Damage {
    Corruption corruption = Corruption::none;
    int victim = 0;
    std::size_t delivery = 0;
  };
  struct Outcome {
    bool good;         ///< on all ranks
    bool has_changed;  ///< on any rank
    std::size_t deliveries;
  };

  void complain(const std::string& what) { tally_.mistakes.push_back(name_ + ": " + what); }

  Outcome run(const Damage& damage) {
    operation_->refill(++seed_, iterations_);
    for (int call = 1; call < period_; ++call) run_once();
    const bool is_swap = damage.corruption == Corruption::swapped_ranks;
    const bool is_victim = rank_ == damage.victim;
    Corruptor corruptor(is_victim ? damage.corruption : Corruption::none, {damage.delivery});
    operation_->run_batch(iterations_);
    if (is_swap && rank_ == receivers_[0]) corruptor.swap_with(receivers_[1], comm_);
    if (is_swap && rank_ == receivers_[1]) corruptor.swap_with(receivers_[0], comm_);
    const std::size_t deliveries = corruptor.deliveries();  // not those of the check itself
    return {.good = all_of(comm_, operation_->verify()),
            .has_changed = any_of(comm_, corruptor.has_changed()),
            .deliveries = deliveries};
  }

  void run_once() {
    operation_->ready();
    operation_->run_batch(1);
  }

  void count(std::size_t deliveries) {
    const auto own = static_cast<int>(deliveries);
    counts_.resize(static_cast<std::size_t>(size_of(comm_)));
    PMPI_Allgather(&own, 1, MPI_INT, counts_.data(), 1, MPI_INT, comm_);
    for (int rank = 0; rank < size_of(comm_); ++rank) {
      if (counts_[static_cast<std::size_t>(rank)] > 0) receivers_.push_back(rank);
    }
  }

  /// Every receiver is the victim in its turn, and of what it receives every delivery.
  void damage_all(Corruption corruption) {
    for (const int victim : receivers_) {
      const auto deliveries = static_cast<std::size_t>(counts_[static_cast<std::size_t>(victim)]);
      for (std::size_t i = 0; i < deliveries; ++i) must_be_noticed({corruption, victim, i});
    }
  }

  void must_be_noticed(const Damage& damage) {
    const Outcome outcome = run(damage);
    const auto number = std::to_string(static_cast<int>(damage.corruption));
    // What an operator finds at first may be the same in all elements.
    if (!outcome.has_changed && !swaps_) return;
    if (!outcome.has_changed) return complain("nothing was damaged by corruption " + number);
    ++tally_.corrupted;
    if (outcome.good) return complain("corruption " + number + " was missed");
    ++tally_.noticed;
  }

  /// Where both ranks were sent the same, as by a broadcast, a swap does no harm.
  void swap_ranks() {
    const Outcome outcome = run({Corruption::swapped_ranks, receivers_[0], 0});
    if (outcome.good != outcome.has_changed) return count_swap(outcome);
    complain(outcome.good ? "swapped ranks were missed" : "good data were refused");
  }
  void count_swap(const Outcome& outcome) {
    if (!outcome.has_changed) return;
    ++tally_.corrupted;
    ++tally_.noticed;
    ++tally_.swapped_ranks;
  }

  std::string name_;
  std::int64_t iterations_;
  MPI_Comm comm_;
  int rank_;
  int contributors_;
  int period_;  ///< calls after which the same rank is the root again
  Tally& tally_;
  std::unique_ptr<PreparedOperation> operation_;
  std::uint64_t seed_ = 0;
  std::vector<int> counts_;     ///< of deliveries, on each rank
  std::vector<int> receivers_;  ///< ranks with any
  bool are_alike_ = true;
  bool swaps_ = true;
  std::span<const Corruption> damages_ = local_damage;
};

}  // namespace hockney::benchmarks
