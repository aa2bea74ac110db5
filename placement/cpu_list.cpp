#include "placement/cpu_list.hpp"

#include <algorithm>
#include <numeric>

#include "core/as_number.hpp"
#include "core/names.hpp"

namespace hockney {
namespace {

[[noreturn]] void reject(std::string_view text, const std::string& why) {
  throw InputError({"'" + std::string(text) + "' is no list of CPUs", why, "write such as 0-3,8"});
}

int parse_cpu(std::string_view text, std::string_view number) {
  const int cpu = as_number<int>(number).value_or(-1);
  if (cpu < 0) reject(text, "'" + std::string(number) + "' is no CPU number");
  if (cpu > largest_cpu) reject(text, std::to_string(cpu) + " is above 8191");
  return cpu;
}

}  // namespace

std::string format_cpus(std::vector<int> cpus) {
  if (cpus.empty()) return "none";
  std::ranges::sort(cpus);
  std::string text;
  for (std::size_t first = 0; first < cpus.size();) {
    std::size_t last = first;
    while (last + 1 < cpus.size() && cpus[last + 1] <= cpus[last] + 1) ++last;
    text += (text.empty() ? "" : ",") + std::to_string(cpus[first]);
    if (cpus[last] != cpus[first]) text += "-" + std::to_string(cpus[last]);
    first = last + 1;
  }
  return text;
}

std::vector<int> parse_cpus(std::string_view text) {
  std::vector<int> cpus;
  for (const std::string& part : split(text, ',')) {
    const std::string_view range = part;
    const std::size_t dash = range.find('-');
    const int first = parse_cpu(text, range.substr(0, dash));
    const int last =
        dash == std::string_view::npos ? first : parse_cpu(text, range.substr(dash + 1));
    if (last < first) reject(text, "'" + part + "' descends");
    cpus.resize(cpus.size() + static_cast<std::size_t>(last - first) + 1);
    std::iota(cpus.end() - (last - first) - 1, cpus.end(), first);
  }
  return cpus;
}

Message unknown_cpu(const Topology& topology, int os_cpu) {
  return {"no CPU " + std::to_string(os_cpu),
          "topology '" + topology.source + "' has CPUs " + format_cpus(usable_cpus(topology)),
          "name one of them"};
}

}  // namespace hockney
