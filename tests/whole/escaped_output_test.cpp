#include <array>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/whole/every_command.hpp"

// No text of a record does anything to a terminal, a spreadsheet or a reader, whichever subcommand
// prints it.
namespace hockney::driver {

using Json = nlohmann::json;

namespace {

/// An escape sequence, C1, DEL, bidirectional controls, no width, a line separator, and a line of
/// its own.
const std::string hostile =
    "\x1b[31m\x07\x7f\xC2\x9B\xE2\x80\xAE\xE2\x81\xA6\xD8\x9C\xE2\x80\x8B\xE2\x80\xA8\t\r\nFORGED";

const std::set<std::string> words_of_the_format{
    "schema", "status", "started_utc", "written_utc", "proof", "map", "carrier", "end", "moment"};
const std::set<std::string> kept_names{"operation", "algorithm", "requested", "ran",
                                       "variable",  "library",   "setting",   "axes",
                                       "settings",  "parameters"};

/// Puts the hostile text behind every text of a document and into its free keys.
void poison_texts(Json& value, EveryCommand::Names names) {
  for (const char* free_keys : {"parameters", "axes", "environment"}) {
    const bool is_kept = names == EveryCommand::Names::kept && kept_names.contains(free_keys);
    if (!value.is_object() || !value.contains(free_keys) || is_kept) continue;
    if (value.at(free_keys).is_object()) value[free_keys]["key" + hostile] = "value";
  }
  for (auto& [key, member] : value.items()) {
    const bool is_word = words_of_the_format.contains(key) ||
                         (names == EveryCommand::Names::kept && kept_names.contains(key));
    if (member.is_string() && !is_word) member = member.get<std::string>() + hostile;
    if (member.is_structured() && !is_word) poison_texts(member, names);
  }
}

void poison(Record& record, EveryCommand::Names names) {
  Json document = to_json(record);
  poison_texts(document, names);
  record = read_record(parse_json(document.dump(), "spoilt"));
}

void poison_profile(profile::Profile& profile) {
  Json document = profile;
  poison_texts(document, EveryCommand::Names::any);
  profile = read_value<profile::Profile>(parse_json(document.dump(), "spoilt"));
}

bool is_escaped(const std::string& text) {
  constexpr std::array<std::string_view, 8> sequences{"\xC2\x9B", "\xE2\x80\xAE", "\xE2\x81\xA6",
                                                      "\xD8\x9C", "\xE2\x80\x8B", "\xE2\x80\xA8",
                                                      "\nFORGED", "\n\"FORGED"};
  return std::ranges::none_of(text,
                              [](unsigned char letter) {
                                return (letter < ' ' && letter != '\n' && letter != '\t') ||
                                       letter == 0x7F;
                              }) &&
         std::ranges::none_of(sequences, [&](std::string_view sequence) {
           return text.find(sequence) != std::string::npos;
         });
}

void check_escaped(const std::string& text, const std::string& what) {
  INFO(what << ":\n" << text);
  CHECK(is_escaped(text));
}

}  // namespace

TEST_CASE("no subcommand prints or writes a text that is not inert") {
  const EveryCommand every(poison, poison_profile);
  int enough_launches = 0;
  for (const Arguments& command : every.commands()) {
    const CommandResult result = run_command(command);
    const std::string line = join(command, " ");
    INFO(line << "\n" << result.err);
    CHECK((result.exit_code == 0 || result.exit_code == verdict_failed));
    check_escaped(result.out, line);
    check_escaped(result.err, line);
    enough_launches += result.out.find("FORGED") != std::string::npos;
  }
  // All but the topology, counts of the self-test, and what is printed beside files.
  CHECK(enough_launches >= 20);
  for (const auto& entry : std::filesystem::directory_iterator(every.outputs())) {
    const std::string text = read_file(entry.path().string());
    CHECK_THAT(text, Catch::Contains("FORGED"));
    check_escaped(text, entry.path().string());
  }
}

TEST_CASE("documents hold hostile texts exactly") {
  const EveryCommand every(poison);
  const CommandResult result =
      run_command({built("hockney"), "fit", "--json", every.path("sides")});
  const Json document = Json::parse(result.out);
  CHECK(document.at("fits").at(0).at("operation") == "pingpong" + hostile);
}

TEST_CASE("messages about hostile arguments are inert") {
  for (const Arguments& command : std::vector<Arguments>{{hostile},
                                                         {"report", hostile},
                                                         {"report", "--" + hostile},
                                                         {"topo", "--xml", hostile},
                                                         {"topo", "--synthetic", hostile},
                                                         {"run", hostile},
                                                         {"health", "ingest", hostile},
                                                         {"health", "check", "--history", hostile},
                                                         {"tune", hostile}}) {
    Arguments words = command;
    words.insert(words.begin(), built("hockney"));
    const CommandResult result = run_command(words);
    CHECK(result.exit_code == bad_input);
    CHECK_THAT(result.err, Catch::Contains("FORGED"));
    check_escaped(result.err, join(command, " "));
    CHECK(std::ranges::count(result.err, '\n') == 1);
  }
}

}  // namespace hockney::driver
