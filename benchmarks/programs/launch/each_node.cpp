#include "benchmarks/programs/launch/each_node.hpp"

#include <mpi.h>
#include <unistd.h>

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "benchmarks/harness/communicators.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "benchmarks/harness/peer_watch.hpp"
#include "benchmarks/harness/placement.hpp"
#include "benchmarks/programs/launch/launch.hpp"
#include "core/error.hpp"
#include "core/json_node.hpp"
#include "core/text.hpp"

namespace hockney::benchmarks::programs {
namespace {

/// What every node sends, of one size, so that one MPI_Gather moves all.
struct NodeBlock {
  std::array<char, 16> kind{};
  std::array<char, most_node_bytes> text{};
  std::int32_t length = 0;
  std::int32_t has_figures = 0;  ///< 0: the text is the reason
};

template <std::size_t size>
void put(std::array<char, size>& place, std::string_view text) {
  std::ranges::copy(text.substr(0, size - 1), place.begin());
}

std::string text_in(const NodeBlock& block) {
  return {block.text.data(), static_cast<std::size_t>(block.length)};
}

NodeBlock block_of(const std::string& text, bool has_figures) {
  NodeBlock block;
  const std::string_view kept = std::string_view(text).substr(0, most_node_bytes);
  std::ranges::copy(kept, block.text.begin());
  block.length = static_cast<std::int32_t>(kept.size());
  block.has_figures = has_figures ? 1 : 0;
  return block;
}

/// A node's own launch: its record, or why it has none.
struct OwnLaunch {
  std::optional<Record> record;
  std::string reason;
  NodeBlock block;
  std::string kind;
};

/// Errors are those of all ranks of the node.
OwnLaunch measure_node(MPI_Comm node, const std::string& procedure, const LaunchOptions& options) {
  OwnLaunch own;
  try {
    own.record = run_launch(node, procedure, options);
  } catch (const InputError& error) {
    own.reason = error.what();
  }
  if (rank_in(node) != 0) return own;
  if (!own.record) {
    own.block = block_of(own.reason, false);
    return own;
  }
  const NodeText text = node_text(*own.record);
  own.kind = kind_text(*own.record);
  own.block = block_of(text.text, true);
  put(own.block.kind, text.kind);
  return own;
}

// Tags of messages between the first rank of a node and rank 0.
constexpr int send_block_tag = 1;
constexpr int block_tag = 2;
constexpr int send_kind_tag = 3;
constexpr int kind_tag = 4;

constexpr std::chrono::milliseconds nap{2};

/// The first ranks of all nodes collect what they have on rank 0.
class NodeCollector {
 public:
  NodeCollector(MPI_Comm heads, const OwnLaunch& own)
      : heads_(heads), own_(own), rank_(rank_in(heads)), size_(size_of(heads)) {}

  /// On rank 0, the blocks of the nodes that came within `patience`; the others are empty. One
  /// MPI_Gather if all came.
  std::vector<NodeBlock> run(std::chrono::nanoseconds patience) {
    all_came_ = agree(patience);
    return all_came_ ? gather() : collect();
  }

  [[nodiscard]] bool all_came() const { return all_came_; }

  /// On rank 0, the kind texts of these ranks; collective over all that came.
  std::vector<std::string> kinds_of(const std::vector<int>& ranks) {
    const bool is_requested = all_came_ ? query_all(ranks) : ask_each(ranks);
    if (is_requested) send_kind();
    std::vector<std::string> kinds;
    if (rank_ != 0) return kinds;
    kinds.reserve(ranks.size());
    for (const int rank : ranks) kinds.push_back(rank == 0 ? own_.kind : receive_kind(rank));
    return kinds;
  }

 private:
  /// Whether this rank, which is not 0, is among `ranks` of rank 0.
  bool query_all(const std::vector<int>& ranks) const {
    auto count = static_cast<int>(ranks.size());
    mpi_check(MPI_Bcast(&count, 1, MPI_INT, 0, heads_));
    std::vector<int> requested = ranks;
    requested.resize(static_cast<std::size_t>(count));
    mpi_check(MPI_Bcast(requested.data(), count, MPI_INT, 0, heads_));
    return rank_ != 0 && std::ranges::find(requested, rank_) != requested.end();
  }

  /// The same by a message to each that came.
  bool ask_each(const std::vector<int>& ranks) const {
    int is_requested = 0;
    if (rank_ != 0) {
      mpi_check(MPI_Recv(&is_requested, 1, MPI_INT, 0, send_kind_tag, heads_, MPI_STATUS_IGNORE));
      return is_requested != 0;
    }
    for (const int rank : came_) {
      is_requested = std::ranges::find(ranks, rank) != ranks.end() ? 1 : 0;
      mpi_check(MPI_Send(&is_requested, 1, MPI_INT, rank, send_kind_tag, heads_));
    }
    return false;
  }

  /// Whether all come within `patience` of rank 0, which decides.
  bool agree(std::chrono::nanoseconds patience) {
    if (is_simulated()) return true;
    std::array<MPI_Request, 2> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    mpi_check(MPI_Ibarrier(heads_, requests.data()));
    if (rank_ == 0 && !ends_within(patience, requests.front())) return false;
    // Rank 0 takes part in this once it has decided; otherwise it sends a message instead.
    mpi_check(MPI_Ibarrier(heads_, &requests.back()));
    for (int done = 0;;) {
      mpi_check(MPI_Testall(2, requests.data(), &done, MPI_STATUSES_IGNORE));
      if (done != 0) return true;
      if (rank_ != 0 && is_requested_for_block()) return false;
      sleep_for(nap);
    }
  }

  static bool ends_within(std::chrono::nanoseconds patience, MPI_Request& request) {
    const auto end = std::chrono::steady_clock::now() + patience;
    int done = 0;
    while (done == 0 && std::chrono::steady_clock::now() < end) {
      mpi_check(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
      if (done == 0) sleep_for(nap);
    }
    return done != 0;
  }

  [[nodiscard]] bool is_requested_for_block() const {
    int is_requested = 0;
    mpi_check(MPI_Iprobe(0, send_block_tag, heads_, &is_requested, MPI_STATUS_IGNORE));
    return is_requested != 0;
  }

  std::vector<NodeBlock> gather() {
    std::vector<NodeBlock> blocks(rank_ == 0 ? static_cast<std::size_t>(size_) : 0);
    constexpr int bytes = sizeof(NodeBlock);
    mpi_check(MPI_Gather(&own_.block, bytes, MPI_BYTE, blocks.data(), bytes, MPI_BYTE, 0, heads_));
    return blocks;
  }

  /// Messages to and from each that came: those that did not may be in any call.
  std::vector<NodeBlock> collect() {
    constexpr int bytes = sizeof(NodeBlock);
    if (rank_ != 0) {
      mpi_check(MPI_Recv(nullptr, 0, MPI_BYTE, 0, send_block_tag, heads_, MPI_STATUS_IGNORE));
      mpi_check(MPI_Send(&own_.block, bytes, MPI_BYTE, 0, block_tag, heads_));
      return {};
    }
    std::vector<NodeBlock> blocks(static_cast<std::size_t>(size_));
    blocks.front() = own_.block;
    // Never completed: a send to a rank that has died may not end.
    std::vector<MPI_Request> sends(static_cast<std::size_t>(size_ - 1), MPI_REQUEST_NULL);
    for (int rank = 1; rank < size_; ++rank) {
      mpi_check(MPI_Isend(nullptr, 0, MPI_BYTE, rank, send_block_tag, heads_,
                          &sends[static_cast<std::size_t>(rank - 1)]));
    }
    constexpr std::chrono::seconds quiet_time{2};
    for (auto end = std::chrono::steady_clock::now() + quiet_time;
         std::chrono::steady_clock::now() < end;) {
      int is_here = 0;
      MPI_Status status;
      mpi_check(MPI_Iprobe(MPI_ANY_SOURCE, block_tag, heads_, &is_here, &status));
      if (is_here == 0) {
        sleep_for(nap);
        continue;
      }
      const int rank = status.MPI_SOURCE;
      mpi_check(MPI_Recv(&blocks[static_cast<std::size_t>(rank)], bytes, MPI_BYTE, rank, block_tag,
                         heads_, MPI_STATUS_IGNORE));
      came_.push_back(rank);
      end = std::chrono::steady_clock::now() + quiet_time;
    }
    return blocks;
  }

  void send_kind() const {
    mpi_check(MPI_Send(own_.kind.data(), static_cast<int>(own_.kind.size()), MPI_BYTE, 0, kind_tag,
                       heads_));
  }

  std::string receive_kind(int rank) const {
    MPI_Status status;
    mpi_check(MPI_Probe(rank, kind_tag, heads_, &status));
    int size = 0;
    mpi_check(MPI_Get_count(&status, MPI_BYTE, &size));
    std::string text(static_cast<std::size_t>(size), '\0');
    mpi_check(MPI_Recv(text.data(), size, MPI_BYTE, rank, kind_tag, heads_, MPI_STATUS_IGNORE));
    return text;
  }

  MPI_Comm heads_;
  const OwnLaunch& own_;
  int rank_;
  int size_;
  bool all_came_ = true;
  std::vector<int> came_;  ///< on rank 0, if not all did
};

/// The nodes of the job: this rank's ranks, and the first ranks of all nodes.
struct NodeComms {
  UniqueComm node;
  UniqueComm heads;                ///< null on other ranks
  std::string host;                ///< of this rank
  std::vector<std::string> hosts;  ///< of each rank of `heads`
};

NodeComms split_nodes() {
  const std::vector<Site> sites = gather_sites(MPI_COMM_WORLD);
  const int rank = rank_in(MPI_COMM_WORLD);
  const Site& own = sites[static_cast<std::size_t>(rank)];
  NodeComms comms{.host = own.host};
  mpi_check(MPI_Comm_split(MPI_COMM_WORLD, own.node, rank, comms.node.out()));
  const int color = own.local_rank == 0 ? 0 : MPI_UNDEFINED;
  mpi_check(MPI_Comm_split(MPI_COMM_WORLD, color, rank, comms.heads.out()));
  for (const Site& site : sites) {
    if (site.local_rank == 0) comms.hosts.push_back(site.host);
  }
  return comms;
}

/// The ranks of `heads` whose kinds no earlier one has.
std::vector<int> first_of_kinds(const std::vector<NodeBlock>& blocks) {
  std::set<std::string> known;
  std::vector<int> ranks;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i].has_figures == 0) continue;
    if (known.insert(blocks[i].kind.data()).second) ranks.push_back(static_cast<int>(i));
  }
  return ranks;
}

NodeTexts texts_of(const std::vector<NodeBlock>& blocks, const std::vector<std::string>& hosts) {
  constexpr const char* no_answer = "it did not end with the others";
  NodeTexts texts;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const NodeBlock& block = blocks[i];
    if (block.has_figures != 0) {
      texts.nodes.push_back({.kind = block.kind.data(), .text = text_in(block)});
    } else {
      const std::string reason = text_in(block);
      texts.missing.push_back({.host = hosts[i], .reason = reason.empty() ? no_answer : reason});
    }
  }
  return texts;
}

constexpr std::chrono::seconds least_patience{5};

/// Other nodes begin a little later, and take longer if they are slow. All have one budget, so that
/// a quarter of it is enough.
std::chrono::nanoseconds patience_for(const LaunchOptions& options) {
  constexpr double share = 0.25;
  const double budget = options.budget ? options.budget->value : 0;
  return std::max<std::chrono::nanoseconds>(
      least_patience, std::chrono::nanoseconds(static_cast<std::int64_t>(1e9 * share * budget)));
}

/// Whether nodes are missing, from the first rank of a node to its others, which sleep.
bool broadcast_to_node(MPI_Comm node, bool is_stuck) {
  int value = is_stuck ? 1 : 0;
  if (is_simulated()) return is_stuck;
  MPI_Request request = MPI_REQUEST_NULL;
  mpi_check(MPI_Ibcast(&value, 1, MPI_INT, 0, node, &request));
  for (int done = 0; done == 0;) {
    mpi_check(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
    if (done == 0) sleep_for(nap);
  }
  return value != 0;
}

/// Ends a rank other than 0 if nodes are missing: MPI_Finalize would wait for them, and MPI_Abort
/// does not end a job of Open MPI 4 with --enable-recovery. Rank 0 has time to write before.
[[noreturn]] void end_rank() {
  constexpr std::chrono::seconds time_to_write{2};
  sleep_for(time_to_write);
  ::_exit(static_cast<int>(ExitCode::run_failed));
}

double seconds_in(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

}  // namespace

std::optional<EachNode> run_each_node(const std::string& procedure, const LaunchOptions& options) {
  const NodeComms comms = split_nodes();
  const bool is_first = rank_in(MPI_COMM_WORLD) == 0;
  const bool is_on_first = comms.host == comms.hosts.front();
  LaunchOptions own_options = options;
  if (!is_on_first) own_options.output.clear();
  // Ranks whose peers hang would wait for them for ever.
  if (options.budget && !options.limit && !is_simulated()) {
    own_options.limit = Seconds{options.budget->value + seconds_in(patience_for(options))};
  }
  quiet_barrier(MPI_COMM_WORLD);
  OwnLaunch own = [&] {
    const PeerWatch watch(comms.node.get());
    return measure_node(comms.node.get(), procedure, own_options);
  }();
  if (!comms.heads) {
    if (broadcast_to_node(comms.node.get(), false)) end_rank();
    return std::nullopt;
  }
  NodeCollector gathering(comms.heads.get(), own);
  const std::vector<NodeBlock> blocks = gathering.run(patience_for(options));
  const std::vector<int> requested = is_first ? first_of_kinds(blocks) : std::vector<int>();
  std::vector<std::string> kinds = gathering.kinds_of(requested);
  const bool is_stuck = broadcast_to_node(comms.node.get(), !gathering.all_came());
  if (!is_first && is_stuck) end_rank();
  if (!is_first) return std::nullopt;
  NodeTexts texts = texts_of(blocks, comms.hosts);
  texts.kinds = std::move(kinds);
  if (texts.nodes.empty()) {
    throw InputError(
        {"no node could be measured", own.reason, "ask for what one node can measure"});
  }
  if (!own.record) {
    own.record =
        read_nodes(parse_json(nodes_document(texts), "the first node with figures")).front();
    if (!options.output.empty()) save_or_rescue(*own.record, options.output);
  }
  texts.nodes.erase(texts.nodes.begin());
  if (!options.output.empty()) save_nodes(texts, options.output);
  return EachNode{
      .first = std::move(*own.record), .others = std::move(texts), .is_stuck = is_stuck};
}

std::string each_node_text(const NodeTexts& others) {
  const std::size_t nodes = others.nodes.size() + 1;
  std::string text = fmt::format("{} node{} measured {} at the same time", nodes,
                                 nodes == 1 ? "" : "s", nodes == 1 ? "itself" : "themselves");
  for (const MissingNode& node : others.missing) {
    text += fmt::format("\nnot measured: {} ({})", escaped(node.host), escaped(node.reason));
  }
  return text;
}

}  // namespace hockney::benchmarks::programs
