// Four threads in MPI at once, under the thread sanitizer, on an MPI library of this folder's own
// (fake_mpi.cpp): Open MPI's own races would hide the recorder's. `races stuck` ends by
// MPI_Abort while one thread is in MPI_Recv for ever and another enters new regions.

#include <mpi.h>
#include <string>
#include <thread>
#include <vector>

#include "components/application/library/hockney_profile.h"

extern "C" bool fake_is_waiting();

namespace {

constexpr int racers = 4;
constexpr int rounds = 1000;

void send() { MPI_Send(nullptr, 4, MPI_BYTE, 0, 0, MPI_COMM_WORLD); }

void call(int thread) {
  const std::string region = "thread " + std::to_string(thread);
  for (int i = 0; i < rounds; ++i) {
    hockney_region_begin(region.c_str());
    send();
    MPI_Request request{};
    MPI_Irecv(nullptr, 4, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Recv(nullptr, 4, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    hockney_region_end(region.c_str());
  }
}

void call_at_once() {
  std::vector<std::jthread> all;
  for (int thread = 0; thread < racers; ++thread) all.emplace_back(call, thread);
}

/// Recording is switched off and on while others call.
void pause_meanwhile() {
  std::jthread other([] {
    for (int i = 0; i < rounds; ++i) send();
  });
  for (int i = 0; i < rounds; ++i) MPI_Pcontrol(i % 2);
}

void end_stuck() {
  std::thread([] {
    MPI_Recv(nullptr, 4, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }).detach();
  while (!fake_is_waiting()) std::this_thread::yield();
  std::thread([] {
    for (int i = 0;; ++i) {
      hockney_region_begin(std::to_string(i).c_str());
      send();
      hockney_region_end(std::to_string(i).c_str());
    }
  }).detach();
  for (int i = 0; i < rounds; ++i) send();
  MPI_Abort(MPI_COMM_WORLD, 3);
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  call_at_once();
  if (argc > 1) end_stuck();
  pause_meanwhile();
  MPI_Finalize();
}
