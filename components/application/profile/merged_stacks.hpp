#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "components/application/profile/part.hpp"
#include "components/application/profile/profile.hpp"

namespace hockney::profile {

/// Merges the stacks of ranks. Equal code has one place, wherever each rank loaded it. Bounded: the
/// samples of further stacks are kept without their frames, and counted.
class MergedStacks {
 public:
  static constexpr std::size_t most_stacks = std::size_t{1} << 16U;
  /// Counts of all ranks and stacks; each rank has an equal part of them.
  static constexpr std::size_t most_counts = std::size_t{1} << 20U;

  void add(const Part& part, double seconds_per_tick);
  /// nullopt if no rank took samples. Call once.
  std::optional<Samples> take();

 private:
  using StackKey = std::pair<std::vector<int>, std::uint16_t>;  ///< frames and StackRow::function

  int module_of(const Part& part, const ModuleRow& row);
  int frame_of(const Part& part, std::uint64_t address);
  void add_stack(const Part& part, const StackRow& row, bool with_frames);
  void add_count(const StackKey& key, int rank, std::int64_t count);

  Samples samples_;
  bool is_sampled_ = false;
  std::map<std::pair<std::string, std::string>, int> modules_;
  std::map<std::pair<int, std::int64_t>, int> frames_;
  std::map<std::uint64_t, int> frame_of_address_;  ///< in the part that is being added
  std::map<StackKey, std::map<int, std::int64_t>> stacks_;
};

}  // namespace hockney::profile
