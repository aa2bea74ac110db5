#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/exchanged_data.hpp"

namespace hockney {
namespace {

/// Another block for each neighbour in a plane.
class NeighborAlltoall {
 public:
  static constexpr Descriptor descriptor{
      .name = "neighbor-alltoall",
      .summary = "MPI_Neighbor_alltoall in a plane with open edges, until the last rank is through",
      .counts = "a block for each neighbour of the rank with most of them (OMB: none)",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .sizes = "the block for each neighbour (OMB: the same; IMB: none)"};

  static Account account(const Point& point) { return neighbour_account(point); }
  static std::optional<std::string> obstacle(const Point&) { return neighbour_obstacle(); }

  NeighborAlltoall(const Context& context, const Point& point)
      : neighbours_(context),
        count_(message_of(point).count),
        type_(message_of(point).type->handle),
        send_(neighbour_blocks(context, point, neighbours_,
                               [&](int, int place) { return identity(context.rank, place); })),
        receive_(neighbour_blocks(context, point, neighbours_, [](int rank, int place) {
          return identity(rank, opposite(place));
        })) {}

  void run() {
    MPI_Neighbor_alltoall(send_.data(), count_, type_, receive_.data(), count_, type_,
                          neighbours_.comm());
  }

  void refill(std::uint64_t seed) {
    send_.fill(seed);
    receive_.spoil(seed);
  }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return receive_.holds(seed); }

 private:
  /// Of the block that a rank sends to the neighbour of a place.
  static int identity(int rank, int place) { return rank * Neighbours::most + place; }
  /// Where a rank is to its neighbour of a place.
  static int opposite(int place) { return place ^ 1; }

  Neighbours neighbours_;
  int count_;  ///< [elements] of a block
  MPI_Datatype type_;
  BlockBuffer send_;
  BlockBuffer receive_;
};

const Registration<NeighborAlltoall> neighbor_alltoall;

}  // namespace
}  // namespace hockney
