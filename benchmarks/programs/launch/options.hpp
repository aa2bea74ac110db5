#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/engine/start.hpp"
#include "benchmarks/engine/suites.hpp"
#include "benchmarks/harness/cache_state.hpp"
#include "benchmarks/harness/placement.hpp"
#include "core/record.hpp"
#include "placement/schedule.hpp"

namespace hockney {

/// Which pairs of ranks are measured.
enum class PairChoice { representative, all, sparse, listed };

/// The same operation under another name, or with a planted slow-down.
struct Variant {
  std::string name;
  double slow_down = 0;  ///< 0.1: a tenth slower
};

/// The path that messages of `from` bytes and more are expected to take.
struct ExpectedPath {
  std::string path;
  Bytes from{};
};

/// Points of one operation beside those that the options make: the same with these parameters.
struct FurtherPoints {
  std::string operation;
  std::map<std::string, std::string> parameters;
};

/// What the user asked of one launch of an executable.
struct LaunchOptions {
  std::vector<std::string> operations;
  std::vector<Bytes> sizes;
  std::vector<Guideline> guidelines;  ///< whose sides the operations are
  std::vector<FurtherPoints> further;
  std::vector<Variant> variants;       ///< of every point; empty: just the operation
  std::vector<std::string> datatypes;  ///< empty: bytes; double for reductions
  std::vector<std::string> operators;  ///< of reductions; empty: sum
  std::vector<std::string> counts;     ///< of blocks that may differ; empty: equal
  std::vector<std::string> roots;      ///< empty: the first rank
  std::vector<std::string> in_place;   ///< "no", "yes"; empty: no
  std::vector<std::string> cadences;   ///< of operations timed one by one; empty: isolated
  std::vector<std::string> works;      ///< beside nonblocking calls; empty: none, alone and during
  std::vector<std::string> tests;      ///< calls of MPI_Test in the work; empty: 0
  std::vector<std::string> communicators;  ///< of operations of everybody; empty: world
  std::vector<Suite> compat;               ///< every point also as these suites would time it
  std::vector<CacheState> caches;          ///< of operations with data; empty: hot
  PairChoice pairs = PairChoice::representative;
  SparseDesign sparse;           ///< of PairChoice::sparse
  std::vector<RankPair> listed;  ///< of PairChoice::listed
  std::vector<Hop> hops;         ///< empty: every class there is
  bool concurrent = false;       ///< disjoint pairs at the same time instead of one after the other
  std::optional<int> window;
  std::optional<StartScheme> start;
  bool local_times = false;  ///< every rank's own time too, where the last one counts
  std::optional<int> epochs;
  std::optional<Seconds> budget;
  std::optional<double> precision;  ///< a launch may end early when it knows its medians this well
  int clock_checks = 0;             ///< synchronisations made to test the algorithm
  std::optional<int> samples;
  std::uint64_t seed = 0;
  PlacementOptions placement;
  std::string output;
  bool json = false;
  bool tails = false;        ///< high quantiles in the table
  bool prove_paths = false;  ///< count what carries the messages of pairs
  std::optional<ExpectedPath> expected_path;
  std::optional<CampaignPlace> campaign;
};

}  // namespace hockney
