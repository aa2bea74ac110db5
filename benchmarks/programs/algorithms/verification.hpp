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

/// Counts the messages that this rank's MPI library sends, those inside collective calls included.
class MessageCounter {
 public:
  virtual ~MessageCounter() = default;
  /// What has been sent so far, by rank of MPI_COMM_WORLD.
  [[nodiscard]] virtual std::vector<SentMessages> read() = 0;
  /// What counts, for people.
  [[nodiscard]] virtual std::string name() const = 0;
};

/// The performance variables pml_monitoring_messages_count and _size (Open MPI 5, started with
/// OMPI_MCA_pml_monitoring_enable=1); nullptr where the library has none. Open MPI 4 closes the
/// component that owns them, and with it the variables, while it goes on counting.
std::unique_ptr<MessageCounter> make_performance_counter(int ranks);

/// Open MPI's own calls of its monitoring library, which reach this executable first, as it exports
/// a function of the same name (exports.list); nullptr where the library is another one.
std::unique_ptr<MessageCounter> make_recording_counter(int ranks);

/// What a rank has sent between two readings.
std::vector<SentMessages> difference(const std::vector<SentMessages>& before,
                                     const std::vector<SentMessages>& after);

/// While it lives, a collective whose algorithm was asked for and does not fit returns an error.
/// Before, such as in MPI_Init, the library must be allowed to choose for itself.
class FallbackCheck {
 public:
  virtual ~FallbackCheck() = default;
};

/// MPICH's MPIR_CVAR_COLLECTIVE_FALLBACK, which may be changed at any time; nullptr for other
/// libraries. (Intel MPI's check is a variable of the environment.)
std::unique_ptr<FallbackCheck> check_fallbacks();

/// What is called once, the same on every rank.
struct VerificationWorkload {
  LaunchPlan workload;
  std::vector<std::size_t> points;  ///< indices into the workload's points
};

/// The points of a launch in which all ranks take part through MPI, without any communication. How
/// time is taken and where buffers are is left out: it chooses no algorithm.
VerificationWorkload plan_verification(const LaunchOptions& options, int ranks);

/// Its points for the document (core/algorithm_use.hpp), none of them begun.
std::vector<VerificationPoint> planned_points(const VerificationWorkload& plan);

/// The settings of collective operations that this process' environment asks for, with the names
/// that the library has for their values.
std::vector<AskedAlgorithm> requested_algorithms();

/// hockney-algorithms.
NamedProgram algorithms_program();

/// How the one call of an operation ended, on rank 0; on the others only their own share.
struct CallOutcome {
  std::string error;  ///< the first that some rank was returned
  std::vector<SentTraffic> traffic;
  bool all_back = true;  ///< false: some rank did not come back from the call within patience
};

/// Calls each operation once, on MPI_COMM_WORLD, with nothing but that call between two readings of
/// the counter. Ranks agree by messages of their own alone, for the library's answer to a
/// collective that we need ourselves would be taken for the answer to the one under test.
class VerificationCalls {
 public:
  /// `counter` may be nullptr; it and the plan must outlive the calls.
  VerificationCalls(const VerificationWorkload& plan, MessageCounter* counter);

  /// Whether the counter sees a message of known size, and nothing else, on every rank. Collective.
  bool counts_what_is_sent();

  /// Everybody is ready for the point; rank 0 returns first. Collective.
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
