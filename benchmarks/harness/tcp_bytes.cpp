#include "benchmarks/harness/tcp_bytes.hpp"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstddef>

#include "benchmarks/harness/open_files.hpp"

namespace hockney {
namespace {

/// Acknowledgements are late by up to 40 ms, so that they are second best: what was sent is known
/// to kernels from 4.19 on.
std::uint64_t bytes_of(const tcp_info& info, socklen_t length) {
  constexpr std::size_t known = offsetof(tcp_info, tcpi_bytes_sent) + sizeof info.tcpi_bytes_sent;
  return length >= known ? info.tcpi_bytes_sent : info.tcpi_bytes_acked;
}

}  // namespace

std::int64_t tcp_bytes_sent() {
  std::int64_t sum = 0;
  for (const OpenFile& file : open_files()) {
    tcp_info info{};
    socklen_t length = sizeof info;
    // Whatever is no TCP socket refuses the question.
    if (!file.target.starts_with("socket:")) continue;
    if (::getsockopt(file.descriptor, IPPROTO_TCP, TCP_INFO, &info, &length) != 0) continue;
    sum += static_cast<std::int64_t>(bytes_of(info, length));
  }
  return sum;
}

}  // namespace hockney
