#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>
#include <thread>

#include "benchmarks/harness/environment.hpp"

// A rank ends with its launcher, and does not end with the thread of the launcher that started it.
namespace hockney::benchmarks {
namespace {

/// Two ends of a connection; the child has the second one.
struct Connection {
  std::array<int, 2> ends{-1, -1};

  Connection() { ::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() { ::close(ends[0]); }

  /// Whether the child answers a byte; false when it is dead.
  [[nodiscard]] bool answers() const {
    char byte = 'x';
    ::send(ends[0], &byte, 1, MSG_NOSIGNAL);
    return arrives(byte);
  }
  /// Waits for a byte; false when the other end is closed, or nothing came for a minute.
  [[nodiscard]] bool arrives(char& byte) const {
    pollfd end{ends[0], POLLIN, 0};
    return ::poll(&end, 1, 60'000) == 1 && ::recv(ends[0], &byte, 1, 0) == 1;
  }
};

/// Starts a process that ends with its parent and answers every byte, the first one unasked.
pid_t start_child(const Connection& connection) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  ::close(connection.ends[0]);
  end_with_parent();
  char byte = 'r';
  do {
    if (::send(connection.ends[1], &byte, 1, MSG_NOSIGNAL) != 1) break;
  } while (::recv(connection.ends[1], &byte, 1, 0) == 1);
  ::_exit(0);
}

bool is_there(pid_t thread) {
  return std::filesystem::exists("/proc/self/task/" + std::to_string(thread));
}

TEST_CASE("a process outlives the thread that started it") {
  const Connection connection;
  pid_t child = -1;
  pid_t synchroniser = -1;
  char ready = ' ';
  std::thread([&] {
    synchroniser = ::gettid();
    child = start_child(connection);
    ::close(connection.ends[1]);
    CHECK(connection.arrives(ready));
  }).join();
  REQUIRE(child > 0);
  while (is_there(synchroniser)) std::this_thread::yield();
  CHECK(connection.answers());
  CHECK(connection.answers());
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
}

TEST_CASE("a process ends with the one that started it") {
  const Connection connection;
  const pid_t parent = ::fork();
  if (parent == 0) {
    start_child(connection);
    ::close(connection.ends[1]);
    for (;;) ::pause();
  }
  REQUIRE(parent > 0);
  ::close(connection.ends[1]);
  char byte = ' ';
  REQUIRE(connection.arrives(byte));
  ::kill(parent, SIGKILL);
  ::waitpid(parent, nullptr, 0);
  pollfd end{connection.ends[0], POLLIN, 0};
  CHECK(::poll(&end, 1, 60'000) == 1);
  CHECK(::recv(connection.ends[0], &byte, 1, 0) == 0);
}

}  // namespace
}  // namespace hockney::benchmarks
