// Stands before libraries (LD_PRELOAD) and plants what the environment says:
//   HOCKNEY_CLOCK_JUMP=1,-3600,5   rank 1's CLOCK_MONOTONIC_RAW goes back by an hour after 5 blocks
//   HOCKNEY_FAILING_SEND=1,100     rank 1's 100th MPI_Send of nothing fails, as MPI says it
//   HOCKNEY_DYING_REDUCE=1,4096    rank 1 dies of SIGSEGV in MPI_Allreduce of 4096 bytes or more
//   HOCKNEY_HANGING_REDUCE=1,4096  it stays in it for ever

#include <dlfcn.h>
#include <mpi.h>
#include <time.h>  // NOLINT(modernize-deprecated-headers): clock_gettime
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <optional>

namespace {

constexpr std::int64_t billion = 1'000'000'000;

/// Up to three numbers; nullopt when the variable is not set, or the first one is another rank.
std::optional<std::array<double, 3>> numbers_of(const char* variable) {
  const char* text = std::getenv(variable);
  const char* rank = std::getenv("OMPI_COMM_WORLD_RANK");
  if (rank == nullptr) rank = std::getenv("PMI_RANK");
  if (text == nullptr || rank == nullptr) return std::nullopt;
  std::array<double, 3> numbers{};
  char* end = nullptr;
  for (double& number : numbers) {
    number = std::strtod(text, &end);
    text = *end == ',' ? end + 1 : end;
  }
  if (static_cast<int>(numbers[0]) != std::atoi(rank)) return std::nullopt;
  return numbers;
}

using ClockGettime = int (*)(clockid_t, timespec*);

/// After each block the ranks agree on what follows, by a number on MPI_COMM_WORLD.
std::atomic<int>& blocks() {
  static std::atomic<int> done = 0;
  return done;
}

std::int64_t nanoseconds(const timespec& time) { return time.tv_sec * billion + time.tv_nsec; }

}  // namespace

extern "C" int clock_gettime(clockid_t clock, timespec* time) {
  static const auto real = reinterpret_cast<ClockGettime>(::dlsym(RTLD_NEXT, "clock_gettime"));
  static const auto jump = numbers_of("HOCKNEY_CLOCK_JUMP");
  const int code = real(clock, time);
  if (!jump || clock != CLOCK_MONOTONIC_RAW || blocks() < static_cast<int>((*jump)[2])) return code;
  const std::int64_t now = nanoseconds(*time) + static_cast<std::int64_t>((*jump)[1] * 1e9);
  time->tv_sec = now / billion;
  time->tv_nsec = now % billion;
  return code;
}

extern "C" int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  if (comm == MPI_COMM_WORLD && type == MPI_INT64_T) ++blocks();
  return PMPI_Bcast(data, count, type, root, comm);
}

extern "C" int MPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag,
                        MPI_Comm comm) {
  static const auto fault = numbers_of("HOCKNEY_FAILING_SEND");
  static std::atomic<int> sent = 0;
  if (fault && count == 0 && ++sent == static_cast<int>((*fault)[1])) {
    PMPI_Comm_call_errhandler(comm, MPI_ERR_OTHER);
    return MPI_ERR_OTHER;
  }
  return PMPI_Send(data, count, type, to, tag, comm);
}

extern "C" int MPI_Allreduce(const void* data, void* result, int count, MPI_Datatype type,
                             MPI_Op op, MPI_Comm comm) {
  static const auto death = numbers_of("HOCKNEY_DYING_REDUCE");
  static const auto hang = numbers_of("HOCKNEY_HANGING_REDUCE");
  int size = 0;
  PMPI_Type_size(type, &size);
  const double bytes = static_cast<double>(count) * size;
  if (death && bytes >= (*death)[1]) *static_cast<volatile char*>(nullptr) = 0;
  while (hang && bytes >= (*hang)[1]) ::pause();
  return PMPI_Allreduce(data, result, count, type, op, comm);
}
