#include "benchmarks/harness/point.hpp"

#include <algorithm>

namespace hockney::benchmarks {

const ParameterValue* Parameters::find(const AnyParameter& parameter) const {
  const auto found = std::ranges::find_if(
      values_, [&](const ParameterValue& value) { return &value.parameter() == &parameter; });
  return found == values_.end() ? nullptr : &*found;
}

void Parameters::set(const ParameterValue& value) {
  const auto same = std::ranges::find_if(values_, [&](const ParameterValue& other) {
    return other.parameter().name == value.parameter().name;
  });
  if (same == values_.end()) {
    values_.push_back(value);
  } else {
    *same = value;
  }
}

void Parameters::set(const Parameters& others) {
  for (const ParameterValue& value : others.values_) set(value);
}

void Parameters::erase(const AnyParameter& parameter) {
  std::erase_if(values_,
                [&](const ParameterValue& value) { return &value.parameter() == &parameter; });
}

std::map<std::string, std::string> Parameters::texts() const {
  std::map<std::string, std::string> all;
  for (const ParameterValue& value : values_) {
    all.emplace(value.parameter().name, value.text());
  }
  return all;
}

hockney::Point recorded(const Point& point) {
  return {.operation = point.operation,
          .bytes = point.bytes,
          .ranks = point.ranks,
          .hop = point.hop,
          .path = {},
          .algorithm = {},
          .pair = point.pair,
          .parameters = point.parameters.texts()};
}

}  // namespace hockney::benchmarks
