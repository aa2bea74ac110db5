#pragma once

#include <mpi.h>

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "components/application/library/real.hpp"
#include "components/application/library/rows.hpp"
#include "components/application/profile/part.hpp"
#include "components/application/profile/profile.hpp"

namespace hockney::profile {

/// Ranks of a communicator or a window.
struct Group {
  std::uint32_t row = no_index;  ///< index among the communicators of the part
  int size = 0;                  ///< ranks of this side
  int peers = 0;                 ///< possible receivers: ranks of the other side, or of this one
  int rank = 0;                  ///< this rank in it
  bool has_two_sides = false;
  std::uint64_t own_side_hash = 0;  ///< hash of this side's world ranks, if there are two sides
  int neighbours = -1;              ///< receivers of neighbourhood collectives; -1: not queried yet
  /// World rank of each peer; -1: not in MPI_COMM_WORLD. That of a communicator is kept until the
  /// end.
  std::shared_ptr<const std::vector<int>> world;

  /// World rank of a peer; -1: not in MPI_COMM_WORLD.
  [[nodiscard]] int world_rank(int peer) const {
    return peer >= 0 && peer < peers ? (*world)[static_cast<std::size_t>(peer)] : -1;
  }
};

/// The communicators and windows that the program has used, by handle. A communicator is identified
/// by its ranks and the number of equal ones made earlier. All its ranks have the same number,
/// since they make communicators in the same order.
class Communicators {
 public:
  explicit Communicators(Budget& budget) : rows_(budget) {}

  /// Adds MPI_COMM_WORLD and MPI_COMM_SELF.
  void begin();

  const Group& of(MPI_Comm comm);
  const Group& of_window(MPI_Win window);
  /// Adds a communicator that a function made; ignores MPI_COMM_NULL. `like`: the original of a
  /// copy that cannot be queried yet (MPI_Comm_idup).
  void made(MPI_Comm comm, Function by, const MPI_Comm* like = nullptr);
  void window_made(MPI_Win window, MPI_Comm comm);
  void forget(MPI_Comm comm);
  void forget_window(MPI_Win window);
  int neighbours(MPI_Comm comm);

  [[nodiscard]] std::span<const CommunicatorRow> rows() const { return rows_.rows(); }
  /// Number of communicators without memory for their row.
  [[nodiscard]] std::int64_t lost() const { return lost_; }

 private:
  using Handle = std::uint64_t;

  static Group query(MPI_Comm comm);
  Group& add(Handle handle, Group group, std::uint32_t made_by, int kind);

  RowList<CommunicatorRow> rows_;
  std::int64_t lost_ = 0;
  std::map<Handle, Group> known_;
  std::map<Handle, Group> windows_;
  struct Made {
    std::uint32_t times = 0;
    std::shared_ptr<const std::vector<int>> world;  ///< Group::world, shared by all of them
  };
  std::map<std::uint64_t, Made> made_of_;  ///< by the hash of the ranks
  Handle last_handle_ = 0;
  const Group* last_ = nullptr;
};

/// Size of one element [B]; 0 if the type has none.
inline std::int64_t size_of(MPI_Datatype type) {
  MPI_Count size = 0;
  real::Type_size_x(type, &size);
  return size > 0 ? static_cast<std::int64_t>(size) : 0;
}

template <class Count>
std::int64_t bytes_of(Count count, MPI_Datatype type) {
  return count > 0 ? static_cast<std::int64_t>(count) * size_of(type) : 0;
}

template <class Count>
std::int64_t sum_of(const Count* counts, int number) {
  std::int64_t sum = 0;
  for (int i = 0; i < number; ++i) sum += static_cast<std::int64_t>(counts[i]);
  return sum;
}

/// The sum of counts[i] × size of types[i].
template <class Count>
std::int64_t bytes_of_lists(const Count* counts, const MPI_Datatype* types, int number) {
  std::int64_t sum = 0;
  for (int i = 0; i < number; ++i) sum += bytes_of(counts[i], types[i]);
  return sum;
}

/// The arguments of one collective call, by name.
template <Function function, class Arguments>
class CollectiveVolume {
 public:
  CollectiveVolume(const Arguments& arguments, Communicators& communicators)
      : arguments_(arguments),
        communicators_(communicators),
        group_(communicators.of(std::get<at.comm>(arguments))) {}

  /// Bytes that this rank contributes; if it only receives, bytes that it receives.
  [[nodiscard]] std::int64_t bytes() const {
    constexpr Volume volume = at.volume;
    if constexpr (volume == Volume::none) {
      return 0;
    } else if constexpr (volume == Volume::message) {
      return hands_over() ? bytes_of(count(), type()) : 0;
    } else if constexpr (volume == Volume::block) {
      return group_.size * bytes_of(count(), type());
    } else if constexpr (volume == Volume::counts) {
      return sum_of(count(), group_.size) * size_of(type());
    } else if constexpr (volume == Volume::gather || volume == Volume::gather_list) {
      return gathered();
    } else if constexpr (volume == Volume::scatter || volume == Volume::scatter_list) {
      return scattered();
    } else if constexpr (volume == Volume::all_to_all) {
      return group_.peers *
             (in_place() ? bytes_of(received(), received_type()) : bytes_of(count(), type()));
    } else if constexpr (volume == Volume::all_to_all_list) {
      return in_place() ? sum_of(received(), group_.peers) * size_of(received_type())
                        : sum_of(count(), group_.peers) * size_of(type());
    } else if constexpr (volume == Volume::all_to_all_types) {
      return in_place() ? bytes_of_lists(received(), received_type(), group_.peers)
                        : bytes_of_lists(count(), type(), group_.peers);
    } else if constexpr (volume == Volume::neighbours || volume == Volume::neighbours_all) {
      return neighbours() * bytes_of(count(), type());
    } else if constexpr (volume == Volume::neighbours_list) {
      return sum_of(count(), neighbours()) * size_of(type());
    } else {
      return bytes_of_lists(count(), type(), neighbours());
    }
  }

 private:
  static constexpr profile::Arguments at = describe(function).at;

  auto count() const { return std::get<at.count>(arguments_); }
  auto type() const { return std::get<at.type>(arguments_); }
  auto received() const { return std::get<at.receive>(arguments_); }
  auto received_type() const { return std::get<at.receive_type>(arguments_); }
  [[nodiscard]] int neighbours() const {
    return communicators_.neighbours(std::get<at.comm>(arguments_));
  }
  [[nodiscard]] bool in_place() const { return std::get<0>(arguments_) == MPI_IN_PLACE; }
  [[nodiscard]] int root() const {
    if constexpr (at.root >= 0) return std::get<at.root>(arguments_);
    return MPI_PROC_NULL;
  }
  [[nodiscard]] bool is_root() const {
    return group_.has_two_sides ? root() == MPI_ROOT : root() == group_.rank;
  }
  /// False on the root's side of an inter-communicator, except for the root.
  [[nodiscard]] bool hands_over() const {
    return at.root < 0 || !group_.has_two_sides || root() != MPI_PROC_NULL;
  }

  [[nodiscard]] std::int64_t gathered() const {
    if (at.root >= 0 && group_.has_two_sides && root() < 0) return 0;  // on the root's side
    if (!in_place()) return bytes_of(count(), type());
    if constexpr (at.volume == Volume::gather) {
      return bytes_of(received(), received_type());
    } else {
      return bytes_of(received()[group_.rank], received_type());
    }
  }

  [[nodiscard]] std::int64_t scattered() const {
    if (!hands_over()) return 0;
    if (!is_root()) return bytes_of(received(), received_type());
    if constexpr (at.volume == Volume::scatter) {
      return group_.peers * bytes_of(count(), type());
    } else {
      return sum_of(count(), group_.peers) * size_of(type());
    }
  }

  const Arguments& arguments_;
  Communicators& communicators_;
  const Group& group_;
};

}  // namespace hockney::profile
