// A profile and a log of events of a program that never ran, for sizes of pages:
//   event_log NAME.json [RANKS [ITERATIONS]]
// A ring in which each iteration computes, exchanges messages with both neighbours and sums up: six
// calls of each rank. One iteration in the middle is slow, on one rank.

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "components/application/profile/event_log.hpp"
#include "components/application/profile/merge.hpp"
#include "components/application/profile/profile_file.hpp"
#include "core/atomic_file.hpp"
#include "core/json_values.hpp"
#include "tests/support/synthetic_part.hpp"

namespace hockney::benchmarks {
namespace {

using profile::CallRow;
using profile::CommunicatorRow;
using profile::Completed;
using profile::Event;
using profile::EventWriter;
using profile::Function;
using profile::Logging;
using profile::MessageRow;
using profile::no_rank;
using profile::PartHeader;
using profile::SiteRow;

constexpr int ranks_of_node = 32;
constexpr std::int64_t message_bytes = 8192;

/// A rank, its clock [ns] and what it logged.
struct RingRank {
  RingRank() : buffer(std::size_t{1} << 20U), writer(buffer, 0) {}

  void log(Event event, std::int64_t until) {
    event.begin = now;
    event.ticks = until - now;
    event.site = static_cast<std::uint32_t>(event.function == Function::Allreduce);
    event.communicator = 0;
    if (!writer.write(event)) throw std::runtime_error("the buffer of a rank is full");
    CallRow& row = calls[event.function];
    ++row.count;
    row.ticks += event.ticks;
    row.min_ticks = std::min(row.count == 1 ? event.ticks : row.min_ticks, event.ticks);
    row.max_ticks = std::max(row.max_ticks, event.ticks);
    now = until;
    ++events;
  }

  std::int64_t now = 0;
  std::uint64_t request = 0;
  std::int64_t events = 0;
  std::vector<char> buffer;
  EventWriter writer;
  std::map<Function, CallRow> calls;
};

class Ring {
 public:
  explicit Ring(int ranks) : ranks_(static_cast<std::size_t>(ranks)) {}

  void iterate(bool is_slow) {
    const std::size_t count = ranks_.size();
    std::uniform_int_distribution<std::int64_t> computing(200'000, 260'000);
    std::vector<std::int64_t> sent(count);
    for (std::size_t i = 0; i < count; ++i) {
      RingRank& rank = ranks_[i];
      rank.now += computing(random_) + (is_slow && i == count / 3 ? 2'000'000 : 0);
      for (const std::size_t peer : neighbours(i)) {
        rank.log({.function = Function::Irecv,
                  .received = {static_cast<int>(peer), 0, -1},
                  .request = ++rank.request},
                 rank.now + 400);
      }
      sent[i] = rank.now;
      for (const std::size_t peer : neighbours(i)) {
        rank.log({.function = Function::Isend,
                  .sent = {static_cast<int>(peer), 0, message_bytes},
                  .request = ++rank.request},
                 rank.now + 900);
      }
    }
    for (std::size_t i = 0; i < count; ++i) complete(i, sent);
    std::int64_t last = 0;
    for (const RingRank& rank : ranks_) last = std::max(last, rank.now);
    for (RingRank& rank : ranks_) {
      rank.log({.function = Function::Allreduce, .sent = {no_rank, no_rank, 8}}, last + 12'000);
    }
  }

  [[nodiscard]] std::string part(std::size_t place) const;

 private:
  [[nodiscard]] std::array<std::size_t, 2> neighbours(std::size_t place) const {
    const std::size_t count = ranks_.size();
    return {(place + count - 1) % count, (place + 1) % count};
  }

  void complete(std::size_t place, const std::vector<std::int64_t>& sent) {
    RingRank& rank = ranks_[place];
    std::int64_t last = rank.now;
    std::vector<Completed> completed;
    std::uint64_t request = rank.request - 3;
    for (const std::size_t peer : neighbours(place)) {
      last = std::max(last, sent[peer] + 6'000);
      completed.push_back({request++, {static_cast<int>(peer), 0, message_bytes}});
    }
    completed.push_back({request++, {}});
    completed.push_back({request, {}});
    rank.log({.function = Function::Waitall, .completed = completed}, last + 500);
  }

  std::vector<RingRank> ranks_;
  std::mt19937_64 random_{1};
};

std::string Ring::part(std::size_t place) const {
  const RingRank& rank = ranks_[place];
  const std::string letters("\0/bin/ring\0", 11);
  const std::vector<CommunicatorRow> communicators{
      {.ranks_hash = 5,
       .made_by = static_cast<std::uint32_t>(Function::count),
       .size = static_cast<int>(ranks_.size()),
       .predefined = 1}};
  const std::vector<SiteRow> sites{{.offset = 16, .module = 1}, {.offset = 32, .module = 1}};
  std::vector<CallRow> calls;
  for (const auto& [function, row] : rank.calls) {
    calls.push_back(row);
    calls.back().key = {.function = static_cast<std::uint32_t>(function),
                        .site = static_cast<std::uint32_t>(function == Function::Allreduce),
                        .communicator = 0};
  }
  std::vector<MessageRow> messages;
  const std::int64_t iterations = rank.calls.at(Function::Waitall).count;
  for (const std::size_t peer : neighbours(place)) {
    messages.push_back({.key = {.to = static_cast<int>(peer), .communicator = 0, .size_class = 14},
                        .messages = iterations,
                        .bytes = iterations * message_bytes,
                        .min_bytes = message_bytes,
                        .max_bytes = message_bytes});
  }
  auto facts = nlohmann::json::parse(profile::synthetic_facts);
  facts["host"]["name"] = "node" + std::to_string(place / ranks_of_node);
  facts["command_line"] = {"./ring"};
  const std::string facts_text = facts.dump();
  PartHeader header{.rank = static_cast<int>(place),
                    .world_ranks = static_cast<int>(ranks_.size()),
                    .end_ticks = rank.now,
                    .end_ns = rank.now,
                    .logging = static_cast<std::uint32_t>(Logging::done)};
  header.events = rank.events;
  return profile::bytes_of_part(header, {.facts = facts_text,
                                         .letters = letters,
                                         .calls = calls,
                                         .messages = messages,
                                         .communicators = communicators,
                                         .sites = sites,
                                         .regions = {},
                                         .log = rank.writer.bytes()});
}

void write_all(const std::string& file, int ranks, int iterations) {
  Ring ring(ranks);
  for (int i = 0; i < iterations; ++i) ring.iterate(i == 3 * iterations / 7);
  profile::Merger merger;
  std::ofstream events(profile::events_file(file), std::ios::binary);
  for (std::size_t place = 0; place < static_cast<std::size_t>(ranks); ++place) {
    const std::string bytes = ring.part(place);
    events << bytes;
    for (const profile::Part& part : profile::read_parts(bytes, "part")) merger.add(part);
  }
  profile::Profile whole = merger.take();
  whole.log->file = profile::events_file(file);
  write_atomically(file, json_text(nlohmann::json(whole)));
  std::printf("%d ranks, %lld calls\n", ranks, static_cast<long long>(whole.log->events));
}

}  // namespace
}  // namespace hockney::benchmarks

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: event_log NAME.json [RANKS [ITERATIONS]]\n");
    return 2;
  }
  const auto number = [&](int place, int usual) {
    return argc > place ? std::atoi(argv[place]) : usual;
  };
  hockney::benchmarks::write_all(argv[1], number(2, 1024), number(3, 1628));
}
