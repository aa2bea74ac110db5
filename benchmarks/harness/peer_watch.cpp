#include "benchmarks/harness/peer_watch.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <string_view>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "core/error.hpp"

namespace hockney::benchmarks {
namespace {

int ended_signal() { return SIGRTMAX - 3; }  // differs from those in environment.cpp

/// A handler's text, which must neither allocate memory nor take locks.
std::array<char, 64>& own_line() {
  static constinit std::array<char, 64> only{};
  return only;
}

/// Ends this process if the stream has ended without a farewell, which stays in it.
void look_at(int socket) {
  char farewell = 0;
  const ssize_t bytes = ::recv(socket, &farewell, 1, MSG_DONTWAIT | MSG_PEEK);
  const bool has_ended = bytes == 0 || (bytes < 0 && errno == ECONNRESET);
  if (!has_ended) return;
  const std::string_view line(own_line().data());
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
  ::_exit(static_cast<int>(ExitCode::run_failed));
}

void on_signal(int /*number*/, siginfo_t* info, void* /*context*/) {
  const int error = errno;
  look_at(info->si_fd);
  errno = error;
}

/// An address in the abstract namespace, which has no file.
struct Address {
  sockaddr_un place{.sun_family = AF_UNIX, .sun_path = {}};
  socklen_t length = sizeof(sa_family_t);  // the kernel chooses a name for an empty one

  sockaddr* data() { return reinterpret_cast<sockaddr*>(&place); }
};

int new_socket() { return ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0); }

bool is_own_user(int socket) {
  ucred peer{};
  socklen_t length = sizeof peer;
  return ::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 &&
         peer.uid == ::geteuid();
}

bool all_agree(MPI_Comm comm, bool own) {
  int all = own ? 1 : 0;
  mpi_check(MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, comm));
  return all != 0;
}

}  // namespace

PeerWatch::PeerWatch(MPI_Comm node) {
  if (is_simulated() || size_of(node) < 2) return;
  std::snprintf(own_line().data(), own_line().size(),
                "rank %d: another rank of its node has ended\n", rank_in(MPI_COMM_WORLD));
  if (!all_agree(node, connect_all(node))) close_all();
  if (listener_ >= 0) ::close(listener_);
  listener_ = -1;
  watch();
}

PeerWatch::~PeerWatch() {
  for (const int socket : sockets_) {
    ::fcntl(socket, F_SETFL, O_NONBLOCK);  // no signals from here on
    const char farewell = 1;
    ::send(socket, &farewell, 1, MSG_DONTWAIT | MSG_NOSIGNAL);
  }
  close_all();
}

bool PeerWatch::connect_all(MPI_Comm node) {
  return rank_in(node) == 0 ? listen_for(node) : connect_to_first(node);
}

bool PeerWatch::listen_for(MPI_Comm node) {
  Address address;
  listener_ = new_socket();
  const int others = size_of(node) - 1;
  bool is_good = listener_ >= 0 && ::bind(listener_, address.data(), address.length) == 0 &&
                 ::listen(listener_, others) == 0;
  address.length = sizeof address.place;
  is_good = is_good && ::getsockname(listener_, address.data(), &address.length) == 0;
  if (!is_good) address.length = 0;
  mpi_check(MPI_Bcast(&address, sizeof address, MPI_BYTE, 0, node));
  if (!all_agree(node, is_good)) return false;
  while (sockets_.size() < static_cast<std::size_t>(others)) {
    const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (socket < 0) return false;
    is_own_user(socket) ? sockets_.push_back(socket) : static_cast<void>(::close(socket));
  }
  return true;
}

bool PeerWatch::connect_to_first(MPI_Comm node) {
  Address address;
  mpi_check(MPI_Bcast(&address, sizeof address, MPI_BYTE, 0, node));
  const int socket = address.length > 0 ? new_socket() : -1;
  if (socket >= 0) sockets_.push_back(socket);
  const bool is_good = socket >= 0 && ::connect(socket, address.data(), address.length) == 0;
  return all_agree(node, is_good);
}

void PeerWatch::watch() const {
  if (sockets_.empty()) return;
  struct sigaction action {};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_RESTART | SA_SIGINFO;
  if (::sigaction(ended_signal(), &action, nullptr) != 0) return;
  for (const int socket : sockets_) {
    ::fcntl(socket, F_SETOWN, ::getpid());
    ::fcntl(socket, F_SETSIG, ended_signal());
    ::fcntl(socket, F_SETFL, O_NONBLOCK | O_ASYNC);
    look_at(socket);  // what happened before gave no signal
  }
}

void PeerWatch::close_all() {
  for (const int socket : sockets_) ::close(socket);
  sockets_.clear();
}

}  // namespace hockney::benchmarks
