#include <array>

#include "benchmarks/harness/created_communicators.hpp"
#include "benchmarks/harness/environment.hpp"

namespace hockney::benchmarks {
namespace {

/// A plane of all ranks as nearly square as their number lets, periodic one way, in their order.
struct Cart {
  static constexpr CommWords words{
      .name = "cart-create",
      .function = "MPI_Cart_create of a plane of all ranks, without reordering"};
  static constexpr int dimensions = 2;
  using Numbers = std::array<int, dimensions>;

  explicit Cart(const Context& context)
      : parent(context.comm), rank(context.rank), size(context.size) {
    MPI_Dims_create(size, dimensions, lengths.data());
  }

  [[nodiscard]] int make(MPI_Comm* made) const {
    return MPI_Cart_create(parent, dimensions, lengths.data(), periods.data(), 0, made);
  }
  [[nodiscard]] bool is_right(MPI_Comm made) const {
    if (!has_ranks(made, parent, ranks_in_order(size))) return false;
    int topology = MPI_CART;
    int found = 0;
    if (!is_simulated()) MPI_Topo_test(made, &topology);  // which SMPI has not
    if (topology != MPI_CART || MPI_Cartdim_get(made, &found) != MPI_SUCCESS) return false;
    if (found != dimensions) return false;
    Numbers its_lengths{};
    Numbers its_periods{};
    Numbers place{};
    MPI_Cart_get(made, dimensions, its_lengths.data(), its_periods.data(), place.data());
    return its_lengths == lengths && its_periods[0] != 0 && its_periods[1] == 0 &&
           place == Numbers{rank / lengths[1], rank % lengths[1]};
  }

  MPI_Comm parent;
  int rank;
  int size;
  Numbers lengths{};
  Numbers periods{1, 0};
};

const Registration<CommCreation<Cart>> cart_create;
const Registration<CommFreeing<Cart>> cart_create_free;

}  // namespace
}  // namespace hockney::benchmarks
