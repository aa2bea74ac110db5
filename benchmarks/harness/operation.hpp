#pragma once

#include <mpi.h>

#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>

#include "benchmarks/engine/calibrate.hpp"
#include "benchmarks/harness/buffer_ring.hpp"
#include "core/point.hpp"

namespace hockney {

/// Which ranks can run an operation together.
enum class TeamShape {
  pair,       ///< exactly two
  everybody,  ///< two or more
  pairs       ///< an even number: rank i works with rank i + n/2
};

/// How the data of an operation travel. All but `mpi` are floors: what this machine can do without
/// MPI, between ranks of one node.
enum class Carrier {
  mpi,
  shared_memory,  ///< through memory that the ranks share
  peer_memory     ///< read by one rank from the memory of the other
};

/// Whether an operation can receive where it sends from.
enum class InPlace {
  never,
  kept,     ///< a rank's own data stay as they are
  consumed  ///< a rank's own data are overwritten: ready() must put them there before each call
};

/// What an operation says about itself.
struct Descriptor {
  std::string_view name;
  std::string_view summary;  ///< what one sample is the time of
  std::string_view counts;   ///< which bytes count for bandwidth, in words
  TeamShape shape = TeamShape::pair;
  Timing timing = Timing::first_rank;
  bool single = false;    ///< a sample is one run(): in a row, they would overlap
  bool sized = true;      ///< false: without a message, so only size 0 is measured
  bool windowed = false;  ///< sends a window of messages at once; the point says how many
  bool reduces = false;   ///< combines data: the point says the datatype and the operator
  std::string_view sizes = "one message";  ///< what a point's bytes are the size of
  bool blocks = false;                     ///< they are of a block, and there is one of every rank
  bool divides = false;  ///< blocks may differ: the point says how their counts are distributed
  bool rooted = false;   ///< one rank is the root: the point may say which
  InPlace in_place = InPlace::never;
  bool overlaps = false;  ///< work can go on beside it: the point may say which, see set_work()
  Carrier carrier = Carrier::mpi;
};

/// How a run() is divided into operations, and which bytes count.
struct Account {
  std::int64_t operations = 1;  ///< in one run()
  Bytes bytes{};                ///< that count for bandwidth in one operation, over all ranks
  /// That the busiest rank must send or receive in one operation, whatever the algorithm [B].
  std::optional<double> bus_bytes{};
};

/// Where an operation runs. `rank` and `size` are those of `comm`. The buffers drawn in the
/// constructor have memory from the first refill() on.
struct Context {
  MPI_Comm comm;
  int rank;
  int size;
  BufferRing& buffers;
};

/// An operation is one class in one file of operations/. run() is the operation and nothing else:
/// everything it needs is made in the constructor, and its data are checked in verify(). ready(),
/// if there is one, is called before every sample, untimed. set_work(rounds), if there is one,
/// tells how much work goes on beside a call, in rounds of spin(). obstacle(point), if there is
/// one, says why a point cannot be measured. Where its buffers rotate, refill() and verify() are
/// called once for each place, with the seed of that place.
template <class O>
concept Operation = requires(O operation, const O& made, const Context& context, const Point& point,
                             std::uint64_t seed) {
  { O::descriptor } -> std::convertible_to<Descriptor>;
  { O::account(point) } -> std::same_as<Account>;
  O{context, point};
  { operation.run() } -> std::same_as<void>;
  { operation.refill(seed) } -> std::same_as<void>;
  { made.verify(seed) } -> std::same_as<bool>;
};

}  // namespace hockney
