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

namespace {

constexpr const char* other_version = "use the version of hockney that wrote the file";

void check_index(const JsonNode& row, std::string_view key, const std::optional<int>& index,
                 std::size_t size, const std::string& list) {
  if (!index || static_cast<std::size_t>(*index) < size) return;
  row.at(key).reject("is " + std::to_string(*index),
                     "the number of " + list + " is " + std::to_string(size), other_version);
}

void check_calls(const JsonNode& row, const Calls& calls, const Profile& profile) {
  check_index(row, "communicator", calls.communicator, profile.communicators.size(),
              "communicators");
  check_index(row, "site", calls.site, profile.sites.size(), "sites");
  check_index(row, "region", calls.region, profile.regions.size(), "regions");
}

void check_messages(const JsonNode& row, const Messages& messages, const Profile& profile) {
  const auto world = static_cast<std::size_t>(profile.world_ranks);
  check_index(row, "from", messages.from, world, "ranks");
  check_index(row, "to", messages.to, world, "ranks");
  check_index(row, "communicator", messages.communicator, profile.communicators.size(),
              "communicators");
}

/// A stack's frames and ranks exist, and each rank has a count.
void check_stack(const JsonNode& row, const Stack& stack, const Profile& profile) {
  const auto& frames = profile.samples->frames;  // NOLINT(bugprone-unchecked-optional-access)
  for (const int frame : stack.frames) {
    if (frame >= 0 && static_cast<std::size_t>(frame) < frames.size()) continue;
    row.at("frames").reject("has " + std::to_string(frame),
                            "the number of frames is " + std::to_string(frames.size()),
                            other_version);
  }
  if (stack.ranks.size() != stack.counts.size()) {
    row.at("counts").reject("is a list of " + std::to_string(stack.counts.size()),
                            "that of ranks is one of " + std::to_string(stack.ranks.size()),
                            other_version);
  }
  int before = -1;
  for (const int rank : stack.ranks) {
    if (rank <= before || rank >= profile.world_ranks) {
      row.at("ranks").reject("has " + std::to_string(rank),
                             "ranks go up, below " + std::to_string(profile.world_ranks),
                             other_version);
    }
    before = rank;
  }
}

void check_samples(const JsonNode& node, const Profile& profile) {
  if (!profile.samples) return;
  const Samples& samples = *profile.samples;
  const auto frames = node.at("frames").elements();
  for (std::size_t i = 0; i < frames.size(); ++i) {
    check_index(frames[i], "module", samples.frames[i].module, samples.modules.size(), "modules");
  }
  const auto stacks = node.at("stacks").elements();
  for (std::size_t i = 0; i < stacks.size(); ++i) {
    check_stack(stacks[i], samples.stacks[i], profile);
  }
}

}  // namespace

void check_profile(const JsonNode& document, Profile& profile) {
  if (profile.world_ranks > most_ranks) {
    document.at("world_ranks")
        .reject("is " + std::to_string(profile.world_ranks),
                "no program has more than " + std::to_string(most_ranks) + " ranks", other_version);
  }
  const auto calls = document.at("calls").elements();
  for (std::size_t i = 0; i < calls.size(); ++i) check_calls(calls[i], profile.calls[i], profile);
  const auto messages = document.at("messages").elements();
  for (std::size_t i = 0; i < messages.size(); ++i) {
    check_messages(messages[i], profile.messages[i], profile);
  }
  int before = -1;
  for (const JsonNode& node : document.at("ranks").elements()) {
    const auto rank = static_cast<int>(node.at("rank").integer());
    if (rank <= before || rank >= profile.world_ranks) {
      node.at("rank").reject("is " + std::to_string(rank),
                             "ranks go up, below " + std::to_string(profile.world_ranks),
                             other_version);
    }
    before = rank;
  }
  if (profile.samples) check_samples(document.at("samples"), profile);
  if (profile.parallel_regions.empty()) return;
  const auto regions = document.at("parallel_regions").elements();
  for (std::size_t i = 0; i < regions.size(); ++i) {
    check_index(regions[i], "site", profile.parallel_regions[i].site, profile.sites.size(),
                "sites");
  }
}

}  // namespace hockney::profile
