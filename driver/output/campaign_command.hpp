#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/cli/command_line.hpp"
#include "driver/campaign/execution.hpp"
#include "driver/campaign/request.hpp"
#include "placement/network/sources.hpp"

namespace hockney::campaign {

/// This machine. Programs that describe it run under a guardian, for at most 30 s.
placement::Machine this_machine();

/// The options of a campaign as given on the command line; options not given are empty.
struct Options {
  std::string out;
  std::string launches;
  std::string precision;  ///< --precision and --max-launches: `run` alone has them
  std::string max_launches;
  std::string ranks;
  std::string budget;
  std::string launcher;
  std::string launcher_command;
  std::string sites;  ///< a file of the network, or "none"; option of `run` alone
  std::string seed;   ///< each command adds its own option
  std::vector<std::string> executable_folders;
  std::vector<std::string> arguments;  ///< further ones for the program
  bool each_node = false;              ///< option of `run` alone
  bool resume = false;
  bool dry_run = false;
  bool algorithms_only = false;  ///< option of `run` alone
  bool quiet = false;            ///< option of `run` alone: no progress, no forecast of the time
};

/// Default values as --help shows them.
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

/// The config with the options applied, and program and launcher found. InputError if the campaign
/// cannot run.
Request make_request(Config config, const Options& options);

/// As many ranks as the job of this shell has tasks, or this node has cores that may be used.
int ranks_of_job();

/// Makes the verification runs only, with progress on stderr. Returns the algorithms found, as
/// records without times.
std::vector<Record> verify_and_show(const Request& request);

/// Runs the campaign with progress on stderr. With --dry-run prints its commands on stdout, one a
/// line, and returns nullopt.
std::optional<CampaignEnd> run_or_print(const Request& request, const Options& options);

}  // namespace hockney::campaign
