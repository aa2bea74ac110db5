#include "benchmarks/launch/parameters.hpp"

#include <algorithm>

#include "core/timing_parameter.hpp"

namespace hockney {
namespace {

constexpr const char* cache_parameter = "cache";
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

/// The same for each cache state; nothing for operations without data.
std::vector<Parameters> data_parameters(const Descriptor& descriptor,
                                        const LaunchOptions& options) {
  if (!descriptor.sized) return {{}};
  std::vector<std::string> states = names_of(options.caches, cache_name);
  if (states.empty()) states = {cache_name(CacheState::hot)};
  return combined(type_parameters(descriptor, options), cache_parameter, states);
}

}  // namespace

std::vector<Parameters> parameters_of(const Descriptor& descriptor, const LaunchOptions& options) {
  const auto variant_name = [](const Variant& variant) { return variant.name; };
  std::vector<Parameters> all = combined(data_parameters(descriptor, options), variant_parameter,
                                         names_of(options.variants, variant_name));
  if (options.compat.empty()) return all;
  std::vector<Parameters> hot;
  std::ranges::copy_if(all, std::back_inserter(hot), [](const Parameters& parameters) {
    return cache_of(parameters) == CacheState::hot;  // the suites use the same buffers throughout
  });
  const auto others = combined(hot, timing_parameter, names_of(options.compat, suite_name));
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

CacheState cache_of(const Parameters& parameters) {
  const auto named = parameters.find(cache_parameter);
  return named == parameters.end() ? CacheState::hot : parse_cache(named->second);
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
