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
#include "core/point_choice.hpp"
#include "core/record.hpp"
#include "placement/rank_pairs.hpp"

namespace hockney::benchmarks::programs {

/// Which pairs of ranks are measured.
enum class PairChoice { representative, all, sparse, listed };

/// Which ranks run an operation of all ranks (communicators.hpp).
enum class Communicator { world, node, leaders, hops, half, several, across };

constexpr auto words_of(std::type_identity<Communicator>) {
  return std::to_array<std::string_view>(
      {"world", "node", "leaders", "hops", "half", "several", "across"});
}

inline constexpr Parameter<Communicator> communicator_parameter{"communicator"};
/// Number of a group, if several groups work at the same time.
inline constexpr Parameter<int> team_parameter{"team"};

/// The same operation under another name, or with an added slow-down.
struct Variant {
  std::string name;
  double slow_down = 0;  ///< 0.1: ten percent slower
};

inline std::string parameter_text(const Variant& variant) { return variant.name; }
inline const Parameter<Variant> variant_parameter{"variant"};

/// The suite whose timing a point uses; points without it use hockney's.
inline constexpr Parameter<Suite> timing_parameter{hockney::timing_parameter};

/// Requested values of parameters.
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

  /// Empty if none were requested.
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

/// The expected path of messages of `from` bytes and more.
struct ExpectedPath {
  std::string path;
  Bytes from{};
};

/// Further points of one operation: those that the options make, with these parameters.
struct FurtherPoints {
  std::string operation;
  Parameters parameters;
};

/// Long enough for a kernel's timer and for events that occur about ten times a second.
inline constexpr Seconds usual_recording{2.0};

/// Where files are written and read.
struct FileChoices {
  std::string path;                   ///< folder; empty: none
  std::string file_system;            ///< of the folder; empty: unknown
  std::optional<std::int64_t> space;  ///< most bytes of files at any time
  std::string direct_obstacle;        ///< why O_DIRECT is not possible; empty: it is
};

/// What one launch of a program measures, and how. Names are those of the catalogue.
struct LaunchOptions {
  std::vector<std::string> operations;
  std::vector<std::string> once;  ///< measurements made once in a launch, beside operations
  std::vector<Bytes> sizes;
  bool has_usual_sizes = false;  ///< nobody asked for these: those that cannot be sent are left out
  std::vector<Guideline> guidelines;  ///< whose sides are measured
  std::vector<FurtherPoints> further;
  std::vector<PointChoice> left_out;        ///< points that are not measured
  Choices choices;                          ///< for parameters of the points (axes.hpp)
  bool same_cores = false;                  ///< one rank for as many CPUs as it has threads
  std::optional<Seconds> recording;         ///< of noise; nullopt: usual_recording
  std::vector<Communicator> communicators;  ///< for operations of all ranks; empty: world, or hops
                                            ///< for operations with neighbours
  FileChoices files;
  std::optional<Bytes> buffer_space;  ///< most buffer bytes on a node; nullopt: half of the free
                                      ///< memory
  bool gpu_aware = false;             ///< assume that the MPI library accepts device memory
  bool each_node = false;             ///< every node measures itself, all at the same time
  bool concurrent = false;            ///< measure disjoint pairs at the same time
  PairChoice pairs = PairChoice::representative;
  placement::SparseDesign sparse;           ///< for PairChoice::sparse
  std::vector<placement::RankPair> listed;  ///< for PairChoice::listed
  std::vector<placement::Hop> hops;         ///< empty: all classes
  std::optional<StartScheme> start;
  bool local_times = false;  ///< also record each rank's own time, for Timing::last_rank
  std::optional<int> epochs;
  std::optional<Seconds> budget;
  std::optional<Seconds> first_epoch;  ///< longest one, if more than most of the budget
  std::optional<Seconds> limit;        ///< time limit of the launch; nullopt: time_limit()
                                       ///< (launch.hpp)
  std::optional<double> precision;  ///< the launch may end early when its medians are this precise
  int clock_checks = 0;             ///< number of synchronisations that only test the algorithm
  std::optional<int> samples;
  std::uint64_t seed = 0;
  PlacementOptions placement;
  std::string output;
  bool json = false;
  bool all = false;          ///< print every table instead of the summary
  bool tails = false;        ///< with high quantiles in these tables
  bool in_bytes = false;     ///< sizes in tables as plain numbers
  bool prove_paths = false;  ///< count how the messages of pairs are carried
  std::optional<ExpectedPath> expected_path;
  std::optional<CampaignPlace> campaign;
};

}  // namespace hockney::benchmarks::programs
