#pragma once

#include <mpi.h>

#include <vector>

namespace hockney::benchmarks {

/// Ends this process with exit code 3, and a line, as soon as the process of another rank of its
/// node has ended: MPI would wait for it for ever. The first rank has a socket to each other one,
/// which the kernel closes with its process. Then a signal is sent, and nothing before. At most
/// one in a process; without effect under a simulator, and where the ranks cannot be connected.
class PeerWatch {
 public:
  /// `node` has the ranks of one host. Collective.
  explicit PeerWatch(MPI_Comm node);
  PeerWatch(const PeerWatch&) = delete;
  PeerWatch& operator=(const PeerWatch&) = delete;
  PeerWatch(PeerWatch&&) = delete;
  PeerWatch& operator=(PeerWatch&&) = delete;
  /// Sends the others a farewell, since they may still watch.
  ~PeerWatch();

  /// Whether the ranks are connected; the same on all.
  [[nodiscard]] bool is_on() const { return !sockets_.empty(); }

 private:
  bool connect_all(MPI_Comm node);
  bool listen_for(MPI_Comm node);
  bool connect_to_first(MPI_Comm node);
  void watch() const;
  void close_all();

  int listener_ = -1;
  std::vector<int> sockets_;
};

}  // namespace hockney::benchmarks
