#include "benchmarks/programs/protocol/protocol_launch.hpp"

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "benchmarks/harness/clock_sync.hpp"
#include "benchmarks/harness/control_variables.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/gather.hpp"
#include "benchmarks/harness/mpi_error.hpp"
#include "benchmarks/harness/mpi_group.hpp"
#include "benchmarks/harness/point_under_way.hpp"
#include "benchmarks/harness/time_limit.hpp"
#include "benchmarks/programs/launch/communicators.hpp"
#include "benchmarks/programs/launch/launch.hpp"
#include "benchmarks/programs/protocol/overheads.hpp"
#include "benchmarks/programs/protocol/pair_protocol.hpp"
#include "benchmarks/programs/protocol/protocol_options.hpp"
#include "core/protocol.hpp"
#include "core/record.hpp"
#include "core/record_fields.hpp"
#include "core/record_file.hpp"
#include "core/samples.hpp"
#include "core/settings/host_facts.hpp"
#include "core/text.hpp"
#include "core/time.hpp"

namespace hockney::benchmarks::programs {
namespace {

using Json = nlohmann::json;

Json to_json(const TimedOverhead& timed) {
  return {{"operation", timed.operation},
          {"bytes", timed.bytes},
          {"batch", timed.batch},
          {"blocks_seconds", timed.blocks_seconds}};
}

Series read_series_of(const JsonNode& node, const Protocol& protocol) {
  const hockney::Point point{.operation = node.at("operation").text(),
                             .bytes = read_value<Bytes>(node.at("bytes")),
                             .ranks = 2,
                             .hop = protocol.hop,
                             .path = protocol.path,
                             .pair = protocol.pair};
  Series series{
      .point = point, .batch = node.at("batch").integer(), .bytes_per_sample = point.bytes.value};
  for (const JsonNode& block : node.at("blocks_seconds").elements()) {
    const std::vector<double> samples = block.numbers();
    series.blocks.push_back(static_cast<int>(samples.size()));
    series.samples_seconds.insert(series.samples_seconds.end(), samples.begin(), samples.end());
  }
  series.summary = summarise(series);
  return series;
}

/// The two ranks of the pair, in its order; null elsewhere. Collective.
UniqueComm form_pair(MPI_Comm comm, const placement::RankPair& pair) {
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
  for (const RequestedSetting& requested : mpi.requested) {
    if (requested.proof == Proof::unproven)
      settings.emplace(requested.variable, requested.requested);
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
    MpiRankGroup everybody(comm);
    options_.launch.seed = static_cast<std::uint64_t>(
        everybody.from_first(static_cast<std::int64_t>(options_.launch.seed)));
    sync_ = std::make_unique<ClockSync>(comm, *clock_);
    record_ = {
        .procedure = "protocol",
        .status = LaunchStatus::interrupted,
        .started_utc = utc_now(),
        .seed = options_.launch.seed,
        .campaign = options_.launch.campaign,
        .provenance = Provenance{.command_line = command_line(),
                                 .environment = steering_environment(),
                                 .build = build_info(),
                                 .mpi = describe_mpi(),
                                 .hosts = job_.hosts,
                                 .network = job_.network ? job_.network->origin : std::nullopt},
        .ranks = job_.places,
        .clock = coarsest(examine(*clock_), everybody),
        .sync = sync_->facts(),
        .flags = job_.flags};
    collect(std::nullopt, {.memory = std::move(memory)});
  }

  std::optional<Record> run() {
    const std::int64_t measuring = clock_->now();
    for (const placement::RankPair& pair : pairs_) {
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

  void examine_one(const placement::RankPair& pair) {
    if (const auto limit = protocol_limit(options_.launch)) TimeLimit::restart(*limit);
    const PointUnderWay under_way(
        {.operation = "protocol", .ranks = 2, .pair = {pair.first, pair.second}});
    const UniqueComm formed = form_pair(comm_, pair);
    PairFindings found;
    if (formed) {
      GlobalClock common = sync_->global();
      PairLink link(formed.get(), common);
      found = examine_pair(link, options_);
      const auto hop = hop_of(job_, pair);
      if (hop) found.protocol.hop = hop_word(job_, pair, *hop);
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
    if (!writes) return;
    save_or_rescue(record_, options_.launch.output);
    TimeLimit::keeps(options_.launch.output);
  }

  MPI_Comm comm_;
  ProtocolOptions options_;
  std::unique_ptr<TickClock> clock_;
  std::unique_ptr<ClockSync> sync_;
  std::int64_t begin_;
  JobPlacement job_;
  std::vector<placement::RankPair> pairs_;
  Record record_;
};

}  // namespace

std::string to_text(const std::optional<Protocol>& protocol, const std::vector<MemoryUse>& memory,
                    const std::vector<TimedOverhead>& times) {
  Json timed = Json::array();
  for (const TimedOverhead& each : times) timed.push_back(to_json(each));
  return Json{{"protocol", protocol}, {"memory", memory}, {"times", timed}}.dump();
}

void add_findings(const std::string& text, Record& record) {
  const JsonNode node = parse_json(text, "findings");
  for (const JsonNode& use : node.at("memory").elements()) {
    record.memory.push_back(read_value<MemoryUse>(use));
  }
  const auto told = node.find("protocol");
  if (!told) return;
  record.protocols.push_back(read_value<Protocol>(*told));
  for (const JsonNode& timed : node.at("times").elements()) {
    const Series series = read_series_of(timed, record.protocols.back());
    record.points.own().push_back(
        {.point = series.point, .bytes_per_sample = series.bytes_per_sample});
    record.series.push_back(series);
  }
}

std::optional<Seconds> protocol_limit(const LaunchOptions& options) {
  constexpr Seconds usual{600};
  const bool has_limit = time_limit(options).has_value();
  return options.limit || !has_limit ? options.limit : std::optional(usual);
}

std::optional<Record> run_protocol(MPI_Comm comm, const ProtocolOptions& options) {
  return ProtocolLaunch(comm, options).run();
}

}  // namespace hockney::benchmarks::programs
