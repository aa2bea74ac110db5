#include <catch2/catch.hpp>

#include "benchmarks/engine/suites.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace hockney::benchmarks {
namespace {

constexpr std::int64_t kibi = 1024;
constexpr std::int64_t mebi = kibi * kibi;

Repetitions osu(OperationKind kind, std::int64_t bytes) {
  return default_repetitions(Suite::osu, kind, {bytes});
}

Repetitions imb(std::int64_t bytes) {
  return default_repetitions(Suite::imb, OperationKind::pair, {bytes});
}

}  // namespace

TEST_CASE("suites have names that parse back") {
  CHECK(valid_words<Suite>() == std::vector<std::string>{"osu", "imb"});
  for (const auto suite : {Suite::osu, Suite::imb}) {
    CHECK(parse_suite(std::string(word(suite))) == suite);
  }
  CHECK_THROWS_WITH(parse_suite("ous"), Catch::Contains("did you mean 'osu'?"));
  CHECK_THROWS_AS(parse_suite(""), InputError);
}

TEST_CASE("OMB calls as often as osu_util.h says, less above 8 KiB") {
  CHECK(osu(OperationKind::pair, 8 * kibi) == Repetitions{10000, 100});
  CHECK(osu(OperationKind::pair, 8 * kibi + 1) == Repetitions{1000, 10});
  CHECK(osu(OperationKind::windowed_pair, 0) == Repetitions{100, 10});
  CHECK(osu(OperationKind::windowed_pair, mebi) == Repetitions{20, 2});
  CHECK(osu(OperationKind::windowed_pairs, mebi) == Repetitions{100, 10});
  CHECK(osu(OperationKind::collective, 4) == Repetitions{1000, 100});
  CHECK(osu(OperationKind::collective, mebi) == Repetitions{100, 10});
  CHECK(osu(OperationKind::barrier, 0) == Repetitions{1000, 100});
}

TEST_CASE("IMB calls a thousand times, or as often as 40 MiB allow") {
  CHECK(imb(0) == Repetitions{1000, 100});
  CHECK(imb(32 * kibi) == Repetitions{1000, 100});
  CHECK(imb(64 * kibi) == Repetitions{640, 64});
  CHECK(imb(mebi) == Repetitions{40, 10});
  CHECK(imb(4 * mebi) == Repetitions{10, 10});
  CHECK(imb(8 * mebi) == Repetitions{5, 5});
  CHECK(imb(64 * mebi) == Repetitions{1, 1});
  CHECK(default_repetitions(Suite::imb, OperationKind::one_sided, Bytes{8}) ==
        Repetitions{100, 10});
  CHECK(default_repetitions(Suite::imb, OperationKind::windowed_one_sided, Bytes{8}) ==
        Repetitions{1000, 100});
}

TEST_CASE("OMB takes the first rank's calls, or the mean over ranks with a barrier after each") {
  const SuiteTiming pair{
      .clocking = Clocking::each_call, .barriers_before = 1, .over_ranks = OverRanks::first};
  CHECK(timing_of(Suite::osu, OperationKind::pair) == pair);
  CHECK(timing_of(Suite::osu, OperationKind::windowed_pair) == pair);
  for (const auto kind : {OperationKind::one_sided, OperationKind::windowed_one_sided}) {
    CHECK(timing_of(Suite::osu, kind) ==
          SuiteTiming{.clocking = Clocking::whole_loop_with_readings, .barriers_before = 1});
    CHECK(osu(kind, 8) ==
          osu(kind == OperationKind::one_sided ? OperationKind::pair : OperationKind::windowed_pair,
              8));
  }
  const SuiteTiming collective = timing_of(Suite::osu, OperationKind::collective);
  CHECK(collective == SuiteTiming{.clocking = Clocking::each_call,
                                  .barriers_before = 1,
                                  .barriers_after_call = 1,
                                  .over_ranks = OverRanks::mean});
  CHECK(timing_of(Suite::osu, OperationKind::ring) == collective);
  CHECK(timing_of(Suite::osu, OperationKind::barrier).barriers_after_call == 0);
  CHECK(timing_of(Suite::osu, OperationKind::windowed_pairs).over_ranks == OverRanks::sender_mean);
}

TEST_CASE("IMB takes the slowest rank, of each call for collectives with data, else of the loop") {
  for (const auto kind :
       {OperationKind::pair, OperationKind::windowed_pair, OperationKind::windowed_pairs,
        OperationKind::one_sided, OperationKind::windowed_one_sided, OperationKind::ring,
        OperationKind::barrier, OperationKind::collective}) {
    const bool each = kind == OperationKind::collective;
    CHECK(timing_of(Suite::imb, kind) ==
          SuiteTiming{.clocking = each ? Clocking::each_call : Clocking::whole_loop,
                      .barriers_before = 2,
                      .barriers_after_warm_up = 2,
                      .barriers_after_call = each ? 1 : 0,
                      .over_ranks = OverRanks::largest});
  }
}

TEST_CASE("messages between threads are one loop, to OMB as often as those of ranks") {
  for (const auto kind : {OperationKind::threaded_messages, OperationKind::threaded_windows}) {
    CHECK(timing_of(Suite::osu, kind) ==
          SuiteTiming{.clocking = Clocking::whole_loop, .barriers_before = 1});
  }
  CHECK(osu(OperationKind::threaded_messages, 8) == osu(OperationKind::pair, 8));
  CHECK(osu(OperationKind::threaded_messages, mebi) == osu(OperationKind::pair, mebi));
  CHECK(osu(OperationKind::threaded_windows, mebi) == osu(OperationKind::windowed_pair, mebi));
  CHECK(timing_of(Suite::osu, OperationKind::threaded_collective) ==
        timing_of(Suite::osu, OperationKind::collective));
  CHECK(timing_of(Suite::osu, OperationKind::threaded_barrier) ==
        timing_of(Suite::osu, OperationKind::barrier));
}

TEST_CASE("IMB-MT loops over messages, times collectives call by call, and has five barriers") {
  const SuiteTiming messages{.clocking = Clocking::whole_loop,
                             .barriers_before = 1,
                             .barriers_after_warm_up = 1,
                             .over_ranks = OverRanks::largest};
  CHECK(timing_of(Suite::imb, OperationKind::threaded_messages) == messages);
  SuiteTiming windows = messages;
  windows.over_ranks = OverRanks::mean;
  CHECK(timing_of(Suite::imb, OperationKind::threaded_windows) == windows);
  SuiteTiming calls{.clocking = Clocking::each_call,
                    .barriers_before = 1,
                    .barriers_after_call = 5,
                    .over_ranks = OverRanks::largest};
  CHECK(timing_of(Suite::imb, OperationKind::threaded_collective) == calls);
  calls.barriers_after_call = 0;
  CHECK(timing_of(Suite::imb, OperationKind::threaded_barrier) == calls);
  for (const auto kind : {OperationKind::threaded_messages, OperationKind::threaded_windows,
                          OperationKind::threaded_collective, OperationKind::threaded_barrier}) {
    CHECK(default_repetitions(Suite::imb, kind, Bytes{64 * mebi}) == Repetitions{1000, 100});
  }
}

TEST_CASE("a visit has room for fewer calls, with their share of warm-up") {
  const Repetitions wanted{1000, 100};
  CHECK(repetitions_that_fit(wanted, 1e-6, 0.01) == wanted);
  CHECK(repetitions_that_fit(wanted, 0x1p-10, 1.1 * 0x1p-2) == Repetitions{256, 26});
  CHECK(repetitions_that_fit({1000, 0}, 0x1p-10, 0x1p-2) == Repetitions{256, 0});
  CHECK(repetitions_that_fit(wanted, 1, 0.01) == Repetitions{1, 1});
}

TEST_CASE("where time stands still a hundred calls are enough") {
  CHECK(repetitions_that_fit({10000, 100}, 0, 0.01) == Repetitions{100, 1});
  CHECK(repetitions_that_fit({10000, 100}, 1e-6, 0) == Repetitions{100, 1});
  CHECK(repetitions_that_fit({20, 2}, 1e-6, 0) == Repetitions{20, 2});
}

}  // namespace hockney::benchmarks
