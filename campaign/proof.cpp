#include "campaign/proof.hpp"

#include <algorithm>
#include <map>

#include "core/record_flags.hpp"
#include "settings/complaints.hpp"
#include "settings/prove.hpp"
#include "settings/steering.hpp"

namespace hockney {
namespace {

/// `--mca NAME VALUE` of Open MPI's launcher is a variable of the environment to its ranks.
std::map<std::string, std::string> asked_by(const Command& command) {
  std::map<std::string, std::string> asked;
  for (const auto& [name, value] : command.environment) {
    if (asks_for_setting(name)) asked[name] = value;
  }
  const std::vector<std::string>& words = command.arguments;
  for (std::size_t i = 0; i + 2 < words.size(); ++i) {
    const bool option = words[i] == "--mca" || words[i] == "-mca" || words[i] == "--gmca";
    if (option) asked["OMPI_MCA_" + words[i + 1]] = words[i + 2];
  }
  return asked;
}

/// Why a setting is known not to be in force; empty otherwise.
std::string why_ignored(const std::string& variable, const std::string& value,
                        const Provenance& provenance) {
  const auto& judged = provenance.mpi.asked;
  const auto found = std::ranges::find(judged, variable, &AskedSetting::variable);
  if (found == judged.end()) return "the ranks did not see it";
  if (found->asked != value) return "the ranks saw '" + found->asked + "'";
  return found->proof == Proof::ignored ? found->reason : "";
}

}  // namespace

std::vector<std::string> ignored_settings(const Command& command, const Record& record,
                                          const std::string& log) {
  std::vector<std::string> ignored;
  const bool differs = std::ranges::find(record.flags, path_differs_flag) != record.flags.end();
  if (differs) ignored.emplace_back("--expect-path (another path is proven, or none)");
  const auto asked = asked_by(command);
  if (asked.empty()) return ignored;
  for (std::string& complaint : complaints_in(log)) ignored.push_back(std::move(complaint));
  for (const auto& [variable, value] : asked) {
    const std::string why = why_ignored(variable, value, record.provenance);
    if (why.empty()) continue;
    ignored.push_back(complaint_of({.variable = variable, .asked = value, .reason = why}));
  }
  return ignored;
}

}  // namespace hockney
