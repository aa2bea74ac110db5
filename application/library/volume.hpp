#pragma once

#include <mpi.h>
#include <cstdint>
#include <tuple>

#include "application/profile/calls.hpp"
#include "application/library/communicators.hpp"
#include "application/library/real.hpp"

namespace hockney::profile {

/// Of one element, 0 where the type is none [B].
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

/// The arguments of one call of a collective, by what they are.
template <Function function, class Arguments>
class CollectiveVolume {
 public:
  CollectiveVolume(const Arguments& arguments, Communicators& communicators)
      : arguments_(arguments),
        communicators_(communicators),
        group_(communicators.of(std::get<at.comm>(arguments))) {}

  /// What this rank hands over; where it only receives, what it receives [B].
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
  /// Nobody else on the root's side of an inter-communicator.
  [[nodiscard]] bool hands_over() const {
    return at.root < 0 || !group_.has_two_sides || root() != MPI_PROC_NULL;
  }

  [[nodiscard]] std::int64_t gathered() const {
    if (at.root >= 0 && group_.has_two_sides && root() < 0) return 0;  // it receives, or does not
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
