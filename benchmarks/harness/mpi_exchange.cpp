#include "benchmarks/harness/mpi_exchange.hpp"

#include "benchmarks/harness/mpi_error.hpp"

namespace hockney {
namespace {

constexpr int lesson_tag = 11;
constexpr std::int64_t what_time = 0;
constexpr std::int64_t lesson_over = 1;
constexpr std::int64_t unknown = -1;  // a bound is never negative

}  // namespace

std::int64_t MpiExchange::answer_to(int parent, std::int64_t question) {
  std::int64_t answer = 0;
  // Both directions are blocking standard sends, so that neither is slower by its protocol.
  const int sent = MPI_Send(&question, 1, MPI_INT64_T, parent, lesson_tag, comm_);
  const int received =
      MPI_Recv(&answer, 1, MPI_INT64_T, parent, lesson_tag, comm_, MPI_STATUS_IGNORE);
  mpi_check(sent);
  mpi_check(received);
  return answer;
}

std::int64_t MpiExchange::ask(int parent) { return answer_to(parent, what_time); }

std::optional<std::int64_t> MpiExchange::finish(int parent) {
  const std::int64_t bound = answer_to(parent, lesson_over);
  return bound == unknown ? std::nullopt : std::optional(bound);
}

void MpiExchange::teach(int child, const std::optional<Offset>& known) {
  const std::int64_t ahead = known ? known->estimate : 0;
  for (std::int64_t question = what_time; question == what_time;) {
    mpi_check(MPI_Recv(&question, 1, MPI_INT64_T, child, lesson_tag, comm_, MPI_STATUS_IGNORE));
    std::int64_t answer = clock_.now() - ahead;
    if (question == lesson_over) answer = known ? bound_at(*known, answer + ahead) : unknown;
    mpi_check(MPI_Send(&answer, 1, MPI_INT64_T, child, lesson_tag, comm_));
  }
}

}  // namespace hockney
