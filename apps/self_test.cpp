#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/subcommands.hpp"
#include "core/atomic_file.hpp"
#include "core/numbers.hpp"
#include "core/record_file.hpp"
#include "report/self_test_table.hpp"
#include "verdicts/self_test_json.hpp"

namespace hockney {
namespace {

struct SelfTestCommand {
  std::vector<std::string> records;
  std::string each = "10";
  std::string seed = "1";
  std::string output;
  bool json = false;
};

ExitCode run(const SelfTestCommand& command) {
  constexpr int fewest = 6;  // below, no interval of a median
  const int each = parse_count<int>("--each", command.each, fewest);
  const auto seed = parse_count<std::uint64_t>("--seed", command.seed, 0);
  const std::vector<Record> records = load_records(command.records);
  const SelfTest test = evaluate_self_test(records, each, seed);
  const std::string document = to_json(test).dump(1) + "\n";
  if (!command.output.empty()) write_atomically(command.output, document);
  if (command.json) {
    std::cout << document;
  } else {
    print_self_test(std::cout, test);
  }
  return ExitCode::good;
}

}  // namespace

void add_self_test(CLI::App& driver, Action& chosen) {
  const auto command = std::make_shared<SelfTestCommand>();
  CLI::App* app = driver.add_subcommand(
      "self-test", "False alarms, power and coverage of the tool itself on this machine");
  app->option_defaults()->always_capture_default();
  app->add_option("records", command->records,
                  "Folder or files of a campaign of configs/self-test.json")
      ->required();
  app->add_option("--each", command->each, "Launches in each sub-campaign");
  app->add_option("--seed", command->seed, "Of the cut into sub-campaigns");
  app->add_option("-o,--output", command->output, "File for the document")->default_str("none");
  app->add_flag("--json", command->json, "Print the document instead of the table");
  app->callback([command, &chosen] { chosen = [command] { return run(*command); }; });
}

}  // namespace hockney
