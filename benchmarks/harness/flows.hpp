#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "benchmarks/harness/traffic.hpp"
#include "core/point.hpp"

namespace hockney::benchmarks {

/// The parameter of points whose operation lets several messages meet: how many are under way at
/// once, a number or all that there are ranks for.
inline constexpr const char* flows_parameter = "flows";
inline constexpr const char* all_flows = "all";

/// InputError for a text that is neither a number from 1 nor "all".
void check_flows(const std::string& text);

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
