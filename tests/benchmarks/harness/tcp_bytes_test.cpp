#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <thread>
#include <vector>

#include "benchmarks/harness/transport_watch.hpp"

namespace hockney::benchmarks {
namespace {

/// A socket that is closed at the end.
class Socket {
 public:
  explicit Socket(int descriptor) : descriptor_(descriptor) {}
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  Socket(Socket&&) = delete;
  Socket& operator=(Socket&&) = delete;
  ~Socket() { ::close(descriptor_); }

  [[nodiscard]] int get() const { return descriptor_; }

 private:
  int descriptor_;
};

/// The kernel hears of acknowledgements a little later.
bool comes_to(std::int64_t expected) {
  for (int tries = 0; tries < 1000; ++tries) {
    if (tcp_bytes_sent() == expected) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

TEST_CASE("bytes over TCP are counted by the kernel, to the byte") {
  const Socket listener(::socket(AF_INET, SOCK_STREAM, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  REQUIRE(::bind(listener.get(), generic, length) == 0);
  REQUIRE(::listen(listener.get(), 1) == 0);
  REQUIRE(::getsockname(listener.get(), generic, &length) == 0);
  const Socket client(::socket(AF_INET, SOCK_STREAM, 0));
  REQUIRE(::connect(client.get(), generic, length) == 0);
  const Socket server(::accept(listener.get(), nullptr, nullptr));
  // Opening a connection counts as a byte of its own.
  const std::int64_t before = tcp_bytes_sent();
  std::vector<char> message(12'345, 'x');
  REQUIRE(::send(client.get(), message.data(), message.size(), 0) == 12'345);
  REQUIRE(::recv(server.get(), message.data(), message.size(), MSG_WAITALL) == 12'345);
  const bool is_counted = comes_to(before + 12'345) || comes_to(before + 12'346);
  CHECK(is_counted);
}

}  // namespace
}  // namespace hockney::benchmarks
