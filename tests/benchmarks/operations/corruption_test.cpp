#include <algorithm>
#include <array>
#include <bit>
#include <catch2/catch.hpp>
#include <vector>

#include "benchmarks/harness/operators.hpp"
#include "tests/benchmarks/corruption/corruptor.hpp"
#include "tests/benchmarks/operations/one_operation.hpp"

namespace hockney {
namespace {

constexpr std::size_t elements = 33;  // odd, so that no datatype ends with a word of the pattern

/// Damage that can be done to every delivery of whatever operation.
constexpr std::array local_damage{
    Corruption::first_bit, Corruption::middle_bit, Corruption::last_bit,      Corruption::last_byte,
    Corruption::element,   Corruption::block,      Corruption::swapped_blocks};

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

/// One operation at one point, run again and again on one team.
class Trial {
 public:
  Trial(const CatalogueEntry& entry, const Point& point, const UniqueComm& team,
        BufferPool& buffers, Tally& tally, const Rotation& rotation = {})
      : name_(curve_name(point)),
        iterations_(rotation.iterations),
        comm_(team.get()),
        rank_(rank_in(comm_)),
        tally_(tally),
        operation_(entry.prepare({comm_, rank_, size_of(comm_), buffers, rotation.cache}, point)) {}

  void expect_fault() {
    if (run({}).good) return complain("a wrong result was accepted");
    ++tally_.faults;
  }

  void expect_check(bool reduces) {
    const Outcome clean = run({});
    if (!clean.good) return complain("good data were refused");
    ++tally_.clean;
    count(clean.deliveries);
    if (receivers_.empty()) return complain("nothing was seen to arrive");
    for (const Corruption damage : local_damage) damage_all(damage);
    for (int rank = 0; reduces && rank < size_of(comm_); ++rank) {
      must_be_noticed({Corruption::wrong_contributions, rank, 0});
    }
    if (receivers_.size() > 1) swap_ranks();
    if (!run({Corruption::gaps, receivers_[0], 0}).good) complain("gaps were looked at");
  }

 private:
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
    const bool is_swap = damage.corruption == Corruption::swapped_ranks;
    const bool is_victim = rank_ == damage.victim;
    Corruptor corruptor(is_victim ? damage.corruption : Corruption::none, {damage.delivery});
    operation_->run_batch(iterations_);
    if (is_swap && rank_ == receivers_[0]) corruptor.swap_with(receivers_[1], comm_);
    if (is_swap && rank_ == receivers_[1]) corruptor.swap_with(receivers_[0], comm_);
    return {.good = all_of(comm_, operation_->verify()),
            .has_changed = any_of(comm_, corruptor.has_changed()),
            .deliveries = corruptor.deliveries()};
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
  Tally& tally_;
  std::unique_ptr<PreparedOperation> operation_;
  std::uint64_t seed_ = 0;
  std::vector<int> counts_;     ///< of deliveries, on each rank
  std::vector<int> receivers_;  ///< ranks with any
};

/// Whether this library tells signed from unsigned: Open MPI 4.1.4 does not where the maximum or
/// minimum is of unsigned long (github.com/open-mpi/ompi/issues/10525) or of MPI_Offset.
bool compares_rightly(const Point& point) {
  const Datatype& type = find_datatype(point.parameters.at("datatype"));
  const auto named = point.parameters.find("operator");
  const std::string op = named == point.parameters.end() ? "" : named->second;
  if ((op != "max" && op != "min") || type.kind == DatatypeKind::floating) return true;
  std::vector<unsigned char> one(type.extent, 0);
  std::vector<unsigned char> top_bit(type.extent, 0);
  (std::endian::native == std::endian::little ? one.front() : one.back()) = 1;
  (std::endian::native == std::endian::little ? top_bit.back() : top_bit.front()) = 0x80;
  const bool top_bit_is_large = type.name.starts_with('u');  // a minus sign otherwise
  const auto& right = top_bit_is_large == (op == "max") ? top_bit : one;
  std::vector<unsigned char> found = top_bit;
  mpi_check(PMPI_Reduce_local(one.data(), found.data(), 1, type.handle, find_operator(op).handle));
  return found == right;
}

/// Every point of an operation: with each datatype and, for reductions, with each operator.
std::vector<Point> points_for(const Descriptor& descriptor, int ranks) {
  std::vector<Point> points;
  for (const Datatype& type : datatypes()) {
    Point point =
        point_for(descriptor, Bytes{static_cast<std::int64_t>(elements * type.size)}, ranks);
    point.parameters["datatype"] = type.name;
    if (!descriptor.reduces) points.push_back(point);
    for (const Operator& op : operators()) {
      point.parameters["operator"] = op.name;
      if (descriptor.reduces && is_defined(op, type)) points.push_back(point);
    }
  }
  return points;
}

TEST_CASE("every corruption of every datatype and operator is noticed in every operation") {
  BufferPool buffers(3);
  Tally tally;
  int points = 0;
  int faults = 0;
  for (const CatalogueEntry& entry : catalogue()) {
    const UniqueComm team = team_for(entry.descriptor);
    if (!team || !entry.descriptor.sized || !goes_by_mpi(entry.descriptor)) continue;
    for (const Point& point : points_for(entry.descriptor, size_of(team.get()))) {
      Trial trial(entry, point, team, buffers, tally);
      const bool is_right = compares_rightly(point);
      is_right ? trial.expect_check(entry.descriptor.reduces) : trial.expect_fault();
      ++(is_right ? points : faults);
    }
  }
  for (const std::string& mistake : tally.mistakes) UNSCOPED_INFO(mistake);
  CHECK(tally.mistakes.empty());
  CHECK(tally.clean == points);
  CHECK(tally.faults == faults);
  CHECK(tally.noticed == tally.corrupted);
  CHECK(tally.corrupted > 10'000);
  CHECK(tally.swapped_ranks > 70);
}

TEST_CASE("every corruption at every place of a cold or fresh ring is noticed") {
  BufferPool buffers(4);
  constexpr std::int64_t iterations = 3;
  for (const CachePlan& cache : small_rings()) {
    if (cache.state == CacheState::hot) continue;
    Tally tally;
    for (const CatalogueEntry& entry : catalogue()) {
      const UniqueComm team = team_for(entry.descriptor);
      if (!team || !entry.descriptor.sized || !goes_by_mpi(entry.descriptor)) continue;
      const Point point = point_for(entry.descriptor, Bytes{elements * 8}, size_of(team.get()));
      Trial(entry, point, team, buffers, tally, {cache, iterations})
          .expect_check(entry.descriptor.reduces);
    }
    INFO(cache_name(cache.state));
    for (const std::string& mistake : tally.mistakes) UNSCOPED_INFO(mistake);
    CHECK(tally.mistakes.empty());
    CHECK(tally.noticed == tally.corrupted);
    CHECK(tally.corrupted > 200);
  }
}

}  // namespace
}  // namespace hockney
