#pragma once

#include <any>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/point.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"

namespace hockney::benchmarks {

// The text of a parameter's value in records; other types have overloads beside them.
inline std::string parameter_text(int value) { return std::to_string(value); }
inline std::string parameter_text(std::int64_t value) { return std::to_string(value); }
inline std::string parameter_text(std::string_view value) { return std::string(value); }
template <WordedEnum Enum>
std::string parameter_text(Enum value) {
  return std::string(word(value));
}

/// A parameter of points, independent of the type of its values.
struct AnyParameter {
  std::string_view name;  ///< its key in records
  std::string (*text)(const std::any& value);
};

/// A parameter of points, defined once beside the code that uses it. Parameters are compared by
/// address.
template <class Value>
struct Parameter : AnyParameter {
  Value unsaid;  ///< value of points without it

  constexpr explicit Parameter(std::string_view its_name, Value otherwise = {})
      : AnyParameter{its_name,
                     [](const std::any& value) {
                       return parameter_text(std::any_cast<const Value&>(value));
                     }},
        unsaid(std::move(otherwise)) {}
};

/// A parameter and one of its values.
class ParameterValue {
 public:
  template <class Value>
  ParameterValue(const Parameter<Value>& parameter, std::type_identity_t<Value> value)
      : parameter_(&parameter), value_(std::move(value)) {}

  [[nodiscard]] const AnyParameter& parameter() const { return *parameter_; }
  template <class Value>
  [[nodiscard]] const Value& as() const {
    return *std::any_cast<Value>(&value_);
  }
  [[nodiscard]] std::string text() const { return parameter_->text(value_); }

  friend bool operator==(const ParameterValue& a, const ParameterValue& b) {
    return a.parameter_ == b.parameter_ && a.text() == b.text();
  }

 private:
  const AnyParameter* parameter_;
  std::any value_;
};

/// The parameters of a point with their values, each name at most once.
class Parameters {
 public:
  Parameters() = default;
  Parameters(std::initializer_list<ParameterValue> values) {
    for (const ParameterValue& value : values) set(value);
  }

  /// The parameter's value; `unsaid` if it is not set.
  template <class Value>
  const Value& operator[](const Parameter<Value>& parameter) const {
    const ParameterValue* const found = find(parameter);
    return found == nullptr ? parameter.unsaid : found->as<Value>();
  }
  [[nodiscard]] bool contains(const AnyParameter& parameter) const {
    return find(parameter) != nullptr;
  }

  /// Replaces another value of that name.
  void set(const ParameterValue& value);
  template <class Value>
  void set(const Parameter<Value>& parameter, std::type_identity_t<Value> value) {
    set(ParameterValue(parameter, std::move(value)));
  }
  /// Sets all values of `others`.
  void set(const Parameters& others);
  void erase(const AnyParameter& parameter);

  /// Keys and texts for records.
  [[nodiscard]] std::map<std::string, std::string> texts() const;

  friend bool operator==(const Parameters& a, const Parameters& b) {
    return a.texts() == b.texts();
  }

 private:
  [[nodiscard]] const ParameterValue* find(const AnyParameter& parameter) const;

  std::vector<ParameterValue> values_;
};

/// A point for measuring. Its parameters are typed values; only the record has them as text.
struct Point {
  std::string operation;
  Bytes bytes{};                   ///< message size [B]
  int ranks = 0;                   ///< ranks that take part
  std::optional<std::string> hop;  ///< hop class of the ranks: smt, l2, l3, ... cross-node
  std::vector<int> pair;           ///< world ranks of the pair; empty when all ranks take part
  Parameters parameters;

  friend bool operator==(const Point&, const Point&) = default;
};

/// Converts the point for the record.
hockney::Point recorded(const Point& point);

/// The name of its curve in records (core/point.hpp).
inline std::string curve_name(const Point& point) { return hockney::curve_name(recorded(point)); }

/// All values of an enum.
template <WordedEnum Enum>
std::vector<Enum> every() {
  std::vector<Enum> all;
  for (std::size_t i = 0; i < enum_words<Enum>.size(); ++i) all.push_back(static_cast<Enum>(i));
  return all;
}

}  // namespace hockney::benchmarks
