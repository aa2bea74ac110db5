#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/data_layout.hpp"

/// What it costs to send data that do not lie one after the other: by a datatype that says where
/// they are, packed by MPI, or copied by the program. The point's parameter "layout" says how they
/// lie; contiguous, the first of them is pingpong.
namespace hockney::benchmarks {
namespace {

constexpr Descriptor describe_layout(std::string_view name, std::string_view summary) {
  return {.name = name,
          .summary = summary,
          .counts = "the message once, without its gaps (no other suite has it)",
          .shape = GroupShape::pair,
          .timing = Timing::first_rank,
          .sizes = "the data of one message, without gaps",
          .laid_out = true};
}

/// The library takes the data from where they are, and puts them there.
class DerivedPingPong : public LaidOutMessage {
 public:
  static constexpr Descriptor descriptor = describe_layout(
      "derived-pingpong", "half the round trip of MPI_Send and MPI_Recv of a derived datatype");

  DerivedPingPong(const Context& context, const Point& point)
      : LaidOutMessage(context, point, layout_of(point)) {}

  void run() { pass_derived(); }
};

const Registration<DerivedPingPong> derived_pingpong;

/// The library packs them before they are sent, and unpacks them afterwards.
class PackPingPong : public LaidOutMessage {
 public:
  static constexpr Descriptor descriptor = describe_layout(
      "pack-pingpong",
      "half the round trip of MPI_Pack, MPI_Send, MPI_Recv and MPI_Unpack of a derived datatype");

  PackPingPong(const Context& context, const Point& point)
      : LaidOutMessage(context, point, layout_of(point)) {
    draw_packed(context);
  }

  void run() { pass_packed(); }
};

const Registration<PackPingPong> pack_pingpong;

/// The program copies them, block after block.
class CopyPingPong : public LaidOutMessage {
 public:
  static constexpr Descriptor descriptor = describe_layout(
      "copy-pingpong",
      "half the round trip of memcpy of every block, MPI_Send, MPI_Recv and memcpy of every block");

  CopyPingPong(const Context& context, const Point& point)
      : LaidOutMessage(context, point, layout_of(point)) {
    draw_packed(context);
  }

  void run() { pass_copied(); }
};

const Registration<CopyPingPong> copy_pingpong;

}  // namespace
}  // namespace hockney::benchmarks
