#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "benchmarks/harness/buffer_memory.hpp"
#include "benchmarks/programs/launch/options.hpp"
#include "benchmarks/programs/launch/program.hpp"
#include "benchmarks/programs/launch/workload.hpp"
#include "core/algorithm_use.hpp"

namespace hockney::benchmarks::programs {

/// Messages that this rank has sent to one other.
struct SentMessages {
  std::int64_t messages = 0;
  std::int64_t bytes = 0;  ///< of data, without headers [B]

  friend bool operator==(const SentMessages&, const SentMessages&) = default;
};

/// Counts the messages that this rank's MPI library sends, also inside collective calls.
class MessageCounter {
 public:
  virtual ~MessageCounter() = default;
  /// Messages sent so far, by rank of MPI_COMM_WORLD.
  [[nodiscard]] virtual std::vector<SentMessages> read() = 0;
  /// The counter's name, for people.
  [[nodiscard]] virtual std::string name() const = 0;
};

/// A counter from the performance variables pml_monitoring_messages_count and _size (Open MPI 5,
/// started with OMPI_MCA_pml_monitoring_enable=1). nullptr if the library lacks them: Open MPI 4
/// closes the component that owns them, and the variables disappear although it continues to count.
std::unique_ptr<MessageCounter> make_performance_counter(int ranks);

/// A counter in Open MPI's calls of its monitoring library. They reach this executable first, as it
/// exports a function of the same name (exports.list). nullptr for other libraries.
std::unique_ptr<MessageCounter> make_recording_counter(int ranks);

/// The messages that a rank sent between two readings.
std::vector<SentMessages> difference(const std::vector<SentMessages>& before,
                                     const std::vector<SentMessages>& after);

/// While it lives, a collective whose requested algorithm does not fit returns an error. Before
/// that, for example in MPI_Init, the library must be able to choose another algorithm.
class FallbackCheck {
 public:
  virtual ~FallbackCheck() = default;
};

/// Uses MPICH's MPIR_CVAR_COLLECTIVE_FALLBACK, which may be changed at any time; nullptr for other
/// libraries. (Intel MPI's check is an environment variable.)
std::unique_ptr<FallbackCheck> check_fallbacks();

/// The calls of a verification launch, the same on every rank.
struct VerificationWorkload {
  LaunchPlan workload;
  std::vector<std::size_t> points;  ///< indices into the workload's points
};

/// The points of a launch in which all ranks take part through MPI. Needs no communication.
/// Parameters of timing and buffers are left out, as no algorithm depends on them.
VerificationWorkload plan_verification(const LaunchOptions& options, int ranks);

/// Its points for the document (core/algorithm_use.hpp), all in the stage not_begun.
std::vector<VerificationPoint> planned_points(const VerificationWorkload& plan);

/// The settings of collective operations in this process's environment, with the library's names of
/// their values.
std::vector<AlgorithmRequest> requested_algorithms();

/// hockney-algorithms.
NamedProgram algorithms_program();

/// The result of the one call of an operation: on rank 0 of all ranks, on others only their own.
struct CallOutcome {
  std::string error;  ///< first error of any rank
  std::vector<SentTraffic> traffic;
  bool all_back = true;  ///< false: some rank did not return from the call in time
};

/// Calls each operation once, on MPI_COMM_WORLD, with only that call between two readings of the
/// counter. Ranks agree by point-to-point messages alone: the library's choice for another
/// collective could be mistaken for that of the tested one.
class VerificationCalls {
 public:
  /// `counter` may be nullptr; counter and plan must outlive this object.
  VerificationCalls(const VerificationWorkload& plan, MessageCounter* counter);

  /// Whether the counter shows exactly a message of known size, on every rank. Collective.
  bool counts_what_is_sent();

  /// Waits until all ranks are ready for the point; rank 0 returns first. Collective.
  void agree_to_begin() const;
  /// One call.
  CallOutcome call(std::size_t index);

 private:
  [[nodiscard]] std::vector<SentMessages> read() const;
  [[nodiscard]] CallOutcome collect(const std::vector<SentMessages>& sent,
                                    const std::string& error) const;

  const VerificationWorkload& plan_;
  MessageCounter* counter_;
  int rank_;
  int ranks_;
  BufferPool buffers_;
};

}  // namespace hockney::benchmarks::programs
