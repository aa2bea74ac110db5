#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "benchmarks/engine/prepared.hpp"
#include "benchmarks/engine/sampling.hpp"
#include "benchmarks/engine/suites.hpp"
#include "benchmarks/harness/buffer_ring.hpp"
#include "benchmarks/harness/point.hpp"
#include "core/record.hpp"

namespace hockney::benchmarks {

/// Text that is put together at compile time.
class FixedText {
 public:
  constexpr FixedText(std::initializer_list<std::string_view> parts) {
    for (const std::string_view part : parts) {
      for (const char c : part) text_[size_++] = c;
    }
  }
  [[nodiscard]] constexpr std::string_view view() const { return {text_.data(), size_}; }

 private:
  std::array<char, 192> text_{};
  std::size_t size_ = 0;
};

/// Which ranks can run an operation together.
enum class GroupShape {
  pair,       ///< exactly two
  everybody,  ///< two or more
  pairs       ///< an even number: rank i works with rank i + n/2
};

/// How the data of an operation travel. All but `mpi` and `none` are floors: what this machine can
/// do without MPI, between ranks of one node or within one of them.
enum class Carrier {
  mpi,
  none,           ///< they do not: every rank works by itself
  shared_memory,  ///< through memory that the ranks share
  peer_memory,    ///< read by one rank from the memory of the other
  device          ///< between host and device of one rank, by the device's runtime
};

/// Whether an operation can receive where it sends from.
enum class InPlace {
  never,
  kept,     ///< a rank's own data stay as they are
  consumed  ///< a rank's own data are overwritten: ready() must put them there before each call
};

/// Whether data are received where they are sent from (MPI_IN_PLACE).
enum class ReceivePlace { separate, in_place };

constexpr auto words_of(std::type_identity<ReceivePlace>) {
  return std::to_array<std::string_view>({"no", "yes"});
}

/// How calls of one operation follow each other.
enum class Cadence {
  isolated,  ///< all ranks begin each of them together
  streaming  ///< in a row, where they may overlap
};

constexpr auto words_of(std::type_identity<Cadence>) {
  return std::to_array<std::string_view>({"isolated", "streaming"});
}

inline constexpr Parameter<ReceivePlace> in_place_parameter{"in-place"};
inline constexpr Parameter<Cadence> cadence_parameter{"cadence"};
/// The number that random pairs are drawn by.
inline constexpr Parameter<int> pairing_parameter{"pairing", 1};

/// Parameters that points of some operations have, and nothing else follows from.
class OwnParameters {
 public:
  constexpr OwnParameters() = default;
  template <class... Value>
  // NOLINTNEXTLINE(google-explicit-constructor): descriptors list them
  constexpr OwnParameters(const Parameter<Value>&... parameters) : parameters_{&parameters...} {}

  [[nodiscard]] constexpr bool contains(const AnyParameter& parameter) const {
    return std::ranges::find(parameters_, &parameter) != parameters_.end();
  }

 private:
  std::array<const AnyParameter*, 4> parameters_{};
};

/// What an operation says about itself.
struct Descriptor {
  std::string_view name{};
  std::string_view summary{};  ///< what one sample is the time of
  std::string_view counts{};   ///< which bytes count for bandwidth, in words
  GroupShape shape = GroupShape::pair;
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
  bool overlaps = false;   ///< work can go on beside it: the point may say which, see set_work()
  bool one_sided = false;  ///< calls on a window: the point says of which kind, and how and where
                           ///< they are completed (epochs.hpp)
  bool changes_target = false;  ///< of one_sided: the target's memory is written to
  bool accumulates = false;     ///< what one call leaves depends on all calls before it
  bool one_element = false;     ///< the message is always one element of the datatype
  std::string_view usual_datatype = "double";  ///< where it reduces or has one element
  Carrier carrier = Carrier::mpi;
  bool needs_ready = false;  ///< each call needs ready() before it, which loops of suites have not
  bool files = false;        ///< calls on files: the point says where and how, see file_access.hpp
  bool contends = false;     ///< messages meet: the point may say how many, see traffic.hpp
  bool threaded =
      false;  ///< threads of a rank call MPI: the point says how many, see communicators.hpp
  // What every rank does by itself; rank_work.hpp has the parameters.
  bool has_neighbours = false;  ///< the others of the group idle or work: the point says which
  bool records_noise = false;   ///< what interrupts cores is recorded beside it
  OwnParameters own{};
};

/// How many operations a run() holds, and which bytes count. Collectives count for bandwidth the
/// data as nccl-tests do (github.com/NVIDIA/nccl-tests, doc/PERFORMANCE.md), and for bus bandwidth
/// the bytes that the rank with most of them must send or receive in every algorithm. With equal
/// counts these are nccl-tests' factors.
struct Volume {
  std::int64_t operations = 1;        ///< in one run()
  Bytes bytes{};                      ///< that count for bandwidth in one operation, over all ranks
  std::optional<double> bus_bytes{};  ///< of the busiest rank in one operation [B]
};

/// Where an operation runs. `rank` and `size` are those of `comm`. The buffers drawn in the
/// constructor have memory from the first refill() on.
struct Context {
  MPI_Comm comm;
  int rank;
  int size;
  BufferRing& buffers;
  int first_tag = 0;  ///< of tags_of_thread tags that no other thread uses
  /// Of the rank's threads, thread 0 first, in the constructor; empty: they are not bound.
  std::span<const int> thread_cpus{};
  bool threads_share_cpus = false;
};

/// The tags of messages that one thread may use.
inline constexpr int tags_of_thread = 2;

/// An operation is one class in the file of its family in operations/. run() is the operation and
/// nothing else: everything it needs is made in the constructor, and its data are checked in
/// verify(). ready(), if there is one, is called before every sample, untimed.
/// run_batch(iterations), if there is one, is called in place of run() in a row, where threads go
/// through the row each by itself. set_work(rounds), if there is one, tells how much work goes on
/// beside a call, in rounds of spin(). settle(), if there is one, is called on all ranks between
/// the last call and verify(), untimed: ranks whose memory others write to learn that it is
/// written. obstacle(point), if there is one, says why a point cannot be measured. Where its
/// buffers rotate, refill() and verify() are called once for each place, with the seed of that
/// place.
template <class O>
concept Operation = requires(O operation, const O& made, const Context& context, const Point& point,
                             std::uint64_t seed) {
  { O::descriptor } -> std::convertible_to<Descriptor>;
  { O::volume(point) } -> std::same_as<Volume>;
  O{context, point};
  { operation.run() } -> std::same_as<void>;
  { operation.refill(seed) } -> std::same_as<void>;
  { made.verify(seed) } -> std::same_as<bool>;
};

/// Whether a rank works by itself in it, and sends nothing.
inline bool works_alone(const Descriptor& descriptor) {
  return descriptor.carrier == Carrier::none || descriptor.has_neighbours;
}

/// Whether the loops of other suites time it: messages, in calls that may follow each other.
inline bool fits_suite_loops(const Descriptor& descriptor) {
  return !descriptor.files && !descriptor.needs_ready && !works_alone(descriptor);
}

/// What an operation is to suites that time kinds of operations differently.
OperationKind kind_of(const Descriptor& descriptor);

/// What an operation is made with: the group, of whose communicator `rank` and `size` are, the
/// pool for its buffers, how they rotate in it, and of what kind this rank's memory is.
struct Workbench {
  MPI_Comm comm = MPI_COMM_NULL;
  int rank = 0;
  int size = 0;
  BufferPool& pool;
  CachePlan cache{};
  Memory memory{};
  std::vector<int> thread_cpus{};  ///< of this rank's threads, thread 0 first; empty: unbound
  bool threads_share_cpus = false;
};

/// One operation of the suite.
struct CatalogueEntry {
  Descriptor descriptor;
  Volume (*volume)(const Point&) = nullptr;
  std::unique_ptr<PreparedOperation> (*prepare)(const Workbench&, const Point&) = nullptr;
  /// Why the operation cannot be measured at a point of any size, nullopt when it can.
  std::optional<std::string> (*obstacle)(const Point&) = nullptr;
};

/// Every operation, in order of names.
const std::vector<CatalogueEntry>& catalogue();

/// The operation of that name, hockney's own or one of another suite (core/suite_names.hpp).
/// InputError naming the nearest when there is none.
const CatalogueEntry& find_operation(const std::string& name);

/// Leaves out the others, before any of them is found.
void keep_in_catalogue(const std::function<bool(const Descriptor&)>& is_kept);

/// Used by Registration; std::logic_error when the name is taken.
void add_to_catalogue(const CatalogueEntry& entry);

/// Puts an operation into the catalogue: a static object behind its class.
template <Operation O>
class Registration {
 public:
  Registration() { add_to_catalogue({O::descriptor, &O::volume, &prepare, &obstacle}); }

 private:
  class Prepared final : public PreparedOperation {
   public:
    Prepared(const Workbench& bench, const Point& point)
        : ring_(bench.pool, bench.cache, bench.memory),
          operation_({bench.comm, bench.rank, bench.size, ring_, 0, bench.thread_cpus,
                      bench.threads_share_cpus},
                     point) {}

    /// Flattened: all that an operation calls of ours is in the loop, whatever else its file holds.
    [[gnu::flatten]] void run_batch(std::int64_t iterations) override {
      if (ring_.rotates()) return run_rotating(iterations);
      if constexpr (requires { operation_.run_batch(iterations); }) {
        operation_.run_batch(iterations);
      } else {
        for (; iterations > 0; --iterations) operation_.run();
      }
    }
    void ready() override {
      if constexpr (requires { operation_.ready(); }) operation_.ready();
    }
    void set_work(double rounds) override {
      if constexpr (requires { operation_.set_work(rounds); }) operation_.set_work(rounds);
    }
    [[nodiscard]] std::optional<std::int64_t> most_iterations() const override {
      return ring_.most_iterations();
    }
    void refill(std::uint64_t seed, std::int64_t iterations) override {
      seed_ = seed;
      used_ = 1;
      next_ = 0;
      ring_.take(iterations);
      for (std::int64_t place = 0; place < ring_.places(); ++place, ring_.advance()) {
        operation_.refill(place_seed(seed, place));
      }
      ring_.bring_to_device();
      ring_.evict();
    }
    [[nodiscard]] bool verify() override {
      if constexpr (requires { operation_.settle(); }) operation_.settle();
      ring_.bring_from_device();
      const std::size_t position = ring_.position();
      bool is_good = true;
      ring_.go_to(0);
      for (std::int64_t place = 0; place < used_ && is_good; ++place, ring_.advance()) {
        is_good = operation_.verify(place_seed(seed_, place));
      }
      ring_.go_to(position);
      return is_good;
    }
    [[nodiscard]] std::int64_t deliveries_kept() const override { return used_; }

   private:
    void run_rotating(std::int64_t iterations) {
      next_ += iterations;
      used_ = std::clamp<std::int64_t>(next_, 1, ring_.places());
      for (; iterations > 0; --iterations, ring_.advance()) operation_.run();
    }

    BufferRing ring_;
    O operation_;
    std::uint64_t seed_ = 0;
    std::int64_t next_ = 0;  ///< iterations since refill
    std::int64_t used_ = 1;  ///< places they used
  };

  static std::optional<std::string> obstacle(const Point& point) {
    if constexpr (requires { O::obstacle(point); }) return O::obstacle(point);
    return std::nullopt;
  }

  static std::unique_ptr<PreparedOperation> prepare(const Workbench& bench, const Point& point) {
    return std::make_unique<Prepared>(bench, point);
  }
};

/// Every guideline that this program can measure: those that mock-ups state in their files, those
/// of two operations of the suite, and those of one operation with itself, in order of names.
std::vector<Guideline> guidelines();

/// Used by MockUp.
void add_guideline(const Guideline& guideline);

/// Puts a mock-up into the catalogue, and its guideline among the guidelines: a static object at
/// the end of its file. A mock-up is an operation with the name of the one whose work it does,
/// "-by-" and its way to do it; `guideline` is the name of "that one must not be slower than this
/// one".
template <class O>
class MockUp {
 public:
  MockUp() {
    const std::string_view name = O::descriptor.name;
    const std::string emulated(name.substr(0, name.find("-by-")));
    add_guideline({.name = std::string(O::guideline),
                   .left = GuidelineSide{.operation = emulated, .parameters = {}},
                   .right = GuidelineSide{.operation = std::string(name), .parameters = {}}});
  }

 private:
  Registration<O> registration_;
};

/// Used by Original.
void add_original(std::string_view operation);

/// Puts an operation into the catalogue that is there only to be compared with a mock-up; it is not
/// held against itself.
template <class O>
class Original {
 public:
  Original() { add_original(O::descriptor.name); }

 private:
  Registration<O> registration_;
};

/// Whether an operation is there to be compared with another one only.
bool is_mock_up(std::string_view operation);

/// Whether it is a mock-up, or in the catalogue for a mock-up's sake only.
bool is_for_guidelines(std::string_view operation);

}  // namespace hockney::benchmarks
