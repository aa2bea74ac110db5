#pragma once

namespace hockney {

/// How often each parameter counts in the time of one collective:
/// T = alpha_count alpha + beta_bytes beta + gamma_bytes gamma.
struct Costs {
  double alpha_count = 0;  ///< messages one after the other
  double beta_bytes = 0;   ///< bytes that go over the wire one after the other [B]
  double gamma_bytes = 0;  ///< bytes that are combined one after the other [B]

  friend bool operator==(const Costs&, const Costs&) = default;
};

inline Costs operator+(const Costs& a, const Costs& b) {
  return {a.alpha_count + b.alpha_count, a.beta_bytes + b.beta_bytes,
          a.gamma_bytes + b.gamma_bytes};
}

inline Costs operator*(double times, const Costs& costs) {
  return {times * costs.alpha_count, times * costs.beta_bytes, times * costs.gamma_bytes};
}

}  // namespace hockney
