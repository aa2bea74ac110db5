#pragma once

#include <optional>
#include <string>
#include <vector>

#include "application/commands/program_model.hpp"
#include "apps/screens.hpp"
#include "campaign/app/page_output.hpp"
#include "core/cli/cli11.hpp"
#include "core/cli/command_line.hpp"

namespace hockney::apps {

/// What is to be otherwise in a program that was logged, as users write it.
struct ProgramQuestion {
  std::optional<std::string> profile;
  std::optional<std::string> eager_limit;
  std::optional<double> latency;
  std::optional<double> bandwidth;
  bool ideal = false;
  std::optional<std::string> map;
  std::vector<std::string> algorithms;  ///< "allreduce=ring"
  std::vector<std::string> machine;     ///< records of another one
  campaign::PageOutput page;
  ScreenChoice screen;
};

/// --profile and what needs it.
void add_program_options(CLI::App& app, ProgramQuestion& question);

/// The time of the program of a profile with a log, with what was asked; without a question, what
/// other settings and networks would change. InputError for records that do not tell enough.
ExitCode predict_program(const ProgramQuestion& question, const MachineRecords& records,
                         const DocumentOptions& document);

}  // namespace hockney::apps
