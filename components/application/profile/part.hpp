#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "components/application/profile/profile.hpp"

namespace hockney::profile {

// Records of one rank in their layout in memory: plain rows, so that a signal handler can write
// them. A part is the header, the facts as text, then the rows of each list, without gaps.

inline constexpr std::uint32_t no_index = 0xffffffff;

/// Bytes are counted in classes by powers of two: 0, 1, 2 to 3, 4 to 7, ...
constexpr std::uint32_t size_class_of(std::uint64_t bytes) {
  return bytes == 0 ? 0U : static_cast<std::uint32_t>(64 - __builtin_clzll(bytes));
}
/// Size class of unfinished receives, whose bytes are not known yet.
inline constexpr std::uint32_t unknown_size = 255;

/// Calls of one function from one place with data of one size class.
struct CallRow {
  struct Key {
    std::uint32_t function = 0;  ///< Function
    std::uint32_t site = no_index;
    std::uint32_t communicator = no_index;
    std::uint16_t region = 0;  ///< 0: none, else index + 1
    std::uint16_t size_class = 0;

    friend bool operator==(const Key&, const Key&) = default;
  };

  Key key;
  std::int64_t count = 0;
  std::int64_t bytes = 0;
  std::int64_t min_bytes = 0;
  std::int64_t max_bytes = 0;
  std::int64_t ticks = 0;
  std::int64_t min_ticks = 0;
  std::int64_t max_ticks = 0;
};

/// Messages of one size class to one rank.
struct MessageRow {
  struct Key {
    std::int32_t to = -1;  ///< world rank; -1: outside of the world, or folded
    std::uint32_t communicator = no_index;
    std::uint16_t carrier = 0;  ///< Carrier
    std::uint16_t size_class = 0;
    std::uint32_t reversed = 0;  ///< 1: from that rank to this one (MPI_Get)

    friend bool operator==(const Key&, const Key&) = default;
  };

  Key key;
  std::int64_t messages = 0;
  std::int64_t bytes = 0;
  std::int64_t min_bytes = 0;
  std::int64_t max_bytes = 0;
};

struct CommunicatorRow {
  std::uint64_t ranks_hash = 0;  ///< of the ordered world ranks
  std::uint32_t instance = 0;    ///< number of communicators of equal ranks made earlier
  std::uint32_t made_by = 0;     ///< Function; count: predefined
  std::int32_t size = 0;
  std::int32_t predefined = 0;  ///< 1: MPI_COMM_WORLD, 2: MPI_COMM_SELF
};

struct SiteRow {
  std::int64_t offset = 0;
  std::uint32_t module = 0;    ///< offset of its path in the letters
  std::uint32_t function = 0;  ///< offset of the function's name in the letters
};

struct RegionRow {
  std::uint32_t name = 0;   ///< offset in the letters
  std::uint32_t depth = 0;  ///< number of entries without a leave
  std::int64_t entered = 0;
  std::int64_t ticks = 0;
  std::int64_t since = 0;  ///< time of the last entry
};

/// CPU use of the thread that called MPI_Init, in one region, inside or outside of MPI.
struct CpuRow {
  std::uint32_t region = 0;   ///< innermost: 0 for none, else index + 1
  std::uint32_t inside = 0;   ///< 1: in MPI
  std::int64_t ticks = 0;     ///< wall time
  std::int64_t cpu_ns = 0;    ///< user and system
  std::int64_t queue_ns = 0;  ///< ready to run, without a CPU; 0 if unknown
};

/// CPU use of a rank from the end of MPI_Init on.
struct CpuSums {
  std::int64_t is_known = 0;  ///< 0: the rank took no readings
  std::int64_t user_ns = 0;   ///< of all threads, like the next five
  std::int64_t system_ns = 0;
  std::int64_t involuntary = 0;   ///< context switches while ready to run, and sched_yield()
  std::int64_t voluntary = 0;     ///< context switches into sleep
  std::int64_t minor_faults = 0;  ///< page faults without I/O
  std::int64_t major_faults = 0;
  std::int64_t queue_ns = -1;        ///< on the run queue, of that thread; -1: not known
  std::int64_t other_queue_ns = -1;  ///< most of any other thread that was there at the end
  std::int64_t throttled_ns = -1;    ///< its control group was stopped by a limit; -1: not known
  std::int64_t readings = 0;
  std::int64_t reading_ns = 0;  ///< cost of one reading
};

/// One stack that samples found, with the MPI function that its thread was in.
struct StackRow {
  std::uint64_t hash = 0;      ///< of its frames and function
  std::int64_t count = 0;      ///< samples
  std::uint32_t first = 0;     ///< index of its innermost frame
  std::uint16_t frames = 0;    ///< from there outwards; 0: there was no memory for them
  std::uint16_t function = 0;  ///< Function + 1; 0: outside of MPI
};

/// A module whose code was loaded at these addresses, so that frames can be named.
struct ModuleRow {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t bias = 0;      ///< address less the address in the file
  std::uint32_t path = 0;      ///< offset in the letters
  std::uint32_t build_id = 0;  ///< offset in the letters, as hexadecimal digits
};

/// State of a rank's sampling of stacks.
enum class Sampling : std::int64_t {
  not_requested,
  done,
  not_possible,  ///< this system has no timers of threads' CPU time
  signal_taken   ///< the program installed a handler for the signal of the timers
};

/// Samples of the stacks of a rank's threads, by timers of their CPU time.
struct SampleSums {
  std::int64_t state = 0;         ///< Sampling
  std::int64_t period_ns = 0;     ///< CPU time of a thread between its samples
  std::int64_t samples = 0;       ///< taken
  std::int64_t lost = 0;          ///< there was no memory for their stack
  std::int64_t threads = 0;       ///< sampled
  std::int64_t threads_lost = 0;  ///< not sampled: there were too many
  std::int64_t ticks = 0;         ///< in the signal handler, of all samples
};

/// Executions of a parallel region of OpenMP.
struct ParallelRow {
  std::uint32_t site = no_index;
  std::uint32_t threads = 0;  ///< most
  std::int64_t count = 0;
  std::int64_t ticks = 0;          ///< wall time
  std::int64_t thread_ticks = 0;   ///< wall time times threads
  std::int64_t busy_ticks = 0;     ///< of all threads, outside of barriers
  std::int64_t slowest_ticks = 0;  ///< of the busiest thread of each execution
};

/// How a rank's parallel regions are known.
enum class ParallelTool : std::int64_t {
  none,          ///< the program has no OpenMP that was seen
  recording,     ///< from the runtime, by OMPT
  not_possible,  ///< its OMPT lacks the events
  other_tool,    ///< another tool has OMPT
  no_interface,  ///< the runtime has no OMPT
  not_called,    ///< the runtime has OMPT, and did not call the tool
  disabled       ///< by OMP_TOOL
};

inline constexpr std::uint32_t part_version = 5;
/// Parts of version 4 lack samples and parallel regions; of version 3 also all that follows
/// `events_not_logged` in the header.
inline constexpr std::uint32_t oldest_part_version = 3;
inline constexpr std::array<char, 8> part_magic{'H', 'K', 'N', 'Y', 'P', 'A', 'R', 'T'};

/// State of a rank's log of events.
enum class Logging : std::uint32_t { not_requested, done, not_possible };

/// Times are ticks of one clock; `end_ns - begin_ns` gives their length.
struct PartHeader {
  std::array<char, 8> magic = part_magic;
  std::uint32_t version = part_version;
  std::uint32_t header_bytes = sizeof(PartHeader);
  std::int32_t rank = 0;
  std::int32_t world_ranks = 0;
  std::int32_t thread_level = 0;  ///< 0 single, 1 funneled, 2 serialized, 3 multiple
  std::int32_t end = 0;           ///< End
  std::int32_t signal = 0;
  std::uint32_t functions = static_cast<std::uint32_t>(Function::count);
  std::int64_t begin_ticks = 0;
  std::int64_t end_ticks = 0;
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
  std::int64_t in_since = 0;      ///< ticks at which the unfinished call began
  std::uint32_t in_function = 0;  ///< Function of the unfinished call, + 1; 0: outside of MPI
  std::uint32_t logging = 0;      ///< Logging
  std::int64_t io_ticks = 0;      ///< outside of MPI
  std::int64_t io_bytes = 0;
  std::int64_t folded_calls = 0;
  std::int64_t folded_messages = 0;
  std::int64_t receives_untracked = 0;  ///< receives of unknown size, beyond the number tracked
  std::int64_t places_lost = 0;         ///< sites, regions or communicators without memory
  std::array<std::int64_t, 4> overhead_ns{};  ///< of 1000 calls: send, receive, completion, other
  std::uint64_t facts = 0;                    ///< letters of the facts (JSON)
  std::uint64_t letters = 0;                  ///< of names, each ended by NUL
  std::uint64_t calls = 0;                    ///< rows of each list
  std::uint64_t messages = 0;
  std::uint64_t communicators = 0;
  std::uint64_t sites = 0;
  std::uint64_t regions = 0;
  std::uint64_t log = 0;               ///< bytes of events
  std::int64_t events = 0;             ///< events that the rank logged, in this part or not
  std::int64_t events_not_logged = 0;  ///< for lack of memory
  CpuSums cpu;
  std::uint64_t cpu_rows = 0;
  SampleSums sampling;
  std::uint64_t stacks = 0;
  std::uint64_t frames = 0;
  std::uint64_t modules = 0;
  std::int64_t parallel_tool = 0;  ///< ParallelTool
  std::uint64_t parallel = 0;
};

/// Bytes of the header of a version.
constexpr std::size_t header_bytes_of(std::uint32_t version) {
  if (version == oldest_part_version) return offsetof(PartHeader, cpu);
  return version < part_version ? offsetof(PartHeader, sampling) : sizeof(PartHeader);
}

/// A part that was read: views into its bytes.
struct Part {
  PartHeader header;
  std::string_view facts;
  std::string_view letters;
  std::vector<CallRow> calls;
  std::vector<MessageRow> messages;
  std::vector<CommunicatorRow> communicators;
  std::vector<SiteRow> sites;
  std::vector<RegionRow> regions;
  std::vector<CpuRow> cpu;
  std::vector<StackRow> stacks;
  std::vector<std::uint64_t> frames;  ///< addresses of instructions
  std::vector<ModuleRow> modules;
  std::vector<ParallelRow> parallel;
  std::string_view log;  ///< components/application/profile/event_log.hpp

  /// Meaningful for parts that include a log; those that rank 0 gathers for the profile do not.
  [[nodiscard]] bool lost_its_log() const { return header.events > 0 && log.empty(); }
};

/// The lists of a part, in file order after its header.
struct PartPieces {
  std::span<const char> facts;
  std::span<const char> letters;
  std::span<const CallRow> calls;
  std::span<const MessageRow> messages;
  std::span<const CommunicatorRow> communicators;
  std::span<const SiteRow> sites;
  std::span<const RegionRow> regions;
  std::span<const CpuRow> cpu;
  std::span<const char> log;
  std::span<const StackRow> stacks;
  std::span<const std::uint64_t> frames;
  std::span<const ModuleRow> modules;
  std::span<const ParallelRow> parallel;

  /// Each list as bytes.
  [[nodiscard]] std::array<std::span<const std::byte>, 13> bytes() const;
  /// Sets the sizes of the lists in `header`.
  void count_in(PartHeader& header) const;
};

/// Reads consecutive parts from `bytes`. InputError with the name of `file` if they are damaged.
std::vector<Part> read_parts(std::string_view bytes, const std::string& file);

/// Distinct communicators, sites and regions of several parts, in order of their first use.
class PartPlaces {
 public:
  PartPlaces(std::vector<Communicator>& communicators, std::vector<Site>& sites,
             std::vector<Region>& regions)
      : communicators_(communicators), sites_(sites), regions_(regions) {}

  /// Adds those of a part; index functions refer to its rows from now on.
  void add(const Part& part);

  using Index = std::optional<int>;
  [[nodiscard]] Index communicator(std::uint32_t row) const { return index(row, communicator_); }
  [[nodiscard]] Index site(std::uint32_t row) const { return index(row, site_); }
  /// `number`: index + 1, 0 for none.
  [[nodiscard]] Index region(std::uint32_t number) const { return index(number - 1U, region_); }

 private:
  /// Distinct values, each with its index in a list.
  template <class Key, class Value>
  class Distinct {
   public:
    explicit Distinct(std::vector<Value>& list) : list_(list) {}

    template <class Make>
    int of(const Key& key, Make&& make) {
      const auto [found, is_new] = places_.try_emplace(key, static_cast<int>(list_.size()));
      if (is_new) list_.push_back(make());
      return found->second;
    }

   private:
    std::vector<Value>& list_;
    std::map<Key, int> places_;
  };

  static Index index(std::uint32_t row, const std::vector<int>& places) {
    return row < places.size() ? Index(places[row]) : std::nullopt;
  }

  Distinct<std::string, Communicator> communicators_;
  Distinct<std::pair<std::string, std::int64_t>, Site> sites_;
  Distinct<std::string, Region> regions_;
  std::vector<int> communicator_;  ///< of the part's rows
  std::vector<int> site_;
  std::vector<int> region_;
};

}  // namespace hockney::profile
