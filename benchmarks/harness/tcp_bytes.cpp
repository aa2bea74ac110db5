#include "benchmarks/harness/tcp_bytes.hpp"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "benchmarks/harness/open_files.hpp"

namespace hockney {

std::int64_t tcp_bytes_sent() {
  std::int64_t sum = 0;
  for (const OpenFile& file : open_files()) {
    tcp_info info{};
    socklen_t length = sizeof info;
    // Whatever is no TCP socket refuses the question.
    if (!file.target.starts_with("socket:")) continue;
    if (::getsockopt(file.descriptor, IPPROTO_TCP, TCP_INFO, &info, &length) != 0) continue;
    sum += static_cast<std::int64_t>(info.tcpi_bytes_acked);
  }
  return sum;
}

}  // namespace hockney
