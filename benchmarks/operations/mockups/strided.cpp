#include <mpi.h>
#include <algorithm>
#include <cstring>
#include <vector>

#include "benchmarks/harness/buffers.hpp"
#include "benchmarks/harness/guidelines.hpp"
#include "benchmarks/harness/handle.hpp"
#include "benchmarks/harness/message.hpp"
#include "benchmarks/harness/mpi_error.hpp"

namespace hockney::benchmarks {

/// A ping-pong of a message whose data lie in blocks with gaps as large as they are: of eight
/// elements, or of one where eight do not divide the message.
class StridedMessage {
 public:
  static constexpr Descriptor describe(std::string_view name, std::string_view summary) {
    return {.name = name,
            .summary = summary,
            .counts = "the message once, without its gaps",
            .shape = GroupShape::pair,
            .timing = Timing::first_rank};
  }
  static Volume volume(const Point& point) { return {.operations = 2, .bytes = point.bytes}; }

  StridedMessage(const Context& context, const Point& point)
      : comm_(context.comm),
        rank_(context.rank),
        message_(message_of(point)),
        block_(message_.count % eight == 0 ? eight : 1) {
    const auto buffers = context.buffers.draw({2 * message_.extent(), 2 * message_.extent()});
    send_ = buffers[0];
    receive_ = buffers[1];
    MPI_Datatype* made = strided_.out();
    mpi_check(
        MPI_Type_vector(message_.count / block_, block_, 2 * block_, message_.type->handle, made));
    mpi_check(MPI_Type_commit(made));
  }

  void refill(std::uint64_t seed) {
    std::vector<std::byte> packed(message_.extent());
    fill_pattern(packed, pattern_seed(seed, rank_));
    for_blocks([&](std::size_t from, std::size_t to, std::size_t bytes) {
      std::memcpy(send_.data() + to, &packed[from], bytes);
    });
    std::ranges::fill(receive_.to_spoil(), std::byte{0});
  }

  [[nodiscard]] bool verify(std::uint64_t seed) const {
    std::vector<std::byte> packed(message_.extent());
    for_blocks([&](std::size_t from, std::size_t to, std::size_t bytes) {
      std::memcpy(&packed[from], receive_.data() + to, bytes);
    });
    return holds_message(packed, *message_.type, pattern_seed(seed, 1 - rank_));
  }

 protected:
  [[nodiscard]] bool is_first() const { return rank_ == 0; }
  [[nodiscard]] int other() const { return 1 - rank_; }
  [[nodiscard]] MPI_Comm comm() const { return comm_; }
  [[nodiscard]] const void* send() const { return send_.data(); }
  [[nodiscard]] void* receive() const { return receive_.data(); }
  [[nodiscard]] MPI_Datatype strided() const { return strided_.get(); }

 private:
  static constexpr int eight = 8;

  /// For each block, where it is in the message and in a buffer [B].
  template <class Visit>
  void for_blocks(Visit visit) const {
    const std::size_t bytes = static_cast<std::size_t>(block_) * message_.type->extent;
    for (std::size_t from = 0; from < message_.extent(); from += bytes) {
      visit(from, 2 * from, bytes);
    }
  }

  MPI_Comm comm_;
  int rank_;
  MessageShape message_;
  int block_;  ///< [elements]
  Buffer send_;
  Buffer receive_;
  UniqueDatatype strided_;
};

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

/// The data are packed before they are sent, and unpacked afterwards.
class StridedPingPongByPack : public StridedMessage {
 public:
  static constexpr Descriptor descriptor = describe(
      "strided-pingpong-by-pack",
      "half the round trip of MPI_Pack, MPI_Send, MPI_Recv and MPI_Unpack of an MPI_Type_vector");
  static constexpr std::string_view guideline = "send of a datatype <= pack + send";

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

}  // namespace hockney::benchmarks
