#pragma once

#include <optional>
#include <string>
#include <vector>

#include "components/tune/tuning.hpp"
#include "core/cli/command_line.hpp"
#include "core/error.hpp"
#include "core/record.hpp"
#include "driver/output/campaign_command.hpp"
#include "driver/output/output.hpp"

namespace hockney::tune {

/// The options of `hockney tune`; empty texts are options not given.
struct Command {
  std::vector<std::string> results;
  std::optional<Target> target;  ///< nullopt: the format of the records' library
  std::string base_setting;
  std::string operations;
  std::string parameters;
  std::string least_gain = "2%";
  std::string most_regret = "1%";
  std::string correction = "max-t";
  std::string alpha = "0.05";
  std::string predicted;
  std::string base_tree;
  std::vector<std::string> verified;  ///< documents of --verify, or their folders
  std::string output;
  campaign::PageOutput page;
  bool extend = false;
  bool exact = false;
  bool force = false;  ///< write rules even if ranks shared CPUs
  bool json = false;
  bool csv = false;
  std::string verify;  ///< the file to verify
  std::string sizes;   ///< of the verification
  std::string oracle = "chosen";
  campaign::Options campaign;
  std::vector<CommandOption> only_verifying;
  std::vector<CommandOption> only_tuning;
};

EvidenceOptions evidence_options(const Command& command);
DecideOptions decide_options(const Command& command);

/// The records; blocks of launches without a free core do not count.
std::vector<Record> load_judged_records(const std::vector<std::string>& paths);

/// The target of --for, else the library's own format.
Target chosen_target(const Command& command, const std::string& library);

/// Launches and compares the default and the file.
ExitCode verify_tuning(const Command& command);

/// Adds `hockney tune` to the driver and sets `chosen` if the user runs it.
void add_tune(CommandLine& driver, Action& chosen);

}  // namespace hockney::tune
