#include "components/application/profile/profile_file.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "components/application/profile/profile_fields.hpp"
#include "core/error.hpp"
#include "core/json_node.hpp"
#include "core/json_values.hpp"

namespace hockney::profile {

std::string facts_text(const Facts& facts) { return json_text(nlohmann::json(facts), -1); }

std::string profile_text(const Profile& profile) {
  return json_text(nlohmann::json(profile)) + "\n";
}

void to_json(nlohmann::json& json, const Profile& profile) { write_fields(json, profile); }

void to_json(nlohmann::json& json, const Rank& rank) { write_fields(json, rank); }

Facts facts_of(std::string_view text, int rank) {
  // parse_json would bring its parser into every program with the preloaded library.
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
