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
#include <vector>

#include "components/application/library/calls_under_way.hpp"
#include "components/application/library/communicators.hpp"
#include "components/application/library/cpu_meter.hpp"
#include "components/application/library/loaded_code.hpp"
#include "components/application/library/parallel_regions.hpp"
#include "components/application/library/rows.hpp"
#include "components/application/library/sampler.hpp"
#include "components/application/library/spin_lock.hpp"
#include "components/application/library/ticks.hpp"
#include "components/application/profile/part.hpp"
#include "components/application/profile/profile.hpp"

namespace hockney::profile {

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
  static std::array<std::int64_t, 4> overhead(bool with_log);

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
