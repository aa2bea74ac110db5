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

/// This machine, whose programs are run under a guardian for at most half a minute.
placement::Machine this_machine();

/// The network for a campaign: of the file that is named, in any format that
/// placement::read_network takes; none for "none"; that which the campaign had before, when it is
/// gone on with; else of what this machine tells, unless its hosts are simulated. InputError as
/// read_network.
std::optional<SiteFile> network_for(const std::string& sites, const Request& request);

/// The options of a campaign as the user wrote them; empty texts are options not given.
struct Options {
  std::string out;
  std::string launches;
  std::string precision;  ///< its option, as the next one, is that of `run` alone
  std::string max_launches;
  std::string ranks;
  std::string budget;
  std::string launcher;
  std::string launcher_command;
  std::string sites;  ///< its option is that of `run` alone: a file of the network, or "none"
  std::string seed;   ///< its option is each command's own
  std::vector<std::string> executable_folders;
  std::vector<std::string> arguments;  ///< further ones for the program
  bool resume = false;
  bool dry_run = false;
  bool algorithms_only = false;  ///< its option is that of `run` alone
  bool quiet = false;            ///< likewise: no progress, and no word of what it will take
};

/// What --help says happens without an option.
struct Defaults {
  std::string out = "results/<name>-<time>";
  std::string launches = "as the config says, or as many as precision and budget ask for";
  std::string ranks = "as the config says";
  std::string budget = "as the config says";
  std::string launcher = "as the config says, else found";
};

/// The options that every command which runs a campaign has.
std::vector<CommandOption> add_campaign_options(CommandLine& app, Options& options,
                                                const Defaults& defaults = {});

/// The config with the options in their places, and program and launcher found. `config_file` is
/// empty for a config that is built in. InputError for whatever cannot be run.
Request make_request(Config config, const std::string& config_file, const Options& options);

/// Makes its verification runs only, with progress on stderr; what they found, as records without
/// times.
std::vector<Record> verify_and_show(const Request& request);

/// A campaign that a command has run.
struct FinishedCampaign {
  Manifest manifest;
  Folder folder;
  std::optional<Message> missing;  ///< what of it is not complete, and how to go on; or nullopt
  ReadRecords read;                ///< of its folder, as Kept::times

  /// All records of its folder, as Kept::times: those that were read, and the others.
  [[nodiscard]] std::vector<Record> take_records();
  /// Launches that have a complete record.
  [[nodiscard]] int complete_launches() const;
};

/// Runs the campaign with progress on stderr; nullopt after --dry-run, which prints its commands on
/// stdout, one a line.
std::optional<FinishedCampaign> run_or_print(const Request& request, const Options& options);

}  // namespace hockney::campaign
