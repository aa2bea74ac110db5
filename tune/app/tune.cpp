#include "tune/app/tune.hpp"

#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "apps/beside.hpp"
#include "core/atomic_file.hpp"
#include "core/cli/standard_output.hpp"
#include "core/cli/subcommand.hpp"
#include "core/cpu_sharing.hpp"
#include "core/faults.hpp"
#include "core/json_values.hpp"
#include "core/record_file.hpp"
#include "core/text.hpp"
#include "report/fault_lines.hpp"
#include "report/screens/narrow.hpp"
#include "tune/app/tune_options.hpp"
#include "tune/predicted.hpp"
#include "tune/selection_file.hpp"
#include "tune/tables/tables.hpp"
#include "tune/verification.hpp"

namespace hockney::tune {
namespace {

std::optional<BaseTree> base_tree(const std::string& file) {
  if (file.empty()) return std::nullopt;
  return BaseTree{file, read_file(file)};
}

/// Takes back what a verification has found to be slower.
void take_back(Tuning& tuning, const std::vector<std::string>& verified) {
  for (const std::string& name : verified) {
    const bool is_folder = std::filesystem::is_directory(name);
    const std::string file = is_folder ? name + "/" + std::string(verification_file) : name;
    leave_to_default(tuning.evidence, read_slower_sizes(read_file(file), file));
    tuning.verified.push_back(file);
  }
}

Tuning make_tuning(const Command& command) {
  Tuning tuning;
  tuning.options = decide_options(command);
  std::vector<Record> records = load_records(command.results);
  report::print_faults(std::cerr, find_faults(records));
  tuning.oversubscribed = oversubscription_text(records);
  if (!command.operations.empty()) keep_operations({&records}, command.operations);
  tuning.evidence = gather_evidence(std::move(records), evidence_options(command));
  tuning.target = chosen_target(command, tuning.evidence.library);
  if (!command.predicted.empty()) {
    add_predicted(tuning.evidence,
                  read_predicted(read_file(command.predicted), command.predicted, tuning.target));
  }
  keep_expressible(tuning.target, tuning.evidence);
  if (tuning.evidence.points.empty()) {
    throw InputError({"nothing to choose for", "the records hold no time of a collective operation",
                      "name the folder of a campaign of hockney-collectives"});
  }
  take_back(tuning, command.verified);
  tuning.decisions = decide_all(tuning.evidence, tuning.options);
  tuning.file = selection_file(tuning.target, tuning.decisions, comments_of(tuning),
                               base_tree(command.base_tree));
  return tuning;
}

void reject_given(const std::vector<CLI::Option*>& options, const std::string& why) {
  for (const CLI::Option* option : options) {
    if (option->count() == 0) continue;
    throw InputError({option->get_name() + " here", why, "leave it out"});
  }
}

/// InputError where rules would be written of ranks that shared CPUs.
void refuse_shared_cpus(const Tuning& tuning) {
  if (tuning.oversubscribed.empty()) return;
  throw InputError({"no rules are written of " + tuning.oversubscribed,
                    "what is fastest there is not where every rank has a CPU",
                    "measure with a CPU for each rank, or add --force"});
}

ExitCode run(const Command& command) {
  if (!command.verify.empty()) {
    reject_given(command.only_tuning, "it makes a file, and --verify has one");
    return verify_tuning(command);
  }
  reject_given(command.only_verifying, "it is for measuring, which only --verify does");
  const Tuning tuning = make_tuning(command);
  const bool is_nothing = changes_nothing(tuning.decisions);
  const bool is_file_shown = command.output.empty() && !command.json;
  const bool writes_rules = !is_nothing && (is_file_shown || !command.output.empty());
  if (writes_rules && !command.force) refuse_shared_cpus(tuning);
  if (!command.output.empty() && !is_nothing) write_atomically(command.output, tuning.file.text);
  if (command.json) {
    std::cout << json_text(to_json(tuning)) << '\n';
  } else if (writes_rules && is_file_shown) {
    std::cout << tuning.file.text;
  } else {
    const WrittenFile written{.name = is_nothing ? "" : command.output, .results = command.results};
    print_selection(std::cout, tuning, written, output_columns());
  }
  if (is_nothing && !command.output.empty()) {
    std::cerr << "note: " << inert(command.output) << " is not written: it would change nothing\n";
  }
  for (const std::string& note : selection_notes(tuning)) std::cerr << note << '\n';
  return ExitCode::good;
}

}  // namespace

void add_tune(CLI::App& driver, Action& chosen) {
  add_command<Command>(
      driver, chosen, apps::tune_beside.name, apps::tune_beside.summary, add_tune_options, run,
      {.examples = {{"hockney tune results/bcast -o bcast.rules", "choose, and write the file"},
                    {"hockney tune results/bcast --verify bcast.rules",
                     "measure the file against the default"},
                    {"hockney tune results/p4 --for openmpi6 -o tuned.json",
                     "in the format of another library"}},
       .common = {"results", "--for", "--operations", "--least-gain", "--verified", "--output",
                  "--force", "--json", "--verify", "--sizes", "--budget", "--dry-run"}});
}

}  // namespace hockney::tune
