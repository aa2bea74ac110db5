#include "benchmarks/programs/algorithms/library_evidence.hpp"

#include <dlfcn.h>
#include <mpi.h>

#include <algorithm>
#include <cstddef>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_error.hpp"

namespace hockney::benchmarks::programs {

std::vector<SentMessages> difference(const std::vector<SentMessages>& before,
                                     const std::vector<SentMessages>& after) {
  std::vector<SentMessages> sent;
  for (std::size_t rank = 0; rank < after.size(); ++rank) {
    sent.push_back(
        {after[rank].messages - before[rank].messages, after[rank].bytes - before[rank].bytes});
  }
  return sent;
}

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

#ifdef HOCKNEY_HAVE_MPI_T

namespace {

/// An array of one number for each rank, of a performance variable bound to MPI_COMM_WORLD.
class RankNumbers {
 public:
  RankNumbers(MPI_T_pvar_session session, const char* name, int ranks)
      : session_(session), values_(static_cast<std::size_t>(ranks)) {
    int index = 0;
    if (MPI_T_pvar_get_index(name, MPI_T_PVAR_CLASS_SIZE, &index) != MPI_SUCCESS) return;
    MPI_Comm comm = MPI_COMM_WORLD;
    int count = 0;
    const int code = MPI_T_pvar_handle_alloc(session_, index, &comm, &handle_, &count);
    is_open_ = code == MPI_SUCCESS;
    is_ready_ = is_open_ && count == ranks && MPI_T_pvar_start(session_, handle_) == MPI_SUCCESS;
  }
  RankNumbers(const RankNumbers&) = delete;
  RankNumbers& operator=(const RankNumbers&) = delete;
  RankNumbers(RankNumbers&&) = delete;
  RankNumbers& operator=(RankNumbers&&) = delete;
  ~RankNumbers() {
    if (is_open_) MPI_T_pvar_handle_free(session_, &handle_);
  }

  [[nodiscard]] bool ready() const { return is_ready_; }
  [[nodiscard]] const std::vector<unsigned long>& read() {
    if (MPI_T_pvar_read(session_, handle_, values_.data()) != MPI_SUCCESS) {
      std::ranges::fill(values_, 0);
    }
    return values_;
  }

 private:
  MPI_T_pvar_session session_;
  MPI_T_pvar_handle handle_ = MPI_T_PVAR_HANDLE_NULL;
  std::vector<unsigned long> values_;
  bool is_open_ = false;
  bool is_ready_ = false;
};

class Session {
 public:
  Session() : is_open_(MPI_T_pvar_session_create(&session_) == MPI_SUCCESS) {}
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  Session(Session&&) = delete;
  Session& operator=(Session&&) = delete;
  ~Session() {
    if (is_open_) MPI_T_pvar_session_free(&session_);
  }
  [[nodiscard]] MPI_T_pvar_session get() const { return session_; }

 private:
  MPI_T_pvar_session session_ = MPI_T_PVAR_SESSION_NULL;  // before is_open_, which sets it
  bool is_open_;
};

class PerformanceCounter final : public MessageCounter {
 public:
  explicit PerformanceCounter(int ranks)
      : counts_(session_.get(), "pml_monitoring_messages_count", ranks),
        sizes_(session_.get(), "pml_monitoring_messages_size", ranks) {}

  [[nodiscard]] bool ready() const { return counts_.ready() && sizes_.ready(); }
  [[nodiscard]] std::vector<SentMessages> read() override {
    const std::vector<unsigned long>& counts = counts_.read();
    const std::vector<unsigned long>& sizes = sizes_.read();
    std::vector<SentMessages> sent;
    for (std::size_t rank = 0; rank < counts.size(); ++rank) {
      sent.push_back(
          {static_cast<std::int64_t>(counts[rank]), static_cast<std::int64_t>(sizes[rank])});
    }
    return sent;
  }
  [[nodiscard]] std::string name() const override {
    return "pml_monitoring (performance variables)";
  }

 private:
  ToolsInterface tools_;
  Session session_;
  RankNumbers counts_;
  RankNumbers sizes_;
};

constexpr const char* fallback_variable = "MPIR_CVAR_COLLECTIVE_FALLBACK";

class MpichCheck final : public FallbackCheck {
 public:
  explicit MpichCheck(int index) {
    int count = 0;
    mpi_check(MPI_T_cvar_handle_alloc(index, nullptr, &handle_, &count));
    mpi_check(MPI_T_cvar_read(handle_, &before_));
    const int error = 0;  // "error" is the first of its values
    mpi_check(MPI_T_cvar_write(handle_, &error));
  }
  MpichCheck(const MpichCheck&) = delete;
  MpichCheck& operator=(const MpichCheck&) = delete;
  MpichCheck(MpichCheck&&) = delete;
  MpichCheck& operator=(MpichCheck&&) = delete;
  ~MpichCheck() override {
    MPI_T_cvar_write(handle_, &before_);
    MPI_T_cvar_handle_free(&handle_);
  }

 private:
  MPI_T_cvar_handle handle_ = MPI_T_CVAR_HANDLE_NULL;
  int before_ = 0;
};

}  // namespace

std::unique_ptr<MessageCounter> make_performance_counter(int ranks) {
  {
    const ToolsInterface tools;
    int index = 0;
    const char* const name = "pml_monitoring_messages_count";
    const bool known =
        tools.ready() && MPI_T_pvar_get_index(name, MPI_T_PVAR_CLASS_SIZE, &index) == MPI_SUCCESS;
    if (!known) return nullptr;
  }
  auto counter = std::make_unique<PerformanceCounter>(ranks);
  if (!counter->ready()) return nullptr;
  return counter;
}

std::unique_ptr<FallbackCheck> check_fallbacks() {
  int index = 0;
  if (!mpi_library().starts_with("MPICH")) return nullptr;
  const ToolsInterface tools;  // stays open in MPICH
  if (!tools.ready()) return nullptr;
  if (MPI_T_cvar_get_index(fallback_variable, &index) != MPI_SUCCESS) return nullptr;
  return std::make_unique<MpichCheck>(index);
}

#else

std::unique_ptr<MessageCounter> make_performance_counter(int) { return nullptr; }
std::unique_ptr<FallbackCheck> check_fallbacks() { return nullptr; }

#endif

}  // namespace hockney::benchmarks::programs

/// Takes the place of the function of libmca_common_monitoring, the same in Open MPI 4.0 to 5.0
/// (ompi/mca/common/monitoring/common_monitoring.h), in every program of the executable, and hands
/// the call on. Only hockney-algorithms, which makes the counter, keeps anything of it.
extern "C" void mca_common_monitoring_record_pml(int world_rank, std::size_t data_size, int tag) {
  using Record = void (*)(int, std::size_t, int);
  static const auto next = reinterpret_cast<Record>(  // NOLINT: dlsym gives no function pointers
      ::dlsym(RTLD_NEXT, "mca_common_monitoring_record_pml"));
  if (next != nullptr) next(world_rank, data_size, tag);
  hockney::benchmarks::programs::recording().add(world_rank, data_size);
}
