#include <mpi.h>

#include <algorithm>

#include "benchmarks/harness/tools_interface.hpp"
#include "benchmarks/programs/algorithms/sent_messages.hpp"

namespace hockney {

std::vector<SentMessages> difference(const std::vector<SentMessages>& before,
                                     const std::vector<SentMessages>& after) {
  std::vector<SentMessages> sent;
  for (std::size_t rank = 0; rank < after.size(); ++rank) {
    sent.push_back(
        {after[rank].messages - before[rank].messages, after[rank].bytes - before[rank].bytes});
  }
  return sent;
}

}  // namespace hockney

#ifdef HOCKNEY_HAVE_MPI_T

namespace hockney {
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

}  // namespace hockney

#else

namespace hockney {

std::unique_ptr<MessageCounter> make_performance_counter(int) { return nullptr; }

}  // namespace hockney

#endif
