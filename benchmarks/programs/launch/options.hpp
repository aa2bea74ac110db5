#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/engine/start.hpp"
#include "benchmarks/engine/suites.hpp"
#include "benchmarks/harness/cache_state.hpp"
#include "benchmarks/harness/data_layout.hpp"
#include "benchmarks/harness/epochs.hpp"
#include "benchmarks/harness/exposed_memory.hpp"
#include "benchmarks/harness/file_access.hpp"
#include "benchmarks/harness/memory_kind.hpp"
#include "benchmarks/harness/noise.hpp"
#include "benchmarks/harness/overlap.hpp"
#include "benchmarks/harness/placement.hpp"
#include "benchmarks/harness/threads.hpp"
#include "core/named_values.hpp"
#include "core/record.hpp"
#include "placement/schedule.hpp"

namespace hockney::benchmarks::programs {

/// Which pairs of ranks are measured.
enum class PairChoice { representative, all, sparse, listed };

/// How calls of one operation follow each other.
enum class Cadence {
  isolated,  ///< all ranks begin each of them together
  streaming  ///< in a row, where they may overlap
};

inline constexpr NamedValues<Cadence, 2> cadence_names{
    {{Cadence::isolated, "isolated"}, {Cadence::streaming, "streaming"}}};

/// Whether data are received where they are sent from (MPI_IN_PLACE).
enum class ReceivePlace { separate, in_place };

inline constexpr NamedValues<ReceivePlace, 2> receive_place_names{
    {{ReceivePlace::separate, "no"}, {ReceivePlace::in_place, "yes"}}};

/// Which ranks an operation of everybody runs on (communicators.hpp).
enum class Communicator { world, node, leaders, hops, half, several, across };

inline constexpr NamedValues<Communicator, 7> communicator_names{
    {{Communicator::world, "world"},
     {Communicator::node, "node"},
     {Communicator::leaders, "leaders"},
     {Communicator::hops, "hops"},
     {Communicator::half, "half"},
     {Communicator::several, "several"},
     {Communicator::across, "across"}}};

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

/// Long enough for the timer of a kernel and what runs some ten times in a second.
inline constexpr Seconds usual_recording{2.0};

/// Which files are written and read, and how.
struct FileChoices {
  std::string path;                   ///< folder; empty: none
  std::string file_system;            ///< of the folder; empty: unknown
  std::vector<FilePointer> pointers;  ///< empty: individual
  std::vector<FileSharing> sharings;  ///< empty: one file
  std::vector<FileLayout> layouts;    ///< empty: blocks
  std::vector<FileCache> caches;      ///< empty: kept
  std::optional<std::int64_t> space;  ///< most bytes of files at any time
  std::string direct_obstacle;        ///< why O_DIRECT cannot be had; empty: it can
};

/// What one launch of an executable is to measure, and how. Names are those of the catalogue and of
/// the tables of datatypes, operators and distributions, and are known there.
struct LaunchOptions {
  std::vector<std::string> operations;
  std::vector<std::string> once;  ///< what is measured once in a launch, beside operations
  std::vector<Bytes> sizes;
  std::vector<Guideline> guidelines;  ///< whose sides the operations are
  std::vector<FurtherPoints> further;
  std::vector<Variant> variants;         ///< of every point; empty: just the operation
  std::vector<std::string> datatypes;    ///< empty: bytes; double for reductions
  std::vector<std::string> operators;    ///< of reductions; empty: sum
  std::vector<std::string> counts;       ///< of blocks that may differ; empty: equal
  std::vector<std::string> roots;        ///< "first", "rotating" or a rank; empty: the first rank
  std::vector<ReceivePlace> in_place;    ///< empty: separate
  std::vector<Cadence> cadences;         ///< of operations timed one by one; empty: isolated
  std::vector<std::string> flows;        ///< of operations whose messages meet; empty: 1 and all
  std::vector<int> pairings;             ///< numbers of draws of random pairs; empty: 1
  std::vector<Work> works;               ///< beside nonblocking calls; empty: all three
  std::vector<int> tests;                ///< calls of MPI_Test in the work; empty: 0
  std::vector<WindowKind> window_kinds;  ///< of one-sided operations; empty: allocated
  std::vector<EpochKind> epoch_kinds;    ///< of them; empty: flush
  std::vector<Completion> completions;   ///< of them; empty: at origin and target
  std::vector<int> threads;              ///< of each rank in threaded operations; empty: 1 and 2
  std::vector<ThreadCommunicators> thread_communicators;  ///< of them; empty: each
  bool same_cores = false;                  ///< they have a rank for so many CPUs as it has threads
  std::vector<NeighbourWork> neighbours;    ///< of a rank that works by itself; empty: all three
  std::vector<PageChoice> pages;            ///< of the data of one; empty: all three
  std::optional<Seconds> recording;         ///< how long noise is; nullopt: usual_recording
  std::vector<Communicator> communicators;  ///< of operations of everybody; empty: world, or hops
                                            ///< where ranks have neighbours
  std::vector<Suite> compat;                ///< every point also as these suites would time it
  std::vector<CacheState> caches;           ///< of operations with data; empty: hot
  FileChoices files;
  std::vector<MemorySides> memories;  ///< of their buffers; empty: of the host
  std::optional<Bytes> buffer_space;  ///< most of them on a node; nullopt: half of what is free
  bool gpu_aware = false;             ///< the MPI library takes memory of devices
  bool concurrent = false;  ///< disjoint pairs at the same time instead of one after the other
  PairChoice pairs = PairChoice::representative;
  placement::SparseDesign sparse;           ///< of PairChoice::sparse
  std::vector<placement::RankPair> listed;  ///< of PairChoice::listed
  std::vector<placement::Hop> hops;         ///< empty: every class there is
  std::vector<DataLayout> layouts;          ///< of operations that have one; empty: vector
  std::vector<int> windows;  ///< of windowed operations; empty: by the size (default_window)
  std::optional<StartScheme> start;
  bool local_times = false;  ///< every rank's own time too, where the last one counts
  std::optional<int> epochs;
  std::optional<Seconds> budget;
  std::optional<Seconds> limit;     ///< most time for all; nullopt: time_limit() (launch.hpp)
  std::optional<double> precision;  ///< a launch may end early when it knows its medians this well
  int clock_checks = 0;             ///< synchronisations made to test the algorithm
  std::optional<int> samples;
  std::uint64_t seed = 0;
  PlacementOptions placement;
  std::string output;
  bool json = false;
  bool all = false;          ///< every table in place of the summary
  bool tails = false;        ///< high quantiles in these tables
  bool in_bytes = false;     ///< sizes in the table as plain numbers
  bool prove_paths = false;  ///< count what carries the messages of pairs
  std::optional<ExpectedPath> expected_path;
  std::optional<CampaignPlace> campaign;
};

}  // namespace hockney::benchmarks::programs
