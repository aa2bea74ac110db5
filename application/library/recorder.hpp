#pragma once

#include <mpi.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "application/library/communicators.hpp"
#include "application/library/rows.hpp"
#include "application/profile/part.hpp"
#include "application/profile/profile.hpp"

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace hockney::profile {

/// The clock of recorded times. Its ticks are converted when the profile is written, by what the
/// system's clock says of the same time: the processor's counter where the kernel itself keeps time
/// by it, which costs a third; else nanoseconds. A simulator's clock is asked for picoseconds.
class Ticks {
 public:
  /// Chooses; once, before any reading.
  static void choose();

  static std::int64_t now() {
#if defined(HOCKNEY_SIMULATED_PROFILE)
    return simulated();
#else
#if defined(__x86_64__)
    if (uses_counter_) return static_cast<std::int64_t>(__rdtsc());
#endif
    return nanoseconds();
#endif
  }

  /// What the system's clock says, or the simulator's [ns].
  static std::int64_t nanoseconds() {
#if defined(HOCKNEY_SIMULATED_PROFILE)
    return simulated() / 1000;
#else
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC_RAW, &time);
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
#endif
  }

 private:
  static std::int64_t simulated();

  static inline bool uses_counter_ = false;
};

/// The calls that threads are in, for the part of a rank that ends there. Each of the first 128
/// threads has a slot of its own; later ones share these. Signal handlers may read it.
class CallsUnderWay {
 public:
  struct Call {
    std::uint32_t function = 0;  ///< Function + 1; 0: none
    std::int64_t since = 0;      ///< ticks
  };

  void enters(Function function, std::int64_t since) {
    Slot& slot = slots_[own()];
    slot.since.store(since, std::memory_order_relaxed);
    slot.function.store(static_cast<std::uint32_t>(function) + 1, std::memory_order_release);
  }
  void leaves() { slots_[own()].function.store(0, std::memory_order_relaxed); }

  /// The call of this thread; where it is in none, the one that began first.
  [[nodiscard]] Call current() const {
    Call current = slots_[own()].call();
    if (current.function != 0) return current;
    for (const Slot& slot : slots_) {
      const Call call = slot.call();
      const bool is_earlier = current.function == 0 || call.since < current.since;
      if (call.function != 0 && is_earlier) current = call;
    }
    return current;
  }

 private:
  struct alignas(64) Slot {  // a cache line, so that threads do not wait for each other's
    std::atomic<std::uint32_t> function{0};
    std::atomic<std::int64_t> since{0};

    [[nodiscard]] Call call() const {
      const std::uint32_t read = function.load(std::memory_order_acquire);
      return {read, since.load(std::memory_order_relaxed)};
    }
  };
  static constexpr std::uint32_t most = 128;

  /// The slot of this thread.
  static std::uint32_t own() {
#if defined(HOCKNEY_SIMULATED_PROFILE)
    return 0;  // ranks of a simulator take turns, each with variables of its own
#else
    if (own_ == most) own_ = threads_.fetch_add(1, std::memory_order_relaxed) % most;
    return own_;
#endif
  }

  // NOLINTBEGIN(*-avoid-non-const-global-variables,readability-identifier-naming): of a process
  static inline std::atomic<std::uint32_t> threads_{0};
  static inline thread_local std::uint32_t own_ __attribute__((tls_model("initial-exec"))) = most;
  // NOLINTEND(*-avoid-non-const-global-variables,readability-identifier-naming)

  std::array<Slot, most> slots_{};
};

/// Where a call stands in the program, or in a language's binding between the program and this
/// library (Fortran's of MPI libraries call the functions of C).
struct CallSite {
  const void* address = nullptr;  ///< return address
  const char* frame = nullptr;    ///< where the frame of its function ends, the address below it
};

/// A file of code in the memory of the program, and how far from its beginning an address lies.
struct CodePlace {
  std::string module;
  std::int64_t offset = 0;
};

/// nullopt for an address in no file. No symbol is looked for: a large library has hundreds of
/// thousands, and this is asked at the first call from each place.
std::optional<CodePlace> code_place(const void* address);

/// The function that an address is in, as it is exported; empty for one that is not.
std::string_view function_at(std::uint64_t address);

/// Whether a module is part of an MPI library, as libmpi_mpifh.so or libmpichfort.so are.
bool is_mpi_module(std::string_view path);

/// How far above a call's frame its caller's own return address lies on the stack [B]; 0 where that
/// cannot be told. It is the same for all calls that come back to one address, so that the stack is
/// unwound for one of them.
std::ptrdiff_t caller_distance(const CallSite& call);

/// When a call began and ended, and where it stands in the program.
struct Timed {
  Function function = Function::count;
  CallSite site{};
  std::int64_t begin = 0;
  std::int64_t ticks = 0;
};

/// What one rank records. Everything is bounded by its budget: when that is spent, calls are
/// counted by their name alone, messages without their receiver, and what has no memory for a name
/// without it; the part counts how often.
class Recorder {
 private:
  Budget budget_;  // before all that takes from it

 public:
  explicit Recorder(std::size_t budget);

  /// Of the only threads that may be in MPI at one time; a lock where there may be several.
  class Turn {
   public:
    explicit Turn(Recorder& recorder) : recorder_(recorder) {
      if (recorder.many_threads) recorder.lock();
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    Turn(Turn&&) = delete;
    Turn& operator=(Turn&&) = delete;
    ~Turn() {
      if (recorder_.many_threads) recorder_.locked_.clear(std::memory_order_release);
    }

   private:
    Recorder& recorder_;
  };

  /// The turn of a thread that ends the program. Waits for others for 0.1 s and then goes on
  /// without it: a signal may have come to the thread that has it.
  class LastTurn {
   public:
    explicit LastTurn(Recorder& recorder) : recorder_(recorder) {
      constexpr timespec millisecond{0, 1'000'000};
      for (int i = 0; i < 100 && recorder.many_threads && !has_it_; ++i) {
        has_it_ = !recorder.locked_.test_and_set(std::memory_order_acquire);
        if (!has_it_) ::nanosleep(&millisecond, nullptr);
      }
    }
    LastTurn(const LastTurn&) = delete;
    LastTurn& operator=(const LastTurn&) = delete;
    LastTurn(LastTurn&&) = delete;
    LastTurn& operator=(LastTurn&&) = delete;
    ~LastTurn() {
      if (has_it_) recorder_.locked_.clear(std::memory_order_release);
    }

   private:
    Recorder& recorder_;
    bool has_it_ = false;
  };

  /// A call, whatever became of it.
  void call(const Timed& timed, std::uint32_t communicator, std::int64_t bytes) {
    count(key_of(timed, communicator, size_class_of(static_cast<std::uint64_t>(bytes))), bytes,
          timed.ticks);
  }
  /// A message to a rank of a group; MPI_PROC_NULL is none.
  void message(const Group& group, int peer, std::int64_t bytes,
               Carrier carrier = Carrier::message);
  void message_to(int world_rank, std::uint32_t communicator, std::int64_t bytes, Carrier carrier,
                  bool reversed = false);

  /// A call that began a receive: what comes is counted when it is complete.
  void receive_begins(const Timed& timed, const Group* group, MPI_Request request);
  /// A persistent operation.
  void planned(MPI_Request request, const Pending& plan);
  /// One that starts. `timed` is empty for those that start together, whose call counts once.
  void starts(MPI_Request request, const Timed* timed);
  /// A request is complete; nothing is known of most.
  void completes(MPI_Request request, const Endpoint& endpoint);
  /// A request is freed, complete or not.
  void forgets(MPI_Request request) { requests.remove(request); }

  /// Keeps a log of events from now on, in three quarters of the memory.
  void start_log();
  /// Begins the event of a call in the log, which there must be.
  Event& log_event(const Timed& timed);
  /// Any request that the log needs to know of: numbers it.
  void log_request(MPI_Request request, const Pending& pending);
  /// Fills the event under way with the start of a persistent operation; false for one that is not
  /// known.
  bool log_start(MPI_Request request);

  void enter(std::string_view name) {
    if (!regions_.enter(name)) ++header.places_lost;
  }
  void leave(std::string_view name) { regions_.leave(name); }

  /// Where calls from a place of the program are counted; those that came through a binding, from
  /// the program's own call of it.
  std::uint32_t site_of(const CallSite& call);

  /// Gives call sites the names of their functions: at the end, since it takes a tenth of a
  /// millisecond for each place in a large library.
  void name_sites();

  /// What a recorded call costs, measured now [ns of 1000]: send, receive, completion, other.
  static std::array<std::int64_t, 4> price(bool with_log);

  [[nodiscard]] PartPieces pieces() const;
  /// The header with what other members count.
  [[nodiscard]] PartHeader whole_header() const;

  PartHeader header;  ///< times, counts of what was folded
  std::string facts;  ///< about the rank and its host, as JSON
  CallsUnderWay under_way;
  Communicators communicators;
  Requests requests;
  std::optional<Log> log;
  /// Matched probes whose message was not received yet, by its handle: the number of the request
  /// that the log has of them.
  std::map<std::uint64_t, std::uint64_t> probed;
  bool many_threads = false;  ///< MPI_THREAD_MULTIPLE
  bool cancelled_any = false;

 private:
  struct SiteOfAddress {
    struct Key {
      std::uint64_t address = 0;

      friend bool operator==(const Key&, const Key&) = default;
    };

    Key key;
    std::uint32_t site = no_index;
    std::int32_t distance = 0;  ///< of its caller's, in an MPI library
    bool is_looked_up = false;
    bool is_lost = false;  ///< there was no memory for it
  };

  CallRow::Key key_of(const Timed& timed, std::uint32_t communicator, std::uint32_t size_class);
  CallRow& row_of(const CallRow::Key& key);
  void count(const CallRow::Key& key, std::int64_t bytes, std::int64_t ticks);
  void received(const Pending& pending, std::int64_t bytes);
  void track(MPI_Request request, const Pending& pending);
  void add_site(SiteOfAddress& known, const CallSite& call);
  void lock() {
    while (locked_.test_and_set(std::memory_order_acquire)) {
    }
  }

  RowTable<CallRow> calls_;
  RowTable<MessageRow> messages_;
  RowTable<SiteOfAddress> site_of_address_;
  RowList<SiteRow> sites_;
  Names names_;
  Regions regions_;
  std::atomic_flag locked_;
};

}  // namespace hockney::profile
