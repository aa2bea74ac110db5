#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/units.hpp"
#include "application/where/whereabouts.hpp"

namespace hockney::where {

/// A thread at one moment (proc(5)).
struct ThreadSample {
  std::int64_t ticks = 0;   ///< of CPU time that it has used, sysconf(_SC_CLK_TCK) in a second
  bool is_running = false;  ///< or waits for a CPU
  int last_cpu = 0;
  std::vector<int> allowed_cpus;
};

/// A process at one moment.
struct ProcessSample {
  int parent = 0;
  std::string command;
  std::string user;
  std::map<int, ThreadSample> threads;  ///< by their number
};

using ProcessSamples = std::map<int, ProcessSample>;

/// All processes of the node that can be read, but the kernel's. `proc`: where the kernel tells.
ProcessSamples sample_processes(const std::string& proc = "/proc");

/// A process and all that it started, as far as the kernel tells whose children they are.
ProcessSamples sample_family(int process, const std::string& proc = "/proc");

/// A process and all that it started, by their parents.
std::set<int> descendants_of(const ProcessSamples& samples, int process);

/// A process and those that it comes from.
std::set<int> ancestors_of(const ProcessSamples& samples, int process);

/// Processes that used a CPU for a fifth of the time between two moments or more, without `own`.
std::vector<OtherProcess> busy_processes(const ProcessSamples& before, const ProcessSamples& after,
                                         Seconds between, const std::set<int>& own);

/// Which threads of a program are at work, by moments that follow each other: those that ran, or
/// waited for a CPU, in more than half of ten moments in a row, so that threads of one phase and
/// the next do not count together. Of several such times that with the most threads counts; of a
/// program that ends earlier, all its moments.
class ThreadWatch {
 public:
  /// Takes one more moment, of the processes that `root` started and itself.
  void add(const ProcessSamples& samples, int root);

  /// In order of their numbers; the first thread where none was at work, none where no moment was
  /// taken.
  [[nodiscard]] std::vector<ThreadPlace> most() const;

 private:
  struct Seen {
    std::vector<bool> at_work;  ///< in each moment of the window, the latest last
    ThreadSample last;
  };

  [[nodiscard]] std::vector<ThreadPlace> at_work() const;

  static constexpr std::size_t window = 10;  ///< moments
  std::size_t moments_ = 0;                  ///< at most as many
  std::map<int, Seen> threads_;
  std::vector<ThreadPlace> most_;
};

}  // namespace hockney::where
