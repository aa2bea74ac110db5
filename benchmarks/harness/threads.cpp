#include "benchmarks/harness/threads.hpp"

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/message.hpp"
#include "benchmarks/harness/mpi_error.hpp"
#include "placement/binding.hpp"

namespace hockney::benchmarks {

std::string thread_level_name(int level) {
  switch (level) {
    case MPI_THREAD_SINGLE:
      return "MPI_THREAD_SINGLE";
    case MPI_THREAD_FUNNELED:
      return "MPI_THREAD_FUNNELED";
    case MPI_THREAD_SERIALIZED:
      return "MPI_THREAD_SERIALIZED";
    default:
      return "MPI_THREAD_MULTIPLE";
  }
}

std::optional<std::string> thread_level_obstacle() {
  if (is_simulated()) return "ranks of the simulator are threads of one process already";
  int level = MPI_THREAD_SINGLE;
  mpi_check(MPI_Query_thread(&level));
  if (level >= MPI_THREAD_MULTIPLE) return std::nullopt;
  return "MPI gives " + thread_level_name(level) + ", and threads need MPI_THREAD_MULTIPLE";
}

std::optional<std::string> thread_obstacle(const Point& point) {
  if (auto reason = thread_level_obstacle()) return reason;
  if (!has_rotating_buffers(point)) return std::nullopt;
  return "the buffers of threads stay in one place";
}

ThreadTeam make_team(const Context& context, int threads) {
  const std::vector<int> cpus(context.thread_cpus.begin(), context.thread_cpus.end());
  if (cpus.empty()) return {threads, Waiting::yielding, {}};
  const std::string who = "of rank " + std::to_string(context.rank);
  return {threads, context.threads_share_cpus ? Waiting::yielding : Waiting::spinning,
          [cpus, who](int thread) {
            placement::bind_this_thread(cpus.at(static_cast<std::size_t>(thread)),
                                        "thread " + std::to_string(thread) + " " + who);
          }};
}

ThreadContexts::ThreadContexts(const Context& context, const Point& point) : context_(context) {
  if (point.parameters[communicators_parameter] == ThreadCommunicators::shared) return;
  for (int thread = 1; thread < threads_of(point); ++thread) {
    mpi_check(MPI_Comm_dup(context.comm, comms_.emplace_back().out()));
  }
}

Context ThreadContexts::of(int thread) const {
  Context made = context_;
  if (comms_.empty()) {
    made.first_tag = thread * tags_of_thread;
  } else if (thread > 0) {
    made.comm = comms_[static_cast<std::size_t>(thread - 1)].get();
  }
  return made;
}

}  // namespace hockney::benchmarks
