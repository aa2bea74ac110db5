#include "benchmarks/programs/startup/startup_probes.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <thread>
#include <vector>

#include "benchmarks/harness/communicators.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "benchmarks/harness/placement.hpp"

namespace hockney::benchmarks::programs {
namespace {

using namespace std::chrono_literals;

constexpr int tag = 7;
constexpr std::uint64_t key = 0x9E37'79B9'7F4A'7C15U;

std::uint64_t answer_to(std::uint64_t word) { return (word ^ key) * 3; }

void send_word(MPI_Comm comm, int rank, std::uint64_t word) {
  mpi_check(MPI_Send(&word, 1, MPI_UINT64_T, rank, tag, comm));
}

std::uint64_t receive_word(MPI_Comm comm, int rank) {
  std::uint64_t word = 0;
  mpi_check(MPI_Recv(&word, 1, MPI_UINT64_T, rank, tag, comm, MPI_STATUS_IGNORE));
  return word;
}

/// At most `most_contacts` of the ranks 1 .. last.
std::vector<int> choose_peers(int last) {
  const int count = std::min(last, most_contacts);
  std::vector<int> peers;
  for (int i = 0; i < count; ++i) peers.push_back(1 + i * last / count);
  return peers;
}

class FirstMessages {
 public:
  FirstMessages(MPI_Comm comm, TickClock& clock)
      : comm_(comm), clock_(clock), rank_(rank_in(comm)), size_(size_of(comm)) {
    peers_ = choose_peers(has_herald() ? size_ - 2 : size_ - 1);
  }

  Contacts run() {
    if (size_ < 2) return {.obstacle = "there is no rank to send to"};
    const bool is_peer = std::ranges::find(peers_, rank_) != peers_.end();
    gather_peers(is_peer);
    Contacts contacts;
    const std::int64_t ready = clock_.now();
    if (rank_ == 0) {
      for (const int peer : peers_) contacts.made.push_back(contact(peer));
    } else if (is_peer) {
      for (int trip = 0; trip < 2; ++trip) send_word(comm_, 0, answer_to(receive_word(comm_, 0)));
    }
    contacts.obstacle = lateness(ready);
    return contacts;
  }

 private:
  [[nodiscard]] bool has_herald() const { return size_ > 2; }

  /// Peers send to the herald, and the herald sends to rank 0, which gets no message from peers.
  void gather_peers(bool is_peer) {
    const int herald = size_ - 1;
    if (!has_herald()) {
      constexpr auto patience = 200ms;
      if (rank_ == 0) sleep_for(patience);
    } else if (rank_ == herald) {
      for (const int peer : peers_) receive_word(comm_, peer);
      send_word(comm_, 0, key);
    } else if (is_peer) {
      send_word(comm_, herald, key);
    } else if (rank_ == 0) {
      receive_word(comm_, herald);
    }
    // A peer needs a moment between its last message and its receive.
    constexpr auto moment = 10ms;
    if (rank_ == 0) sleep_for(moment);
  }

  Contact contact(int peer) {
    Contact made{.peer = peer};
    made.first_seconds = round_trip(made, key + static_cast<std::uint64_t>(peer));
    made.second_seconds = round_trip(made, ~static_cast<std::uint64_t>(peer));
    return made;
  }

  double round_trip(Contact& made, std::uint64_t word) {
    const std::int64_t begin = clock_.now();
    send_word(comm_, made.peer, word);
    const std::uint64_t back = receive_word(comm_, made.peer);
    const auto ticks = static_cast<double>(clock_.now() - begin);
    made.is_good = made.is_good && back == answer_to(word);
    return ticks * clock_.seconds_per_tick();
  }

  /// Why the first message may have waited for its receiver; this rank's part began at `ready`.
  [[nodiscard]] std::optional<std::string> lateness(std::int64_t ready) const {
    if (has_herald() || is_simulated()) return std::nullopt;
    const std::vector<Site> sites = gather_sites(comm_);
    if (sites[0].node != sites[1].node) {
      return "the first of two ranks on two nodes does not see the other: start "
             "three";
    }
    std::int64_t others = ready;
    // NOLINTNEXTLINE(mpi-type-mismatch): the checker knows one of the two names of long
    mpi_check(MPI_Bcast(&others, 1, MPI_INT64_T, 1, comm_));
    std::int64_t own = ready;
    // NOLINTNEXTLINE(mpi-type-mismatch): the same
    mpi_check(MPI_Bcast(&own, 1, MPI_INT64_T, 0, comm_));
    if (others <= own) return std::nullopt;
    return "rank 1 had not left MPI_Init when the first message was sent";
  }

  MPI_Comm comm_;
  TickClock& clock_;
  int rank_;
  int size_;
  std::vector<int> peers_;
};

constexpr std::string_view spawned_word = "--spawned-by-hockney-startup";

#ifndef SMPI_H
std::string text_of(int code) {
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  return {text.data(), static_cast<std::size_t>(length)};
}

bool has_size(MPI_Comm between, int processes) {
  int found = 0;
  mpi_check(MPI_Comm_remote_size(between, &found));
  return found == processes;
}
#endif

}  // namespace

Contacts make_first_contacts(MPI_Comm comm, TickClock& clock) {
  return FirstMessages(comm, clock).run();
}

bool is_spawned(int argc, const char* const* argv) { return argc == 2 && argv[1] == spawned_word; }

#ifdef SMPI_H  // SMPI has no such calls

Spawned spawn(MPI_Comm, int, TickClock&) {
  return {.obstacle = "a simulator starts no processes", .is_good = true};
}

int run_spawned(int, char**) { return 0; }

#else

Spawned spawn(MPI_Comm comm, int processes, TickClock& clock) {
  std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  std::string name = "startup";  // name among the programs in the executable
  std::string word(spawned_word);
  std::array<char*, 3> arguments{name.data(), word.data(), nullptr};
  std::vector<int> codes(static_cast<std::size_t>(processes), MPI_SUCCESS);
  MPI_Comm between = MPI_COMM_NULL;
  mpi_check(MPI_Barrier(comm));
  const std::int64_t begin = clock.now();
  const int code = MPI_Comm_spawn(program.data(), arguments.data(), processes, MPI_INFO_NULL, 0,
                                  comm, &between, codes.data());
  const double own = static_cast<double>(clock.now() - begin) * clock.seconds_per_tick();
  int failed = code == MPI_SUCCESS ? 0 : 1;
  mpi_check(MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, comm));
  if (failed != 0) {
    return {.obstacle = "MPI_Comm_spawn failed: " + (code == MPI_SUCCESS ? "" : text_of(code))};
  }
  Spawned spawned{.seconds = own, .obstacle = std::nullopt};
  mpi_check(MPI_Allreduce(MPI_IN_PLACE, &spawned.seconds, 1, MPI_DOUBLE, MPI_MAX, comm));
  spawned.is_good = has_size(between, processes);
  mpi_check(MPI_Comm_disconnect(&between));
  return spawned;
}

int run_spawned(int argc, char** argv) {
  const MpiEnvironment mpi(argc, argv);
  MPI_Comm parent = MPI_COMM_NULL;
  mpi_check(MPI_Comm_get_parent(&parent));
  if (parent != MPI_COMM_NULL) mpi_check(MPI_Comm_disconnect(&parent));
  return 0;
}

#endif

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

void FinalizeBoard::publish(double seconds) {
  if (!memory_) return;
  line(rank_)->seconds = seconds;
  line(rank_)->is_reported.raise_to(1);
}

std::vector<double> FinalizeBoard::collect(std::chrono::milliseconds patience) const {
  using namespace std::chrono_literals;
  const auto end = std::chrono::steady_clock::now() + patience;
  std::vector<double> seconds;
  for (int rank = 0; rank < ranks_; ++rank) {
    while (!line(rank)->is_reported.has_reached(1) && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(1ms);
    }
    if (line(rank)->is_reported.has_reached(1)) seconds.push_back(line(rank)->seconds);
  }
  return seconds;
}

}  // namespace hockney::benchmarks::programs
