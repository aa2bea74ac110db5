#pragma once

#include <mpi.h>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "application/library/rows.hpp"
#include "application/profile/part.hpp"

namespace hockney::profile {

/// What is known of a request: a receive under way, or a persistent operation; for a log of events,
/// any other operation.
struct Pending {
  enum class What : std::uint8_t {
    receive,          ///< once; gone when it is complete
    planned_send,     ///< persistent
    planned_receive,  ///< persistent; a receive when it was started
    planned_other,    ///< persistent; a collective
    other             ///< once
  };

  What what = What::receive;
  bool active = true;      ///< what comes is counted for the call that started it
  CallRow::Key row{};      ///< of the call that started it
  std::int64_t ticks = 0;  ///< of that call
  std::int32_t to = -1;    ///< world rank that a planned send goes to
  bool to_nobody = false;  ///< MPI_PROC_NULL
  std::int64_t bytes = 0;  ///< of a planned send
  // What only a log of events needs:
  std::uint64_t number = 0;                 ///< of the request in it
  std::uint16_t planned_by = 0;             ///< Function that made a persistent operation
  std::int32_t tag = -1;                    ///< of a planned operation
  std::int32_t root = -1;                   ///< world rank, of a planned collective
  const std::vector<int>* world = nullptr;  ///< Group::world of its communicator

  [[nodiscard]] bool is_receive() const {
    return what == What::receive || (what == What::planned_receive && (active || number != 0));
  }
};

/// Requests by their handle. A library may give one handle to several (those that are complete), so
/// each handle has its requests in the order in which they were made.
class Requests {
 public:
  explicit Requests(Budget& budget) : nodes_(budget), chains_(budget) {}

  [[nodiscard]] bool empty() const { return size_ == 0; }

  /// False when there is no memory left.
  bool add(MPI_Request request, const Pending& pending);
  /// The oldest of that handle, nullptr where nothing is known of it.
  Pending* find(MPI_Request request);
  /// Forgets the oldest of that handle.
  void remove(MPI_Request request);

 private:
  struct Node {
    std::uint64_t handle = 0;
    std::uint32_t next = 0;  ///< index + 1
    Pending pending{};
  };

  /// Nodes, by index + 1; 0 where there are none. The last one is kept since thousands of sends
  /// that Open MPI completes at once have one handle.
  struct Chain {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
  };

  Chain& chain_of(std::uint64_t handle);
  bool rehash();
  void append(std::uint32_t node);

  RowList<Node> nodes_;
  RowList<Chain> chains_;
  std::uint32_t free_ = 0;  ///< of nodes that are not in use
  std::size_t size_ = 0;
};

}  // namespace hockney::profile
