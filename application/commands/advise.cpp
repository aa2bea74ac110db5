#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "application/screens/advice/advice_screen.hpp"
#include "application/commands/advice_trial.hpp"
#include "application/commands/commands.hpp"
#include "application/commands/program_launches.hpp"
#include "application/commands/program_model.hpp"
#include "apps/beside.hpp"
#include "apps/screens.hpp"
#include "core/atomic_file.hpp"
#include "core/cli/subcommand.hpp"
#include "core/json_values.hpp"
#include "core/text.hpp"

namespace hockney::apps {
namespace {

struct AdviseCommand {
  std::string file;
  MachineRecords machine;
  std::vector<std::string> words;  ///< the command that proves it
  std::optional<std::string> folder;
  int blocks = 8;
  bool json = false;
  ScreenChoice screen;
};

void verify_advice(const AdviseCommand& command, advice::AdviceView& view) {
  const std::vector<advice::Advice>& worth = view.findings.worth;
  const TrialRequest request{
      .words = command.words,
      .folder = command.folder ? *command.folder : unused_folder("hockney-advice"),
      .blocks = command.blocks};
  const TrialResult result = run_trial(request, view.profile, worth);
  view.folder = request.folder;
  view.in_force = result.in_force;
  view.verified = advice::verify(worth, view.findings.seconds, result.launches);
  if (result.blocks < command.blocks) {
    view.doubts.push_back("ended after " + std::to_string(result.blocks) + " of " +
                          report::count_text(static_cast<std::size_t>(command.blocks), "block"));
  }
  write_atomically(request.folder + "/advice.json", json_text(to_json(view)) + "\n");
}

ExitCode run_advise(const AdviseCommand& command) {
  if (command.words.empty() && command.folder) {
    throw InputError({"--out without --verify", "it is for the launches that prove an advice",
                      "add --verify -- COMMAND"});
  }
  const ProgramModel model(command.file, command.machine);
  advice::AdviceView view{
      .profile = model.profile(),
      .file = command.file,
      .records = command.machine.paths,
      .findings = advice::find_advice({model.profile(), model.projector(), model.machine()}),
      .model_seconds = model.projector().model_seconds(),
      .has_intervals = model.machine().has_intervals(),
      .doubts = model.projector().doubts(),
      .verified = {},
      .in_force = {},
      .folder = {}};
  if (!command.words.empty() && !view.findings.worth.empty()) verify_advice(command, view);
  if (command.json) {
    std::cout << json_text(to_json(view)) << '\n';
  } else {
    show_screen(
        std::cout, command.screen, [&] { return screen_of(view); },
        [&](std::ostream& out) { print_tried_table(out, view); });
  }
  return verdict_of(view);
}

void add_advise_options(CLI::App& app, AdviseCommand& command) {
  app.add_option("FILE", command.file, "Profile of a run of a program, recorded with --log")
      ->required();
  app.add_option("RECORDS", command.machine.paths,
                 "Records of the machine: ping-pongs, hockney-protocol, collectives")
      ->required();
  app.add_option("--verify", command.words,
                 "Run this command as it is and with each advice, and judge what it gains")
      ->type_name(command_type)
      ->default_str("none");
  add_count_option(app, "--blocks", command.blocks, 1, "Launches of each setting, for --verify")
      ->default_str("8");
  app.add_option("-o,--out", command.folder, "New folder for the launches of --verify")
      ->type_name("DIR")
      ->default_str("hockney-advice-<UTC time>");
  app.add_option("--sites", command.machine.sites, "Site file of the network")->default_str("none");
  app.add_option("--setting", command.machine.setting, "The campaign's setting of the ping-pongs")
      ->default_str("the only one");
  add_screen_options(app, command.screen);
  CLI::Option* const json = add_json_flag(app, command.json);
  json->excludes(app.get_option("--all"))->excludes(app.get_option("--quiet"));
}

}  // namespace

void add_advise(CLI::App& driver, Action& chosen) {
  add_command<AdviseCommand>(
      driver, chosen, advise_beside.name, advise_beside.summary, add_advise_options, run_advise,
      {.examples = {
           {"hockney advise run.json results/hops", "what would gain, most first"},
           {"hockney advise run.json results/hops --verify -- mpirun -n 2 ./app", "prove it"},
           {"hockney advise run.json results/hops --all", "everything that was tried"}}});
}

}  // namespace hockney::apps
