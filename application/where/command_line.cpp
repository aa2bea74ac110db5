#include "application/where/command_line.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "campaign/executables.hpp"
#include "campaign/launch_command.hpp"
#include "campaign/preload.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "application/where/shell_words.hpp"

namespace hockney::where {
namespace {

std::string base_name(const std::string& word) { return word.substr(word.rfind('/') + 1); }

bool is_any(const std::string& word, const std::vector<std::string_view>& names) {
  return std::ranges::find(names, base_name(word)) != names.end();
}

bool is_shell(const std::string& word) {
  return is_any(word, {"sh", "bash", "dash", "ksh", "zsh"});
}

/// Programs that start another and that nobody gives as the value of an option.
bool is_known_wrapper(const std::string& word) {
  return is_any(word, {"env", "numactl", "taskset", "hwloc-bind", "nice", "ionice", "chrt", "time",
                       "timeout", "nohup", "setsid", "stdbuf", "strace", "ltrace", "valgrind",
                       "perf", "catchsegv", "sudo", "unshare"});
}

bool is_wrapper(const std::string& word) {
  const bool is_path = word.find('/') != std::string::npos && !word.starts_with('-');
  return is_known_wrapper(word) || (is_path && campaign::find_executable(word, {}).has_value());
}

/// "X=1".
bool is_assignment(const std::string& word) {
  const std::size_t equals = word.find('=');
  if (equals == 0 || equals == std::string::npos) return false;
  const std::string_view name = std::string_view(word).substr(0, equals);
  constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
  return name.find_first_not_of(letters) == std::string_view::npos;
}

/// The wrappers among some words, each with the words up to the next.
std::vector<Wrapper> wrappers_in(const Words& words, std::size_t begin, std::size_t end) {
  std::vector<Wrapper> wrappers;
  for (std::size_t i = begin; i < end; ++i) {
    if (i > begin && !is_wrapper(words[i])) continue;
    if (!wrappers.empty()) wrappers.back().end = i;
    wrappers.push_back({.begin = i, .end = end});
  }
  return wrappers;
}

/// The place of the script of "bash -lc SCRIPT"; nullopt where there is none.
std::optional<std::size_t> place_of_script(const Words& typed) {
  for (std::size_t i = 0; i < typed.size(); ++i) {
    if (!is_shell(typed[i])) continue;
    for (std::size_t j = i + 1; j + 1 < typed.size() && typed[j].starts_with('-'); ++j) {
      const bool has_script = !typed[j].starts_with("--") && typed[j].ends_with('c');
      if (has_script) return j + 1;
    }
  }
  return std::nullopt;
}

/// A launcher in a script: its simple command from the launcher on.
std::optional<std::vector<ShellWord>> launch_in(const std::string& script,
                                                const campaign::VersionProbe& version_of) {
  std::optional<std::vector<ShellWord>> found;
  for (const std::vector<ShellWord>& command : simple_commands(script)) {
    const auto launcher = std::ranges::find_if(command, [&](const ShellWord& word) {
      return word.is_exact && campaign::launcher_named(word.text, version_of).has_value();
    });
    if (launcher == command.end()) continue;
    if (found) {
      throw InputError({"several launches in one command", "a probe stands for one program",
                        "give the part of each by itself"});
    }
    found.emplace(launcher, command.end());
  }
  return found;
}

PlacedCommand of_script(const Words& typed, std::size_t place,
                        const std::vector<ShellWord>& launch) {
  const auto script = typed.begin() + static_cast<std::ptrdiff_t>(place);
  ShellScript shell{.head = script->substr(0, launch.front().begin),
                    .tail = script->substr(launch.back().end),
                    .arguments = Words(script + 1, typed.end()),
                    .verbatim = {}};
  PlacedCommand command;
  for (const ShellWord& word : launch) {
    command.words.push_back(word.text);
    if (!word.is_exact) shell.verbatim.insert(word.text);
  }
  command.before = Words(typed.begin(), script);
  command.script = std::move(shell);
  return command;
}

/// InputError where no shell of the command has a script that launches.
PlacedCommand launch_of_script(const Words& typed, const campaign::VersionProbe& version_of) {
  if (const auto place = place_of_script(typed)) {
    if (const auto launch = launch_in(typed[*place], version_of)) {
      return of_script(typed, *place, *launch);
    }
  }
  throw InputError({"'" + shortened(join(typed, " ")) + "' has no launcher that hockney knows",
                    "ranks are where their launcher puts them",
                    "give it as it is run: hockney where -- mpirun -n 4 ./app"});
}

/// The words as a shell reads them, but for those that it has to see as they are.
std::string script_text(const ShellScript& script, const Words& words) {
  return join(strings_of(words,
                         [&](const std::string& word) {
                           return script.verbatim.contains(word) ? word
                                                                 : campaign::shell_word(word);
                         }),
              " ");
}

/// Options of numactl that bind to CPUs; those that take no value have it inside.
bool is_cpu_option(const std::string& word) {
  static const std::vector<std::string_view> names{"-C", "--physcpubind", "-N", "--cpunodebind",
                                                   "-c", "--cpubind"};
  return std::ranges::find(names, std::string_view(word).substr(0, word.find('='))) != names.end();
}

/// The words of numactl without those that bind to CPUs; none where nothing else is left.
Words without_cpu_options(const Words& words) {
  Words kept;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool is_short = words[i].size() > 2 && words[i][0] == '-' && words[i][1] != '-';
    if (is_short && is_cpu_option(words[i].substr(0, 2))) continue;
    if (!is_cpu_option(words[i])) {
      kept.push_back(words[i]);
    } else if (words[i].find('=') == std::string::npos) {
      ++i;
    }
  }
  return kept.size() > 1 ? kept : Words{};
}

/// What is left of a wrapper that binds.
Words rest_of_binder(const Words& words) {
  return is_any(words.front(), {"numactl"}) ? without_cpu_options(words) : Words{};
}

Words words_of(const Words& words, const Wrapper& wrapper) {
  return {words.begin() + static_cast<std::ptrdiff_t>(wrapper.begin),
          words.begin() + static_cast<std::ptrdiff_t>(wrapper.end)};
}

/// `time` and its options, of which -o and -f have a value (GNU time 1.9).
void leave_out_time(Words& words) {
  if (words.empty() || !is_any(words.front(), {"time"})) return;
  std::size_t end = 1;
  while (end < words.size() && words[end].starts_with('-')) {
    end += words[end] == "-o" || words[end] == "-f" ? 2U : 1U;
  }
  words.erase(words.begin(),
              words.begin() + static_cast<std::ptrdiff_t>(std::min(end, words.size())));
}

}  // namespace

PlacedCommand find_launcher_in(const Words& typed, const campaign::VersionProbe& version_of) {
  const auto launcher = std::ranges::find_if(typed, [&](const std::string& word) {
    return campaign::launcher_named(word, version_of).has_value();
  });
  PlacedCommand command;
  if (launcher != typed.end()) {
    command.words = Words(launcher, typed.end());
    command.before = Words(typed.begin(), launcher);
  } else {
    command = launch_of_script(typed, version_of);
  }
  const auto first = std::ranges::find_if_not(command.before, is_assignment);
  command.wrappers_before =
      wrappers_in(command.before, static_cast<std::size_t>(first - command.before.begin()),
                  command.before.size());
  return command;
}

void unfold_shell(PlacedCommand& command, campaign::LauncherKind kind) {
  const std::size_t shell = end_of_options(command.words, kind);
  const auto begin = command.words.begin() + static_cast<std::ptrdiff_t>(shell);
  const auto script = place_of_script(Words(begin, command.words.end()));
  if (!script || begin == command.words.end() || !is_shell(*begin)) return;
  const std::string& text = *(begin + static_cast<std::ptrdiff_t>(*script));
  const auto commands = simple_commands(text);
  const auto is_exact = [](const ShellWord& word) { return word.is_exact; };
  const bool is_plain = commands.size() == 1 && std::ranges::all_of(commands.front(), is_exact) &&
                        text.find_first_of(";&|<>()\n") == std::string::npos &&
                        shell + *script + 1 == command.words.size();
  if (!is_plain) return;
  Words words(command.words.begin(), begin);
  if (is_assignment(commands.front().front().text)) words.emplace_back("env");
  bool is_begun = false;  // `exec` before the program is the shell's own
  for (const ShellWord& word : commands.front()) {
    const bool is_exec = word.text == "exec" && !is_begun;
    if (!is_exec) words.push_back(word.text);
    is_begun = is_begun || !is_assignment(word.text);
  }
  command.words = std::move(words);
}

void place_program(PlacedCommand& command, std::size_t program, campaign::LauncherKind kind) {
  command.program = program;
  command.launched = std::min(end_of_options(command.words, kind), program);
  command.wrappers = wrappers_in(command.words, command.launched, program);
}

Words typed_words(const PlacedCommand& command) {
  Words words = command.before;
  if (!command.script) {
    campaign::append(words, command.words);
    return words;
  }
  words.push_back(command.script->head + script_text(*command.script, command.words) +
                  command.script->tail);
  campaign::append(words, command.script->arguments);
  return words;
}

Words runnable_words(const PlacedCommand& command, const Words& words) {
  Words all = command.before;
  leave_out_time(all);
  if (!all.empty() && is_assignment(all.front())) all.insert(all.begin(), "env");
  if (!command.script) {
    campaign::append(all, words);
    return all;
  }
  all.push_back(command.script->head + script_text(*command.script, words));
  campaign::append(all, command.script->arguments);
  return all;
}

std::string wrapper_text(const Words& words, const Wrapper& wrapper) {
  return join(strings_of(words_of(words, wrapper), campaign::shell_word), " ");
}

Words without_binders(const Words& words, const std::vector<Wrapper>& wrappers,
                      std::size_t& program) {
  Words kept = words;
  for (std::size_t left = wrappers.size(); left > 0; --left) {  // the last first: places hold
    const Wrapper& wrapper = wrappers[left - 1];
    if (!wrapper.binds) continue;
    const Words rest = rest_of_binder(words_of(words, wrapper));
    const auto begin = kept.begin() + static_cast<std::ptrdiff_t>(wrapper.begin);
    const auto after = kept.erase(begin, kept.begin() + static_cast<std::ptrdiff_t>(wrapper.end));
    kept.insert(after, rest.begin(), rest.end());
    program -= wrapper.end - wrapper.begin - rest.size();
  }
  return kept;
}

bool is_binder_by_name(const Words& words, const Wrapper& wrapper) {
  const Words its = words_of(words, wrapper);
  if (is_any(its.front(), {"taskset", "hwloc-bind"})) return true;
  return is_any(its.front(), {"numactl"}) && without_cpu_options(its) != its;
}

}  // namespace hockney::where
