#include <catch2/catch.hpp>

#include "core/error.hpp"
#include "models/schedules/schedule.hpp"
#include "tests/models/schedules/data_flow.hpp"

// Every algorithm keeps the promise of its collective: data are followed from rank to rank.
namespace hockney::schedules {
namespace {

/// What a slot of a rank holds before and after; nullopt afterwards: it does not matter.
struct Promise {
  Contributions (*before)(int rank, int slot, const Workload&);
  std::optional<Contributions> (*after)(int rank, int slot, const Workload&);
};

Contributions everybody(const Workload& workload) {
  Contributions all;
  for (int rank = 0; rank < workload.ranks; ++rank) all[rank] = 1;
  return all;
}

Contributions own(int rank, int, const Workload&) { return {{rank, 1}}; }

Contributions own_block(int rank, int slot, const Workload&) {
  return slot == rank ? Contributions{{rank, 1}} : Contributions{};
}

int from_root(int rank, const Workload& workload) {
  return (rank - workload.root + workload.ranks) % workload.ranks;
}

bool owns_element(int rank, int slot, const Workload& workload) {
  const Slots mine = even_part(whole(workload), workload.ranks, rank);
  return slot >= mine.first && slot < mine.first + mine.count;
}

const std::map<std::string, Promise>& promises() {
  using Maybe = std::optional<Contributions>;
  static const std::map<std::string, Promise> all{
      {"bcast",
       {[](int rank, int, const Workload& w) {
          return rank == w.root ? Contributions{{rank, 1}} : Contributions{};
        },
        [](int, int, const Workload& w) {
          return Maybe(Contributions{{w.root, 1}});
        }}},
      {"reduce",
       {own,
        [](int rank, int, const Workload& w) {
          return rank == w.root ? Maybe(everybody(w)) : std::nullopt;
        }}},
      {"allreduce", {own, [](int, int, const Workload& w) { return Maybe(everybody(w)); }}},
      {"reduce-scatter",
       {own,
        [](int rank, int slot, const Workload& w) {
          return owns_element(rank, slot, w) ? Maybe(everybody(w)) : std::nullopt;
        }}},
      {"reduce-scatter-block",
       {own, [](int rank, int slot,
                const Workload& w) { return slot == rank ? Maybe(everybody(w)) : std::nullopt; }}},
      {"allgather",
       {own_block,
        [](int, int slot, const Workload&) {
          return Maybe(Contributions{{slot, 1}});
        }}},
      {"gather",
       {[](int rank, int slot, const Workload& w) {
          return own_block(from_root(rank, w), slot, w);
        },
        [](int rank, int slot, const Workload& w) {
          return rank == w.root ? Maybe(Contributions{{slot, 1}}) : std::nullopt;
        }}},
      {"scatter",
       {[](int rank, int slot, const Workload& w) {
          return rank == w.root ? Contributions{{slot, 1}} : Contributions{};
        },
        [](int rank, int slot, const Workload& w) {
          const int mine = from_root(rank, w);
          return slot == mine ? Maybe(Contributions{{slot, 1}}) : std::nullopt;
        }}},
      // The block of rank a for rank b is number a p + b.
      {"alltoall",
       {[](int rank, int slot, const Workload& w) {
          return Contributions{{rank * w.ranks + (rank + slot) % w.ranks, 1}};
        },
        [](int rank, int slot, const Workload& w) {
          return Maybe(Contributions{{(rank - slot + w.ranks) % w.ranks * w.ranks + rank, 1}});
        }}}};
  return all;
}

std::vector<RankMemory> memory_before(const Schedule& schedule, const Workload& workload,
                                      const Promise& promise) {
  std::vector<RankMemory> memory(schedule.ranks.size());
  for (int rank = 0; rank < workload.ranks; ++rank) {
    RankMemory& mine = memory[static_cast<std::size_t>(rank)];
    for (int slot = 0; slot < schedule.slots; ++slot) {
      mine.working.push_back(promise.before(rank, slot, workload));
    }
    mine.prefix.resize(mine.working.size());
    mine.received.resize(mine.working.size());
  }
  return memory;
}

bool is_kept(const std::string& operation, const std::string& algorithm, const Workload& workload,
             bool rendezvous) {
  const Schedule schedule = schedule_of(operation, algorithm, workload);
  const Promise& promise = promises().at(operation);
  const auto after =
      DataFlow(schedule, memory_before(schedule, workload, promise), rendezvous).run();
  for (int rank = 0; rank < workload.ranks; ++rank) {
    for (int slot = 0; slot < schedule.slots; ++slot) {
      const auto wanted = promise.after(rank, slot, workload);
      const auto& found =
          after[static_cast<std::size_t>(rank)].working[static_cast<std::size_t>(slot)];
      if (wanted && found != *wanted) return false;
    }
  }
  return true;
}

/// Work that shows what a division leaves over: 1, 4 and 37 elements, segments of 3.
std::vector<Workload> works(int ranks, int root) {
  std::vector<Workload> all;
  for (const std::int64_t elements : {0, 1, 4, 37}) {
    for (const std::int64_t segment : {0, 3}) {
      all.push_back({.ranks = ranks,
                     .bytes = {8 * elements},
                     .element_bytes = 8,
                     .segment = {8 * segment},
                     .fanout = segment == 0 ? 0 : 2,
                     .root = root});
    }
  }
  return all;
}

std::vector<Workload> all_works() {
  std::vector<Workload> all;
  for (const int ranks : {1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 16}) {
    for (const int root : {0, ranks / 2}) {
      if (root >= ranks) continue;
      const auto some = works(ranks, root);
      all.insert(all.end(), some.begin(), some.end());
    }
  }
  return all;
}

std::string text(const Workload& work) {
  return std::to_string(work.ranks) + " ranks, root " + std::to_string(work.root) + ", " +
         std::to_string(work.bytes.value) + " B, segment " + std::to_string(work.segment.value);
}

template <class Check>
void for_all_works(const std::string& operation, Check check) {
  for (const std::string& algorithm : algorithms_of(operation)) {
    int fitting = 0;
    for (const Workload& work : all_works()) {
      if (unfit(operation, algorithm, work)) {
        CHECK_THROWS_AS(schedule_of(operation, algorithm, work), InputError);
        continue;
      }
      ++fitting;
      for (const bool rendezvous : {false, true}) {
        INFO(operation << ' ' << algorithm << ", " << text(work));
        REQUIRE(check(algorithm, work, rendezvous));
      }
    }
    CHECK(fitting > 9);
  }
}

}  // namespace

TEST_CASE("every rank ends with what its collective promises") {
  for (const auto& [operation, promise] : promises()) {
    for_all_works(operation, [&](const std::string& algorithm, const Workload& work, bool waits) {
      return is_kept(operation, algorithm, work, waits);
    });
  }
}

TEST_CASE("nobody leaves a barrier before everybody has come") {
  for_all_works("barrier", [](const std::string& algorithm, const Workload& work, bool waits) {
    const Schedule schedule = schedule_of("barrier", algorithm, work);
    const Promise promise{own, nullptr};
    const auto after = DataFlow(schedule, memory_before(schedule, work, promise), waits).run();
    return std::ranges::all_of(after, [&](const RankMemory& memory) {
      return memory.working.front().size() == static_cast<std::size_t>(work.ranks);
    });
  });
}

TEST_CASE("a scan gives every rank what those up to it contribute, an exscan those before it") {
  for (const bool inclusive : {true, false}) {
    const std::string operation = inclusive ? "scan" : "exscan";
    for_all_works(operation, [&](const std::string& algorithm, const Workload& work, bool waits) {
      const Schedule schedule = schedule_of(operation, algorithm, work);
      auto memory = memory_before(schedule, work, {own, nullptr});
      Contributions wanted;
      std::vector<Contributions> expected;
      for (int rank = 0; rank < work.ranks; ++rank) {
        if (!inclusive) expected.push_back(wanted);
        wanted[rank] = 1;
        if (!inclusive) continue;
        expected.push_back(wanted);
        auto& mine = memory[static_cast<std::size_t>(rank)];
        mine.prefix = mine.working;
      }
      const auto after = DataFlow(schedule, std::move(memory), waits).run();
      for (std::size_t rank = 0; rank < after.size(); ++rank) {
        for (const Contributions& slot : after[rank].prefix) {
          if (slot != expected[rank]) return false;
        }
      }
      return true;
    });
  }
}

TEST_CASE("every operation has a usual algorithm that fits, whatever the ranks and the size") {
  for (const std::string& operation : scheduled_operations()) {
    for (const int ranks : {2, 3, 8, 13}) {
      for (const std::int64_t bytes : {0, 8, 4096, 1 << 20}) {
        CAPTURE(operation, ranks, bytes);
        const Workload work{.ranks = ranks, .bytes = {bytes}};
        const std::string usual = usual_algorithm(operation, work);
        CHECK(has_algorithm(operation, usual));
        CHECK_FALSE(unfit(operation, usual, work));
      }
    }
  }
}

TEST_CASE("no operation with a schedule goes untested") {
  for (const std::string& operation : scheduled_operations()) {
    const bool is_tested = promises().contains(operation) || operation == "barrier" ||
                           operation == "scan" || operation == "exscan";
    CHECK(is_tested);
  }
}

}  // namespace hockney::schedules
