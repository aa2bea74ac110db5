#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "placement/topology.hpp"

namespace hockney::placement {

/// The largest number Linux gives a CPU (NR_CPUS is at most 8192).
inline constexpr int largest_cpu = 8191;

/// {0,1,2,5} to "0-2,5", the kernel's spelling; the numbers are sorted first, "none" for no number.
std::string format_cpus(std::vector<int> cpus);

/// "4,0-2" to {4,0,1,2}, in the order written. InputError for anything else, for a descending range
/// and for numbers above largest_cpu.
std::vector<int> parse_cpus(std::string_view text);

/// What to say about a CPU the node does not have.
Message unknown_cpu(const Topology& topology, int os_cpu);

/// What the operating system says about this process, next to what was requested.
struct Binding {
  int requested_cpu = 0;
  std::vector<int> allowed_cpus;  ///< the affinity of all threads of the process, ascending
  int last_cpu = 0;               ///< where the calling thread runs (sched_getcpu)
};

/// Binds every thread of this process to one CPU, strictly, and reads back; the calling thread is
/// on that CPU when this returns. `who` names the process in messages, such as "rank 3". InputError
/// when `topology` is not of this system or has no such CPU; RunError when the operating system
/// refuses, for example because a cpuset forbids the CPU.
Binding bind_this_process(const Topology& topology, int os_cpu, const std::string& who);

/// Binds the calling thread alone to one CPU and reads back; it is on that CPU when this returns.
/// `who` names the thread in messages. RunError when the operating system refuses, or has it
/// elsewhere.
void bind_this_thread(int os_cpu, const std::string& who);

/// Reads back without binding: after MPI_Init, say, which may have moved the process.
Binding read_binding(int requested_cpu);

/// nullopt when the process is confined to the requested CPU and was seen there; otherwise what
/// differs.
std::optional<Message> verify(const Binding& binding, const std::string& who);

/// Gives the process, on leaving the scope, the CPU affinity it had on entering.
class ScopedBinding {
 public:
  ScopedBinding();
  ScopedBinding(const ScopedBinding&) = delete;
  ScopedBinding& operator=(const ScopedBinding&) = delete;
  ScopedBinding(ScopedBinding&&) = delete;
  ScopedBinding& operator=(ScopedBinding&&) = delete;
  ~ScopedBinding();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hockney::placement
