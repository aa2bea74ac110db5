#include "benchmarks/programs/startup/finalize_board.hpp"

#include <thread>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/handle.hpp"
#include "benchmarks/harness/mpi_error.hpp"
#include "benchmarks/harness/placement.hpp"

namespace hockney::benchmarks::programs {

FinalizeBoard::FinalizeBoard(MPI_Comm comm) {
  const int rank = rank_in(comm);
  const std::vector<Site> sites = gather_sites(comm);
  const bool is_near = sites[static_cast<std::size_t>(rank)].node == sites.front().node;
  UniqueComm near;
  mpi_check(MPI_Comm_split(comm, is_near ? 0 : MPI_UNDEFINED, rank, near.out()));
  if (!near) return;
  ranks_ = size_of(near.get());
  rank_ = rank_in(near.get());
  memory_.emplace(near.get(), sizeof(Line) * static_cast<std::size_t>(ranks_));
}

FinalizeBoard::Line* FinalizeBoard::line(int rank) const {
  return reinterpret_cast<Line*>(memory_->data()) + rank;
}

void FinalizeBoard::tell(double seconds) {
  if (!memory_) return;
  line(rank_)->seconds = seconds;
  line(rank_)->is_told.raise_to(1);
}

std::vector<double> FinalizeBoard::collect(std::chrono::milliseconds patience) const {
  using namespace std::chrono_literals;
  const auto end = std::chrono::steady_clock::now() + patience;
  std::vector<double> seconds;
  for (int rank = 0; rank < ranks_; ++rank) {
    while (!line(rank)->is_told.has_reached(1) && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(1ms);
    }
    if (line(rank)->is_told.has_reached(1)) seconds.push_back(line(rank)->seconds);
  }
  return seconds;
}

}  // namespace hockney::benchmarks::programs
