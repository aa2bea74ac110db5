#include <iostream>

#include "apps/subcommands.hpp"
#include "core/cli/subcommand.hpp"

namespace hockney::apps {
namespace {

struct CompletionOptions {
  std::string shell;
};

/// Each program answers for itself, so that neither script knows an option.
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
    throw InputError({"unknown shell '" + options.shell + "'", "nothing completes for it",
                      suggest(options.shell, {"bash", "zsh"})});
  }
  std::cout << (options.shell == "bash" ? bash_script : zsh_script);
  return ExitCode::good;
}

void add_options(CLI::App& app, CompletionOptions& options) {
  app.add_option("shell", options.shell, "For which shell: bash or zsh")
      ->required()
      ->type_name(type_of_choice({"bash", "zsh"}));
}

}  // namespace

void add_completion(CLI::App& driver, Action& chosen) {
  add_command<CompletionOptions>(
      driver, chosen, "completion", "The script by which a shell completes hockney's command lines",
      add_options, print_script,
      {.examples = {{"source <(hockney completion bash)", "in this shell"},
                    {"hockney completion bash > hockney.bash", "to be read by .bashrc"},
                    {"hockney completion zsh > _hockney", "for a folder of $fpath"}}});
}

}  // namespace hockney::apps
