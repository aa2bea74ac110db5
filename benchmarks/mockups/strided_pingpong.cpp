#include "benchmarks/mockups/strided_message.hpp"

namespace hockney {
namespace {

/// The library takes the data from their blocks, and puts them there.
class StridedPingPong : public StridedMessage {
 public:
  static constexpr Descriptor descriptor = describe(
      "strided-pingpong", "half the round trip of MPI_Send and MPI_Recv of an MPI_Type_vector");

  using StridedMessage::StridedMessage;

  void run() {
    if (is_first()) put();
    MPI_Recv(receive(), 1, strided(), other(), 0, comm(), MPI_STATUS_IGNORE);
    if (!is_first()) put();
  }

 private:
  void put() { MPI_Send(send(), 1, strided(), other(), 0, comm()); }
};

const Original<StridedPingPong> strided_pingpong;

}  // namespace
}  // namespace hockney
