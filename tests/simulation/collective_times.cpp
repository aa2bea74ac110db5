// Times of collectives under the simulator, as lines "operation ranks bytes seconds" on stdout. All
// ranks begin at the same simulated moment, and the collective ends when the last of them has.
//
//     collective_times OPERATION BYTES... [OPERATION BYTES...]
//
// The operation "pairs" sends one message between every two ranks, one pair after the other, and
// prints lines "pairs first second bytes seconds".

#include <mpi.h>
#include <time.h>  // NOLINT(modernize-deprecated-headers): nanosleep

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace {

struct Buffers {
  std::vector<char> in;
  std::vector<char> out;
  int count = 0;  // of bytes, or of doubles where something is reduced
  int ranks = 0;
};

constexpr int root = 0;

using Call = std::function<void(Buffers&)>;

MPI_Comm world() { return MPI_COMM_WORLD; }

const std::map<std::string, Call>& calls() {
  static const std::map<std::string, Call> all{
      {"barrier", [](Buffers&) { MPI_Barrier(world()); }},
      {"bcast", [](Buffers& b) { MPI_Bcast(b.in.data(), b.count, MPI_BYTE, root, world()); }},
      {"gather",
       [](Buffers& b) {
         MPI_Gather(b.in.data(), b.count, MPI_BYTE, b.out.data(), b.count, MPI_BYTE, root, world());
       }},
      {"scatter",
       [](Buffers& b) {
         MPI_Scatter(b.in.data(), b.count, MPI_BYTE, b.out.data(), b.count, MPI_BYTE, root,
                     world());
       }},
      {"allgather",
       [](Buffers& b) {
         MPI_Allgather(b.in.data(), b.count, MPI_BYTE, b.out.data(), b.count, MPI_BYTE, world());
       }},
      {"alltoall",
       [](Buffers& b) {
         MPI_Alltoall(b.in.data(), b.count, MPI_BYTE, b.out.data(), b.count, MPI_BYTE, world());
       }},
      {"reduce",
       [](Buffers& b) {
         MPI_Reduce(b.in.data(), b.out.data(), b.count / 8, MPI_DOUBLE, MPI_SUM, root, world());
       }},
      {"allreduce",
       [](Buffers& b) {
         MPI_Allreduce(b.in.data(), b.out.data(), b.count / 8, MPI_DOUBLE, MPI_SUM, world());
       }},
      {"scan",
       [](Buffers& b) {
         MPI_Scan(b.in.data(), b.out.data(), b.count / 8, MPI_DOUBLE, MPI_SUM, world());
       }},
      {"reduce_scatter", [](Buffers& b) {
         std::vector<int> counts;
         const int elements = b.count / 8;
         for (int rank = 0; rank < b.ranks; ++rank) {
           counts.push_back(elements / b.ranks + (rank < elements % b.ranks ? 1 : 0));
         }
         MPI_Reduce_scatter(b.in.data(), b.out.data(), counts.data(), MPI_DOUBLE, MPI_SUM, world());
       }}};
  return all;
}

/// Sleeps to the next whole second, which is the same for all ranks.
void meet() {
  MPI_Barrier(world());
  double now = MPI_Wtime();
  double latest = 0;
  MPI_Allreduce(&now, &latest, 1, MPI_DOUBLE, MPI_MAX, world());
  const double wait = std::floor(latest) + 2 - MPI_Wtime();
  timespec time{};
  time.tv_sec = static_cast<time_t>(wait);
  time.tv_nsec = static_cast<long>((wait - std::floor(wait)) * 1e9);
  nanosleep(&time, nullptr);
}

/// Longest time of any rank [s].
double time_of(const Call& call, Buffers& buffers) {
  meet();
  const double begin = MPI_Wtime();
  call(buffers);
  const double mine = MPI_Wtime() - begin;
  double longest = 0;
  MPI_Allreduce(&mine, &longest, 1, MPI_DOUBLE, MPI_MAX, world());
  return longest;
}

void time_pairs(const Buffers& buffers, int rank) {
  constexpr double apart = 1e-3;  // of the beginnings of two pairs [s]
  std::vector<char> data(static_cast<std::size_t>(buffers.count) + 1, 0);
  meet();
  const double begin = MPI_Wtime();
  int number = 0;
  for (int first = 0; first < buffers.ranks; ++first) {
    for (int second = first + 1; second < buffers.ranks; ++second) {
      ++number;
      if (rank == second) {
        MPI_Recv(data.data(), buffers.count, MPI_BYTE, first, 0, world(), MPI_STATUS_IGNORE);
      }
      if (rank != first) continue;
      timespec time{};
      time.tv_nsec = static_cast<long>((begin + number * apart - MPI_Wtime()) * 1e9);
      time.tv_sec = time.tv_nsec / 1'000'000'000;
      time.tv_nsec %= 1'000'000'000;
      nanosleep(&time, nullptr);
      const double sent = MPI_Wtime();
      MPI_Send(data.data(), buffers.count, MPI_BYTE, second, 0, world());
      std::printf("pairs %d %d %d %.17g\n", first, second, buffers.count, MPI_Wtime() - sent);
    }
  }
}

void time_operation(const std::string& operation, Buffers& buffers, int rank) {
  if (operation == "pairs") {
    time_pairs(buffers, rank);
    return;
  }
  // Only these have a block for every rank; 256 ranks share one memory.
  const bool in_blocks = operation == "gather" || operation == "scatter" ||
                         operation == "allgather" || operation == "alltoall";
  const auto blocks = static_cast<std::size_t>(in_blocks ? buffers.ranks : 1);
  buffers.in.assign(blocks * static_cast<std::size_t>(buffers.count) + 8, 0);
  buffers.out.assign(buffers.in.size(), 0);
  const double seconds = time_of(calls().at(operation), buffers);
  if (rank > 0) return;
  std::printf("%s %d %d %.17g\n", operation.c_str(), buffers.ranks, buffers.count, seconds);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  Buffers buffers;
  MPI_Comm_rank(world(), &rank);
  MPI_Comm_size(world(), &buffers.ranks);
  std::string operation;
  for (int i = 1; i < argc; ++i) {
    char* end = nullptr;
    const long bytes = std::strtol(argv[i], &end, 10);
    if (*end != 0) {
      operation = argv[i];
      continue;
    }
    buffers.count = static_cast<int>(bytes);
    time_operation(operation, buffers, rank);
  }
  MPI_Finalize();
  return 0;
}
