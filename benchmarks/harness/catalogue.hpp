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
#include "benchmarks/harness/ring_operation.hpp"
#include "core/record.hpp"

namespace hockney::benchmarks {

/// Text that is concatenated at compile time.
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

/// How many ranks an operation needs.
enum class GroupShape {
  pair,       ///< exactly two
  everybody,  ///< two or more
  pairs       ///< an even number: rank i works with rank i + n/2
};

/// What carries an operation's data. Values other than `mpi` and `none` are floors: the performance
/// of this machine without MPI, between or within ranks of one node.
enum class Carrier {
  mpi,
  none,           ///< no data are sent: every rank works alone
  shared_memory,  ///< through memory that the ranks share
  peer_memory,    ///< one rank reads the memory of the other
  device          ///< copied between host and device of one rank by the device's runtime
};

/// Whether an operation can use MPI_IN_PLACE.
enum class InPlace {
  never,
  kept,     ///< a rank's own data stay unchanged
  consumed  ///< a rank's own data are overwritten: ready() restores them before each call
};

/// Whether data are received into the send buffer (MPI_IN_PLACE).
enum class ReceivePlace { separate, in_place };

constexpr auto words_of(std::type_identity<ReceivePlace>) {
  return std::to_array<std::string_view>({"no", "yes"});
}

/// How calls of one operation follow each other.
enum class Cadence {
  isolated,  ///< all ranks begin each call together
  streaming  ///< back to back, so that calls may overlap
};

constexpr auto words_of(std::type_identity<Cadence>) {
  return std::to_array<std::string_view>({"isolated", "streaming"});
}

inline constexpr Parameter<ReceivePlace> in_place_parameter{"in-place"};
inline constexpr Parameter<Cadence> cadence_parameter{"cadence"};
/// The seed of random pairs.
inline constexpr Parameter<int> pairing_parameter{"pairing", 1};

/// Parameters of single operations that change nothing else.
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

/// An operation's properties.
struct Descriptor {
  std::string_view name{};
  std::string_view summary{};  ///< the operation that one sample times
  std::string_view counts{};   ///< which bytes count for bandwidth, in words
  GroupShape shape = GroupShape::pair;
  Timing timing = Timing::first_rank;
  bool single = false;    ///< a sample is one run(), as back-to-back calls would overlap
  bool sized = true;      ///< false: no message, so that only size 0 is measured
  bool windowed = false;  ///< sends a window of messages at once, whose number is a parameter
  bool reduces = false;   ///< combines data; datatype and operator are parameters
  std::string_view sizes = "one message";  ///< what `bytes` of a point measures
  bool blocks = false;                     ///< `bytes` measures a block, and every rank has one
  bool divides = false;                    ///< blocks may differ; their distribution is a parameter
  bool rooted = false;                     ///< one rank is the root, which may be a parameter
  InPlace in_place = InPlace::never;
  bool overlaps = false;   ///< can run beside computation, a parameter; see set_work()
  bool one_sided = false;  ///< calls on a window; its kind and the synchronisation are parameters
                           ///< (epochs.hpp)
  bool changes_target = false;  ///< one_sided: the calls write to the target's memory
  bool accumulates = false;     ///< the result of a call depends on all calls before it
  bool one_element = false;     ///< the message is always one element of the datatype
  std::string_view usual_datatype = "double";  ///< if it reduces or has one element
  Carrier carrier = Carrier::mpi;
  bool needs_ready = false;  ///< each call needs ready() first, which other suites' loops lack
  bool files = false;        ///< calls on files, with their own parameters (file_access.hpp)
  bool contends = false;     ///< several messages compete; their number is a parameter
                             ///< (traffic.hpp)
  bool threaded = false;     ///< threads call MPI; their number is a parameter (communicators.hpp)
  // Properties of work that every rank does alone; rank_work.hpp has the parameters.
  bool has_neighbours = false;  ///< the other ranks of the group idle or work: a parameter
  bool records_noise = false;   ///< interruptions of the cores are recorded too
  OwnParameters own{};
};

/// Number of operations in a run(), and the bytes that count. For bandwidth, collectives count the
/// same data as nccl-tests (github.com/NVIDIA/nccl-tests, doc/PERFORMANCE.md). For bus bandwidth
/// they count the bytes that the busiest rank must send or receive in every algorithm. With equal
/// counts these are nccl-tests' factors.
struct Volume {
  std::int64_t operations = 1;        ///< in one run()
  Bytes bytes{};                      ///< bytes of one operation that bandwidth counts, over all
                                      ///< ranks
  std::optional<double> bus_bytes{};  ///< bytes of the busiest rank in one operation [B]
};

/// Where an operation runs. `rank` and `size` are those of `comm`. Buffers drawn in the constructor
/// have memory from the first refill() on.
struct Context {
  MPI_Comm comm;
  int rank;
  int size;
  BufferRing& buffers;
  int first_tag = 0;  ///< of tags_of_thread tags, which no other thread uses
  /// CPUs of the rank's threads, thread 0 first, in the constructor; empty: not bound.
  std::span<const int> thread_cpus{};
  bool threads_share_cpus = false;
};

/// Number of tags that one thread may use.
inline constexpr int tags_of_thread = 2;

/// An operation is one class in the file of its family in operations/. run() is the timed operation
/// only: the constructor makes everything it needs, and verify() checks its data.
///
/// Optional functions:
/// - ready(): called before every sample, untimed;
/// - run_batch(iterations): replaces a loop over run(), if threads loop separately;
/// - set_work(rounds): sets the computation beside a call, in rounds of spin();
/// - settle(): called on all ranks between the last call and verify(), untimed, so that ranks whose
///   memory others write know that it is written;
/// - obstacle(point): the reason why a point cannot be measured.
///
/// If buffers rotate, refill() and verify() are called once for each place, with that place's seed.
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

/// Whether a rank works alone in it and sends nothing.
inline bool works_alone(const Descriptor& descriptor) {
  return descriptor.carrier == Carrier::none || descriptor.has_neighbours;
}

/// Whether other suites' loops time it: it sends messages in calls that may follow each other.
inline bool fits_suite_loops(const Descriptor& descriptor) {
  return !descriptor.files && !descriptor.needs_ready && !works_alone(descriptor);
}

/// The operation's kind in suites that time kinds differently.
OperationKind kind_of(const Descriptor& descriptor);

/// The resources of an operation: its group, with whose communicator `rank` and `size` agree, the
/// pool of its buffers, their rotation, and this rank's kind of memory.
struct Workbench {
  MPI_Comm comm = MPI_COMM_NULL;
  int rank = 0;
  int size = 0;
  BufferPool& pool;
  CachePlan cache{};
  Memory memory{};
  std::vector<int> thread_cpus{};  ///< CPUs of this rank's threads, thread 0 first; empty: unbound
  bool threads_share_cpus = false;
};

/// One operation of the suite.
struct CatalogueEntry {
  Descriptor descriptor;
  Volume (*volume)(const Point&) = nullptr;
  std::unique_ptr<PreparedOperation> (*prepare)(const Workbench&, const Point&) = nullptr;
  /// Why the operation cannot be measured at a point of any size; nullopt if it can.
  std::optional<std::string> (*obstacle)(const Point&) = nullptr;
};

/// Every operation, in order of names.
const std::vector<CatalogueEntry>& catalogue();

/// The operation of that name, which may be hockney's or another suite's (core/suite_names.hpp).
/// InputError that names the nearest if there is none.
const CatalogueEntry& find_operation(const std::string& name);

/// Reason and remedy in the error of find_operation, for a program that has a part of the
/// operations.
void explain_missing_operations(const std::string& why, const std::string& remedy);

/// Removes the others; call it before any operation is looked up.
void keep_in_catalogue(const std::function<bool(const Descriptor&)>& is_kept);

/// Used by Registration; std::logic_error if the name is taken.
void add_to_catalogue(const CatalogueEntry& entry);

/// Adds an operation to the catalogue: a static object after its class.
template <Operation O>
class Registration {
 public:
  Registration() { add_to_catalogue({O::descriptor, &O::volume, &prepare, &obstacle}); }

 private:
  class Prepared final : public RingOperation {
   public:
    Prepared(const Workbench& bench, const Point& point)
        : RingOperation(bench.pool, bench.cache, bench.memory),
          operation_({bench.comm, bench.rank, bench.size, ring_, 0, bench.thread_cpus,
                      bench.threads_share_cpus},
                     point) {}

    /// Flattened: all of hockney's functions that the operation calls are inlined into the loop.
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

   private:
    void run_rotating(std::int64_t iterations) {
      progress_.next += iterations;
      progress_.used = std::clamp<std::int64_t>(progress_.next, 1, ring_.places());
      for (; iterations > 0; --iterations, ring_.advance()) operation_.run();
    }
    [[nodiscard]] Progress& progress() override { return progress_; }
    [[nodiscard]] const Progress& progress() const override { return progress_; }
    void fill(std::uint64_t seed) override { operation_.refill(seed); }
    void settle() override {
      if constexpr (requires { operation_.settle(); }) operation_.settle();
    }
    [[nodiscard]] bool check(std::uint64_t seed) override { return operation_.verify(seed); }

    O operation_;
    Progress progress_;
  };

  static std::optional<std::string> obstacle(const Point& point) {
    if constexpr (requires { O::obstacle(point); }) return O::obstacle(point);
    return std::nullopt;
  }

  static std::unique_ptr<PreparedOperation> prepare(const Workbench& bench, const Point& point) {
    return std::make_unique<Prepared>(bench, point);
  }
};

/// Every guideline that this program can measure, in order of names: those stated by mock-ups,
/// those between two operations, and those of one operation with itself.
std::vector<Guideline> guidelines();

/// Used by MockUp.
void add_guideline(const Guideline& guideline);

/// Adds a mock-up to the catalogue, and its guideline: a static object at the end of its file. A
/// mock-up does the work of an operation in another way; its name is that operation's, "-by-" and
/// the way. `guideline` is the name of "the operation must not be slower than this mock-up".
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

/// Adds an operation to the catalogue that is only compared with a mock-up; it has no guidelines
/// with itself.
template <class O>
class Original {
 public:
  Original() { add_original(O::descriptor.name); }

 private:
  Registration<O> registration_;
};

/// Whether an operation is a mock-up, which others are compared with.
bool is_mock_up(std::string_view operation);

/// Whether it is a mock-up, or in the catalogue only because of one.
bool is_for_guidelines(std::string_view operation);

}  // namespace hockney::benchmarks
