#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/exchanged_data.hpp"

namespace hockney {
namespace {

/// Every rank's block, on its neighbours in a plane.
class NeighborAllgather {
 public:
  static constexpr Descriptor descriptor{
      .name = "neighbor-allgather",
      .summary =
          "MPI_Neighbor_allgather in a plane with open edges, until the last rank is through",
      .counts = "a block for each neighbour of the rank with most of them (OMB: none)",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .sizes = "the block for each neighbour (OMB: the same; IMB: none)"};

  static Account account(const Point& point) { return neighbour_account(point); }
  static std::optional<std::string> obstacle(const Point&) { return neighbour_obstacle(); }

  NeighborAllgather(const Context& context, const Point& point)
      : neighbours_(context),
        type_(message_of(point).type->handle),
        send_(own_block(context, point)),
        receive_(
            neighbour_blocks(context, point, neighbours_, [](int rank, int) { return rank; })) {}

  void run() {
    MPI_Neighbor_allgather(send_.data(), send_.count(), type_, receive_.data(), send_.count(),
                           type_, neighbours_.comm());
  }

  void refill(std::uint64_t seed) {
    send_.fill(seed);
    receive_.spoil(seed);
  }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return receive_.holds(seed); }

 private:
  Neighbours neighbours_;
  MPI_Datatype type_;
  BlockBuffer send_;
  BlockBuffer receive_;
};

const Registration<NeighborAllgather> neighbor_allgather;

}  // namespace
}  // namespace hockney
