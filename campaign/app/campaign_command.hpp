#pragma once

#include <optional>
#include <string>
#include <vector>

#include "campaign/launch_command.hpp"
#include "campaign/manifest.hpp"
#include "campaign/request.hpp"
#include "core/cli/command_line.hpp"
#include "core/record_file.hpp"
#include "core/site_file.hpp"
#include "placement/network/sources.hpp"

namespace hockney::campaign {

/// This machine. Its programs run under a guardian for at most half a minute.
placement::Machine this_machine();

/// The network for a campaign. `sites` is a file in any format of placement::read_network, or
/// "none". If empty: the campaign's earlier network when resuming, else the network found on this
/// machine, unless its hosts are simulated. InputError as of read_network.
std::optional<SiteFile> network_for(const std::string& sites, const Request& request);

/// The options of a campaign as given on the command line; options not given are empty.
struct Options {
  std::string out;
  std::string launches;
  std::string precision;  ///< its option, as the next one, belongs to `run` only
  std::string max_launches;
  std::string ranks;
  std::string budget;
  std::string launcher;
  std::string launcher_command;
  std::string sites;  ///< file of the network, or "none"; its option belongs to `run` only
  std::string seed;   ///< each command adds its option
  std::vector<std::string> executable_folders;
  std::vector<std::string> arguments;  ///< further ones for the program
  bool resume = false;
  bool dry_run = false;
  bool algorithms_only = false;  ///< its option belongs to `run` only
  bool quiet = false;            ///< no progress and no estimate; its option belongs to `run` only
};

/// Text of --help for options that are not given.
struct Defaults {
  std::string out = "results/<name>-<time>";
  std::string launches = "as the config says, or as many as precision and budget ask for";
  std::string ranks = "as the config says";
  std::string budget = "as the config says";
  std::string launcher = "as the config says, else found";
};

/// Adds the options of every command that runs a campaign.
std::vector<CommandOption> add_campaign_options(CommandLine& app, Options& options,
                                                const Defaults& defaults = {});

/// Applies the options to the config; finds program and launcher. `config_file` is empty for a
/// built-in config. InputError for a campaign that cannot be run.
Request make_request(Config config, const std::string& config_file, const Options& options);

/// Makes the verification launches only, with progress on stderr; returns their records, without
/// times.
std::vector<Record> verify_and_show(const Request& request);

/// A campaign that a command has run.
struct FinishedCampaign {
  Manifest manifest;
  Folder folder;
  std::optional<Message> missing;  ///< the incomplete part, and how to resume; nullopt if complete
  ReadRecords read;                ///< of its folder, as Kept::times

  /// All records of its folder, as Kept::times: `read` and the others.
  [[nodiscard]] std::vector<Record> take_records();
  /// Number of launches with a complete record.
  [[nodiscard]] int complete_launches() const;
};

/// Runs the campaign with progress on stderr. With --dry-run prints its commands on stdout, one a
/// line, and returns nullopt.
std::optional<FinishedCampaign> run_or_print(const Request& request, const Options& options);

}  // namespace hockney::campaign
