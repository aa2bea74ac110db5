#include "application/profile/part_facts.hpp"

#include <nlohmann/json.hpp>

#include "core/error.hpp"

namespace hockney::profile {

Facts facts_of(std::string_view text, int rank) {
  // Not by parse_json, whose parser the preloaded library would bring into every program.
  try {
    const nlohmann::json all = nlohmann::json::parse(text);
    const nlohmann::json& host = all.at("host");
    Facts facts;
    facts.host.name = host.at("name");
    facts.host.cpu_model = host.at("cpu_model");
    facts.host.kernel = host.at("kernel");
    facts.host.governor = host.at("governor");
    facts.host.clocksource = host.at("clocksource");
    facts.host.topology_digest = host.at("topology_digest");
    facts.host.cpus = host.at("cpus");
    facts.host.load_average = host.at("load_average");
    facts.cpus = all.at("cpus").get<std::vector<int>>();
    facts.command_line = all.at("command_line").get<std::vector<std::string>>();
    facts.environment = all.at("environment").get<std::map<std::string, std::string>>();
    facts.library = all.at("library");
    facts.standard = all.at("standard");
    facts.identity = all.value("identity", "");
    facts.begun_utc = all.value("begun_utc", "");
    return facts;
  } catch (const nlohmann::json::exception&) {
    throw InputError({"what rank " + std::to_string(rank) + " says of itself is damaged",
                      "it is not the JSON that ranks of this version write", "remove its part"});
  }
}

}  // namespace hockney::profile
