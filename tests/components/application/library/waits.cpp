// Programs whose waiting is known: where the simulator runs them, usleep() is computing of exactly
// that time.
//   waits chain            each rank works 100 us once it has the message of the one before
//   waits broadcast        the root works 100 us, then all do
//   waits load             rank r works 10 (1 + 2 r) us before a barrier, and has done
//   waits late BYTES       a chain of send right, receive left, whose last rank is 50 us late, and
//                          whose first one works 100 us afterwards

#include <mpi.h>
#include <unistd.h>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

constexpr int work = 100;

void send(std::vector<char>& data, int to) {
  MPI_Send(data.data(), static_cast<int>(data.size()), MPI_CHAR, to, 0, MPI_COMM_WORLD);
}

void receive(std::vector<char>& data, int from) {
  MPI_Recv(data.data(), static_cast<int>(data.size()), MPI_CHAR, from, 0, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int self = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &self);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const std::string what = argv[1];
  std::vector<char> data(argc > 2 ? static_cast<std::size_t>(std::atoi(argv[2])) : 8);
  if (what == "chain") {
    if (self > 0) receive(data, self - 1);
    usleep(work);
    if (self + 1 < size) send(data, self + 1);
  } else if (what == "broadcast") {
    if (self == 0) usleep(work);
    MPI_Bcast(data.data(), static_cast<int>(data.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
    if (self != 0) usleep(work);
  } else if (what == "load") {
    usleep(static_cast<useconds_t>(10 * (1 + 2 * self)));
    MPI_Barrier(MPI_COMM_WORLD);
  } else {
    if (self == size - 1) usleep(work / 2);
    if (self + 1 < size) send(data, self + 1);
    if (self > 0) receive(data, self - 1);
    if (self == 0) usleep(work);
  }
  MPI_Finalize();
}
