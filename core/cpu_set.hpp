#pragma once

#include <sched.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace hockney {

/// A set of as many CPUs as Linux supports (NR_CPUS is at most 8192); cpu_set_t alone ends at 1023.
class CpuSet {
 public:
  static constexpr int most = 8192;

  CpuSet() : set_(CPU_ALLOC(most)) { CPU_ZERO_S(bytes(), set_.get()); }

  [[nodiscard]] cpu_set_t* get() const { return set_.get(); }
  [[nodiscard]] static std::size_t bytes() { return CPU_ALLOC_SIZE(most); }

  void add(int cpu) { CPU_SET_S(static_cast<std::size_t>(cpu), bytes(), set_.get()); }
  void fill() {
    for (int cpu = 0; cpu < most; ++cpu) add(cpu);
  }

  /// Ascending.
  [[nodiscard]] std::vector<int> members() const {
    std::vector<int> cpus;
    for (int cpu = 0; cpu < most; ++cpu) {
      if (CPU_ISSET_S(static_cast<std::size_t>(cpu), bytes(), set_.get())) cpus.push_back(cpu);
    }
    return cpus;
  }

 private:
  struct Free {
    void operator()(cpu_set_t* set) const { CPU_FREE(set); }
  };
  std::unique_ptr<cpu_set_t, Free> set_;
};

}  // namespace hockney
