#include "benchmarks/protocol/protocol_launch.hpp"

#include <algorithm>
#include <iostream>

#include "benchmarks/harness/build_info.hpp"
#include "benchmarks/harness/clock_sync.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/gather.hpp"
#include "benchmarks/harness/host_facts.hpp"
#include "benchmarks/harness/mpi_error.hpp"
#include "benchmarks/harness/mpi_settings.hpp"
#include "benchmarks/harness/mpi_team.hpp"
#include "benchmarks/launch/launch.hpp"
#include "benchmarks/launch/pair_choice.hpp"
#include "benchmarks/protocol/contacts.hpp"
#include "benchmarks/protocol/findings_text.hpp"
#include "benchmarks/protocol/pair_protocol.hpp"
#include "core/inert_text.hpp"
#include "core/record_file.hpp"
#include "core/record_flags.hpp"
#include "core/stated_limits.hpp"
#include "core/utc.hpp"

namespace hockney {
namespace {

/// The two ranks of the pair, in its order; null elsewhere. Collective.
UniqueComm form_pair(MPI_Comm comm, const RankPair& pair) {
  const int rank = rank_in(comm);
  const bool is_in = rank == pair.first || rank == pair.second;
  UniqueComm formed;
  mpi_check(
      MPI_Comm_split(comm, is_in ? 0 : MPI_UNDEFINED, rank == pair.first ? 0 : 1, formed.out()));
  return formed;
}

void number(std::vector<MemoryUse>& memory, int rank) {
  for (MemoryUse& use : memory) use.rank = rank;
}

/// What the library says about the limit that was found, and what was asked of parts of it that do
/// not tell what is in force.
void compare_with_stated(Protocol& protocol, const MpiLibrary& mpi) {
  if (!protocol.eager_limit_bytes) return;
  Settings settings = mpi.settings;
  for (const AskedSetting& asked : mpi.asked) {
    if (asked.proof == Proof::unproven) settings.emplace(asked.variable, asked.asked);
  }
  protocol.stated = explain_limit(settings, *protocol.eager_limit_bytes);
  const bool differs = protocol.stated.empty() && states_eager_limits(settings);
  if (differs) protocol.flags.emplace_back(limit_differs_flag);
}

class ProtocolLaunch {
 public:
  ProtocolLaunch(MPI_Comm comm, ProtocolOptions options)
      : comm_(comm), options_(std::move(options)), clock_(make_clock()), begin_(clock_->now()) {
    auto memory = contact_peers(comm);
    job_ = place_ranks(comm, options_.launch.placement);
    require_two_ranks(job_, "every probe");
    pairs_ = wanted_pairs(options_.launch, job_);
    MpiTeam everybody(comm);
    options_.launch.seed = static_cast<std::uint64_t>(
        everybody.from_first(static_cast<std::int64_t>(options_.launch.seed)));
    sync_ = std::make_unique<ClockSync>(comm, *clock_);
    record_ = {.procedure = "protocol",
               .status = LaunchStatus::interrupted,
               .started_utc = utc_now(),
               .seed = options_.launch.seed,
               .campaign = options_.launch.campaign,
               .provenance = {.command_line = command_line(),
                              .environment = steering_environment(),
                              .build = build_info(),
                              .mpi = describe_mpi(),
                              .hosts = job_.hosts},
               .ranks = job_.places,
               .clock = coarsest(examine(*clock_), everybody),
               .sync = sync_->facts(),
               .flags = job_.flags};
    collect(std::nullopt, {.memory = std::move(memory)});
  }

  std::optional<Record> run() {
    const std::int64_t measuring = clock_->now();
    for (const RankPair& pair : pairs_) {
      examine_one(pair);
      record_.measuring_seconds = seconds_since(measuring);
      save();
    }
    sync_->measure_again();
    record_.sync = sync_->facts();
    record_.status = LaunchStatus::complete;
    record_.stopped_because = "every pair was examined";
    save();
    if (rank_in(comm_) != 0) return std::nullopt;
    for (const std::string& remark : job_.remarks) std::cerr << inert(remark) << '\n';
    return record_;
  }

 private:
  [[nodiscard]] double seconds_since(std::int64_t tick) const {
    return static_cast<double>(clock_->now() - tick) * clock_->seconds_per_tick();
  }

  void examine_one(const RankPair& pair) {
    const UniqueComm formed = form_pair(comm_, pair);
    PairFindings found;
    if (formed) {
      GlobalClock common = sync_->global();
      PairLink link(formed.get(), common);
      found = examine_pair(link, options_);
      const auto hop = hop_of(job_, pair);
      if (hop) found.protocol.hop = hop_name(*hop);
      found.protocol.pair = {pair.first, pair.second};
      compare_with_stated(found.protocol, record_.provenance.mpi);
    }
    if (size_of(comm_) > 2) quiet_barrier(comm_);
    const bool speaks = rank_in(comm_) == pair.first;
    const auto protocol = speaks ? std::optional(found.protocol) : std::nullopt;
    if (!speaks) found.times.clear();
    collect(protocol, std::move(found));
  }

  /// Everybody's findings into the record, on every rank.
  void collect(const std::optional<Protocol>& protocol, PairFindings found) {
    number(found.memory, rank_in(comm_));
    const std::string text = to_text(protocol, found.memory, found.times);
    for (const std::string& each : gather_texts(comm_, text)) add_findings(each, record_);
  }

  void save() {
    record_.elapsed_seconds = seconds_since(begin_);
    const bool writes = rank_in(comm_) == 0 && !options_.launch.output.empty();
    if (writes) save_or_rescue(record_, options_.launch.output);
  }

  MPI_Comm comm_;
  ProtocolOptions options_;
  std::unique_ptr<TickClock> clock_;
  std::unique_ptr<ClockSync> sync_;
  std::int64_t begin_;
  JobPlacement job_;
  std::vector<RankPair> pairs_;
  Record record_;
};

}  // namespace

std::optional<Record> run_protocol(MPI_Comm comm, const ProtocolOptions& options) {
  return ProtocolLaunch(comm, options).run();
}

}  // namespace hockney
