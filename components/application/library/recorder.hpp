#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "components/application/library/communicators.hpp"
#include "components/application/library/cpu_meter.hpp"
#include "components/application/library/parallel_regions.hpp"
#include "components/application/library/rows.hpp"
#include "components/application/library/sampler.hpp"
#include "components/application/library/spin_lock.hpp"
#include "components/application/profile/part.hpp"
#include "components/application/profile/profile.hpp"

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace hockney::profile {

/// The clock of recorded times. Uses the processor's counter if it is the kernel's clock source, as
/// reading it costs a third; else CLOCK_MONOTONIC_RAW in nanoseconds. Ticks are converted with the
/// system's clock when the profile is written. With a simulator, ticks are picoseconds.
class Ticks {
 public:
  /// Chooses the clock; call once, before the first reading.
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

  /// Time of the system's clock, or of the simulator [ns].
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

/// The calls that threads are in, for the part of a rank that ends inside one. The first 128
/// threads have a slot each; later threads share them. Safe in signal handlers.
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

  /// Function + 1 of the call of this thread; 0: none.
  [[nodiscard]] std::uint32_t function_of_thread() const { return slots_[own()].call().function; }

  /// The call of this thread; if it is outside of MPI, the oldest call of any thread.
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
  struct alignas(64) Slot {  // one cache line each, against false sharing
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
    return 0;  // simulated ranks take turns; each has its own variables
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

/// Position of a call in the program, or in a language binding between the program and this
/// library. MPI libraries' Fortran bindings call the C functions.
struct CallSite {
  const void* address = nullptr;  ///< return address
  const char* frame = nullptr;    ///< end of its frame, which contains the address below
};

/// A loaded file of code, and the offset of an address in it.
struct CodePlace {
  std::string module;
  std::int64_t offset = 0;
};

/// nullopt if the address is in no file. Does not search symbols: a large library has hundreds of
/// thousands, and this runs at the first call from each place.
std::optional<CodePlace> code_place(const void* address);

/// Exported name of the function that contains an address; empty if the name is not exported.
std::string_view function_at(std::uint64_t address);

/// Addresses of the code that is loaded.
struct LoadedCode {
  std::uint64_t unloads = 0;  ///< of this process
  std::vector<AddressRange> ranges;

  [[nodiscard]] bool has(std::uint64_t address) const {
    return std::ranges::any_of(ranges, [&](const AddressRange& one) { return one.has(address); });
  }
};

/// Whether a module belongs to an MPI library, such as libmpi_mpifh.so or libmpichfort.so.
bool is_mpi_module(std::string_view path);

/// Distance on the stack between a call's frame and the return address of its caller [B]; 0 if
/// unknown. All calls with one return address have the same distance, so the stack is unwound once
/// for each.
std::ptrdiff_t caller_distance(const CallSite& call);

/// A call's function, position and times.
struct Timed {
  Function function = Function::count;
  CallSite site{};
  std::int64_t begin = 0;
  std::int64_t ticks = 0;
};

/// Records of one rank, within a memory budget. When the budget is spent, calls are counted by
/// function only, and messages without their receiver. Sites, regions and communicators are then
/// left out. The part counts each of these losses.
class Recorder {
 private:
  Budget budget_;  // declared before all members that take from it

 public:
  explicit Recorder(std::size_t budget);

  /// Guards one thread's access; locks only with MPI_THREAD_MULTIPLE.
  class RecorderLock {
   public:
    explicit RecorderLock(Recorder& recorder) : recorder_(recorder) {
      if (recorder.many_threads) recorder.lock_.lock();
    }
    RecorderLock(const RecorderLock&) = delete;
    RecorderLock& operator=(const RecorderLock&) = delete;
    RecorderLock(RecorderLock&&) = delete;
    RecorderLock& operator=(RecorderLock&&) = delete;
    ~RecorderLock() {
      if (recorder_.many_threads) recorder_.lock_.unlock();
    }

   private:
    Recorder& recorder_;
  };

  /// The same for the thread that ends the program. Waits at most 0.1 s for the lock, then
  /// continues without it: the signal may have interrupted the thread that has it.
  class SignalSafeLock {
   public:
    explicit SignalSafeLock(Recorder& recorder) : recorder_(recorder) {
      constexpr timespec millisecond{0, 1'000'000};
      for (int i = 0; i < 100 && recorder.many_threads && !has_it_; ++i) {
        has_it_ = recorder.lock_.try_lock();
        if (!has_it_) ::nanosleep(&millisecond, nullptr);
      }
    }
    SignalSafeLock(const SignalSafeLock&) = delete;
    SignalSafeLock& operator=(const SignalSafeLock&) = delete;
    SignalSafeLock(SignalSafeLock&&) = delete;
    SignalSafeLock& operator=(SignalSafeLock&&) = delete;
    ~SignalSafeLock() {
      if (has_it_) recorder_.lock_.unlock();
    }

   private:
    Recorder& recorder_;
    bool has_it_ = false;
  };

  /// Records a call, successful or not.
  void call(const Timed& timed, std::uint32_t communicator, std::int64_t bytes) {
    count(key_of(timed, communicator, size_class_of(static_cast<std::uint64_t>(bytes))), bytes,
          timed.ticks);
  }
  /// Records a message to a rank of a group; ignores MPI_PROC_NULL.
  void message(const Group& group, int peer, std::int64_t bytes,
               Carrier carrier = Carrier::message);
  void message_to(int world_rank, std::uint32_t communicator, std::int64_t bytes, Carrier carrier,
                  bool reversed = false);

  /// Records a call that posted a receive; its bytes are counted on completion.
  void receive_begins(const Timed& timed, const Group* group, MPI_Request request);
  /// Registers a persistent operation.
  void planned(MPI_Request request, const Pending& plan);
  /// Starts one. `timed` is null for operations of MPI_Startall, which counts as one call.
  void starts(MPI_Request request, const Timed* timed);
  /// Completes a request; most requests are not tracked.
  void completes(MPI_Request request, const Endpoint& endpoint);
  /// Forgets a freed request, complete or not.
  void forgets(MPI_Request request) { requests.remove(request); }

  /// Keeps a log of events from now on, in three quarters of the remaining memory.
  void start_log();
  /// Begins the event of a call. Requires a log.
  Event& log_event(const Timed& timed);
  /// Numbers a request that only the log tracks.
  void log_request(MPI_Request request, const Pending& pending);
  /// Fills the current event with the start of a persistent operation; false if the operation is
  /// unknown.
  bool log_start(MPI_Request request);

  void enter(std::string_view name) {
    read_cpu();
    if (!regions_.enter(name)) ++header.places_lost;
  }
  void leave(std::string_view name) {
    read_cpu();
    regions_.leave(name);
  }

  /// Reads the CPU use at the begin or end of a call, if a reading is due. Call on any thread.
  /// Returns the time after the reading [ticks].
  std::int64_t read_cpu(std::int64_t now) {
    if (!cpu.is_due(now)) return now;
    cpu.read(now, region_read());
    return Ticks::now();
  }
  void read_cpu() { read_cpu(Ticks::now()); }
  /// Takes the last reading, into the header. `inside_ticks`: time in a call under way.
  void finish_cpu(std::int64_t now, std::int64_t inside_ticks, PartHeader& into) {
    cpu.finish(now, region_read(), inside_ticks, into);
  }

  /// Index of the site of a call. Calls through a language binding belong to the site at which the
  /// program calls the binding.
  std::uint32_t site_of(const CallSite& call);

  /// Names all places that are known now: modules of samples, functions of call sites, sites of
  /// parallel regions. Call at the end, and before code is unloaded: each lookup in a large library
  /// takes 0.1 ms. On any thread.
  void before_unload();
  /// Places in code that is gone get no more calls and samples: what is loaded at their addresses
  /// later has places of its own. On any thread.
  void after_unload();

  /// Samples stacks from now on. `period_ns`: CPU time of a thread between its samples.
  /// `smallest_stack`: as of Sampler::begin().
  void start_samples(std::int64_t period_ns, std::size_t smallest_stack, Sampler::Handler handler);

  /// Measures the overhead of recording [ns per 1000 calls]: send, receive, completion, other.
  static std::array<std::int64_t, 4> price(bool with_log);

  [[nodiscard]] PartPieces pieces() const;
  /// The header with the counts of the other members.
  [[nodiscard]] PartHeader whole_header() const;

  PartHeader header;                      ///< times, and counts of folded calls and messages
  std::string facts;                      ///< about the rank and its host, as JSON
  std::atomic<std::int64_t> io_ticks{0};  ///< as in the header; any thread adds
  std::atomic<std::int64_t> io_bytes{0};
  CallsUnderWay under_way;
  CpuMeter cpu;
  ParallelRegions parallel;
  Sampler sampler;
  Communicators communicators;
  Requests requests;
  std::optional<Log> log;
  /// Matched probes whose message was not received yet, by message handle. The value is the number
  /// of their request in the log.
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
    std::int32_t distance = 0;  ///< of the caller's return address, for calls from an MPI library
    bool is_lost = false;       ///< there was no memory for it
    bool is_named = false;      ///< its function was looked up
  };

  /// Region of a reading. Other threads may change the list of regions meanwhile.
  [[nodiscard]] std::uint32_t region_read() const {
    return many_threads ? 0U : regions_.innermost();
  }
  CallRow::Key key_of(const Timed& timed, std::uint32_t communicator, std::uint32_t size_class);
  CallRow& row_of(const CallRow::Key& key);
  void count(const CallRow::Key& key, std::int64_t bytes, std::int64_t ticks);
  void received(const Pending& pending, std::int64_t bytes);
  void track(MPI_Request request, const Pending& pending);
  /// The entry of a call's address, complete; nullptr if there is no memory for it.
  SiteOfAddress* add_site(const CallSite& call);
  void look_up(SiteOfAddress& known, const CallSite& call);
  /// Adds a row, without a name of its function; no_index if there is no memory for it.
  std::uint32_t add_site_row(const CodePlace& place);
  struct UnnamedSite {
    std::uint32_t site = no_index;
    std::uint64_t address = 0;
  };
  /// The sites whose function is to be looked up; adds those of parallel regions.
  std::vector<UnnamedSite> unnamed_sites();
  void retire_all_but(const LoadedCode& loaded);
  /// Lists the modules loaded since the last call. Without samples does nothing.
  void read_modules();
  void add_module(const ModuleRow& row);

  RowTable<CallRow> calls_;
  RowTable<MessageRow> messages_;
  /// Guards what follows, up to the regions, in all but searches of a known address: one thread may
  /// unload code while another one is in MPI.
  SpinLock places_lock_;
  RowTable<SiteOfAddress> site_of_address_;
  RowList<SiteRow> sites_;
  RowList<ModuleRow> modules_;
  std::uint64_t modules_seen_ = 0;  ///< loads and unloads of modules at the last reading
  std::uint64_t unloads_seen_ = 0;
  std::uint64_t retired_ = 0;  ///< modules that are gone
  Names names_;
  Regions regions_;
  SpinLock lock_;
};

}  // namespace hockney::profile
