#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

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

}  // namespace hockney::benchmarks::programs
