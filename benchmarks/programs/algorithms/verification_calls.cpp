#include "benchmarks/programs/algorithms/verification_calls.hpp"

#include <mpi.h>

#include <array>
#include <chrono>
#include <iostream>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_error.hpp"
#include "benchmarks/harness/mpi_group.hpp"
#include "core/text.hpp"

namespace hockney::benchmarks::programs {
namespace {

constexpr int ready_tag = 1;
constexpr int go_tag = 2;
constexpr int counts_tag = 3;
constexpr int error_tag = 4;
constexpr int probe_tag = 5;

/// For ranks that may be left behind in a call that returned an error to another one.
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

/// The errors of collectives, which operations do not look at.
std::string& first_error() {
  static std::string text;
  return text;
}

// NOLINTNEXTLINE(cert-dcl50-cpp,readability-non-const-parameter): MPI's type of an error handler
void note_error(MPI_Comm*, int* code, ...) {
  if (first_error().empty()) first_error() = text_of(*code);
}

/// Notes errors on MPI_COMM_WORLD, and communicators made of it, while it lives.
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
    // Rank 0 may be left behind in the last call, if that returned an error here.
    const auto limit = first_error().empty() ? std::chrono::hours(24) : patience;
    if (!arrived(go_tag, std::chrono::steady_clock::now() + limit, 0)) {
      std::cerr << "rank " << rank_ << ": " << inert(first_error()) << std::endl;
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
