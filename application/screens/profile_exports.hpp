#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "application/projection/projection.hpp"

namespace hockney::report {

/// A program as a time-independent trace, which SimGrid's SMPI replays (smpirun -replay). It
/// contains the flops that each rank computes, and its messages. Each message between two ranks has
/// its own tag, so that wildcards match as in the run. Blocking collectives of all ranks stay
/// collectives if SMPI can replay them. Others become messages of the usual algorithms.
class SimGridTrace {
 public:
  /// `flops_per_second`: speed of a simulated processor that computes as fast as the recorded ones.
  SimGridTrace(const applications::HappensBefore& program, double flops_per_second);

  /// Writes the actions of one rank.
  void write(std::ostream& out, std::size_t rank) const;

  [[nodiscard]] std::size_t ranks() const { return program_.ranks.size(); }
  /// Differences between the trace and the program, a sentence each.
  [[nodiscard]] const std::vector<std::string>& notes() const { return program_.notes; }

 private:
  using Steps = std::vector<applications::ProgramStep>;

  void write_compute(std::ostream& out, std::size_t rank, double seconds) const;
  /// Returns the number of steps that the action covers.
  std::size_t write_action(std::ostream& out, std::size_t rank, const Steps& steps,
                           std::size_t place) const;

  double flops_per_second_;
  applications::HappensBefore program_;
  std::vector<int> tags_;  ///< of each message
};

}  // namespace hockney::report
