#include "benchmarks/programs/protocol/protocol_launch.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <string>

#include "benchmarks/harness/clock_sync.hpp"
#include "benchmarks/harness/communicators.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "benchmarks/harness/placement.hpp"
#include "benchmarks/harness/transport_watch.hpp"
#include "benchmarks/programs/launch/communicators.hpp"
#include "benchmarks/programs/launch/launch.hpp"
#include "benchmarks/programs/launch/option_parser.hpp"
#include "benchmarks/programs/launch/program.hpp"
#include "benchmarks/programs/protocol/pair_probes.hpp"
#include "core/cli/command_line.hpp"
#include "core/environment.hpp"
#include "core/json_values.hpp"
#include "core/quantities.hpp"
#include "core/record.hpp"
#include "core/record_file.hpp"
#include "core/record_json.hpp"
#include "core/samples.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"
#include "report/library_tables.hpp"
#include "report/record_tables.hpp"

// hockney-protocol: exact eager limits, unexpected messages, and their memory. Exit code 1 if
// results contradict each other.
namespace hockney::benchmarks::programs {
namespace {

constexpr const char* usual_most = "4M";
constexpr int usual_flood_messages = 4096;
constexpr const char* usual_flood_bytes = "64M";
constexpr const char* usual_overhead_sizes = "1,8,64,512,2K,4K";

std::int64_t parse_most(const std::string& text) {
  const Bytes most = parse_bytes(text);
  if (most.value <= std::numeric_limits<int>::max()) return most.value;
  throw InputError({fmt::format("bad value '{}' for --most", text),
                    "MPI 3 counts at most 2147483647 bytes in one message", "use less than 2G"});
}

std::int64_t parse_flood_bytes(const std::string& text) {
  const std::int64_t bytes = parse_bytes(text).value;
  if (bytes >= 1) return bytes;
  throw InputError({fmt::format("bad value '{}' for --flood-bytes", text), "a flood has messages",
                    "use --flood-messages 0 for no floods"});
}

/// Results have a fixed order, not the user's: each call and layout once, by number.
template <class Value>
void add_choice(CommandLine& app, const std::string& option, std::vector<Value>& chosen,
                const std::vector<std::string>& names, Value (*parse)(const std::string&),
                const std::string& help) {
  const auto take = [&chosen, names, parse](const std::string& text) {
    chosen = parse_list(text, names, parse);
    std::ranges::sort(chosen);
  };
  take("all");
  add_parsed_option(app, option, take, help, type_of_list(names)).default_str("all");
}

void add_flood_options(CommandLine& app, ProtocolOptions& options) {
  options.flood_messages = usual_flood_messages;
  add_count_option(app, "--flood-messages", options.flood_messages, 0,
                   "Messages of a flood, which finds how many are taken unreceived; 0: none")
      .default_str(std::to_string(usual_flood_messages));
  options.flood_bytes = parse_flood_bytes(usual_flood_bytes);
  add_parsed_option(
      app, "--flood-bytes",
      [&](const std::string& text) { options.flood_bytes = parse_flood_bytes(text); },
      "Most bytes of a flood")
      .default_str(usual_flood_bytes);
}

void add_overhead_option(CommandLine& app, ProtocolOptions& options) {
  const auto take = [&options](const std::string& text) {
    options.overhead_sizes = text == "none" ? std::vector<Bytes>() : parse_sizes(text);
  };
  take(usual_overhead_sizes);
  add_parsed_option(
      app, "--overhead-sizes", take,
      "Sizes at which LogGP's o_s, o_r and g are measured, as far as they are handed over; "
      "none: not at all")
      .default_str(usual_overhead_sizes);
}

/// Adds options that store their values in `options`. A value is parsed and checked as soon as it
/// is read: InputError if it is unknown or out of range. `options` gets the defaults at once and
/// must outlive the command line.
void add_protocol_options(CommandLine& app, ProtocolOptions& options) {
  options.most_bytes = parse_most(usual_most);
  add_parsed_option(
      app, "--most", [&](const std::string& text) { options.most_bytes = parse_most(text); },
      "The largest message that is tried, such as 64K")
      .default_str(usual_most);
  add_choice(app, "--calls", options.calls, valid_words<SendCall>(), parse_call,
             "Beside MPI_Send: all, or some of send, isend (MPI_Isend and MPI_Wait), persistent "
             "and ssend (which must never return without a receive)");
  add_choice(app, "--layouts", options.layouts, valid_words<MessageLayout>(), parse_layout,
             "Beside plain bytes: all, or some of bytes, contiguous (MPI_Type_contiguous) and "
             "strided (MPI_Type_vector, every other byte)");
  add_count_option(app, "--searches", options.searches, 1,
                   "Searches for the limit of MPI_Send, which must all agree")
      .default_str(std::to_string(usual_searches));
  add_budget_option(app, options.launch,
                    "As many searches as fit into this time instead, such as 3s", "none");
  add_limit_option(app, options.launch, "10m for each pair; none in a campaign");
  add_flood_options(app, options);
  add_overhead_option(app, options);
  add_hop_option(app, options.launch);
  add_seed_option(app, options.launch, "Of the data that are sent");
  add_surrounding_options(app, options.launch);
  hockney::describe(
      app,
      {.examples =
           {{"mpirun -n 2 hockney-protocol", "the eager limit, floods, overheads"},
            {"mpirun -n 2 hockney-protocol --calls send,isend --layouts bytes -o record.json",
             "some calls"},
            {"mpirun -n 2 hockney-protocol --most 64K --flood-messages 0 --overhead-sizes none",
             "the limit"}},
       .common = {"--most", "--calls", "--layouts", "--searches", "--budget", "--flood-messages",
                  "--overhead-sizes", "--hops", "--bind", "--output", "--json"}});
}

/// Checks that need all options: InputError for options that contradict each other or make no sense
/// alone.
void check_protocol_options(const ProtocolOptions& options) {
  if (options.launch.budget && options.searches) {
    throw InputError(
        {"both --budget and --searches", "each says when to stop", "give one of them"});
  }
  check_campaign_place(options.launch);
}

constexpr int most_searches = 100;
constexpr int overhead_epochs = 20;
constexpr int overhead_samples = 10;  // in one block

/// Libraries set up connections and buffers with the first messages.
void warm_up(PairLink& link, MessageData& data) {
  constexpr int messages = 100;
  const auto nothing = [] {};
  count_unexpected(link, data, {.bytes = 1, .most = messages}, nothing);
}

bool has_limit(const EagerLimit& found) { return found.limit_bytes && found.held_bytes; }

class Examination {
 public:
  Examination(PairLink& link, const ProtocolOptions& options)
      : link_(link),
        options_(options),
        data_(std::max<std::int64_t>(options.most_bytes, 1), options.launch.seed) {}

  PairFindings run() {
    const std::int64_t begin = link_.now();
    warm_up(link_, data_);
    query_all();
    search_again(begin);
    for (const Receiver receiver : receivers()) {
      for (const std::int64_t bytes : flood_sizes()) flood(bytes, receiver);
    }
    judge();
    prove_path_of_eager();
    time_overheads();
    return std::move(findings_);
  }

 private:
  /// No rank sleeps under a simulator: a message arrives there without progress of the receiver.
  static std::vector<Receiver> receivers() {
    if (is_simulated()) return {Receiver::progressing};
    return {Receiver::progressing, Receiver::asleep};
  }

  void probe(const EagerQuery& question) {
    findings_.protocol.eager_probes.push_back(
        find_eager_limit(link_, data_, question, options_.most_bytes));
  }

  /// Probes MPI_Send of bytes with both receivers, then variants that differ in one parameter.
  void query_all() {
    for (const Receiver receiver : receivers()) probe({.receiver = receiver});
    for (const SendCall call : options_.calls) {
      if (call != SendCall::send) probe({.call = call});
    }
    for (const MessageLayout layout : options_.layouts) {
      if (layout != MessageLayout::bytes) probe({.layout = layout});
    }
  }

  void search_again(std::int64_t begin) {
    for (int search = 1; search < most_searches; ++search) {
      const auto& budget = options_.launch.budget;
      const bool goes_on = budget ? link_.seconds(link_.now() - begin) < budget->value
                                  : search < options_.searches.value_or(usual_searches);
      if (link_.share(goes_on ? 1 : 0, 0) == 0) return;
      probe({});
    }
  }

  /// The smallest message, and the largest that each kind of receiver accepts at once.
  [[nodiscard]] std::set<std::int64_t> flood_sizes() const {
    std::set<std::int64_t> sizes{std::min<std::int64_t>(1, options_.most_bytes)};
    for (const EagerLimit& found : findings_.protocol.eager_probes) {
      const bool counts = found.call == "send" && has_limit(found);
      if (counts && found.limit_bytes) sizes.insert(*found.limit_bytes);
    }
    return sizes;
  }

  void flood(std::int64_t bytes, Receiver receiver) {
    if (options_.flood_messages == 0) return;
    const std::int64_t fit = options_.flood_bytes / std::max<std::int64_t>(bytes, 1);
    const Flood requested{
        .bytes = bytes,
        .most = static_cast<int>(std::clamp<std::int64_t>(fit, 1, options_.flood_messages)),
        .receiver = receiver};
    std::optional<MemoryUse> flooded;
    const auto found =
        count_unexpected(link_, data_, requested, [&] { flooded = read_memory_use(); });
    if (!found) return;
    findings_.protocol.unexpected.push_back(*found);
    keep(flooded, "flooded", *found);
    keep(read_memory_use(), "after-flood", *found);
  }

  void keep(std::optional<MemoryUse> use, const std::string& moment, const Unexpected& found) {
    if (!use || is_simulated() || found.receiver != "progressing") return;
    use->moment = moment;
    use->messages = found.accepted.value_or(found.most);
    use->message_bytes = found.bytes;
    findings_.memory.push_back(*use);
  }

  /// Whether a message of this size is certainly handed over.
  [[nodiscard]] bool is_eager(Bytes size) const {
    const EagerLimit& plain = findings_.protocol.eager_probes.front();
    return plain.limit_bytes && size.value <= *plain.limit_bytes;
  }

  /// Sets the path of the largest messages that are handed over, if it is proven.
  void prove_path_of_eager() {
    if (is_simulated()) return;
    constexpr std::int64_t enough_bytes = 64 << 10;
    const EagerLimit& plain = findings_.protocol.eager_probes.front();
    const std::int64_t bytes = std::min(plain.limit_bytes.value_or(0), enough_bytes);
    const TransportWatch verification;
    time_overhead(link_, data_, Overhead::round_trip, bytes);
    const Transport transport = verification.end(
        link_.messages(),
        {.messages = 2 * overhead_batch(Overhead::round_trip), .message_bytes = bytes});
    findings_.protocol.path = prove_path(transport).path;
  }

  void time_overheads() {
    for (const Overhead overhead : all_overheads()) {
      for (const Bytes size : options_.overhead_sizes) {
        if (!is_eager(size)) continue;
        findings_.times.push_back({overhead_name(overhead), size.value, overhead_batch(overhead)});
        overheads_.push_back(overhead);
      }
    }
    std::vector<std::size_t> order(overheads_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::mt19937_64 random(options_.launch.seed);  // the same on both ranks
    for (int epoch = 0; epoch < overhead_epochs; ++epoch) {
      shuffle(order, random);
      for (const std::size_t i : order) time_block(overheads_[i], findings_.times[i]);
    }
  }

  void time_block(Overhead overhead, TimedOverhead& timed) {
    time_overhead(link_, data_, overhead, timed.bytes);  // the first message of a kind is slow
    std::vector<double>& samples = timed.blocks_seconds.emplace_back();
    const int count = is_simulated() ? 1 : overhead_samples;
    for (int i = 0; i < count; ++i) {
      samples.push_back(time_overhead(link_, data_, overhead, timed.bytes));
    }
  }

  /// Limits found with plain MPI_Send; contains nullopt if a search found none.
  [[nodiscard]] std::set<std::optional<std::int64_t>> plain_limits() const {
    std::set<std::optional<std::int64_t>> limits;
    for (const EagerLimit& found : findings_.protocol.eager_probes) {
      const bool is_plain =
          found.call == "send" && found.receiver == "progressing" && found.datatype == "bytes";
      if (is_plain) limits.insert(has_limit(found) ? found.limit_bytes : std::nullopt);
    }
    return limits;
  }

  /// Flags results of single searches.
  void judge_eager_limits() {
    Protocol& protocol = findings_.protocol;
    bool is_single = true;
    for (const EagerLimit& found : protocol.eager_probes) {
      is_single = is_single && found.exceptions.empty();
      if (found.call == "ssend" && found.limit_bytes) {
        protocol.flags.emplace_back(control_failed_flag);
      }
    }
    if (!is_single) protocol.flags.emplace_back(limit_not_single_flag);
  }

  /// Sets the limit, or the reason why there is none, and flags contradictions.
  void judge() {
    Protocol& protocol = findings_.protocol;
    judge_eager_limits();
    const std::set<std::optional<std::int64_t>> limits = plain_limits();
    const bool is_corrupt = link_.share(data_.is_corrupt() ? 1 : 0, 1) != 0;
    if (is_corrupt) protocol.flags.emplace_back(corrupt_flag);
    if (limits.size() > 1) protocol.flags.emplace_back(limit_unsteady_flag);
    if (limits.size() > 1) {
      protocol.reason = "searching again gave another limit";
    } else if (*limits.begin()) {
      protocol.eager_limit_bytes = *limits.begin();
    } else {
      protocol.reason = protocol.eager_probes.front().limit_bytes
                            ? fmt::format("no message up to {}, the most that was tried, was held",
                                          format_bytes({options_.most_bytes}))
                            : "every message was held";
    }
  }

  PairLink& link_;
  const ProtocolOptions& options_;
  MessageData data_;
  PairFindings findings_;
  std::vector<Overhead> overheads_;  ///< of each of findings_.times
};

/// Measures everything between the two ranks of `link`: the limit of every call, layout and kind of
/// receiver, that of MPI_Send repeatedly, floods, and the overheads of eager messages. The result
/// has no hop and pair. Collective.
PairFindings examine_pair(PairLink& link, const ProtocolOptions& options) {
  return Examination(link, options).run();
}

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

/// A communicator of the pair, in its order; null on other ranks. Collective.
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

/// Compares the measured limit with the library's variables, and with requested settings whose
/// effective values the library does not report.
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

/// The results of one rank as text for all; only the pair's first rank has a protocol and times.
std::string to_text(const std::optional<Protocol>& protocol, const std::vector<MemoryUse>& memory,
                    const std::vector<TimedOverhead>& times) {
  Json timed = Json::array();
  for (const TimedOverhead& each : times) timed.push_back(to_json(each));
  return Json{{"protocol", protocol}, {"memory", memory}, {"times", timed}}.dump();
}

/// Adds the results to the record; times become points with series.
void add_findings(const std::string& text, Record& record) {
  const JsonNode node = parse_json(text, "findings");
  for (const JsonNode& use : node.at("memory").elements()) {
    record.memory.push_back(read_value<MemoryUse>(use));
  }
  const auto reported = node.find("protocol");
  if (!reported) return;
  record.protocols.push_back(read_value<Protocol>(*reported));
  for (const JsonNode& timed : node.at("times").elements()) {
    const Series series = read_series_of(timed, record.protocols.back());
    record.points.own().push_back(
        {.point = series.point, .bytes_per_sample = series.bytes_per_sample});
    record.series.push_back(series);
  }
}

/// The time limit of a launch and of each pair; nullopt: none.
std::optional<Seconds> protocol_limit(const LaunchOptions& options) {
  constexpr Seconds usual{600};
  const bool has_limit = time_limit(options).has_value();
  return options.limit || !has_limit ? options.limit : std::optional(usual);
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
    for (const std::string& remark : job_.remarks) std::cerr << escaped(remark) << '\n';
    return record_;
  }

 private:
  [[nodiscard]] double seconds_since(std::int64_t tick) const {
    return static_cast<double>(clock_->now() - tick) * clock_->seconds_per_tick();
  }

  void examine_one(const placement::RankPair& pair) {
    if (const auto limit = protocol_limit(options_.launch)) TimeLimit::restart(*limit);
    const CurrentPoint under_way(
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
    const bool prints_errors = rank_in(comm_) == pair.first;
    const auto protocol = prints_errors ? std::optional(found.protocol) : std::nullopt;
    if (!prints_errors) found.times.clear();
    collect(protocol, std::move(found));
  }

  /// Adds the results of all ranks to the record, on every rank.
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

/// Wrong data fail the run; contradictory results fail the verdict. Limits stated by the library do
/// not count, as they may concern an unused path.
ExitCode judge(const Record& record) {
  ExitCode code = ExitCode::good;
  for (const Protocol& protocol : record.protocols) {
    for (const std::string& flag : protocol.flags) {
      if (flag == corrupt_flag) return ExitCode::run_failed;
      if (flag != limit_differs_flag) code = ExitCode::verdict_failed;
    }
  }
  return code;
}

/// Stores the record of rank 0 in `record`.
ExitCode launch(const ProtocolOptions& options, std::optional<Record>& record) {
  record = run_protocol(MPI_COMM_WORLD, options);
  if (!record) return ExitCode::good;
  if (options.launch.json) {
    std::cout << json_text(to_json(*record)) << '\n';
  } else {
    for (const std::string& line : report::protocol_answer({&*record, 1}))
      std::cout << line << '\n';
    std::cout << '\n';
    report::print_record_tables(std::cout, {&*record, 1}, {});
  }
  return judge(*record);
}

constexpr const char* description =
    "Find eager limits to the byte; measure unexpected messages and their memory";

int run(int argc, char** argv) {
  CommandLine app(description);
  ProtocolOptions options;
  add_protocol_options(app, options);
  const auto prepare = [&] {
    check_protocol_options(options);
    return false;
  };
  std::optional<Record> record;
  return run_mpi_program(app,
                         {.prepare = prepare,
                          .run = [&] { return launch(options, record); },
                          .keep = [&] { return place_of(record, options.launch.output); },
                          .watches_transport = true,
                          .limit = [&] { return protocol_limit(options.launch); }},
                         argc, argv);
}

}  // namespace

std::optional<Record> run_protocol(MPI_Comm comm, const ProtocolOptions& options) {
  return ProtocolLaunch(comm, options).run();
}

NamedProgram protocol_program() { return {"protocol", description, run}; }

}  // namespace hockney::benchmarks::programs
