#include "profile/part_facts.hpp"

#include <nlohmann/json.hpp>

#include "core/error.hpp"

namespace hockney::profile {

Facts facts_of(std::string_view text, int rank) {
  // Not by parse_json, whose parser the preloaded library would bring into every program.
  try {
    const nlohmann::json facts = nlohmann::json::parse(text);
    const nlohmann::json& host = facts.at("host");
    return {.host = Host{.name = host.at("name"),
                         .cpu_model = host.at("cpu_model"),
                         .kernel = host.at("kernel"),
                         .governor = host.at("governor"),
                         .clocksource = host.at("clocksource"),
                         .topology_digest = host.at("topology_digest"),
                         .cpus = host.at("cpus"),
                         .load_average = host.at("load_average")},
            .cpus = facts.at("cpus"),
            .command_line = facts.at("command_line"),
            .environment = facts.at("environment"),
            .library = facts.at("library"),
            .standard = facts.at("standard")};
  } catch (const nlohmann::json::exception&) {
    throw InputError({"what rank " + std::to_string(rank) + " says of itself is damaged",
                      "it is not the JSON that ranks of this version write", "remove its part"});
  }
}

}  // namespace hockney::profile
