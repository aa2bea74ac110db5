#pragma once

#include <memory>
#include <string>
#include <vector>

#include "benchmarks/harness/buffers.hpp"
#include "benchmarks/programs/algorithms/library_evidence.hpp"
#include "benchmarks/programs/algorithms/verification_plan.hpp"

namespace hockney::benchmarks::programs {

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
