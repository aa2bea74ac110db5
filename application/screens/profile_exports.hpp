#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "application/projection/projection.hpp"

namespace hockney::report {

/// A program as SimGrid's SMPI replays it (time-independent trace, smpirun -replay): what each rank
/// computes, in flops, and what it sends and receives. Messages have tags of their own, so that
/// wildcards are what they were. Blocking collectives of all ranks that SMPI replays are its own;
/// the others become the messages of the usual algorithms.
class SimGridTrace {
 public:
  /// `flops_per_second`: what a processor that computes as fast as the recorded ones does.
  SimGridTrace(const applications::HappensBefore& program, double flops_per_second);

  /// The actions of one rank.
  void write(std::ostream& out, std::size_t rank) const;

  [[nodiscard]] std::size_t ranks() const { return program_.ranks.size(); }
  /// What the trace says otherwise than the program did it, in a sentence each.
  [[nodiscard]] const std::vector<std::string>& notes() const { return program_.notes; }

 private:
  using Steps = std::vector<applications::ProgramStep>;

  void write_compute(std::ostream& out, std::size_t rank, double seconds) const;
  /// Returns how many steps the action stands for.
  std::size_t write_action(std::ostream& out, std::size_t rank, const Steps& steps,
                           std::size_t place) const;

  double flops_per_second_;
  applications::HappensBefore program_;
  std::vector<int> tags_;  ///< of each message
};

}  // namespace hockney::report
