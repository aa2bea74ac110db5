#include "components/application/profile/merged_stacks.hpp"

#include <algorithm>

namespace hockney::profile {
namespace {

constexpr double seconds_of_ns = 1e-9;
constexpr int no_module = -1;

}  // namespace

void MergedStacks::add(const Part& part, double seconds_per_tick) {
  const SampleSums& sums = part.header.sampling;
  if (sums.samples == 0) return;
  is_sampled_ = true;
  samples_.period_seconds = static_cast<double>(sums.period_ns) * seconds_of_ns;
  samples_.lost = capped_sum(samples_.lost, sums.lost);
  samples_.threads = capped_sum(samples_.threads, sums.threads);
  samples_.handler_seconds += static_cast<double>(sums.ticks) * seconds_per_tick;
  frame_of_address_.clear();
  std::vector<StackRow> rows = part.stacks;
  std::ranges::stable_sort(rows, std::greater<>(), &StackRow::count);
  constexpr std::size_t least = 64;
  const std::size_t most =
      std::max(least, most_counts / static_cast<std::size_t>(part.header.world_ranks));
  for (std::size_t i = 0; i < rows.size(); ++i) add_stack(part, rows[i], i < most);
}

void MergedStacks::add_stack(const Part& part, const StackRow& row, bool with_frames) {
  if (row.count == 0) return;
  StackKey key{{}, row.function};
  if (with_frames) {
    for (std::uint32_t i = 0; i < row.frames; ++i) {
      key.first.push_back(frame_of(part, part.frames[row.first + i]));
    }
  }
  const bool is_new = !stacks_.contains(key);
  if (is_new && stacks_.size() >= most_stacks) key.first.clear();
  if (key.first.empty()) samples_.folded = capped_sum(samples_.folded, row.count);
  add_count(key, part.header.rank, row.count);
}

void MergedStacks::add_count(const StackKey& key, int rank, std::int64_t count) {
  std::int64_t& sum = stacks_[key][rank];
  sum = capped_sum(sum, count);
}

int MergedStacks::module_of(const Part& part, const ModuleRow& row) {
  const auto text = [&](std::uint32_t at) { return std::string(part.letters.data() + at); };
  const std::pair key{text(row.path), text(row.build_id)};
  const auto [found, is_new] = modules_.try_emplace(key, static_cast<int>(samples_.modules.size()));
  if (is_new) samples_.modules.push_back({key.first, key.second});
  return found->second;
}

int MergedStacks::frame_of(const Part& part, std::uint64_t address) {
  const auto known = frame_of_address_.find(address);
  if (known != frame_of_address_.end()) return known->second;
  const auto module = std::ranges::find_if(part.modules, [&](const ModuleRow& row) {
    return address >= row.begin && address < row.end;
  });
  const bool has_module = module != part.modules.end();
  // Code made at run time has one place for all of it: its addresses mean nothing after the run.
  const std::pair key{has_module ? module_of(part, *module) : no_module,
                      has_module ? static_cast<std::int64_t>(address - module->bias) : 0};
  const auto [found, is_new] = frames_.try_emplace(key, static_cast<int>(samples_.frames.size()));
  if (is_new) {
    samples_.frames.push_back({has_module ? std::optional(key.first) : std::nullopt, key.second});
  }
  frame_of_address_[address] = found->second;
  return found->second;
}

std::optional<Samples> MergedStacks::take() {
  if (!is_sampled_) return std::nullopt;
  for (auto& [key, counts] : stacks_) {
    const auto& [frames, function] = key;
    Stack stack;
    stack.frames = frames;
    if (function > 0) {
      stack.call = "MPI_" + std::string(describe(static_cast<Function>(function - 1)).name);
    }
    for (const auto& [rank, count] : counts) {
      stack.ranks.push_back(rank);
      stack.counts.push_back(count);
    }
    samples_.stacks.push_back(std::move(stack));
  }
  stacks_.clear();
  return std::move(samples_);
}

}  // namespace hockney::profile
