// What Cannon's product of two square matrices sends, without the product: blocks are passed on
// SIDE - 1 times round the rows and columns of SIDE x SIDE ranks, and usleep() stands for the
// products of blocks, which the simulator runs as computing of exactly that time.
//   cannon SIDE ROWS blocking|immediate MICROSECONDS

#include <mpi.h>
#include <unistd.h>
#include <array>
#include <cstdlib>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int side = std::atoi(argv[1]);
  const int rows = std::atoi(argv[2]) / side;
  const bool is_immediate = std::string(argv[3]) == "immediate";
  const auto work = static_cast<useconds_t>(std::atoi(argv[4]));
  int self = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &self);
  const int row = self / side;
  const int column = self % side;
  const auto rank = [&](int of_row, int of_column) {
    return (of_row + side) % side * side + (of_column + side) % side;
  };
  const std::array<int, 2> takers{rank(row, column - 1), rank(row - 1, column)};
  const std::array<int, 2> givers{rank(row, column + 1), rank(row + 1, column)};
  const int values = rows * rows;
  std::array<std::vector<double>, 2> now;
  std::array<std::vector<double>, 2> next;
  for (auto* blocks : {&now, &next}) {
    for (std::vector<double>& block : *blocks) block.resize(static_cast<std::size_t>(values));
  }
  for (int step = 0; step + 1 < side; ++step) {
    std::array<MPI_Request, 4> requests{};
    for (std::size_t i = 0; i < 2; ++i) {
      if (is_immediate) {
        MPI_Irecv(next[i].data(), values, MPI_DOUBLE, givers[i], 0, MPI_COMM_WORLD, &requests[i]);
        MPI_Isend(now[i].data(), values, MPI_DOUBLE, takers[i], 0, MPI_COMM_WORLD,
                  &requests[2 + i]);
      } else {
        MPI_Sendrecv(now[i].data(), values, MPI_DOUBLE, takers[i], 0, next[i].data(), values,
                     MPI_DOUBLE, givers[i], 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      }
    }
    usleep(work);
    if (is_immediate) MPI_Waitall(4, requests.data(), MPI_STATUSES_IGNORE);
    now.swap(next);
  }
  MPI_Finalize();
  return 0;
}
