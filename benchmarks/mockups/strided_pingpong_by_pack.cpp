#include "benchmarks/mockups/strided_message.hpp"

namespace hockney {
namespace {

/// The data are packed before they are sent, and unpacked afterwards.
class StridedPingPongByPack : public StridedMessage {
 public:
  static constexpr Descriptor descriptor = describe(
      "strided-pingpong-by-pack",
      "half the round trip of MPI_Pack, MPI_Send, MPI_Recv and MPI_Unpack of an MPI_Type_vector");
  static constexpr Emulated emulated{.operation = "strided-pingpong",
                                     .guideline = "send of a datatype <= pack + send"};

  StridedPingPongByPack(const Context& context, const Point& point)
      : StridedMessage(context, point) {
    mpi_check(MPI_Pack_size(1, strided(), comm(), &room_));
    packed_ = context.buffers.draw({static_cast<std::size_t>(room_)}).front();
  }

  void run() {
    if (is_first()) put();
    MPI_Recv(packed_.data(), room_, MPI_PACKED, other(), 0, comm(), MPI_STATUS_IGNORE);
    int position = 0;
    MPI_Unpack(packed_.data(), room_, &position, receive(), 1, strided(), comm());
    if (!is_first()) put();
  }

 private:
  void put() {
    int position = 0;
    MPI_Pack(send(), 1, strided(), packed_.data(), room_, &position, comm());
    MPI_Send(packed_.data(), position, MPI_PACKED, other(), 0, comm());
  }

  int room_ = 0;  ///< [B]
  Buffer packed_;
};

const MockUp<StridedPingPongByPack> strided_pingpong_by_pack;

}  // namespace
}  // namespace hockney
