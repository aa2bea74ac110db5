#include "benchmarks/programs/algorithms/verification.hpp"

#include <dlfcn.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <iostream>

#include "benchmarks/harness/buffer_memory.hpp"
#include "benchmarks/harness/communicators.hpp"
#include "benchmarks/harness/datatypes.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "benchmarks/harness/payload.hpp"
#include "core/collectives.hpp"
#include "core/environment.hpp"
#include "core/error.hpp"
#include "core/settings.hpp"
#include "core/text.hpp"

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

/// The messages that Open MPI reports. The library calls it from any sending function, hence a
/// static.
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

/// The array of a performance variable bound to MPI_COMM_WORLD, one number for each rank.
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
  MPI_T_pvar_session session_ = MPI_T_PVAR_SESSION_NULL;  // declared before is_open_, which sets it
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
    const int error = 0;  // value of "error", the first one
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
  const ToolsInterface tools;  // stays initialised in MPICH
  if (!tools.ready()) return nullptr;
  if (MPI_T_cvar_get_index(fallback_variable, &index) != MPI_SUCCESS) return nullptr;
  return std::make_unique<MpichCheck>(index);
}

#else

std::unique_ptr<MessageCounter> make_performance_counter(int) { return nullptr; }
std::unique_ptr<FallbackCheck> check_fallbacks() { return nullptr; }

#endif

}  // namespace hockney::benchmarks::programs

/// Replaces the function of libmca_common_monitoring in every program of the executable, and calls
/// it (ompi/mca/common/monitoring/common_monitoring.h, the same in Open MPI 4.0 to 5.0). Only
/// hockney-algorithms, which makes the counter, stores data.
extern "C" void mca_common_monitoring_record_pml(int world_rank, std::size_t data_size, int tag) {
  using Record = void (*)(int, std::size_t, int);
  static const auto next = reinterpret_cast<Record>(  // NOLINT: dlsym gives no function pointers
      ::dlsym(RTLD_NEXT, "mca_common_monitoring_record_pml"));
  if (next != nullptr) next(world_rank, data_size, tag);
  hockney::benchmarks::programs::recording().add(world_rank, data_size);
}

namespace hockney::benchmarks::programs {
namespace {

/// Ranks with unknown places, on which no requested algorithm depends.
JobPlacement anywhere(int ranks) {
  JobPlacement job;
  job.sites.resize(static_cast<std::size_t>(ranks));
  return job;
}

bool is_collective(const Descriptor& descriptor) {
  return descriptor.shape == GroupShape::everybody && descriptor.carrier == Carrier::mpi;
}

std::int64_t element_bytes(const Point& point) {
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(datatype_of(point).size));
}

/// The name of the value in the library's list.
std::optional<std::string> name_of(const std::string& value, const ControlVariable* variable) {
  if (variable == nullptr) return std::nullopt;
  const auto number = requested_number(value);
  for (const PermittedValue& choice : variable->choices) {
    if (choice.name == value || (number && choice.number == number)) return choice.name;
  }
  return std::nullopt;
}

}  // namespace

VerificationWorkload plan_verification(const LaunchOptions& options, int ranks) {
  LaunchOptions plain = options;
  plain.choices.clear(cache_parameter);
  plain.choices.clear(memory_parameter);
  plain.choices.clear(timing_parameter);
  plain.choices.clear(variant_parameter);
  plain.choices.clear(cadence_parameter);
  std::erase_if(plain.operations, [](const std::string& name) {
    return !is_collective(find_operation(name).descriptor);
  });
  if (plain.operations.empty()) {
    throw InputError({"no collective among the operations " + join(options.operations),
                      "others have no algorithms", "choose some; see --list"});
  }
  VerificationWorkload plan{.workload = plan_workload(plain, anywhere(ranks))};
  for (const Slot& slot : plan.workload.slots) {
    const auto& group = plan.workload.rounds[slot.round];
    const bool everybody = group.size() == 1 && group.front().ranks.size() == std::size_t(ranks);
    if (everybody) plan.points.insert(plan.points.end(), slot.points.begin(), slot.points.end());
  }
  return plan;
}

std::vector<VerificationPoint> planned_points(const VerificationWorkload& plan) {
  std::vector<VerificationPoint> points;
  for (const std::size_t index : plan.points) {
    const Point& point = plan.workload.points[index].point;
    VerificationPoint planned{.point = recorded(point)};
    planned.root = root_of(point);
    planned.element_bytes = element_bytes(point);
    points.push_back(std::move(planned));
  }
  return points;
}

std::vector<AlgorithmRequest> requested_algorithms() {
  const std::vector<ControlVariable> known = control_variables();
  std::vector<AlgorithmRequest> requested;
  for (const auto& [variable, value] : steering_environment()) {
    if (!steers_algorithm(variable)) continue;
    requested.push_back({variable, value, name_of(value, find_variable(known, variable))});
  }
  return requested;
}

namespace {

constexpr int ready_tag = 1;
constexpr int go_tag = 2;
constexpr int counts_tag = 3;
constexpr int error_tag = 4;
constexpr int probe_tag = 5;

/// Time limit for ranks that may hang in a call that returned an error on another rank.
constexpr auto patience = std::chrono::seconds(3);

using Numbers = std::vector<std::int64_t>;

void send_numbers(const Numbers& numbers, int to, int tag) {
  const std::int64_t* const begin = numbers.data();
  mpi_check(
      MPI_Send(begin, static_cast<int>(numbers.size()), MPI_INT64_T, to, tag, MPI_COMM_WORLD));
}

void receive_numbers(Numbers& numbers, int from, int tag) {
  std::int64_t* const begin = numbers.data();
  mpi_check(MPI_Recv(begin, static_cast<int>(numbers.size()), MPI_INT64_T, from, tag,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

std::string text_of(int code) {
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  return {text.data(), static_cast<std::size_t>(length)};
}

/// The first error of collectives, whose return codes operations do not check.
std::string& first_error() {
  static std::string text;
  return text;
}

// NOLINTNEXTLINE(cert-dcl50-cpp,readability-non-const-parameter): MPI's type of an error handler
void note_error(MPI_Comm*, int* code, ...) {
  if (first_error().empty()) first_error() = text_of(*code);
}

/// Stores errors on MPI_COMM_WORLD and derived communicators while it lives.
class NotedErrors {
 public:
  NotedErrors() {
    first_error().clear();
    MPI_Comm_create_errhandler(note_error, &handler_);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler_);
  }
  NotedErrors(const NotedErrors&) = delete;
  NotedErrors& operator=(const NotedErrors&) = delete;
  NotedErrors(NotedErrors&&) = delete;
  NotedErrors& operator=(NotedErrors&&) = delete;
  ~NotedErrors() {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Errhandler_free(&handler_);
  }

 private:
  MPI_Errhandler handler_ = MPI_ERRHANDLER_NULL;
};

bool arrived(int tag, std::chrono::steady_clock::time_point until, int from) {
  for (int is_there = 0;;) {
    mpi_check(MPI_Iprobe(from, tag, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE));
    if (is_there != 0) return true;
    if (std::chrono::steady_clock::now() > until) return false;
    sleep_for(std::chrono::milliseconds(1));
  }
}

std::string receive_text(int from) {
  MPI_Status status;
  int length = 0;
  mpi_check(MPI_Probe(from, error_tag, MPI_COMM_WORLD, &status));
  mpi_check(MPI_Get_count(&status, MPI_CHAR, &length));
  std::string text(static_cast<std::size_t>(length), ' ');
  mpi_check(
      MPI_Recv(text.data(), length, MPI_CHAR, from, error_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  return text;
}

}  // namespace

VerificationCalls::VerificationCalls(const VerificationWorkload& plan, MessageCounter* counter)
    : plan_(plan),
      counter_(counter),
      rank_(rank_in(MPI_COMM_WORLD)),
      ranks_(size_of(MPI_COMM_WORLD)),
      buffers_(static_cast<std::uint64_t>(rank_)) {}

std::vector<SentMessages> VerificationCalls::read() const {
  return counter_ != nullptr ? counter_->read()
                             : std::vector<SentMessages>(static_cast<std::size_t>(ranks_));
}

bool VerificationCalls::counts_what_is_sent() {
  constexpr std::array<char, 3> message{};
  const int next = (rank_ + 1) % ranks_;
  const int last = (rank_ + ranks_ - 1) % ranks_;
  std::array<char, 3> inbox{};
  const auto before = read();
  mpi_check(MPI_Sendrecv(message.data(), 3, MPI_CHAR, next, probe_tag, inbox.data(), 3, MPI_CHAR,
                         last, probe_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  const auto sent = difference(before, read());
  std::vector<SentMessages> expected(static_cast<std::size_t>(ranks_));
  expected[static_cast<std::size_t>(next)] = {1, 3};
  Numbers good{sent == expected ? 1 : 0};
  if (rank_ != 0) {
    send_numbers(good, 0, probe_tag);
    receive_numbers(good, 0, probe_tag);
    return good.front() != 0;
  }
  Numbers all = good;
  for (int rank = 1; rank < ranks_; ++rank) {
    receive_numbers(good, rank, probe_tag);
    all.front() &= good.front();
  }
  for (int rank = 1; rank < ranks_; ++rank) send_numbers(all, rank, probe_tag);
  return all.front() != 0;
}

void VerificationCalls::agree_to_begin() const {
  Numbers nothing(1);
  if (rank_ != 0) {
    send_numbers(nothing, 0, ready_tag);
    // Rank 0 may hang in the previous call if that returned an error here.
    const auto limit = first_error().empty() ? std::chrono::hours(24) : patience;
    if (!arrived(go_tag, std::chrono::steady_clock::now() + limit, 0)) {
      std::cerr << "rank " << rank_ << ": " << escaped(first_error()) << std::endl;
      MPI_Abort(MPI_COMM_WORLD, static_cast<int>(ExitCode::run_failed));
    }
    return receive_numbers(nothing, 0, go_tag);
  }
  for (int rank = 1; rank < ranks_; ++rank) receive_numbers(nothing, rank, ready_tag);
}

CallOutcome VerificationCalls::call(std::size_t index) {
  const PlannedMeasurement& planned = plan_.workload.points[plan_.points[index]];
  const Point& point = planned.point;
  const auto operation = find_operation(point.operation)
                             .prepare({.comm = MPI_COMM_WORLD,
                                       .rank = rank_,
                                       .size = ranks_,
                                       .pool = buffers_,
                                       .cache = planned.cache},
                                      point);
  operation->refill(index + 1, 1);
  operation->ready();
  if (rank_ == 0) {
    for (int rank = 1; rank < ranks_; ++rank) send_numbers({0}, rank, go_tag);
  }
  const NotedErrors errors;
  const auto before = read();
  operation->run_batch(1);
  return collect(difference(before, read()), first_error());
}

CallOutcome VerificationCalls::collect(const std::vector<SentMessages>& sent,
                                       const std::string& error) const {
  CallOutcome outcome{.error = error};
  const auto add = [&](int from, const Numbers& numbers) {
    for (int to = 0; to < ranks_; ++to) {
      const auto place = 2 * static_cast<std::size_t>(to);
      if (numbers[place] == 0) continue;
      outcome.traffic.push_back({from, to, numbers[place], numbers[place + 1]});
    }
  };
  Numbers numbers;
  for (const SentMessages& to : sent) {
    numbers.push_back(to.messages);
    numbers.push_back(to.bytes);
  }
  if (rank_ != 0) {
    mpi_check(MPI_Send(error.data(), static_cast<int>(error.size()), MPI_CHAR, 0, error_tag,
                       MPI_COMM_WORLD));
    send_numbers(numbers, 0, counts_tag);
    return outcome;
  }
  add(0, numbers);
  auto limit = std::chrono::steady_clock::time_point::max();
  for (int rank = 1; rank < ranks_; ++rank) {
    if (!outcome.error.empty()) limit = std::chrono::steady_clock::now() + patience;
    if (!arrived(error_tag, limit, rank)) {
      outcome.all_back = false;
      continue;
    }
    const std::string theirs = receive_text(rank);
    if (outcome.error.empty()) outcome.error = theirs;
    receive_numbers(numbers, rank, counts_tag);
    add(rank, numbers);
  }
  return outcome;
}

}  // namespace hockney::benchmarks::programs
