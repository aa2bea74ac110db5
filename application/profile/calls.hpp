#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>

namespace hockney::profile {

/// What a function of MPI does, as far as it matters to who counts.
enum class Kind {
  send,           ///< blocking or not: the message counts at the call
  receive,        ///< blocking
  start_receive,  ///< nonblocking: how much came is known on completion
  send_receive,   ///< two messages, in two buffers
  replace,        ///< two messages, in one buffer
  plan_send,      ///< persistent: the message counts at each start
  plan_receive,
  start,
  start_all,
  wait,
  wait_all,
  wait_any,
  wait_some,
  test,
  test_all,
  test_any,
  test_some,
  probe,
  collective,
  plan_collective,
  one_sided,    ///< put and accumulate; and what brings data back
  synchronise,  ///< of one-sided communication
  file,
  communicator,  ///< makes one
  forget_communicator,
  forget_request,
  window,
  other
};

/// How many bytes a collective hands over at a rank; s and r are its arguments for what is sent and
/// received.
enum class Volume {
  none,
  message,      ///< count × size, on every rank
  block,        ///< count × size for each rank
  counts,       ///< a list of counts × size
  gather,       ///< s; what is received where it is in place
  gather_list,  ///< the same, with a list of r
  scatter,      ///< the root: s for each rank; others: r
  scatter_list,
  all_to_all,  ///< s for each rank
  all_to_all_list,
  all_to_all_types,
  neighbours,  ///< s for each neighbour
  neighbours_all,
  neighbours_list,
  neighbours_types
};

/// Which argument is what, from 0; -1 where there is none.
struct Arguments {
  int count = -1;  ///< of what is sent, or of the only message
  int type = -1;
  int peer = -1;  ///< receiver, source, or target of one-sided calls
  int tag = -1;
  int source = -1;   ///< of what is received, where there is a receiver too
  int receive = -1;  ///< count of what is received
  int receive_type = -1;
  int root = -1;
  int comm = -1;
  int window = -1;
  int made = -1;     ///< the communicator that is made
  int number = -1;   ///< how many requests there are, or partitions
  int request = -1;  ///< the one that is made or completed, or the first of a list
  int found = -1;    ///< index, or how many are complete; indices stand behind it
  int flag = -1;
  int status = -1;   ///< or the list of them
  int message = -1;  ///< handle of a matched probe
  Volume volume = Volume::none;
};

struct Call {
  std::string_view name;  ///< without "MPI_"
  Kind kind = Kind::other;
  Arguments at;
};

/// Every function that is recorded, in the order of profile/calls.def.
// NOLINTBEGIN(cppcoreguidelines-macro-usage,*-avoid-c-arrays): of any length
enum class Function : std::uint16_t {
#define HOCKNEY_CALL(name, ...) name,
#include "application/profile/calls.def"
#undef HOCKNEY_CALL
  count
};

inline constexpr Call call_table[] = {
#define HOCKNEY_CALL(name, ...) {#name, __VA_ARGS__},
#include "application/profile/calls.def"
#undef HOCKNEY_CALL
};

// NOLINTEND(cppcoreguidelines-macro-usage,*-avoid-c-arrays)

constexpr const Call& describe(Function function) {
  return call_table[static_cast<std::size_t>(function)];
}

/// By its whole name, such as "MPI_Send".
constexpr std::optional<Function> find_call(std::string_view name) {
  if (!name.starts_with("MPI_")) return std::nullopt;
  name.remove_prefix(4);
  const auto* const found = std::ranges::find(call_table, name, &Call::name);
  if (found == std::end(call_table)) return std::nullopt;
  return static_cast<Function>(found - std::begin(call_table));
}

}  // namespace hockney::profile
