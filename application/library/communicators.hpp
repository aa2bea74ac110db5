#pragma once

#include <mpi.h>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "application/library/rows.hpp"
#include "application/profile/part.hpp"

namespace hockney::profile {

/// What is known of a communicator or a window.
struct Group {
  std::uint32_t row = no_index;  ///< among the communicators of the part
  int size = 0;                  ///< ranks of this side
  int peers = 0;                 ///< ranks that messages go to: the other side's, or this one's
  int rank = 0;                  ///< this rank in it
  bool has_two_sides = false;
  std::uint64_t own_side_hash = 0;  ///< of the world ranks of this side, where there are two
  int neighbours = -1;              ///< that neighbourhood collectives send to; -1: not asked yet
  /// World rank of each peer, -1 outside of it. Until the end that of a communicator stays.
  std::shared_ptr<const std::vector<int>> world;

  /// World rank of a peer; -1 outside of the world.
  [[nodiscard]] int world_rank(int peer) const {
    return peer >= 0 && peer < peers ? (*world)[static_cast<std::size_t>(peer)] : -1;
  }
};

/// The communicators and windows that the program has used, by their handles. A communicator is
/// known by its ranks and by how many of the same were made before, which all of its ranks count
/// alike since they make them in the same order.
class Communicators {
 public:
  explicit Communicators(Budget& budget) : rows_(budget) {}

  /// What is known of MPI_COMM_WORLD and MPI_COMM_SELF before the program begins.
  void begin();

  const Group& of(MPI_Comm comm);
  const Group& of_window(MPI_Win window);
  /// That a function made it; nothing for MPI_COMM_NULL. `like`: where it cannot be asked yet
  /// (MPI_Comm_idup), the one that it is a copy of.
  void made(MPI_Comm comm, Function by, const MPI_Comm* like = nullptr);
  void window_made(MPI_Win window, MPI_Comm comm);
  void forget(MPI_Comm comm);
  void forget_window(MPI_Win window);
  int neighbours(MPI_Comm comm);

  [[nodiscard]] std::span<const CommunicatorRow> rows() const { return rows_.rows(); }
  /// Communicators that no memory was left for.
  [[nodiscard]] std::int64_t lost() const { return lost_; }

 private:
  using Handle = std::uint64_t;

  static Group ask(MPI_Comm comm);
  Group& add(Handle handle, Group group, std::uint32_t made_by, int kind);

  RowList<CommunicatorRow> rows_;
  std::int64_t lost_ = 0;
  std::map<Handle, Group> known_;
  std::map<Handle, Group> windows_;
  struct Made {
    std::uint32_t times = 0;
    std::shared_ptr<const std::vector<int>> world;  ///< Group::world of them all
  };
  std::map<std::uint64_t, Made> made_of_;  ///< by the hash of its ranks
  Handle last_handle_ = 0;
  const Group* last_ = nullptr;
};

}  // namespace hockney::profile
