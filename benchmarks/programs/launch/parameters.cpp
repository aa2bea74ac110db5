#include "benchmarks/programs/launch/parameters.hpp"

#include <algorithm>

#include "benchmarks/harness/overlap.hpp"
#include "core/point.hpp"

namespace hockney {
namespace {

constexpr const char* cache_parameter = "cache";
constexpr const char* cadence_parameter = "cadence";
constexpr const char* variant_parameter = "variant";

/// Every set of parameters with each value of one more; as they are where there are no values.
std::vector<Parameters> combined(const std::vector<Parameters>& sets, const std::string& key,
                                 const std::vector<std::string>& values) {
  if (values.empty()) return sets;
  std::vector<Parameters> all;
  for (const Parameters& parameters : sets) {
    for (const std::string& value : values) {
      all.push_back(parameters);
      all.back()[key] = value;
    }
  }
  return all;
}

/// The names of some values.
template <class Value, class Name>
std::vector<std::string> names_of(const std::vector<Value>& values, Name name) {
  std::vector<std::string> names;
  names.reserve(values.size());
  for (const Value& value : values) names.emplace_back(name(value));
  return names;
}

/// One set for each datatype and operator; operations that reduce always say theirs.
std::vector<Parameters> type_parameters(const Descriptor& descriptor,
                                        const LaunchOptions& options) {
  std::vector<std::string> types = options.datatypes;
  if (!descriptor.reduces) return combined({{}}, "datatype", types);
  if (types.empty()) types = {"double"};
  const auto& operators = options.operators;
  return combined(combined({{}}, "datatype", types), "operator",
                  operators.empty() ? std::vector<std::string>{"sum"} : operators);
}

/// The same for each way of calling that the operation knows.
std::vector<Parameters> call_parameters(const Descriptor& descriptor,
                                        const LaunchOptions& options) {
  std::vector<Parameters> all = type_parameters(descriptor, options);
  if (descriptor.divides) {
    const std::vector<std::string> equal{"equal"};
    all = combined(all, "counts", options.counts.empty() ? equal : options.counts);
  }
  if (descriptor.rooted) all = combined(all, "root", options.roots);
  if (descriptor.in_place != InPlace::never) all = combined(all, "in-place", options.in_place);
  return all;
}

/// The same for each cache state; nothing for operations without data.
std::vector<Parameters> data_parameters(const Descriptor& descriptor,
                                        const LaunchOptions& options) {
  if (!descriptor.sized) return {{}};
  std::vector<std::string> states = names_of(options.caches, cache_name);
  if (states.empty()) states = {cache_name(CacheState::hot)};
  return combined(call_parameters(descriptor, options), cache_parameter, states);
}

/// The same for each kind of work beside the calls; MPI_Test is called in work during a call only.
std::vector<Parameters> work_parameters(const Descriptor& descriptor,
                                        const LaunchOptions& options) {
  std::vector<Parameters> all = data_parameters(descriptor, options);
  if (!descriptor.overlaps) return all;
  const auto& works = options.works.empty() ? work_names() : options.works;
  const std::vector<std::string> none{"0"};
  std::vector<Parameters> with_work;
  for (const Parameters& parameters : combined(all, work_parameter, works)) {
    const bool is_during = parameters.at(work_parameter) == "during";
    const auto& tests = options.tests.empty() ? none : options.tests;
    const auto each = is_during ? combined({parameters}, tests_parameter, tests)
                                : std::vector<Parameters>{parameters};
    with_work.insert(with_work.end(), each.begin(), each.end());
  }
  return with_work;
}

/// The same for each cadence of operations that are timed one by one.
std::vector<Parameters> timed_parameters(const Descriptor& descriptor,
                                         const LaunchOptions& options) {
  const std::vector<Parameters> all = work_parameters(descriptor, options);
  return descriptor.single ? combined(all, cadence_parameter, options.cadences) : all;
}

/// With the further points of the operation, each once.
void add_further(std::vector<Parameters>& all, const Descriptor& descriptor,
                 const LaunchOptions& options) {
  const std::vector<Parameters> asked = all;
  for (const FurtherPoints& further : options.further) {
    if (further.operation != descriptor.name) continue;
    for (Parameters parameters : asked) {
      for (const auto& [key, value] : further.parameters) parameters[key] = value;
      if (std::ranges::find(all, parameters) == all.end()) all.push_back(std::move(parameters));
    }
  }
}

}  // namespace

std::vector<Parameters> parameters_of(const Descriptor& descriptor, const LaunchOptions& options) {
  const auto variant_name = [](const Variant& variant) { return variant.name; };
  std::vector<Parameters> all = combined(timed_parameters(descriptor, options), variant_parameter,
                                         names_of(options.variants, variant_name));
  add_further(all, descriptor, options);
  if (options.compat.empty()) return all;
  std::vector<Parameters> hot;
  std::ranges::copy_if(all, std::back_inserter(hot), [](const Parameters& parameters) {
    // The suites use the same buffers throughout, a cadence and an amount of work of their own.
    return cache_of(parameters) == CacheState::hot && !is_streaming(parameters) &&
           !has_work({.parameters = parameters});
  });
  const auto others = combined(hot, timing_parameter, names_of(options.compat, suite_name));
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

CacheState cache_of(const Parameters& parameters) {
  const auto named = parameters.find(cache_parameter);
  return named == parameters.end() ? CacheState::hot : parse_cache(named->second);
}

bool is_streaming(const Parameters& parameters) {
  const auto named = parameters.find(cadence_parameter);
  return named != parameters.end() && named->second == "streaming";
}

bool has_work(const Point& point) { return work_of(point) != Work::none; }

std::string name_without_work(Point point) {
  point.parameters.erase(work_parameter);
  point.parameters.erase(tests_parameter);
  return curve_name(point) + " at " + std::to_string(point.bytes.value);
}

std::optional<Suite> suite_of(const Parameters& parameters) {
  const auto name = parameters.find(timing_parameter);
  return name == parameters.end() ? std::nullopt : std::optional(parse_suite(name->second));
}

double slow_down_of(const Parameters& parameters, const LaunchOptions& options) {
  const auto name = parameters.find(variant_parameter);
  if (name == parameters.end()) return 0;
  return std::ranges::find(options.variants, name->second, &Variant::name)->slow_down;
}

}  // namespace hockney
