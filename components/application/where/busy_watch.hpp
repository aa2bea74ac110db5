#pragma once

#include <map>
#include <set>
#include <string>

#include "components/application/where/rank_bindings.hpp"
#include "core/quantities.hpp"

namespace hockney::where {

/// CPU time that other processes of this node use while a program runs, by command.
class BusyWatch {
 public:
  /// Adds the CPU time since the sample before; the first sample adds none. Leaves out `own`.
  void add(const ProcessSamples& samples, Seconds at, const std::set<int>& own);

  /// The two commands with most CPU time, from a tenth of a CPU on: "cc1plus (1.6 of 2 CPUs), ld
  /// (0.3)". Leaves out processes of the command `program`. Empty if there is none.
  [[nodiscard]] std::string text(int cpus, const std::string& program) const;

 private:
  std::map<int, double> used_before_;         ///< CPU time of each process at the last sample [s]
  std::map<std::string, double> used_since_;  ///< CPU time of each command [s]
  Seconds begin_;
  Seconds end_;
};

}  // namespace hockney::where
