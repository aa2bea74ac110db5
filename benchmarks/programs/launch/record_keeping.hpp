#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/harness/clock_sync.hpp"
#include "benchmarks/programs/launch/options.hpp"
#include "core/journal.hpp"
#include "core/record.hpp"
#include "core/samples.hpp"

namespace hockney::benchmarks::programs {

/// Keeps what rank 0 is given: in memory for the record, in the journal for the worst case.
class Keeper {
 public:
  /// `file` is that of the record; empty: none.
  Keeper(Record header, std::string file);

  void keep(const MeasurementBlock& block);

  /// Why no more epochs are needed: every median is known twice as well, inside this launch, as the
  /// campaign wants to know it over launches. nullopt when more are, or nothing was asked.
  [[nodiscard]] std::optional<std::string> precise_enough(std::optional<double> requested,
                                                          int epochs) const;

  /// What the memory of the buffers turned out to be.
  void keep(std::vector<BufferMemoryUse> buffers);

  /// What the clocks said after measuring.
  void keep(const ClockSync& sync);

  Record finish(const std::string& reason, double elapsed_seconds, double measuring_seconds,
                const std::optional<ExpectedPath>& expected);

 private:
  void flag(std::string_view name);  ///< the launch, once

  Record record_;
  SampleStore store_;
  std::string file_;
  std::unique_ptr<Journal> journal_;
};

/// Saves a record in `file`. Where that cannot be written, it goes into a file of its own in the
/// working folder or in that for temporary files, and the RunError says which.
void save_or_rescue(const Record& record, const std::string& file);

/// The words for where a record is that could not be printed: in `file`, or where it is rescued to
/// when there is none. Empty without a record.
std::string place_of(const std::optional<Record>& record, const std::string& file);

}  // namespace hockney::benchmarks::programs
