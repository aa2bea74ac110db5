#include "components/application/analysis/event_levels.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <string_view>

#include "tests/support/scripted_trace.hpp"

namespace hockney::applications {
namespace {

using profile::Function;
using Times = std::array<std::int64_t, doings_in_mpi>;

/// Reads the numbers of EventLevels::bytes.
class Numbers {
 public:
  explicit Numbers(const EventLevels& levels) : rest_(levels.bytes) {}

  std::int64_t next() {
    std::int64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      REQUIRE_FALSE(rest_.empty());
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      value |= std::int64_t{byte & 127U} << shift;
      if (byte < 128) return value;
    }
  }
  std::int64_t next_signed() {
    const std::int64_t value = next();
    return value % 2 == 0 ? value / 2 : -(value + 1) / 2;
  }
  [[nodiscard]] bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

struct ReadRank {
  std::int64_t begin = 0;
  std::int64_t life = 0;
  Times totals{};
  std::vector<Times> slots{};  ///< units
};

struct ReadCall {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t wait = 0;
  std::int64_t cause_rank = -1;
  std::int64_t cause_call = -1;
};

struct ReadLevels {
  std::vector<ReadRank> ranks;
  std::int64_t messages = 0;                              ///< over all slots
  std::vector<std::vector<std::vector<ReadCall>>> calls;  ///< by window and rank
  std::vector<std::int64_t> messages_of_windows;
};

void read_slots(Numbers& numbers, const EventLevels& levels, ReadRank& rank) {
  for (std::size_t slot = 0; slot < levels.slots; ++slot) {
    const std::int64_t mask = numbers.next();
    Times& times = rank.slots.emplace_back();
    for (std::size_t i = 0; i < doings_in_mpi; ++i) {
      if ((mask >> i & 1) != 0) times[i] = numbers.next();
    }
  }
}

std::vector<ReadCall> read_calls(Numbers& numbers, std::int64_t now, std::int64_t place) {
  const std::int64_t first = numbers.next();
  std::vector<ReadCall> calls(static_cast<std::size_t>(numbers.next()));
  for (std::size_t i = 0; i < calls.size(); ++i) {
    ReadCall& call = calls[i];
    call.begin = now + numbers.next_signed();
    now = call.end = call.begin + numbers.next();
    if (numbers.next() % 2 == 0) continue;
    call.wait = numbers.next();
    call.cause_rank = place + numbers.next_signed();
    call.cause_call = first + static_cast<std::int64_t>(i) + numbers.next_signed();
  }
  return calls;
}

ReadLevels read(const EventLevels& levels) {
  Numbers numbers(levels);
  ReadLevels found;
  for (std::size_t i = 0; i < levels.ranks.size(); ++i) {
    ReadRank& rank = found.ranks.emplace_back();
    rank.begin = numbers.next();
    rank.life = numbers.next();
    for (std::int64_t& total : rank.totals) total = numbers.next();
  }
  for (ReadRank& rank : found.ranks) read_slots(numbers, levels, rank);
  for (std::size_t i = 0; i < levels.slots; ++i) found.messages += numbers.next();
  const std::int64_t arguments = 6 * numbers.next();
  for (std::int64_t i = 0; i < arguments; ++i) (void)numbers.next();
  for (const CallWindow& window : levels.windows) {
    auto& ranks = found.calls.emplace_back();
    for (std::size_t i = 0; i < levels.ranks.size(); ++i) {
      ranks.push_back(read_calls(numbers, window.begin, static_cast<std::int64_t>(i)));
    }
  }
  for (std::size_t i = 0; i < levels.windows.size(); ++i) {
    found.messages_of_windows.push_back(numbers.next());
    for (std::int64_t k = 0; k < 4 * found.messages_of_windows.back(); ++k) (void)numbers.next();
  }
  CHECK(numbers.at_end());
  return found;
}

EventLevels levels_of(const ScriptedTrace& script, const LevelLimits& limits = {}) {
  const TraceAnalysis run = script.analysis();
  return event_levels(run, find_iterations(run), limits);
}

/// Rank 1 sends 20 us after rank 0 has begun to receive.
ScriptedTrace late_send() {
  ScriptedTrace script(2);
  script.computes(0, 40).receives(0, 1, 800).takes(30);
  script.computes(1, 60).sends(1, 0, 800).takes(10);
  script.collective(Function::Barrier, 0).takes(10);
  script.collective(Function::Barrier, 1).takes(10);
  return script;
}

/// Steps of computing, a message to the next rank and a barrier, none of a round length. In the
/// eighth step rank 1 computes longer; rank 2 waits for its message, the others in the barrier.
ScriptedTrace many_steps(int ranks, int steps) {
  constexpr double late = 80.123;
  ScriptedTrace script(ranks);
  for (int i = 0; i < steps; ++i) {
    for (int rank = 0; rank < ranks; ++rank) {
      const bool is_late = i == 7;
      script.computes(rank, 10.007 + 0.013 * (i % 5) + (is_late && rank == 1 ? late : 0));
      script.starts_send(rank, (rank + 1) % ranks, 64).takes(0.101);
      script.receives(rank, (rank + ranks - 1) % ranks, 64);
      script.takes(3.037 + (is_late && rank == 2 ? late : 0));
      script.collective(Function::Barrier, rank);
      script.takes(1.009 + (is_late && rank != 1 && rank != 2 ? late : 0));
    }
  }
  return script;
}

}  // namespace

TEST_CASE("levels of detail keep the time of each kind: totals exactly, slots to one rounding") {
  const ScriptedTrace script = many_steps(3, 400);
  const EventLevels levels = levels_of(script);
  const ReadLevels found = read(levels);
  const Trace trace = script.trace();
  for (std::size_t place = 0; place < trace.ranks.size(); ++place) {
    const ReadRank& rank = found.ranks[place];
    std::int64_t in_mpi = 0;
    for (const EventView event : trace.ranks[place].events.views()) in_mpi += event.ticks;
    CHECK(rank.totals[0] + rank.totals[1] + rank.totals[2] + rank.totals[3] == in_mpi);
    CHECK(rank.life == std::llround(1e9 * trace.ranks[place].seconds));
    for (std::size_t kind = 0; kind < doings_in_mpi; ++kind) {
      std::int64_t units = 0;
      for (const Times& slot : rank.slots) units += slot[kind];
      CHECK(std::abs(units * levels.unit - rank.totals[kind]) <= levels.unit);
    }
  }
  CHECK(found.messages == 3 * 400);
}

TEST_CASE("a call that waits names the wait and the call that ends it") {
  const EventLevels levels = levels_of(late_send());
  REQUIRE(levels.windows.size() == 1);
  const ReadLevels found = read(levels);
  const ReadCall& receive = found.calls[0][0][0];
  CHECK(receive.begin == 40'000);
  CHECK(receive.end == 70'000);
  CHECK(receive.wait == 20'000);
  CHECK(receive.cause_rank == 1);
  CHECK(receive.cause_call == 0);
  CHECK(found.calls[0][1][0].wait == 0);
  CHECK(found.messages_of_windows.front() == 1);
  CHECK(found.ranks[0].totals == Times{20'000, 10'000, 10'000, 0});
  CHECK(levels.functions == std::vector<std::string>{"MPI_Recv", "MPI_Barrier", "MPI_Send"});
  CHECK(levels.doings == std::vector{Doing::messages, Doing::collectives, Doing::messages});
}

TEST_CASE("without room for all calls those of the slowest and the median iteration are stored") {
  const ScriptedTrace script = many_steps(4, 3000);
  const EventLevels levels = levels_of(script, {.bytes = 40'000, .most_slots = 1024});
  CHECK(levels.bytes.size() <= 40'000);
  REQUIRE(levels.slowest);
  REQUIRE(levels.typical);
  const auto is_stored = [&](const CallWindow& wanted) {
    return std::ranges::any_of(levels.windows, [&](const CallWindow& window) {
      return window.begin <= wanted.begin && window.end >= wanted.end;
    });
  };
  CHECK(is_stored(*levels.slowest));
  CHECK(is_stored(*levels.typical));
  const ReadLevels found = read(levels);
  std::size_t calls = 0;
  for (const auto& window : found.calls) {
    for (const auto& rank : window) calls += rank.size();
  }
  CHECK(calls < static_cast<std::size_t>(levels.calls) / 4);
  CHECK(levels.calls == 4 * 3000 * 3);
}

TEST_CASE("a run without calls has slots without time in MPI") {
  ScriptedTrace script(1);
  const EventLevels levels = levels_of(script.computes(0, 5));
  const ReadLevels found = read(levels);
  CHECK(found.ranks[0].life == 5'000);
  CHECK(found.ranks[0].totals == Times{});
}

}  // namespace hockney::applications
