#include "components/application/profile/merge.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "components/application/profile/merged_stacks.hpp"
#include "components/application/profile/part.hpp"
#include "components/application/profile/profile_file.hpp"
#include "core/error.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"

namespace hockney::profile {
namespace {

/// Most ranks that are listed by number.
constexpr std::size_t most_named = 8;
constexpr double nanosecond = 1e-9;

/// The call that a rank was in when it ended; nullopt if it was outside of MPI.
std::optional<Function> call_under_way(const PartHeader& header) {
  const bool is_in_one = header.end != static_cast<int>(End::finalized) && header.in_function > 0 &&
                         header.in_function <= header.functions &&
                         header.in_since <= header.end_ticks;
  if (!is_in_one) return std::nullopt;
  return static_cast<Function>(header.in_function - 1);
}

/// End of a rank that did not reach MPI_Finalize.
std::string end_of(const PartHeader& header, double seconds_in_call) {
  const auto end = static_cast<End>(header.end);
  std::string text = "rank " + std::to_string(header.rank) + " ";
  text += end == End::signalled ? "ended by signal " + std::to_string(header.signal)
                                : std::string(word(end));
  const auto call = call_under_way(header);
  if (!call) return text + ", outside of MPI";
  return text + ", after " + format_duration(Seconds{seconds_in_call}) + " in MPI_" +
         std::string(describe(*call).name);
}

/// "nothing is known of 2 of 8 ranks (3, 5): ..."; empty if no rank is missing.
std::string missing_ranks(const Profile& profile) {
  std::set<int> here;
  for (const Rank& rank : profile.ranks) here.insert(rank.rank);
  std::vector<int> missing;
  for (int rank = 0; rank < profile.world_ranks; ++rank) {
    if (!here.contains(rank)) missing.push_back(rank);
  }
  if (missing.empty()) return "";
  return "nothing is known of " + killed_ranks(missing, profile.world_ranks);
}

/// Why OpenMP's parallel regions are not in the profile.
std::string why_no_parallel(ParallelTool tool) {
  const std::string missing = "OpenMP's parallel regions are not measured: ";
  if (tool == ParallelTool::other_tool) return missing + "another tool has OMPT";
  if (tool == ParallelTool::not_possible) return missing + "the OMPT of this runtime lacks events";
  if (tool == ParallelTool::disabled) return missing + "OMP_TOOL=disabled switches OMPT off";
  if (tool == ParallelTool::not_called)
    return missing + "the runtime did not call the tool of OMPT";
  return missing + "GCC's runtime has no OMPT, clang's and Intel's have";
}

/// "1 call ", "2 calls ".
std::string counted(std::int64_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? " " : "s ");
}

/// Notes of a profile: missing ranks, how ranks ended without MPI_Finalize, and inexact counts.
class MergeNotes {
 public:
  /// Adds one part. `seconds_in_call`: time in the unfinished call, if there was one [s].
  void add(const Part& part, double seconds_in_call);

  /// The notes for the profile of these parts, a sentence each.
  [[nodiscard]] std::vector<std::string> of(const Profile& profile) const;

 private:
  [[nodiscard]] std::vector<std::string> losses_in(const Profile& profile) const;

  std::vector<std::string> ends_;
  std::int64_t folded_calls_ = 0;
  std::int64_t folded_messages_ = 0;
  std::int64_t untracked_ = 0;
  std::int64_t places_lost_ = 0;
  std::int64_t unknown_sizes_ = 0;
  std::int64_t threads_lost_ = 0;
  double used_seconds_ = 0;     ///< CPU time of ranks that were sampled
  double sampled_seconds_ = 0;  ///< of that, in samples
  double period_seconds_ = 0;   ///< longest
  bool is_sampling_impossible_ = false;
  bool is_signal_taken_ = false;
  bool is_threaded_ = false;
  ParallelTool parallel_tool_ = ParallelTool::none;
  bool is_not_logged_ = false;
};

void MergeNotes::add(const Part& part, double seconds_in_call) {
  const PartHeader& header = part.header;
  if (header.end != static_cast<int>(End::finalized)) {
    ends_.push_back(end_of(header, seconds_in_call));
  }
  folded_calls_ = capped_sum(folded_calls_, header.folded_calls);
  folded_messages_ = capped_sum(folded_messages_, header.folded_messages);
  untracked_ = capped_sum(untracked_, header.receives_untracked);
  places_lost_ = capped_sum(places_lost_, header.places_lost);
  is_not_logged_ =
      is_not_logged_ || header.logging == static_cast<std::uint32_t>(Logging::not_possible);
  const auto sampling = static_cast<Sampling>(header.sampling.state);
  is_sampling_impossible_ = is_sampling_impossible_ || sampling == Sampling::not_possible;
  is_signal_taken_ = is_signal_taken_ || sampling == Sampling::signal_taken;
  threads_lost_ = capped_sum(threads_lost_, header.sampling.threads_lost);
  if (sampling == Sampling::done && header.cpu.is_known != 0) {
    const double period = static_cast<double>(header.sampling.period_ns) * nanosecond;
    used_seconds_ +=
        (static_cast<double>(header.cpu.user_ns) + static_cast<double>(header.cpu.system_ns)) *
        nanosecond;
    sampled_seconds_ += period * static_cast<double>(header.sampling.samples);
    period_seconds_ = std::max(period_seconds_, period);
  }
  is_threaded_ = is_threaded_ || header.thread_level == 3;
  parallel_tool_ = std::max(parallel_tool_, static_cast<ParallelTool>(header.parallel_tool));
  for (const CallRow& row : part.calls) {
    if (row.key.size_class != unknown_size) continue;
    unknown_sizes_ = capped_sum(unknown_sizes_, row.count);
  }
}

/// What was counted in part, or lost.
std::vector<std::string> MergeNotes::losses_in(const Profile& profile) const {
  struct Counted {
    std::int64_t count;
    const char* noun;
    const char* text;
  };
  const std::array<Counted, 9> all{
      {{folded_calls_, "call", "counted by name alone (the memory for more was full)"},
       {folded_messages_, "message", "counted without a receiver (the memory was full)"},
       {untracked_, "receive", "counted without a size (the memory was full)"},
       {places_lost_, "time",
        "a region, call site or communicator is not named (the memory was full, or there were more "
        "than 65535 regions)"},
       {unknown_sizes_, "receive", "without a size: not complete when the program ended, or freed"},
       {profile.log ? profile.log->not_logged : 0, "call",
        "not in the log of events (the memory was full): give more, --memory"},
       {profile.samples ? profile.samples->lost : 0, "sample",
        "lost (the memory for stacks was full): give more, --memory"},
       {profile.samples ? profile.samples->folded : 0, "sample",
        "without a stack (a profile has at most 65536 stacks and 1048576 counts)"},
       {threads_lost_, "thread", "not sampled (there are no more timers)"}}};
  std::vector<std::string> notes;
  for (const auto& [count, noun, text] : all) {
    if (count > 0) notes.push_back(counted(count, noun) + text);
  }
  return notes;
}

std::vector<std::string> MergeNotes::of(const Profile& profile) const {
  std::vector<std::string> notes;
  const auto add = [&](bool holds, const char* text) {
    if (holds) notes.emplace_back(text);
  };
  const std::string missing = missing_ranks(profile);
  if (!missing.empty()) notes.push_back(missing);
  const std::size_t named = std::min(ends_.size(), most_named);
  notes.insert(notes.end(), ends_.begin(), ends_.begin() + static_cast<std::ptrdiff_t>(named));
  if (const auto more = static_cast<std::int64_t>(ends_.size() - named); more > 0) {
    notes.push_back(counted(more, "more rank") + "ended without MPI_Finalize");
  }
  std::ranges::copy(losses_in(profile), std::back_inserter(notes));
  add(is_sampling_impossible_,
      "there are no samples: this system has no timer of a thread's CPU time, or no free signal");
  constexpr double least_periods = 20;  // of which some samples are to be expected
  const bool is_hardly_sampled =
      used_seconds_ > least_periods * period_seconds_ && sampled_seconds_ < used_seconds_ / 2;
  if (is_hardly_sampled) {
    notes.push_back("samples are " + format_fraction(sampled_seconds_ / used_seconds_) +
                    " of the CPU time: threads are not sampled that block signals, have stacks "
                    "of 36 KiB or less, or were not made by pthread_create; or a timer was closed");
  }
  add(is_signal_taken_,
      "sampling ended early: the program installed a handler for the signal of its timers");
  if (parallel_tool_ > ParallelTool::recording) notes.push_back(why_no_parallel(parallel_tool_));
  add(is_not_logged_,
      "there is no log of events: with several threads in MPI at once (MPI_THREAD_MULTIPLE) it is "
      "not known which receive got which message");
  add(is_threaded_,
      "several threads may have been in MPI at once (MPI_THREAD_MULTIPLE): sums of their times may "
      "exceed the time of the run");
  return notes;
}

void add_to(std::int64_t& sum, std::int64_t count) { sum = capped_sum(sum, count); }

}  // namespace

std::string killed_ranks(const std::vector<int>& ranks, int world_ranks) {
  std::vector<std::string> named;
  for (const int rank : ranks) {
    named.push_back(named.size() < most_named ? std::to_string(rank) : "...");
    if (named.size() > most_named) break;
  }
  return std::to_string(ranks.size()) + " of " + std::to_string(world_ranks) + " ranks (" +
         join(named, ", ") + "): they were killed before they could save it";
}

class Merger::Merging {
 public:
  void add(const Part& part) {
    facts_ = facts_of(part.facts, part.header.rank);
    part_ = &part;
    const PartHeader& header = part.header;
    const auto ticks = static_cast<double>(header.end_ticks - header.begin_ticks);
    const double seconds = static_cast<double>(header.end_ns - header.begin_ns) * nanosecond;
    seconds_per_tick_ = ticks > 0 ? seconds / ticks : 0;
    add_rank(seconds);
    places_.add(part);
    add_regions();
    for (const CallRow& row : part.calls) {
      if (row.count > 0) add_calls(row);
    }
    for (const MessageRow& row : part.messages) {
      if (row.messages > 0) add_messages(row);
    }
    for (const ParallelRow& row : part.parallel) add_parallel(row);
    add_call_under_way();
    stacks_.add(part, seconds_per_tick_);
    if (header.events > 0 || header.events_not_logged > 0) {
      if (!profile_.log) profile_.log.emplace();
      add_to(profile_.log->events, header.events);
      add_to(profile_.log->not_logged, header.events_not_logged);
    }
    profile_.ranks.push_back(std::move(rank_));
  }

  Profile take() {
    if (profile_.ranks.empty()) {
      throw InputError({"there is no part of a profile", "no rank has left one",
                        "was the program started by an MPI launcher?"});
    }
    std::ranges::sort(profile_.ranks, {}, &Rank::rank);
    while (!calls_.empty()) {
      profile_.calls.push_back(std::move(calls_.extract(calls_.begin()).mapped().calls));
    }
    while (!messages_.empty()) {
      profile_.messages.push_back(messages_.extract(messages_.begin()).mapped());
    }
    profile_.written_utc = utc_now();
    profile_.samples = stacks_.take();
    for (const auto& [site, region] : parallel_) profile_.parallel_regions.push_back(region);
    set_overhead();
    profile_.notes = notes_.of(profile_);
    return std::move(profile_);
  }

 private:
  using Index = std::optional<int>;
  using CallKey = std::tuple<std::uint32_t, Index, Index, Index, std::uint16_t>;
  /// Sum of calls over ranks, and the time that the last added rank spent in them.
  struct SummedCalls {
    Calls calls;
    int rank = -1;
    double seconds = 0;
  };
  using MessageKey = std::tuple<int, Index, Index, Carrier, std::uint16_t>;

  [[nodiscard]] double seconds(std::int64_t ticks) const {
    return static_cast<double>(ticks) * seconds_per_tick_;
  }

  void add_rank(double seconds) {
    const PartHeader& header = part_->header;
    rank_ = {.rank = header.rank,
             .host = facts_.host.name,
             .cpus = facts_.cpus,
             .seconds = seconds,
             .io_seconds = this->seconds(header.io_ticks),
             .io_bytes = header.io_bytes,
             .folded_calls = header.folded_calls,
             .folded_messages = header.folded_messages,
             .end = static_cast<End>(header.end),
             .signal = header.signal,
             .cpu = cpu_use()};
    profile_.seconds = std::max(profile_.seconds, seconds);
    profile_.world_ranks = header.world_ranks;
    overheads_.push_back(header.overhead_ns);
    constexpr std::array levels{"MPI_THREAD_SINGLE", "MPI_THREAD_FUNNELED", "MPI_THREAD_SERIALIZED",
                                "MPI_THREAD_MULTIPLE"};
    const auto level = static_cast<std::size_t>(std::clamp(header.thread_level, 0, 3));
    profile_.thread_level = levels.at(level);
    if (header.rank < first_rank_) {  // its command line is the job's
      first_rank_ = header.rank;
      profile_.identity = facts_.identity;
      profile_.provenance.command_line = facts_.command_line;
      profile_.provenance.environment = facts_.environment;
      profile_.provenance.mpi.library = facts_.library;
      profile_.provenance.mpi.standard = facts_.standard;
    }
    if (hosts_.insert(facts_.host.name).second) profile_.provenance.hosts.push_back(facts_.host);
  }

  /// Sum over the rows of a part, in seconds.
  template <class Counts>
  [[nodiscard]] double cpu_rows_seconds(std::int64_t CpuRow::*member, Counts counts) const {
    double sum = 0;
    for (const CpuRow& row : part_->cpu) {
      if (counts(row)) sum += static_cast<double>(row.*member) * nanosecond;
    }
    return sum;
  }

  [[nodiscard]] std::optional<CpuUse> cpu_use() const {
    const CpuSums& sums = part_->header.cpu;
    if (sums.is_known == 0) return std::nullopt;
    const auto known = [](std::int64_t nanoseconds) {
      return nanoseconds < 0 ? std::nullopt
                             : std::optional(static_cast<double>(nanoseconds) * nanosecond);
    };
    const auto is_inside = [](const CpuRow& row) { return row.inside != 0; };
    CpuUse use{.user_seconds = static_cast<double>(sums.user_ns) * nanosecond,
               .system_seconds = static_cast<double>(sums.system_ns) * nanosecond,
               .involuntary_switches = sums.involuntary,
               .voluntary_switches = sums.voluntary,
               .minor_faults = sums.minor_faults,
               .major_faults = sums.major_faults,
               .mpi_cpu_seconds = cpu_rows_seconds(&CpuRow::cpu_ns, is_inside),
               .computing_cpu_seconds = {},
               .waiting_seconds = known(sums.queue_ns),
               .mpi_waiting_seconds = {},
               .other_waiting_seconds = known(sums.other_queue_ns),
               .throttled_seconds = known(sums.throttled_ns),
               .reading_seconds = static_cast<double>(sums.readings) *
                                  static_cast<double>(sums.reading_ns) * nanosecond};
    if (use.waiting_seconds) {
      use.mpi_waiting_seconds = cpu_rows_seconds(&CpuRow::queue_ns, is_inside);
    }
    constexpr int multiple = 3;
    if (part_->header.thread_level == multiple) use.computing_cpu_seconds = computing_cpu(use);
    return use;
  }

  /// CPU time outside of MPI: of the thread that called MPI_Init, or of the others if it is more.
  /// Threads of OpenMP use CPU time while they wait, so others do not count with it.
  [[nodiscard]] double computing_cpu(const CpuUse& use) const {
    const auto is_inside = [](const CpuRow& row) { return row.inside != 0; };
    const auto is_outside = [](const CpuRow& row) { return row.inside == 0; };
    const double first = cpu_rows_seconds(&CpuRow::cpu_ns, is_outside);
    const bool has_openmp =
        part_->header.parallel_tool != static_cast<std::int64_t>(ParallelTool::none);
    if (has_openmp) return first;
    double ticks_in_mpi = 0;  // of the others
    for (const CallRow& row : part_->calls) ticks_in_mpi += static_cast<double>(row.ticks);
    for (const CpuRow& row : part_->cpu) {
      if (is_inside(row)) ticks_in_mpi -= static_cast<double>(row.ticks);
    }
    const double cpu = use.user_seconds + use.system_seconds - use.mpi_cpu_seconds - first;
    return std::max(first, cpu - std::max(0.0, ticks_in_mpi * seconds_per_tick_));
  }

  /// CPU use of a region, without nested ones.
  void add_cpu_of_region(std::uint32_t number, Region& region) const {
    if (part_->header.cpu.is_known == 0) return;
    const auto is_in_it = [&](const CpuRow& row) { return row.region == number; };
    const auto add = [&](std::optional<double>& sum, std::int64_t CpuRow::*member) {
      sum = sum.value_or(0) + cpu_rows_seconds(member, is_in_it);
    };
    add(region.cpu_seconds, &CpuRow::cpu_ns);
    if (part_->header.cpu.queue_ns >= 0) add(region.waiting_seconds, &CpuRow::queue_ns);
  }

  void add_regions() {
    for (std::uint32_t i = 0; i < part_->regions.size(); ++i) {
      const RegionRow& row = part_->regions[i];
      const auto place = places_.region(i + 1);
      if (!place) continue;
      Region& region = profile_.regions[static_cast<std::size_t>(*place)];
      add_to(region.entered, row.entered);
      add_cpu_of_region(i + 1, region);
      const bool is_open = row.depth > 0 && part_->header.end_ticks > row.since;
      const std::int64_t open = is_open ? part_->header.end_ticks - row.since : 0;
      region.seconds += seconds(capped_sum(row.ticks, open));
    }
  }

  void add_time(Function function, double seconds) {
    (describe(function).kind == Kind::file ? rank_.mpi_io_seconds : rank_.mpi_seconds) += seconds;
  }

  void add_calls(const CallRow& row) {
    const CallKey key{row.key.function, places_.communicator(row.key.communicator),
                      places_.site(row.key.site), places_.region(row.key.region),
                      row.key.size_class};
    SummedCalls& sum = calls_[key];
    Calls& calls = sum.calls;
    const bool is_first = calls.count == 0;
    calls.call = "MPI_" + std::string(describe(static_cast<Function>(row.key.function)).name);
    std::tie(std::ignore, calls.communicator, calls.site, calls.region, std::ignore) = key;
    add_to(calls.count, row.count);
    add_to(calls.bytes, row.bytes);
    calls.min_bytes = is_first ? row.min_bytes : std::min(calls.min_bytes, row.min_bytes);
    calls.max_bytes = std::max(calls.max_bytes, row.max_bytes);
    const double spent = seconds(row.ticks);
    calls.seconds += spent;
    calls.min_seconds =
        is_first ? seconds(row.min_ticks) : std::min(calls.min_seconds, seconds(row.min_ticks));
    calls.max_seconds = std::max(calls.max_seconds, seconds(row.max_ticks));
    add_rank_of(sum, spent);
    add_to(rank_.calls, row.count);
    add_time(static_cast<Function>(row.key.function), spent);
  }

  /// On equal times the lowest rank is the slowest.
  void add_rank_of(SummedCalls& sum, double spent) const {
    const int rank = part_->header.rank;
    Calls& calls = sum.calls;
    if (sum.rank != rank) {
      sum.rank = rank;
      sum.seconds = 0;
      ++calls.ranks;
    }
    sum.seconds += spent;
    const bool is_slower = sum.seconds > calls.slowest_seconds ||
                           (sum.seconds == calls.slowest_seconds && rank < calls.slowest_rank);
    if (calls.ranks > 1 && !is_slower) return;
    calls.slowest_rank = rank;
    calls.slowest_seconds = sum.seconds;
  }

  void add_messages(const MessageRow& row) {
    int from = part_->header.rank;
    Index to = row.key.to >= 0 ? Index(row.key.to) : std::nullopt;
    if (row.key.reversed != 0 && to) {
      std::swap(from, *to);
    }
    const auto carrier = static_cast<Carrier>(row.key.carrier);
    const Index communicator = places_.communicator(row.key.communicator);
    Messages& sum = messages_[{from, to, communicator, carrier, row.key.size_class}];
    const bool is_first = sum.messages == 0;
    sum.from = from;
    sum.to = to;
    sum.communicator = communicator;
    sum.carrier = carrier;
    add_to(sum.messages, row.messages);
    add_to(sum.bytes, row.bytes);
    sum.min_bytes = is_first ? row.min_bytes : std::min(sum.min_bytes, row.min_bytes);
    sum.max_bytes = std::max(sum.max_bytes, row.max_bytes);
  }

  /// A part has one row for each site, but those whose sites are not known.
  void add_parallel(const ParallelRow& row) {
    const auto site = places_.site(row.site);
    const int rank = part_->header.rank;
    ParallelRegion& sum = parallel_[site];
    sum.site = site;
    sum.threads = std::max(sum.threads, static_cast<int>(row.threads));
    add_to(sum.count, row.count);
    sum.seconds += seconds(row.ticks);
    sum.thread_seconds += seconds(row.thread_ticks);
    sum.busy_seconds += seconds(row.busy_ticks);
    sum.slowest_seconds += seconds(row.slowest_ticks);
    if (parallel_ranks_[site].insert(rank).second) ++sum.ranks;
    const double waiting = seconds(std::max<std::int64_t>(0, row.thread_ticks - row.busy_ticks));
    if (waiting <= sum.waiting_seconds) return;
    sum.waiting_rank = rank;
    sum.waiting_seconds = waiting;
  }

  /// A call that never returned counts as time in MPI.
  void add_call_under_way() {
    const PartHeader& header = part_->header;
    const auto call = call_under_way(header);
    const double spent = seconds(header.end_ticks - header.in_since);
    if (call) add_time(*call, spent);
    notes_.add(*part_, spent);
  }

  void set_overhead() {
    constexpr double calls_measured = 1000;
    const std::array members{&Overhead::send_seconds, &Overhead::receive_seconds,
                             &Overhead::completion_seconds, &Overhead::other_seconds};
    for (std::size_t kind = 0; kind < members.size(); ++kind) {
      std::vector<std::int64_t> values;
      values.reserve(overheads_.size());
      for (const auto& one : overheads_) values.push_back(std::max<std::int64_t>(one[kind], 0));
      std::ranges::nth_element(values,
                               values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
      profile_.overhead.*members[kind] =
          static_cast<double>(values[values.size() / 2]) * nanosecond / calls_measured;
    }
  }

  Profile profile_;
  const Part* part_ = nullptr;
  Facts facts_;
  int first_rank_ = std::numeric_limits<int>::max();
  std::set<std::string> hosts_;
  Rank rank_;
  double seconds_per_tick_ = 0;
  PartPlaces places_{profile_.communicators, profile_.sites, profile_.regions};
  std::map<CallKey, SummedCalls> calls_;
  std::map<MessageKey, Messages> messages_;
  std::map<Index, ParallelRegion> parallel_;
  std::map<Index, std::set<int>> parallel_ranks_;
  std::vector<std::array<std::int64_t, 4>> overheads_;
  MergedStacks stacks_;
  MergeNotes notes_;
};

Merger::Merger() : merging_(std::make_unique<Merging>()) {}
Merger::~Merger() = default;
void Merger::add(const Part& part) { merging_->add(part); }
Profile Merger::take() { return merging_->take(); }

Profile merge(const std::vector<Part>& parts) {
  Merger merger;
  for (const Part& part : parts) merger.add(part);
  return merger.take();
}

}  // namespace hockney::profile
