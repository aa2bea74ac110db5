#include "benchmarks/harness/rooted_data.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/quantities.hpp"

namespace hockney::benchmarks {

void check_root(const std::string& name) {
  if (name == "first" || name == "rotating") return;
  if (!name.empty() && name.find_first_not_of("0123456789") == std::string::npos) {
    parse_count<int>("--root", name, 0);
    return;
  }
  throw InputError({"bad value '" + name + "' for --root", "it is no rank",
                    "use first, rotating or the number of a rank"});
}

int root_of(const Point& point) {
  const std::string name = parameter_of(point, "root", "first");
  return name == "first" || name == "rotating" ? 0 : std::stoi(name);
}

bool root_rotates(const Point& point) { return parameter_of(point, "root") == "rotating"; }

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
