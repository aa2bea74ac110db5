#pragma once

namespace hockney {

/// While it lives, the last byte of every message of bytes that MPI_Recv delivers has one bit
/// flipped: the program's own MPI_Recv stands before the library's, through the profiling
/// interface.
class CorruptingReceive {
 public:
  CorruptingReceive();
  CorruptingReceive(const CorruptingReceive&) = delete;
  CorruptingReceive& operator=(const CorruptingReceive&) = delete;
  CorruptingReceive(CorruptingReceive&&) = delete;
  CorruptingReceive& operator=(CorruptingReceive&&) = delete;
  ~CorruptingReceive();
};

}  // namespace hockney
