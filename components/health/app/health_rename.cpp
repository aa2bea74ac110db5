#include <fmt/format.h>
#include <iostream>

#include "components/health/app/health.hpp"
#include "components/health/app/health_options.hpp"
#include "components/health/history/host_values.hpp"
#include "core/cli/command_line.hpp"
#include "core/text.hpp"
#include "report/table.hpp"

namespace hockney::health {
namespace {

struct RenameCommand {
  HistoryOptions history;
  std::string host;
  std::string name;
};

ExitCode run(const RenameCommand& command) {
  const HistoryDatabase database = open_history(command.history, HistoryAccess::write);
  const Renamed renamed = rename_host(database, command.host, command.name);
  std::cout << fmt::format("{} is {} in {} series and {} of nodes\n", escaped(command.host),
                           escaped(command.name), renamed.series,
                           report::count_text(renamed.pairs, "pair"));
  return ExitCode::good;
}

void add_options(CommandLine& app, RenameCommand& command) {
  app.add_option("host", command.host, "The name in the history").required();
  app.add_option("name", command.name, "The host's name now").required();
  add_writing_options(app, command.history);
}

}  // namespace

void add_health_rename(CommandLine& health, Action& chosen) {
  add_command<RenameCommand>(
      health, chosen, "rename", "A host has another name now; its nights stay its own", add_options,
      run,
      {.examples = {{"hockney health rename hx1 rack1-node1", "in the default history"},
                    {"hockney health rename hx1 hx2 --history site.sqlite", "in another one"},
                    {"hockney health list series --series '*host=hx1*'", "what a host has"}}});
}

}  // namespace hockney::health
