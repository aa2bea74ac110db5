#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "benchmarks/harness/point.hpp"
#include "benchmarks/harness/traffic.hpp"

namespace hockney::benchmarks {

/// How many messages that meet are under way at once.
struct Flows {
  int number = 0;  ///< 0: all that there are ranks for

  friend bool operator==(const Flows&, const Flows&) = default;
};

/// A number, or "all".
std::string parameter_text(const Flows& flows);
inline constexpr Parameter<Flows> flows_parameter{"flows"};

/// InputError for a text that is neither a number from 1 nor "all".
Flows parse_flows(const std::string& text);

/// The flows of a point, of which there can be `most`. A point without the parameter has all.
int flows_of(const Point& point, int most);

/// Why a point cannot be measured: its ranks carry fewer flows; nullopt when it can.
std::optional<std::string> flows_obstacle(const Point& point, int most);

/// Messages between two halves of the ranks, where the first pairs are at work: rank i and rank
/// i + n/2, as many as flows.
class CutMessage : public PassedMessage {
 public:
  static std::optional<std::string> obstacle(const Point& point) {
    return flows_obstacle(point, point.ranks / 2);
  }

  CutMessage(const Context& context, const Point& point, std::size_t buffers = 1);

 protected:
  [[nodiscard]] bool is_in_first_half() const { return is_in_first_half_; }
  [[nodiscard]] int pair() const { return pair_; }
  [[nodiscard]] bool works() const { return works_; }

 private:
  bool is_in_first_half_;
  int pair_;
  bool works_;
};

}  // namespace hockney::benchmarks
