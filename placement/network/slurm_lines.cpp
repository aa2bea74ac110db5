#include "placement/network/slurm_lines.hpp"

#include <algorithm>
#include <cctype>

#include "core/host_list.hpp"
#include "core/text.hpp"

namespace hockney::placement {
namespace {

/// What lines begin with, and what else stands in them (topology.conf(5); the printed form).
const std::vector<std::string>& first_keys() {
  static const std::vector<std::string> keys{"switchname", "blockname", "blocksizes",
                                             "aggregatedblock"};
  return keys;
}

const std::vector<std::string>& further_keys() {
  static const std::vector<std::string> keys{"level",    "linkspeed",  "nodes",
                                             "switches", "blockindex", "blocksize"};
  return keys;
}

std::string lower(std::string_view text) {
  std::string low(text);
  std::ranges::transform(low, low.begin(), [](unsigned char at) { return std::tolower(at); });
  return low;
}

SlurmLine read_line(const NumberedLines& lines) {
  SlurmLine line{.values = {}, .number = lines.number()};
  for (const std::string& word : words_of_line(lines.line().substr(0, lines.line().find('#')))) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) {
      throw lines.error("'" + word + "' is no key=value",
                        "a line of a Slurm topology has only these",
                        "name what scontrol show topology printed, or a topology.conf");
    }
    const std::string name = lower(std::string_view(word).substr(0, equals));
    const auto& known = line.values.empty() ? first_keys() : further_keys();
    if (std::ranges::find(known, name) == known.end()) {
      throw lines.error("unknown key '" + word.substr(0, equals) + "'",
                        line.values.empty() ? "a line begins with SwitchName or BlockName"
                                            : "no switch or block has it",
                        suggest(name, known));
    }
    if (!line.values.emplace(name, word.substr(equals + 1)).second) {
      throw lines.error("the key '" + word.substr(0, equals) + "' again", "a line has it once",
                        "leave one of them out");
    }
  }
  return line;
}

}  // namespace

std::string SlurmLine::text(const std::string& key) const {
  const auto found = values.find(key);
  return found == values.end() ? "" : found->second;
}

std::vector<SlurmLine> read_slurm_lines(const NetworkText& text) {
  std::vector<SlurmLine> read;
  NumberedLines lines(text);
  while (lines.next()) read.push_back(read_line(lines));
  return read;
}

InputError slurm_error(const NetworkText& text, int line, const std::string& problem,
                       const std::string& why, const std::string& suggestion) {
  return InputError({inert(text.name) + ":" + std::to_string(line) + ": " + inert(problem),
                     inert(why), suggestion});
}

std::vector<std::string> slurm_names(const NetworkText& text, const SlurmLine& line,
                                     const std::string& key) {
  if (line.text(key).empty()) return {};
  try {
    return expand_hosts(line.text(key));
  } catch (const HostListError& error) {
    throw slurm_error(text, line.number, error.message.problem, error.message.why,
                      error.message.suggestion);
  }
}

}  // namespace hockney::placement
