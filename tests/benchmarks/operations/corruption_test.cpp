#include <algorithm>
#include <array>
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

/// What came of the combinations of operation, datatype, operator and corruption.
struct Tally {
  int clean = 0;          ///< data left alone, and found good
  int corrupted = 0;      ///< combinations with wrong data
  int swapped_ranks = 0;  ///< of these, with data of two ranks in each other's place
  int noticed = 0;        ///< of the corrupted ones
  std::vector<std::string> mistakes;
};

/// One operation at one point, run again and again on one team.
class Trial {
 public:
  Trial(const CatalogueEntry& entry, const Point& point, const UniqueComm& team,
        BufferPool& buffers, Tally& tally)
      : name_(curve_name(point)),
        comm_(team.get()),
        rank_(rank_in(comm_)),
        tally_(tally),
        operation_(entry.prepare({comm_, rank_, size_of(comm_), buffers}, point)) {}

  void run(bool reduces) {
    count_deliveries();
    if (receivers_.empty()) return complain("nothing was seen to arrive");
    for (const Corruption damage : local_damage) damaged(damage, false);
    if (reduces) damaged(Corruption::wrong_contributions, true);
    swapped();
    left_alone(Corruption::gaps);
  }

 private:
  void complain(const std::string& what) { tally_.mistakes.push_back(name_ + ": " + what); }

  /// Runs once; whether every rank found its data good.
  bool verdict(Corruption corruption, std::optional<std::size_t> delivery, bool& has_changed) {
    operation_->refill(++seed_);
    Corruptor corruptor(corruption, {.delivery = delivery});
    operation_->run_batch(1);
    if (corruption == Corruption::swapped_ranks) swap(corruptor);
    has_changed = any_of(comm_, corruptor.has_changed());
    deliveries_ = corruptor.deliveries();
    return all_of(comm_, operation_->verify());
  }

  void left_alone(Corruption harmless) {
    bool has_changed = false;
    const bool good = verdict(harmless, std::nullopt, has_changed);
    if (!good || has_changed) return complain("good data were refused");
    ++tally_.clean;
  }

  void count_deliveries() {
    left_alone(Corruption::none);
    const auto own = static_cast<int>(deliveries_);
    counts_.resize(static_cast<std::size_t>(size_of(comm_)));
    PMPI_Allgather(&own, 1, MPI_INT, counts_.data(), 1, MPI_INT, comm_);
    for (std::size_t rank = 0; rank < counts_.size(); ++rank) {
      if (counts_[rank] > 0) receivers_.push_back(static_cast<int>(rank));
    }
  }

  /// One rank after the other is the victim, and of what it receives one delivery after the other.
  void damaged(Corruption corruption, bool any_rank) {
    const auto turn = static_cast<std::size_t>(tally_.corrupted);
    const int victim =
        any_rank ? static_cast<int>(turn % counts_.size()) : receivers_[turn % receivers_.size()];
    const auto choices = static_cast<std::size_t>(counts_[static_cast<std::size_t>(victim)]);
    const std::size_t delivery = choices > 0 ? turn / receivers_.size() % choices : 0;
    bool has_changed = false;
    const bool good =
        verdict(rank_ == victim ? corruption : Corruption::none, delivery, has_changed);
    judge(corruption, good, has_changed);
    if (!has_changed) complain("nothing was damaged by " + std::to_string(int(corruption)));
  }

  /// Where the last two receivers were sent the same, as by a broadcast, a swap harms nothing.
  void swapped() {
    if (receivers_.size() < 2) return;
    bool has_changed = false;
    const bool good = verdict(Corruption::swapped_ranks, std::nullopt, has_changed);
    if (has_changed) ++tally_.swapped_ranks;
    if (has_changed) judge(Corruption::swapped_ranks, good, has_changed);
  }

  void swap(Corruptor& corruptor) {
    const int a = receivers_[0];
    const int b = receivers_[1];
    if (rank_ == a) corruptor.swap_with(b, comm_);
    if (rank_ == b) corruptor.swap_with(a, comm_);
  }

  void judge(Corruption corruption, bool good, bool has_changed) {
    if (has_changed) ++tally_.corrupted;
    if (has_changed && !good) ++tally_.noticed;
    if (has_changed && good) complain("missed corruption " + std::to_string(int(corruption)));
  }

  std::string name_;
  MPI_Comm comm_;
  int rank_;
  Tally& tally_;
  std::unique_ptr<PreparedOperation> operation_;
  std::uint64_t seed_ = 0;
  std::size_t deliveries_ = 0;
  std::vector<int> counts_;     ///< of deliveries, on each rank
  std::vector<int> receivers_;  ///< ranks with any
};

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
  std::size_t points = 0;
  for (const CatalogueEntry& entry : catalogue()) {
    const UniqueComm team = team_for(entry.descriptor);
    if (!team || !entry.descriptor.sized) continue;
    for (const Point& point : points_for(entry.descriptor, size_of(team.get()))) {
      ++points;
      Trial(entry, point, team, buffers, tally).run(entry.descriptor.reduces);
    }
  }
  CHECK(tally.mistakes.empty());
  for (const std::string& mistake : tally.mistakes) UNSCOPED_INFO(mistake);
  CHECK(tally.noticed == tally.corrupted);
  CHECK(tally.clean == 2 * static_cast<int>(points));
  CHECK(tally.corrupted == 0);
  CHECK(tally.swapped_ranks == 0);
}

}  // namespace
}  // namespace hockney
