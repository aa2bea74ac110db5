#include "benchmarks/programs/protocol/pair_protocol.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/rank_memory.hpp"
#include "benchmarks/harness/transport_watch.hpp"
#include "benchmarks/programs/protocol/flood.hpp"
#include "benchmarks/programs/protocol/overheads.hpp"
#include "core/quantities.hpp"
#include "core/record.hpp"
#include "core/shuffle.hpp"

namespace hockney::benchmarks::programs {
namespace {

constexpr int most_searches = 100;
constexpr int overhead_epochs = 20;
constexpr int overhead_samples = 10;  // in one block

/// Libraries set up connections and buffers at the first messages.
void warm_up(PairLink& link, MessageData& data) {
  constexpr int messages = 100;
  const auto nothing = [] {};
  count_unexpected(link, data, {.bytes = 1, .most = messages}, nothing);
}

bool has_limit(const HandOver& found) { return found.limit_bytes && found.held_bytes; }

class Examination {
 public:
  Examination(PairLink& link, const ProtocolOptions& options)
      : link_(link),
        options_(options),
        data_(std::max<std::int64_t>(options.most_bytes, 1), options.launch.seed) {}

  PairFindings run() {
    const std::int64_t begin = link_.now();
    warm_up(link_, data_);
    ask_all();
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
  /// Nobody sleeps in a simulator: a message needs no help to arrive there.
  static std::vector<Receiver> receivers() {
    if (is_simulated()) return {Receiver::progressing};
    return {Receiver::progressing, Receiver::asleep};
  }

  void ask(const HandOverQuestion& question) {
    findings_.protocol.hand_overs.push_back(
        find_hand_over(link_, data_, question, options_.most_bytes));
  }

  /// MPI_Send of bytes with both receivers, then what differs from it in one thing.
  void ask_all() {
    for (const Receiver receiver : receivers()) ask({.receiver = receiver});
    for (const SendCall call : options_.calls) {
      if (call != SendCall::send) ask({.call = call});
    }
    for (const MessageLayout layout : options_.layouts) {
      if (layout != MessageLayout::bytes) ask({.layout = layout});
    }
  }

  void search_again(std::int64_t begin) {
    for (int search = 1; search < most_searches; ++search) {
      const auto& budget = options_.launch.budget;
      const bool goes_on = budget ? link_.seconds(link_.now() - begin) < budget->value
                                  : search < options_.searches.value_or(usual_searches);
      if (link_.share(goes_on ? 1 : 0, 0) == 0) return;
      ask({});
    }
  }

  /// The smallest message, and the largest that each kind of receiver gets at once.
  [[nodiscard]] std::set<std::int64_t> flood_sizes() const {
    std::set<std::int64_t> sizes{std::min<std::int64_t>(1, options_.most_bytes)};
    for (const HandOver& found : findings_.protocol.hand_overs) {
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

  /// Whether a message of so many bytes is certain to be handed over.
  [[nodiscard]] bool is_eager(Bytes size) const {
    const HandOver& plain = findings_.protocol.hand_overs.front();
    return plain.limit_bytes && size.value <= *plain.limit_bytes;
  }

  /// What carries the largest messages that are handed over: proven, or not named.
  void prove_path_of_eager() {
    if (is_simulated()) return;
    constexpr std::int64_t enough_bytes = 64 << 10;
    const HandOver& plain = findings_.protocol.hand_overs.front();
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
    time_overhead(link_, data_, overhead, timed.bytes);  // the first message of a kind is late
    std::vector<double>& samples = timed.blocks_seconds.emplace_back();
    const int count = is_simulated() ? 1 : overhead_samples;
    for (int i = 0; i < count; ++i) {
      samples.push_back(time_overhead(link_, data_, overhead, timed.bytes));
    }
  }

  /// Limits found by plain MPI_Send; nullopt among them where there is none.
  [[nodiscard]] std::set<std::optional<std::int64_t>> plain_limits() const {
    std::set<std::optional<std::int64_t>> limits;
    for (const HandOver& found : findings_.protocol.hand_overs) {
      const bool is_plain =
          found.call == "send" && found.receiver == "progressing" && found.datatype == "bytes";
      if (is_plain) limits.insert(has_limit(found) ? found.limit_bytes : std::nullopt);
    }
    return limits;
  }

  /// Flags of single searches.
  void judge_hand_overs() {
    Protocol& protocol = findings_.protocol;
    bool is_single = true;
    for (const HandOver& found : protocol.hand_overs) {
      is_single = is_single && found.exceptions.empty();
      if (found.call == "ssend" && found.limit_bytes) {
        protocol.flags.emplace_back(control_failed_flag);
      }
    }
    if (!is_single) protocol.flags.emplace_back(limit_not_single_flag);
  }

  /// The limit, or why there is none, and what speaks against it.
  void judge() {
    Protocol& protocol = findings_.protocol;
    judge_hand_overs();
    const std::set<std::optional<std::int64_t>> limits = plain_limits();
    const bool is_corrupt = link_.share(data_.is_corrupt() ? 1 : 0, 1) != 0;
    if (is_corrupt) protocol.flags.emplace_back(corrupt_flag);
    if (limits.size() > 1) protocol.flags.emplace_back(limit_unsteady_flag);
    if (limits.size() > 1) {
      protocol.reason = "searching again gave another limit";
    } else if (*limits.begin()) {
      protocol.eager_limit_bytes = *limits.begin();
    } else {
      protocol.reason = protocol.hand_overs.front().limit_bytes
                            ? "no message up to " + format_bytes({options_.most_bytes}) +
                                  ", the most that was tried, was held"
                            : "every message was held";
    }
  }

  PairLink& link_;
  const ProtocolOptions& options_;
  MessageData data_;
  PairFindings findings_;
  std::vector<Overhead> overheads_;  ///< of each of findings_.times
};

}  // namespace

PairFindings examine_pair(PairLink& link, const ProtocolOptions& options) {
  return Examination(link, options).run();
}

}  // namespace hockney::benchmarks::programs
