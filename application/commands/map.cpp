#include <iostream>
#include <nlohmann/json.hpp>

#include "application/commands/commands.hpp"
#include "application/commands/grid_orders.hpp"
#include "apps/beside.hpp"
#include "apps/screens.hpp"
#include "campaign/app/page_output.hpp"
#include "core/atomic_file.hpp"
#include "core/cli/subcommand.hpp"
#include "core/text.hpp"
#include "application/profile/profile_file.hpp"
#include "application/screens/mapping_report.hpp"
#include "application/page/profile_page.hpp"

namespace hockney::apps {
namespace {

struct MapCommand {
  std::string file;
  GridOrder grid;
  std::optional<std::string> output;
  std::optional<std::string> format;
  bool json = false;
  bool scotch = false;
  campaign::PageOutput page;
  ScreenChoice screen;
};

report::RankFile format_of(const MapCommand& command, const report::MappingView& view) {
  if (!command.format) return report::usual_rank_file(view.mpi_library);
  if (const auto format = find_word<report::RankFile>(*command.format)) return *format;
  throw InputError({"bad --format '" + *command.format + "'", "launchers read one of four",
                    suggest(*command.format, valid_words<report::RankFile>())});
}

report::MappingView view_of(const MapCommand& command) {
  if (!command.grid.grid.empty()) {
    if (command.scotch) {
      throw InputError({"--scotch with --grid", "it is asked about the messages of a profile",
                        "name a profile in place of the grid"});
    }
    if (command.file.empty()) return view_of_grid(command.grid);
    throw InputError(
        {"both a profile and --grid", "each says what is to be mapped", "leave one of them out"});
  }
  if (command.file.empty()) {
    throw InputError({"nothing to map", "neither a profile nor a grid of ranks is named",
                      "name a profile, or --grid 24x16 --nodes 16"});
  }
  report::MappingView view =
      report::mapping_view_of(profile::load_profile(command.file), command.file,
                              command.scotch ? report::Mappers::with_scotch : report::Mappers::own);
  view.slots = local_slots(command.grid, view.advice.best.of_rank);
  return view;
}

ExitCode map_ranks(const MapCommand& command) {
  if (command.format && !command.output) {
    throw InputError(
        {"--format without -o", "it is that of the file for the launcher", "name a file with -o"});
  }
  const report::PageScripts scripts = scripts_for(command.page, {command.file});
  const report::MappingView view = view_of(command);
  const report::RankFile format = format_of(command, view);
  if (command.output) {
    OutputFile output(*command.output);
    report::write_rank_file(output.stream(), view.places(), format);
    output.keep();
    std::cerr << word(format) << " written: " << inert(*command.output) << '\n';
    for (const std::string& line : launches_with(*command.output, view.places(), format)) {
      std::cerr << "  " << line << '\n';
    }
  }
  if (command.page.is_wanted()) {
    campaign::save_page(command.page.file, page_of(view), scripts);
  }
  if (command.json) {
    std::cout << json_text(report::to_json(view)) << '\n';
    return ExitCode::good;
  }
  show_screen(
      std::cout, command.screen, [&] { return report::screen_of(view); },
      [&](std::ostream& out) { report::print_mapping_table(out, view); });
  return ExitCode::good;
}

void add_map_options(CLI::App& app, MapCommand& command) {
  app.add_option("FILE", command.file, "Profile of a run of a program")
      ->default_str("none: the ranks of --grid");
  tried_first(
      app.add_option("-o,--out", command.output, "File that tells the launcher where ranks go"))
      ->type_name("FILE")
      ->default_str("none");
  app.add_option("--format", command.format, "What the launcher reads")
      ->type_name(type_of_choice(valid_words<report::RankFile>()))
      ->default_str("that of the program's MPI library");
  add_under(app, "Without a profile", [&] { add_grid_options(app, command.grid); });
  add_slot_options(app, command.grid);
  app.add_flag("--scotch", command.scotch,
               "Ask Scotch, too, where this hockney is built with it: a second opinion");
  campaign::add_page_options(app, "--page", campaign::page_help, command.page);
  add_screen_options(app, command.screen);
  CLI::Option* const json = add_json_flag(app, command.json);
  json->excludes(app.get_option("--all"))->excludes(app.get_option("--quiet"));
}

}  // namespace

void add_map(CLI::App& driver, Action& chosen) {
  add_command<MapCommand>(driver, chosen, map_beside.name, map_beside.summary, add_map_options,
                          map_ranks,
                          {.examples = {{"hockney map p4.json", "the answer"},
                                        {"hockney map p4.json -o ranks --format rankfile",
                                         "for mpirun --rankfile ranks"},
                                        {"hockney map --grid 24x16 --nodes 16 --tiles 6x4",
                                         "before there is a profile"}},
                           .common = {"FILE", "--out", "--format", "--page", "--scotch", "--grid",
                                      "--nodes", "--tiles", "--order", "--all", "--json"}});
}

}  // namespace hockney::apps
