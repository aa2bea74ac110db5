#include "application/advice/placing.hpp"

#include <map>
#include <ranges>

#include "core/error.hpp"
#include "core/text.hpp"

namespace hockney::advice {

std::string rank_file(const std::vector<std::string>& hosts, const profile::Profile& run) {
  std::map<std::string, std::vector<std::vector<int>>> free;
  for (const profile::Rank& rank : run.ranks | std::views::reverse) {
    free[rank.host].push_back(rank.cpus);
  }
  std::string text;
  for (std::size_t rank = 0; rank < hosts.size(); ++rank) {
    auto& places = free[hosts[rank]];
    if (places.empty()) {
      throw InputError({"no place for rank " + std::to_string(rank) + " on '" + hosts[rank] + "'",
                        "fewer ranks were there in the run", "map as many ranks to each node"});
    }
    text += "rank " + std::to_string(rank) + '=' + hosts[rank] +
            " slot=" + join_numbers(places.back(), ",") + '\n';
    places.pop_back();
  }
  return text;
}

std::string host_list(const std::vector<std::string>& hosts) { return join(hosts, "\n") + "\n"; }

}  // namespace hockney::advice
