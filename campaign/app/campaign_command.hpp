#pragma once

#include <string>
#include <vector>

#include "campaign/manifest.hpp"
#include "campaign/request.hpp"
#include "core/cli/command_line.hpp"
#include "core/record.hpp"

namespace hockney {

/// The options of a campaign as the user wrote them; empty texts are options not given.
struct CampaignOptions {
  std::string out;
  std::string launches;
  std::string precision;  ///< its option, as the next one, is that of `run` alone
  std::string max_launches;
  std::string ranks;
  std::string budget;
  std::string launcher;
  std::string launcher_command;
  std::string seed;  ///< its option is each command's own
  std::vector<std::string> executable_folders;
  std::vector<std::string> arguments;  ///< further ones for the program
  bool resume = false;
  bool dry_run = false;
  bool witness_only = false;  ///< its option is that of `run` alone
};

/// What --help says happens without an option.
struct CampaignDefaults {
  std::string out = "results/<name>-<time>";
  std::string launches = "as the config says, or as many as precision and budget ask for";
  std::string ranks = "as the config says";
  std::string budget = "as the config says";
  std::string launcher = "as the config says, else what the program is linked with";
};

/// The options that every command which runs a campaign has.
std::vector<CLI::Option*> add_campaign_options(CLI::App& app, CampaignOptions& options,
                                               const CampaignDefaults& defaults = {});

/// The config with the options in their places, and program and launcher found. `config_file` is
/// empty for a config that is built in. InputError for whatever cannot be run.
CampaignRequest make_request(CampaignConfig config, const std::string& config_file,
                             const CampaignOptions& options);

/// The commands of the campaign on stdout, one a line; nothing is run.
void print_commands(const CampaignRequest& request);

/// Runs the campaign with progress on stderr.
Manifest run_and_show(const CampaignRequest& request);

/// Makes its witness launches only, with progress on stderr; what they told, as records without
/// times.
std::vector<Record> witness_and_show(const CampaignRequest& request);

/// Launches that have a complete record.
int complete_launches(const Manifest& manifest);

}  // namespace hockney
