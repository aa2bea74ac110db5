#include "benchmarks/programs/launch/parameters.hpp"

#include <algorithm>
#include <iterator>

#include "benchmarks/harness/flows.hpp"
#include "benchmarks/harness/noise.hpp"
#include "benchmarks/harness/overlap.hpp"
#include "benchmarks/harness/threads.hpp"
#include "core/point.hpp"
#include "core/words.hpp"

namespace hockney::benchmarks::programs {
namespace {

using ParameterSets = std::vector<ParameterSet>;
using Words = std::vector<std::string>;

/// Every set with each of some values, which `name` names and `apply` puts into a treatment; as
/// they are where there are no values.
template <class Value, class Name, class Apply>
ParameterSets combined(const ParameterSets& sets, const std::string& key,
                       const std::vector<Value>& values, Name name, Apply apply) {
  if (values.empty()) return sets;
  ParameterSets all;
  for (const ParameterSet& set : sets) {
    for (const Value& value : values) {
      all.push_back(set);
      all.back().names[key] = name(value);
      apply(all.back().treatment, value);
    }
  }
  return all;
}

/// The same of values that change the parameters only.
ParameterSets combined(const ParameterSets& sets, const std::string& key,
                       const std::vector<std::string>& values) {
  return combined(
      sets, key, values, [](const std::string& value) { return value; },
      [](Treatment&, const std::string&) {});
}

/// The same of numbers that change the parameters only.
ParameterSets combined(const ParameterSets& sets, const std::string& key,
                       const std::vector<int>& values) {
  return combined(
      sets, key, values, [](int value) { return std::to_string(value); }, [](Treatment&, int) {});
}

template <class Value>
std::vector<Value> or_else(const std::vector<Value>& values, std::vector<Value> usual) {
  return values.empty() ? usual : values;
}

/// All values of an enum with words.
template <WordedEnum Enum>
std::vector<Enum> every() {
  std::vector<Enum> all;
  for (std::size_t i = 0; i < enum_words<Enum>.size(); ++i) all.push_back(static_cast<Enum>(i));
  return all;
}

/// The same of values with words that change the parameters only.
template <WordedEnum Enum>
ParameterSets combined(const ParameterSets& sets, const std::string& key,
                       const std::vector<Enum>& values) {
  return combined(
      sets, key, values, [](Enum value) { return std::string(word(value)); },
      [](Treatment&, Enum) {});
}

/// One set for each datatype and operator; operations that reduce, or whose size is that of an
/// element, always say theirs.
ParameterSets type_parameters(const Descriptor& descriptor, const LaunchOptions& options) {
  const std::vector<std::string> usual{std::string(descriptor.usual_datatype)};
  const bool says_its_type = descriptor.reduces || descriptor.one_element;
  ParameterSets all = combined(
      {{}}, "datatype", says_its_type ? or_else(options.datatypes, usual) : options.datatypes);
  if (!descriptor.reduces) return all;
  return combined(all, "operator", or_else(options.operators, {"sum"}));
}

/// The same for each kind of window and each way of completing calls on it.
ParameterSets window_parameters(const Descriptor& descriptor, const LaunchOptions& options) {
  ParameterSets all = type_parameters(descriptor, options);
  if (!descriptor.one_sided) return all;
  std::vector<Completion> usual{Completion::origin};
  if (descriptor.changes_target) usual.push_back(Completion::target);
  all =
      combined(all, window_kind_parameter, or_else(options.window_kinds, {WindowKind::allocated}));
  all = combined(all, synchronisation_parameter, or_else(options.epoch_kinds, {EpochKind::flush}));
  return combined(all, completion_parameter, or_else(options.completions, usual));
}

/// The same for each layout, each window, each number of flows, and each way of calling that the
/// operation knows.
ParameterSets call_parameters(const Descriptor& descriptor, const LaunchOptions& options) {
  ParameterSets all = window_parameters(descriptor, options);
  if (descriptor.divides) all = combined(all, "counts", or_else(options.counts, {"equal"}));
  if (descriptor.rooted) all = combined(all, "root", options.roots);
  if (descriptor.laid_out) {
    all = combined(all, layout_parameter, or_else(options.layouts, {DataLayout::vector}));
  }
  if (descriptor.windowed) all = combined(all, "window", options.windows);
  if (descriptor.draws_pairs)
    all = combined(all, pairing_parameter, or_else(options.pairings, {1}));
  if (descriptor.contends) {
    // Of many pairs with a window each, all of them are what there is to see unless asked for less.
    const std::vector<std::string> usual{"1", all_flows};
    all = combined(all, flows_parameter,
                   descriptor.windowed ? options.flows : or_else(options.flows, usual));
  }
  if (descriptor.has_neighbours) {
    all = combined(all, neighbours_parameter, or_else(options.neighbours, every<NeighbourWork>()));
  }
  if (descriptor.chooses_pages) {
    all = combined(all, pages_parameter, or_else(options.pages, every<PageChoice>()));
  }
  if (descriptor.in_place == InPlace::never) return all;
  return combined(
      all, "in-place", options.in_place,
      [](ReceivePlace place) { return name_in(receive_place_names, place); },
      [](Treatment&, ReceivePlace) {});
}

/// Of calls on files: where these are, and each way of sharing, pointing, laying out and caching.
ParameterSets file_parameters(const Descriptor& descriptor, const LaunchOptions& options) {
  const FileChoices& files = options.files;
  ParameterSets all = descriptor.sized ? type_parameters(descriptor, options) : ParameterSets{{}};
  if (!files.path.empty()) all = combined(all, file_path_parameter, Words{files.path});
  if (!files.file_system.empty()) {
    all = combined(all, file_system_parameter, Words{files.file_system});
  }
  all = combined(all, file_sharing_parameter, or_else(files.sharings, {FileSharing::one}));
  if (!descriptor.sized) return all;
  if (files.space) all = combined(all, file_space_parameter, Words{std::to_string(*files.space)});
  all = combined(all, file_pointer_parameter, or_else(files.pointers, {FilePointer::individual}));
  all = combined(all, file_layout_parameter, or_else(files.layouts, {FileLayout::blocks}));
  return combined(all, file_cache_parameter, or_else(files.caches, {FileCache::kept}));
}

/// The same for each cache state; nothing for operations without data.
ParameterSets data_parameters(const Descriptor& descriptor, const LaunchOptions& options) {
  if (descriptor.files) return file_parameters(descriptor, options);
  if (!descriptor.sized) return {{}};
  return combined(call_parameters(descriptor, options), "cache",
                  or_else(options.caches, {CacheState::hot}), cache_name,
                  [](Treatment& treatment, CacheState state) { treatment.cache = state; });
}

/// The same for each memory that buffers can be in; nothing for operations without data.
ParameterSets memory_parameters(const Descriptor& descriptor, const LaunchOptions& options) {
  ParameterSets all = data_parameters(descriptor, options);
  if (!descriptor.sized) return all;
  return combined(
      all, memory_parameter, options.memories,
      [](const MemorySides& memory) { return memory_name(memory); },
      [](Treatment&, const MemorySides&) {});
}

/// The same for each kind of work beside the calls; MPI_Test is called in work during a call only.
ParameterSets work_parameters(const Descriptor& descriptor, const LaunchOptions& options) {
  ParameterSets all = memory_parameters(descriptor, options);
  // That a target computes is asked for; beside a nonblocking call, it is what there is to see.
  if (!descriptor.overlaps || (descriptor.one_sided && options.works.empty())) return all;
  all = combined(
      all, work_parameter, or_else(options.works, {Work::none, Work::alone, Work::during}),
      [](Work work) { return work_names().at(static_cast<std::size_t>(work)); },
      [](Treatment& treatment, Work work) { treatment.work = work; });
  ParameterSets with_tests;
  for (const ParameterSet& set : all) {
    const bool is_tested = set.treatment.work == Work::during;
    const auto tests = is_tested ? or_else(options.tests, {0}) : std::vector<int>();
    std::ranges::move(combined({set}, tests_parameter, tests), std::back_inserter(with_tests));
  }
  return with_tests;
}

/// The same for each number of threads, and each way to tell their messages apart.
ParameterSets thread_parameters(const Descriptor& descriptor, const LaunchOptions& options) {
  ParameterSets all = work_parameters(descriptor, options);
  if (!descriptor.threaded) return all;
  all = combined(
      all, threads_parameter, or_else(options.threads, {1, 2}),
      [](int threads) { return std::to_string(threads); }, [](Treatment&, int) {});
  if (!descriptor.shares_communicator) return all;
  return combined(all, communicators_parameter,
                  or_else(options.thread_communicators, {ThreadCommunicators::each}));
}

/// The same for each cadence of operations that are timed one by one, and for each variant.
ParameterSets timed_parameters(const Descriptor& descriptor, const LaunchOptions& options) {
  ParameterSets all = thread_parameters(descriptor, options);
  if (descriptor.single) {
    all = combined(
        all, "cadence", options.cadences,
        [](Cadence cadence) { return name_in(cadence_names, cadence); },
        [](Treatment& treatment, Cadence cadence) { treatment.cadence = cadence; });
  }
  return combined(
      all, "variant", options.variants, [](const Variant& variant) { return variant.name; },
      [](Treatment& treatment, const Variant& variant) {
        treatment.slow_down = variant.slow_down;
      });
}

/// With the further points of the operation, each once. What they change is a matter of the
/// operation, and no treatment.
void add_further(ParameterSets& all, const Descriptor& descriptor, const LaunchOptions& options) {
  const ParameterSets requested = all;
  for (const FurtherPoints& further : options.further) {
    if (further.operation != descriptor.name) continue;
    for (ParameterSet set : requested) {
      for (const auto& [key, value] : further.parameters) set.names[key] = value;
      if (std::ranges::find(all, set) == all.end()) all.push_back(std::move(set));
    }
  }
}

/// Whether suites end the time of one-sided calls there: where the target takes part they halve
/// calls that are answered, and else they have the rank's time that makes them.
bool is_their_completion(const Parameters& names) {
  const Point point{.parameters = names};
  const bool at_target = completion_of(point) == Completion::target;
  return !names.contains(completion_parameter) || is_active(epoch_kind_of(point)) == at_target;
}

/// Whether suites have such points: they use the same buffers throughout, a cadence and an amount
/// of work of their own.
bool is_known_to_suites(const ParameterSet& set) {
  const Treatment& treatment = set.treatment;
  return is_their_completion(set.names) && treatment.cache == CacheState::hot &&
         treatment.cadence == Cadence::isolated && treatment.work == Work::none;
}

}  // namespace

std::vector<ParameterSet> parameters_of(const Descriptor& descriptor,
                                        const LaunchOptions& options) {
  ParameterSets all = timed_parameters(descriptor, options);
  add_further(all, descriptor, options);
  if (options.compat.empty() || !fits_suite_loops(descriptor)) return all;
  ParameterSets known;
  std::ranges::copy_if(all, std::back_inserter(known), is_known_to_suites);
  std::ranges::move(combined(known, timing_parameter, options.compat, suite_name,
                             [](Treatment& treatment, Suite suite) { treatment.suite = suite; }),
                    std::back_inserter(all));
  return all;
}

std::string name_without_work(Point point) {
  point.parameters.erase(work_parameter);
  point.parameters.erase(tests_parameter);
  return curve_name(point) + " at " + std::to_string(point.bytes.value);
}

}  // namespace hockney::benchmarks::programs
