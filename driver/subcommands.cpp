#include "driver/subcommands.hpp"

#include <unistd.h>

#include <fmt/format.h>
#include <cerrno>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "core/cli/command_line.hpp"
#include "core/environment.hpp"
#include "core/record_file.hpp"
#include "core/shell.hpp"
#include "core/text.hpp"
#include "driver/campaign/launch_command.hpp"
#include "driver/campaign/subprocess.hpp"
#include "driver/fit.hpp"
#include "driver/page/records_page.hpp"
#include "report/curve_tables.hpp"
#include "report/exports.hpp"
#include "report/library_tables.hpp"
#include "verdicts/tables/axis_table.hpp"

namespace hockney::driver {
namespace {

/// Faults of records, then their tables: by `axes` if there are any, and the algorithms that ran.
/// Without axes, all tables of print_record_tables.
void print_all_tables(std::ostream& out, report::Results& results,
                      const std::vector<std::string>& axes, report::TableStyle style) {
  const std::span<const Record> records = results.records();
  style.level = results.aims().level;
  report::print_faults(out, results.faults());
  for (const std::string& axis : axes) print_axis_table(out, report::by_axis(records, axis));
  report::print_algorithm_tables(out, records);
  if (axes.empty()) print_record_tables(out, results.rows(), records, style);
}

/// Replaces this process by the component's program; argv[0] stays, for called_name(). Returns only
/// by a RunError.
ExitCode become(const BesideProgram& command, const std::vector<std::string>& rest) {
  const std::string name = command.component.program;
  const std::string program = fmt::format("{}/{}", campaign::own_folder(), name);
  std::vector<std::string> words{command_line().front(), command.name};
  words.insert(words.end(), rest.begin(), rest.end());
  execv(program.c_str(), null_terminated(words).data());
  const int error = errno;
  const auto build = campaign::command_to_build();
  if (build && error == ENOENT) {
    throw RunError({fmt::format("'hockney {}' cannot be started", command.name),
                    fmt::format("{} is not built yet", name), fmt::format("build it: {}", *build)});
  }
  const std::string why = std::error_code(error, std::generic_category()).message();
  throw RunError({fmt::format("'hockney {}' cannot be started", command.name),
                  fmt::format("{}: {}", program, why),
                  fmt::format("configure with {} and build {}", command.component.option, name)});
}

struct CompletionOptions {
  std::string shell;
};

/// The script asks each program for completions, so that it contains no options.
constexpr std::string_view bash_script = R"sh(# Completion for bash of hockney and its programs.
_hockney() {
  local IFS=$'\n' program=${COMP_WORDS[0]/#\~\//$HOME/}
  COMPREPLY=($(HOCKNEY_ANSWER=complete "$program" "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _hockney hockney hockney-{application,tune,health,mpi,pingpong,collectives,paths,protocol} \
  hockney-{rma,threads,guidelines,self-test,settings,algorithms,halo,cannon,startup,io,noise}
)sh";

constexpr std::string_view zsh_script = R"zsh(#compdef hockney -P hockney-*
# Completion for zsh of hockney and its programs.
local -a found
found=(${(f)"$(HOCKNEY_ANSWER=complete ${~words[1]} "${(@Q)words[2,CURRENT]}" 2>/dev/null)"})
if (( $#found )); then
  compadd -- $found
else
  _files
fi
)zsh";

ExitCode print_script(const CompletionOptions& options) {
  if (options.shell != "bash" && options.shell != "zsh") {
    throw InputError({fmt::format("unknown shell '{}'", options.shell), "nothing completes for it",
                      suggest(options.shell, {"bash", "zsh"})});
  }
  std::cout << (options.shell == "bash" ? bash_script : zsh_script);
  return ExitCode::good;
}

void add_options(CommandLine& app, CompletionOptions& options) {
  app.add_option("shell", options.shell, "For which shell: bash or zsh")
      .required()
      .type_name(type_of_choice({"bash", "zsh"}));
}

}  // namespace

std::vector<Record> usable_records(const std::vector<std::string>& paths) {
  UsableRecords usable = load_usable_records(paths, Kept::times);
  for (const std::string& line : usable.refused) std::cerr << line << '\n';
  return std::move(usable.records);
}

campaign::Result result_of(report::Results& results, std::function<report::Screen()> summary,
                           std::vector<std::string> axes, report::TableStyle style) {
  return {
      .summary = std::move(summary),
      .tables = [&results, axes = std::move(axes),
                 style](std::ostream& out) { print_all_tables(out, results, axes, style); },
      .document = [&results] { return rows_document(results); },
      .csv = [&results](std::ostream& out) { write_csv(out, results.rows(), results.records()); },
      .page = [&results] { return page_with_fit(results); }};
}

void add_beside(CommandLine& driver, Action& chosen, const BesideProgram& command) {
  CommandLine line = driver.add_subcommand(command.name, command.summary);
  line.leave_words();  // not even --help and "--" are parsed
  line.callback([line, &chosen, command] {
    std::vector<std::string> rest = line.remaining();
    rest.erase(rest.begin());
    chosen = [command, rest] { return become(command, rest); };
  });
}

void add_completion(CommandLine& driver, Action& chosen) {
  add_command<CompletionOptions>(
      driver, chosen, "completion", "Print the completion script of a shell", add_options,
      print_script,
      {.examples = {{"source <(hockney completion bash)", "in this shell"},
                    {"hockney completion bash > hockney.bash", "to be read by .bashrc"},
                    {"hockney completion zsh > _hockney", "for a folder of $fpath"}}});
}

}  // namespace hockney::driver
