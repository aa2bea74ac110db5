#include "benchmarks/harness/rooted_data.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/quantities.hpp"

namespace hockney::benchmarks {

std::string parameter_text(const Root& root) {
  if (root.choice == Root::Choice::number) return std::to_string(root.rank);
  return root.choice == Root::Choice::first ? "first" : "rotating";
}

Root parse_root(const std::string& name) {
  if (name == "first") return {};
  if (name == "rotating") return {.choice = Root::Choice::rotating};
  if (!name.empty() && name.find_first_not_of("0123456789") == std::string::npos) {
    return {.choice = Root::Choice::number, .rank = parse_count<int>("--root", name, 0)};
  }
  throw InputError({"bad value '" + name + "' for --root", "it is no rank",
                    "use first, rotating or the number of a rank"});
}

Volume GatherData::volume(const Point& point) {
  const Division blocks = blocks_of(point, point.ranks);
  const double total = blocks.total();
  const auto root = static_cast<std::size_t>(std::min(root_of(point), point.ranks - 1));
  return blocks_volume(point,
                       total - (root_rotates(point) ? total / point.ranks : blocks.counts[root]));
}

void GatherData::refill(std::uint64_t seed) {
  roots_.may_be() ? AllgatherData::refill(seed) : send_.fill(seed);
}

ScatterData::ScatterData(const Context& context, const Point& point)
    : CollectiveData{context, point, all_blocks(context, point), own_block(context, point)},
      roots_(context, point) {}

void ScatterData::refill(std::uint64_t seed) {
  receive_.spoil(seed);
  if (roots_.may_be()) send_.fill(seed);
}

}  // namespace hockney::benchmarks
