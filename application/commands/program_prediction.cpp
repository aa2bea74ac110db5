#include "application/commands/program_prediction.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "core/cli/standard_output.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"
#include "application/page/profile_page.hpp"
#include "application/screens/projection_report.hpp"
#include "report/table.hpp"

namespace hockney::apps {
namespace {

using projection::Machine;
using projection::Projector;
using projection::WhatIf;

std::pair<std::string, std::string> forced_algorithm(const std::string& text) {
  const auto equals = text.find('=');
  std::string operation = text.substr(0, equals);
  std::ranges::replace(operation, '-', '_');
  const auto operations = schedules::scheduled_operations();
  if (equals == std::string::npos || std::ranges::find(operations, operation) == operations.end()) {
    throw InputError({"bad --algorithm '" + text + "'",
                      "with --profile it is a collective and its algorithm, such as allreduce=ring",
                      suggest(operation, operations)});
  }
  const std::string algorithm = schedules::canonical_algorithm(operation, text.substr(equals + 1));
  const auto known = schedules::algorithms_of(operation);
  if (std::ranges::find(known, algorithm) != known.end()) return {operation, algorithm};
  throw InputError({"bad --algorithm '" + text + "'",
                    operation + " has no algorithm '" + algorithm + "'",
                    suggest(algorithm, known)});
}

std::vector<std::string> mapped_hosts(const std::string& map,
                                      const std::vector<std::string>& hosts) {
  if (map == "blocks") return projection::in_blocks(hosts);
  if (map == "round-robin") return projection::round_robin(hosts);
  if (!std::filesystem::exists(map)) {
    throw InputError({"bad --map '" + map + "'",
                      "ranks go to nodes one by one, in blocks, or as a file of their hosts says",
                      suggest(map, {"blocks", "round-robin"})});
  }
  std::vector<std::string> mapped = split(read_file(map), '\n');
  std::erase(mapped, "");
  if (mapped.size() == hosts.size()) return mapped;
  throw InputError({"'" + map + "' does not place this program",
                    "it has " + std::to_string(mapped.size()) + " lines for " +
                        std::to_string(hosts.size()) + " ranks",
                    "write one: hockney map FILE --format hosts -o HOSTS"});
}

/// A question, and how it is told.
struct Asked {
  std::string words;
  WhatIf what_if;
};

/// Everything that the user asked for at once; no words where that is nothing.
Asked asked_of(const ProgramQuestion& question, const std::vector<std::string>& hosts) {
  Asked asked;
  std::vector<std::string> words;
  if (question.eager_limit) {
    asked.what_if.eager_limit_bytes = parse_bytes(*question.eager_limit).value;
    words.push_back("eager limit " + *question.eager_limit);
  }
  if (question.latency) {
    asked.what_if.latency_divisor = *question.latency;
    words.push_back("latency / " + report::significant(*question.latency, 3));
  }
  if (question.bandwidth) {
    asked.what_if.bandwidth_factor = *question.bandwidth;
    words.push_back("bandwidth x " + report::significant(*question.bandwidth, 3));
  }
  if (question.ideal) {
    asked.what_if.is_free = true;
    words.emplace_back("network costs nothing");
  }
  if (question.map) {
    asked.what_if.hosts = mapped_hosts(*question.map, hosts);
    words.push_back("ranks on nodes " + inert(*question.map));
  }
  for (const std::string& text : question.algorithms) {
    const auto [operation, algorithm] = forced_algorithm(text);
    asked.what_if.algorithms[operation] = algorithm;
    words.push_back(operation + " by " + algorithm);
  }
  if (!question.machine.empty()) {
    words.insert(words.begin(), "on " + inert(join(question.machine)));
  }
  asked.words = join(words);
  return asked;
}

/// What people would ask.
std::vector<Asked> usual_questions(const Projector& projector, const Machine& machine) {
  std::vector<Asked> asked;
  const applications::SendLimits& limits = machine.limits();
  if (projector.largest_message_bytes() >
      std::min(limits.in_node.eager, limits.between_nodes.eager)) {
    asked.push_back({"no message waits for its receive",
                     {.eager_limit_bytes = std::numeric_limits<std::int64_t>::max()}});
  }
  asked.push_back({"half the latency", {.latency_divisor = 2}});
  asked.push_back({"twice the bandwidth", {.bandwidth_factor = 2}});
  const auto& hosts = projector.hosts();
  for (const auto& [words, mapped] :
       {std::pair{"ranks on nodes round-robin", projection::round_robin(hosts)},
        std::pair{"ranks on nodes in blocks", projection::in_blocks(hosts)}}) {
    if (mapped != hosts) asked.push_back({words, {.hosts = mapped}});
  }
  asked.push_back({"network costs nothing", {.is_free = true}});
  return asked;
}

report::ProjectionView answers_to(const ProgramQuestion& question, const MachineRecords& records) {
  const std::string file = question.profile.value_or("");
  const ProgramModel model(file, records);
  const Projector& projector = model.projector();
  report::ProjectionView view{.profile = model.profile(), .file = file};
  view.validation = projector.validation();
  view.has_intervals = model.machine().has_intervals();
  view.doubts = projector.doubts();
  const Asked asked = asked_of(question, projector.hosts());
  if (asked.words.empty()) {
    for (const auto& [words, what_if] : usual_questions(projector, model.machine())) {
      view.answers.push_back(projector.project(words, what_if));
    }
    return view;
  }
  if (question.machine.empty()) {
    view.answers.push_back(projector.project(asked.words, asked.what_if));
    return view;
  }
  const Machine other(load_machine(question.machine, model.sites()), model.sites(),
                      {.hosts = projector.hosts(), .setting = {}, .mpi_library = ""});
  view.answers.push_back(projector.project(asked.words, asked.what_if, other));
  view.doubts.emplace_back("processors of the other machine are taken to compute as fast");
  return view;
}

/// As users write it, without options of output.
std::string words_for(const ProgramQuestion& question, const MachineRecords& records) {
  std::vector<std::string> words{"hockney predict"};
  words.insert(words.end(), records.paths.begin(), records.paths.end());
  const auto add = [&](const char* option, const std::optional<std::string>& value) {
    if (value) words.insert(words.end(), {option, *value});
  };
  const auto number = [](const std::optional<double>& value) {
    return value ? std::optional(report::exact_text(*value)) : std::nullopt;
  };
  add("--profile", question.profile);
  add("--setting", records.setting);
  add("--sites", records.sites);
  add("--eager-limit", question.eager_limit);
  add("--latency", number(question.latency));
  add("--bandwidth", number(question.bandwidth));
  if (question.ideal) words.emplace_back("--ideal");
  add("--map", question.map);
  for (const std::string& algorithm : question.algorithms) add("--algorithm", algorithm);
  for (const std::string& path : question.machine) add("--machine", path);
  return inert(join(words, " "));
}

}  // namespace

void add_program_options(CLI::App& app, ProgramQuestion& question) {
  CLI::Option* const profile =
      app.add_option("--profile", question.profile,
                     "In place of a collective: a run of a program, recorded with --log")
          ->type_name("FILE")
          ->default_str("none");
  const auto question_option = [&](const std::string& name, auto& value, const std::string& help,
                                   const std::string& type) {
    return app.add_option(name, value, help)
        ->type_name(type)
        ->default_str("as it was")
        ->needs(profile);
  };
  question_option("--eager-limit", question.eager_limit,
                  "What if messages of up to so many bytes went without a receive", "SIZE");
  constexpr double most = 1e6;
  question_option("--latency", question.latency, "What if latency were so many times lower",
                  "FACTOR")
      ->check(CLI::Range(1 / most, most));
  question_option("--bandwidth", question.bandwidth, "What if bandwidth were so many times higher",
                  "FACTOR")
      ->check(CLI::Range(1 / most, most));
  app.add_flag("--ideal", question.ideal, "What if the network cost nothing")->needs(profile);
  question_option("--map", question.map,
                  "What if ranks lay on nodes blocks or round-robin, or on the hosts of a file",
                  "WORD|FILE");
  question_option("--machine", question.machine,
                  "What if it ran on the machine of these records, with equal processors", "PATH")
      ->allow_extra_args(false);
  campaign::add_page_options(app, "--page", campaign::page_help, question.page);
  app.get_option("--page")->needs(profile);
  add_screen_options(app, question.screen);
}

ExitCode predict_program(const ProgramQuestion& question, const MachineRecords& records,
                         const DocumentOptions& document) {
  std::vector<std::string> inputs = records.paths;
  inputs.push_back(question.profile.value_or(""));
  const report::PageScripts scripts = scripts_for(question.page, inputs);
  const report::ProjectionView view = answers_to(question, records);
  if (question.page.is_wanted()) {
    campaign::save_page(question.page.file, page_of(view, words_for(question, records)), scripts);
  }
  show_document(report::to_json(view), document, [&](std::ostream& out) {
    report::print_screen(out, report::screen_of(view),
                         question.screen.all ? report::ScreenSize::whole : question.screen.size(),
                         output_columns());
  });
  return ExitCode::good;
}

}  // namespace hockney::apps
