#include <dlfcn.h>

#include <cstddef>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/programs/algorithms/sent_messages.hpp"

namespace hockney {
namespace {

/// What Open MPI says it sends. The library calls it from wherever it sends, so it is a static.
class Recording {
 public:
  void start(std::size_t ranks) { sent_.assign(ranks, {}); }
  void add(int rank, std::size_t bytes) {
    const auto index = static_cast<std::size_t>(rank);
    if (index >= sent_.size()) return;
    ++sent_[index].messages;
    sent_[index].bytes += static_cast<std::int64_t>(bytes);
  }
  [[nodiscard]] const std::vector<SentMessages>& sent() const { return sent_; }

 private:
  std::vector<SentMessages> sent_;
};

Recording& recording() {
  static Recording sent;
  return sent;
}

class RecordingCounter final : public MessageCounter {
 public:
  explicit RecordingCounter(int ranks) { recording().start(static_cast<std::size_t>(ranks)); }
  [[nodiscard]] std::vector<SentMessages> read() override { return recording().sent(); }
  [[nodiscard]] std::string name() const override { return "pml_monitoring (its own calls)"; }
};

}  // namespace

std::unique_ptr<MessageCounter> make_recording_counter(int ranks) {
  if (!mpi_library().starts_with("Open MPI")) return nullptr;
  return std::make_unique<RecordingCounter>(ranks);
}

}  // namespace hockney

/// Takes the place of the function of libmca_common_monitoring, the same in Open MPI 4.0 to 5.0
/// (ompi/mca/common/monitoring/common_monitoring.h), and hands the call on where that can be found.
extern "C" void mca_common_monitoring_record_pml(int world_rank, std::size_t data_size, int tag) {
  using Record = void (*)(int, std::size_t, int);
  static const auto next = reinterpret_cast<Record>(  // NOLINT: dlsym gives no function pointers
      ::dlsym(RTLD_NEXT, "mca_common_monitoring_record_pml"));
  if (next != nullptr) next(world_rank, data_size, tag);
  hockney::recording().add(world_rank, data_size);
}
