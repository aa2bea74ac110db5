#include "driver/campaign/operation_campaign.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <string_view>
#include <utility>

#include "core/error.hpp"
#include "core/json_node.hpp"
#include "core/other_tools.hpp"
#include "core/suite_names.hpp"
#include "core/text.hpp"
#include "driver/campaign/launch_command.hpp"
#include "driver/campaign/subprocess.hpp"

namespace hockney::campaign {
namespace {

/// Programs that together list every operation, the first one of every build.
constexpr std::array<std::string_view, 3> requested_programs{"hockney-pingpong", "hockney-threads",
                                                             "hockney-noise"};

constexpr std::string_view collectives = "hockney-collectives";

/// Of programs of which one campaign needs several, the one that measures most.
constexpr std::array<std::string_view, 6> richest_first{"hockney-threads", "hockney-noise",
                                                        "hockney-io",      "hockney-rma",
                                                        collectives,       "hockney-pingpong"};

constexpr std::array<std::string_view, 7> imb_programs{"IMB-MPI1", "IMB-NBC", "IMB-RMA", "IMB-EXT",
                                                       "IMB-IO",   "IMB-P2P", "IMB-MT"};

std::vector<JsonNode> list_of(const std::string& program) {
  const std::string answer = capture({{program, "--list", "--json"}, {}}, {30}).output;
  try {
    return parse_json(answer, program + " --list --json").at("operations").elements();
  } catch (const InputError& error) {
    throw RunError({fmt::format("'{}' does not list its operations", program), error.what(),
                    "name a config of hockney run --list, or build hockney again"});
  }
}

ListedOperation read_operation(const JsonNode& node) {
  return {.name = node.at("operation").text(),
          .program = node.at("program").text(),
          .ranks = parse_word<OperationRanks>(node.at("ranks").text(), "unknown ranks",
                                              "operations have two, pairs or all"),
          .summary = node.at("time_of").text()};
}

/// Words without the path and name of IMB's program, which stands first.
std::vector<std::string> without_suite(std::vector<std::string> words) {
  const std::string name = std::filesystem::path(words.front()).filename().string();
  if (std::ranges::find(imb_programs, name) == imb_programs.end()) return words;
  if (words.size() == 1) {
    throw InputError({fmt::format("no operation of {} is named", name),
                      "a campaign measures the ones that it is given",
                      fmt::format("name some: hockney run {} {}", name,
                                  name == "IMB-RMA" ? "Unidir_put" : "Allreduce")});
  }
  words.erase(words.begin());
  return words;
}

struct NamedOperation {
  const ListedOperation* operation = nullptr;
  KnownName known;
};

NamedOperation find(const std::string& word, const std::vector<ListedOperation>& listed,
                    const std::vector<std::string>& configs) {
  KnownName known = known_name(std::filesystem::path(word).filename().string());
  for (const std::string& name : {word, known.operation}) {
    const auto found = std::ranges::find(listed, name, &ListedOperation::name);
    if (found == listed.end()) continue;
    if (name == word) known = {.operation = word, .remark = {}};
    return {&*found, std::move(known)};
  }
  if (std::ranges::find(configs, word) != configs.end()) {
    throw InputError({fmt::format("the config '{}' beside operations", word),
                      "a config says itself what it measures", "run it by itself"});
  }
  const bool is_first_build =
      std::ranges::find(listed, collectives, &ListedOperation::program) == listed.end();
  const auto build = is_first_build ? command_to_build() : std::nullopt;
  if (build) {
    throw InputError({fmt::format("no config or operation '{}'", word),
                      "a first build measures the ping-pong alone", "build the others: " + *build});
  }
  if (const auto other = other_tool_advice(WordPlace::operation, word)) {
    throw InputError({fmt::format("no config or operation '{}'", word), other->why, other->advice});
  }
  std::vector<std::string> names = strings_of(listed, &ListedOperation::name);
  append(names, configs);
  append(names, known_names());
  const std::string nearest = did_you_mean(known.operation, names);
  throw InputError(
      {fmt::format("no config or operation '{}'", word),
       fmt::format("neither hockney run --list nor {} --list has it", requested_programs[0]),
       fmt::format("{}{}hockney run --list shows the configs", nearest,
                   nearest.empty() ? "" : " ")});
}

/// "pingpong-bcast"
std::string name_of(const std::vector<std::string>& operations) {
  constexpr std::size_t longest = 60;
  return join(operations, "-").substr(0, longest);
}

std::optional<int> ranks_for(const std::vector<NamedOperation>& named, int ranks) {
  const auto any_of = [&](OperationRanks kind) {
    return std::ranges::any_of(
        named, [&](const NamedOperation& each) { return each.operation->ranks == kind; });
  };
  constexpr int pair = 2;
  if (any_of(OperationRanks::all)) return std::max(pair, ranks);
  if (any_of(OperationRanks::pairs)) return std::max(pair, ranks - ranks % pair);
  return pair;
}

}  // namespace

std::vector<ListedOperation> listed_operations(const std::vector<std::string>& executable_folders) {
  std::map<std::string, ListedOperation> operations;
  std::vector<std::string> folders{own_folder()};
  append(folders, executable_folders);
  append(folders, path_folders());
  for (const std::string_view name : requested_programs) {
    const auto program = find_executable(std::string(name), folders);
    if (!program && operations.empty()) find_program(std::string(name), "", executable_folders);
    if (!program) continue;
    for (const JsonNode& node : list_of(*program)) {
      ListedOperation operation = read_operation(node);
      operations.emplace(operation.name, operation);
    }
  }
  std::vector<ListedOperation> all;
  all.reserve(operations.size());
  for (auto& [name, operation] : operations) all.push_back(std::move(operation));
  return all;
}

OperationCampaign operation_campaign(const std::vector<std::string>& words,
                                     const std::vector<ListedOperation>& listed,
                                     const std::vector<std::string>& configs, int ranks) {
  OperationCampaign made;
  std::vector<NamedOperation> named;
  std::vector<std::string> names;
  std::map<std::string, std::string> parameters;
  for (const std::string& word : without_suite(split(join(words, ","), ','))) {
    named.push_back(find(word, listed, configs));
    const auto& [operation, known] = named.back();
    if (std::ranges::find(names, operation->name) == names.end()) names.push_back(operation->name);
    if (!known.remark.empty()) {
      made.remarks.push_back(fmt::format("{} is {}: {}", word, operation->name, known.remark));
    }
    for (const auto& [parameter, value] : known.parameters) {
      const auto [other, is_new] = parameters.emplace(parameter, value);
      if (!is_new && other->second != value) {
        throw InputError({fmt::format("'{}' beside other operations", word),
                          fmt::format("it needs --{} {}, they --{} {}", parameter, value, parameter,
                                      other->second),
                          "run it by itself"});
      }
    }
  }
  const auto* const program = std::ranges::find_if(richest_first, [&](std::string_view rich) {
    return std::ranges::any_of(
        named, [&](const NamedOperation& each) { return each.operation->program == rich; });
  });
  constexpr int launches = 10;
  made.config = {.name = name_of(names),
                 .description = names.size() == 1 ? named.front().operation->summary
                                                  : "The operations " + join(names),
                 .program = program == richest_first.end() ? named.front().operation->program
                                                           : std::string(*program),
                 .arguments = {"--operations", join(names, ",")},
                 .ranks = ranks_for(named, ranks),
                 .launches = launches,
                 .budget = Seconds{30}};
  for (const auto& [parameter, value] : parameters) {
    append(made.config.arguments, {"--" + parameter, value});
  }
  return made;
}

std::vector<std::string> chosen_operations(const Config& config) {
  const auto option = std::ranges::find(config.arguments, "--operations");
  const bool has_value = option != config.arguments.end() && option + 1 != config.arguments.end();
  return has_value ? split(*(option + 1), ',') : std::vector<std::string>();
}

bool is_of_operations(const Config& config) {
  const bool is_one = config.settings.size() < 2 && !config.sweep;
  return config.file.empty() && is_one && !chosen_operations(config).empty();
}

}  // namespace hockney::campaign
