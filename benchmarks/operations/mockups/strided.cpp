#include "benchmarks/harness/data_layout.hpp"
#include "benchmarks/harness/guidelines.hpp"

namespace hockney::benchmarks {

/// A ping-pong of a message whose data lie in blocks with gaps as large as they are.
class StridedMessage : public LaidOutMessage {
 public:
  static constexpr Descriptor describe(std::string_view name, std::string_view summary) {
    return {.name = name,
            .summary = summary,
            .counts = "the message once, without its gaps",
            .shape = GroupShape::pair,
            .timing = Timing::first_rank};
  }

  StridedMessage(const Context& context, const Point& point)
      : LaidOutMessage(context, point, DataLayout::vector) {}
};

namespace {

/// The library takes the data from their blocks, and puts them there.
class StridedPingPong : public StridedMessage {
 public:
  static constexpr Descriptor descriptor = describe(
      "strided-pingpong", "half the round trip of MPI_Send and MPI_Recv of an MPI_Type_vector");

  using StridedMessage::StridedMessage;

  void run() { pass_derived(); }
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
    draw_packed(context);
  }

  void run() { pass_packed(); }
};

const MockUp<StridedPingPongByPack> strided_pingpong_by_pack;

}  // namespace

}  // namespace hockney::benchmarks
