#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "benchmarks/engine/sampling.hpp"
#include "benchmarks/engine/suites.hpp"
#include "benchmarks/harness/placement.hpp"
#include "benchmarks/harness/point.hpp"
#include "core/record.hpp"
#include "placement/rank_pairs.hpp"

namespace hockney::benchmarks::programs {

/// Which pairs of ranks are measured.
enum class PairChoice { representative, all, sparse, listed };

/// Which ranks an operation of everybody runs on (communicators.hpp).
enum class Communicator { world, node, leaders, hops, half, several, across };

constexpr auto words_of(std::type_identity<Communicator>) {
  return std::to_array<std::string_view>(
      {"world", "node", "leaders", "hops", "half", "several", "across"});
}

inline constexpr Parameter<Communicator> communicator_parameter{"communicator"};
/// Which of several groups of ranks that are at work at the same time.
inline constexpr Parameter<int> team_parameter{"team"};

/// The same operation under another name, or with a planted slow-down.
struct Variant {
  std::string name;
  double slow_down = 0;  ///< 0.1: a tenth slower
};

inline std::string parameter_text(const Variant& variant) { return variant.name; }
inline const Parameter<Variant> variant_parameter{"variant"};

/// The suite whose way a point is timed in; points without it are timed in hockney's own.
inline constexpr Parameter<Suite> timing_parameter{hockney::timing_parameter};

/// Values of parameters that were asked for.
class Choices {
 public:
  template <class Value>
  void set(const Parameter<Value>& parameter,
           const std::vector<std::type_identity_t<Value>>& values) {
    std::vector<ParameterValue> all;
    for (const Value& value : values) all.emplace_back(parameter, value);
    take(parameter, std::move(all));
  }
  void take(const AnyParameter& parameter, std::vector<ParameterValue> values) {
    values_[&parameter] = std::move(values);
  }
  void clear(const AnyParameter& parameter) { values_.erase(&parameter); }

  /// Empty where nothing was asked for.
  [[nodiscard]] const std::vector<ParameterValue>& values(const AnyParameter& parameter) const {
    static const std::vector<ParameterValue> none;
    const auto found = values_.find(&parameter);
    return found == values_.end() ? none : found->second;
  }
  [[nodiscard]] bool has(const AnyParameter& parameter) const { return !values(parameter).empty(); }
  template <class Value>
  [[nodiscard]] std::vector<Value> of(const Parameter<Value>& parameter) const {
    std::vector<Value> all;
    for (const ParameterValue& value : values(parameter)) all.push_back(value.as<Value>());
    return all;
  }
  template <class Value>
  [[nodiscard]] bool has(const Parameter<Value>& parameter,
                         const std::type_identity_t<Value>& value) const {
    return std::ranges::any_of(values(parameter),
                               [&](const ParameterValue& one) { return one.as<Value>() == value; });
  }

 private:
  std::map<const AnyParameter*, std::vector<ParameterValue>> values_;
};

/// The path that messages of `from` bytes and more are expected to take.
struct ExpectedPath {
  std::string path;
  Bytes from{};
};

/// Points of one operation beside those that the options make: the same with these parameters.
struct FurtherPoints {
  std::string operation;
  Parameters parameters;
};

/// Long enough for the timer of a kernel and what runs some ten times in a second.
inline constexpr Seconds usual_recording{2.0};

/// Where files are written and read.
struct FileChoices {
  std::string path;                   ///< folder; empty: none
  std::string file_system;            ///< of the folder; empty: unknown
  std::optional<std::int64_t> space;  ///< most bytes of files at any time
  std::string direct_obstacle;        ///< why O_DIRECT cannot be had; empty: it can
};

/// What one launch of an executable is to measure, and how. Names are those of the catalogue.
struct LaunchOptions {
  std::vector<std::string> operations;
  std::vector<std::string> once;  ///< what is measured once in a launch, beside operations
  std::vector<Bytes> sizes;
  std::vector<Guideline> guidelines;  ///< whose sides the operations are
  std::vector<FurtherPoints> further;
  Choices choices;                          ///< of parameters of the points (axes.hpp)
  bool same_cores = false;                  ///< they have a rank for so many CPUs as it has threads
  std::optional<Seconds> recording;         ///< how long noise is; nullopt: usual_recording
  std::vector<Communicator> communicators;  ///< of operations of everybody; empty: world, or hops
                                            ///< where ranks have neighbours
  FileChoices files;
  std::optional<Bytes> buffer_space;  ///< most of them on a node; nullopt: half of what is free
  bool gpu_aware = false;             ///< the MPI library takes memory of devices
  bool concurrent = false;  ///< disjoint pairs at the same time instead of one after the other
  PairChoice pairs = PairChoice::representative;
  placement::SparseDesign sparse;           ///< of PairChoice::sparse
  std::vector<placement::RankPair> listed;  ///< of PairChoice::listed
  std::vector<placement::Hop> hops;         ///< empty: every class there is
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
