#include "components/application/where/command_line.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/shell.hpp"
#include "core/text.hpp"
#include "driver/campaign/config.hpp"
#include "driver/campaign/launch_command.hpp"

namespace hockney::where {
namespace {

bool is_one_of(char c, std::string_view characters) {
  return characters.find(c) != std::string_view::npos;
}

/// Splits a script into words, from beginning to end.
class ShellLexer {
 public:
  explicit ShellLexer(const std::string& script) : script_(script) {}

  std::vector<std::vector<ShellWord>> commands() {
    while (at_ < script_.size()) step();
    end_command();
    return std::move(commands_);
  }

 private:
  void step() {
    const char c = script_[at_];
    if (c == '#') {
      while (at_ < script_.size() && script_[at_] != '\n') ++at_;
    } else if (is_one_of(c, ";&|()\n")) {
      end_command();
      ++at_;
    } else if (is_one_of(c, "<>")) {
      is_redirected_ = true;
      while (at_ < script_.size() && is_one_of(script_[at_], "<>&")) ++at_;
    } else if (is_one_of(c, " \t")) {
      ++at_;
    } else {
      take_word();
    }
  }

  void end_command() {
    if (!words_.empty()) commands_.push_back(std::move(words_));
    words_.clear();
    is_redirected_ = false;
  }

  void take_word() {
    ShellWord word{.text = {}, .begin = at_, .end = at_};
    while (at_ < script_.size() && !is_one_of(script_[at_], " \t\n;&|()<>")) take_part(word);
    word.end = at_;
    if (!word.is_exact) word.text = script_.substr(word.begin, word.end - word.begin);
    const bool is_descriptor = at_ < script_.size() && is_one_of(script_[at_], "<>") &&
                               word.text.find_first_not_of("0123456789") == std::string::npos;
    if (!is_redirected_ && !is_descriptor) words_.push_back(std::move(word));
  }

  /// Reads a character or a quoted part of a word.
  void take_part(ShellWord& word) {
    const char c = script_[at_++];
    if (c == '\'') {
      const std::size_t end = std::min(script_.find('\'', at_), script_.size());
      word.text += script_.substr(at_, end - at_);
      at_ = std::min(end + 1, script_.size());
    } else if (c == '"') {
      while (at_ < script_.size() && script_[at_] != '"') take_in_quotes(word);
      at_ = std::min(at_ + 1, script_.size());
    } else if (c == '\\') {
      if (at_ < script_.size()) word.text += script_[at_++];
    } else {
      if (is_one_of(c, "$`*?[~{")) word.is_exact = false;
      word.text += c;
    }
  }

  void take_in_quotes(ShellWord& word) {
    const bool is_escape =
        script_[at_] == '\\' && at_ + 1 < script_.size() && is_one_of(script_[at_ + 1], "$`\"\\");
    if (is_escape) ++at_;
    if (!is_escape && is_one_of(script_[at_], "$`")) word.is_exact = false;
    word.text += script_[at_++];
  }

  const std::string& script_;
  std::size_t at_ = 0;
  bool is_redirected_ = false;
  std::vector<ShellWord> words_;
  std::vector<std::vector<ShellWord>> commands_;
};

bool is_any(const std::string& word, const std::vector<std::string_view>& names) {
  return std::ranges::find(names, base_name(word)) != names.end();
}

bool is_shell(const std::string& word) {
  return is_any(word, {"sh", "bash", "dash", "ksh", "zsh"});
}

/// Programs that start another one, and that are never the value of an option.
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

/// The file of a word that is a program; nullopt for options, assignments and all other words.
std::optional<std::string> program_file(const std::string& word) {
  if (word.empty() || word.starts_with('-') || is_assignment(word)) return std::nullopt;
  return campaign::find_executable(word, campaign::path_folders());
}

/// The shell in the first line of a script; empty for other files.
std::string shell_of_script(const std::string& file) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(file, none) || campaign::is_elf(file)) return {};
  const std::string text = read_file(file);
  const std::string first = text.substr(0, text.find('\n'));
  if (!first.starts_with("#!")) return {};
  Words words = split(first.substr(2), ' ');
  std::erase(words, "");
  if (words.size() > 1 && base_name(words.front()) == "env") words.erase(words.begin());
  return !words.empty() && is_shell(words.front()) ? words.front() : "";
}

bool is_program_with_mpi(const std::string& word) {
  const auto file = program_file(word);
  return file && campaign::is_elf(*file) && campaign::mpi_family(campaign::read_elf_needs(*file));
}

/// Places of the words between two that are program files, without known wrappers and the commands
/// of perf.
std::vector<std::size_t> places_of_files(const Words& words, std::size_t begin, std::size_t end) {
  std::vector<std::size_t> places;
  for (std::size_t i = begin; i < end; ++i) {
    const bool is_of_perf = i > 0 && base_name(words[i - 1]) == "perf";
    if (!is_known_wrapper(words[i]) && !is_of_perf && program_file(words[i])) places.push_back(i);
  }
  return places;
}

/// The wrappers among some words; each extends to the next one.
std::vector<Wrapper> wrappers_in(const Words& words, std::size_t begin, std::size_t end) {
  std::vector<Wrapper> wrappers;
  for (std::size_t i = begin; i < end; ++i) {
    const bool is_of_shell = i > begin && is_shell(words[i - 1]);  // bash ./bind.sh
    if (i > begin && (is_of_shell || !is_wrapper(words[i]))) continue;
    if (!wrappers.empty()) wrappers.back().end = i;
    wrappers.push_back({.begin = i, .end = end});
  }
  return wrappers;
}

/// Index of the script in "bash -lc SCRIPT"; nullopt without such a script.
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

/// The simple command in a script that starts with a launcher.
std::optional<std::vector<ShellWord>> launch_in(const std::string& script,
                                                const campaign::VersionProbe& version_of) {
  std::optional<std::vector<ShellWord>> found;
  for (const std::vector<ShellWord>& command : simple_commands(script)) {
    const Words words = strings_of(command, &ShellWord::text);
    std::size_t place = 0;
    while (place < words.size() &&
           !(command[place].is_exact && launcher_at(words, place, version_of))) {
      ++place;
    }
    if (place == words.size()) continue;
    if (found) {
      throw InputError({"several launches in one script", "a probe is started by one of them",
                        "name the launch itself: hockney where -- mpirun -n 4 ./app"});
    }
    found.emplace(command.begin() + static_cast<std::ptrdiff_t>(place), command.end());
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

/// The words with the text of a script in place of its file: "./job.sh 4" to "/bin/bash -c TEXT
/// ./job.sh 4", also behind the name of a shell. Unchanged without a script.
Words with_script_text(const Words& typed) {
  for (std::size_t i = 0; i < typed.size(); ++i) {
    const auto file = program_file(typed[i]);
    const bool is_named = is_shell(typed[i]) && i + 1 < typed.size();
    const std::string script = is_named ? typed[i + 1] : file.value_or("");
    const std::string shell = is_named ? typed[i] : shell_of_script(script);
    std::error_code none;
    if (is_known_wrapper(typed[i]) || !file) continue;
    if (shell.empty() || !std::filesystem::is_regular_file(script, none)) return typed;
    Words words(typed.begin(), typed.begin() + static_cast<std::ptrdiff_t>(i));
    campaign::append(words, {shell, "-c", read_file(script)});
    words.insert(words.end(), typed.begin() + static_cast<std::ptrdiff_t>(is_named ? i + 1 : i),
                 typed.end());
    return words;
  }
  return typed;
}

/// The launch in the script of a shell; nullopt without one.
std::optional<PlacedCommand> launch_of_script(const Words& typed,
                                              const campaign::VersionProbe& version_of) {
  const auto place = place_of_script(typed);
  if (!place) return std::nullopt;
  const auto launch = launch_in(typed[*place], version_of);
  return launch ? std::optional(of_script(typed, *place, *launch)) : std::nullopt;
}

/// The command from its first program on, which is taken for a launcher if another program follows
/// it, or if `has_program`. nullopt if none follows, or if the first is linked with MPI.
std::optional<PlacedCommand> launch_of_other(const Words& typed, bool has_program) {
  const std::vector<std::size_t> files = places_of_files(typed, 0, typed.size());
  if (files.empty() || is_program_with_mpi(typed[files.front()])) {
    return std::nullopt;
  }
  const bool is_shell_file =
      is_shell(typed[files.front()]) && files.size() > 1;  // bash ./launch.sh
  const std::size_t own = is_shell_file && files[1] == files[0] + 1 ? 2 : 1;
  if (files.size() <= own && !has_program) return std::nullopt;
  const auto begin = typed.begin() + static_cast<std::ptrdiff_t>(files.front());
  PlacedCommand command;
  command.words = Words(begin, typed.end());
  command.before = Words(typed.begin(), begin);
  command.options = own;
  return command;
}

/// The words quoted for a shell, except those that the shell must expand.
std::string script_text(const ShellScript& script, const Words& words) {
  return join(strings_of(words,
                         [&](const std::string& word) {
                           return script.verbatim.contains(word) ? word : shell_word(word);
                         }),
              " ");
}

/// Options of numactl that bind to CPUs. A value may follow them after "=".
bool is_cpu_option(const std::string& word) {
  static const std::vector<std::string_view> names{"-C", "--physcpubind", "-N", "--cpunodebind",
                                                   "-c", "--cpubind"};
  return std::ranges::find(names, std::string_view(word).substr(0, word.find('='))) != names.end();
}

/// The words of numactl without options that bind to CPUs; empty if no other option is left.
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

/// The words that remain of a wrapper that binds.
Words rest_of_binder(const Words& words) {
  return is_any(words.front(), {"numactl"}) ? without_cpu_options(words) : Words{};
}

Words words_of(const Words& words, const Wrapper& wrapper) {
  return {words.begin() + static_cast<std::ptrdiff_t>(wrapper.begin),
          words.begin() + static_cast<std::ptrdiff_t>(wrapper.end)};
}

/// Removes `time` and its options; -o and -f take a value (GNU time 1.9).
void leave_out_time(Words& words) {
  if (words.empty() || !is_any(words.front(), {"time"})) return;
  std::size_t end = 1;
  while (end < words.size() && words[end].starts_with('-')) {
    end += words[end] == "-o" || words[end] == "-f" ? 2U : 1U;
  }
  words.erase(words.begin(),
              words.begin() + static_cast<std::ptrdiff_t>(std::min(end, words.size())));
}

/// The command from its first known launcher on; nullopt without one.
std::optional<PlacedCommand> launch_of_known(const Words& typed,
                                             const campaign::VersionProbe& version_of) {
  for (std::size_t i = 0; i < typed.size(); ++i) {
    if (!launcher_at(typed, i, version_of)) continue;
    const auto begin = typed.begin() + static_cast<std::ptrdiff_t>(i);
    PlacedCommand command;
    command.words = Words(begin, typed.end());
    command.before = Words(typed.begin(), begin);
    return command;
  }
  return std::nullopt;
}

/// Whether a script ends a loop or a condition that began before.
bool ends_a_block(const std::string& script) {
  return std::ranges::any_of(simple_commands(script), [](const std::vector<ShellWord>& simple) {
    return is_any(simple.front().text, {"fi", "done", "esac", "}", "else", "elif", ";;"});
  });
}

}  // namespace

std::vector<std::vector<ShellWord>> simple_commands(const std::string& script) {
  return ShellLexer(script).commands();
}

PlacedCommand find_launcher_in(const Words& typed, const campaign::VersionProbe& version_of,
                               bool has_program) {
  auto found = launch_of_known(typed, version_of);
  if (!found) found = launch_of_script(typed, version_of);
  if (!found) found = launch_of_other(typed, has_program);
  if (!found) found = launch_of_script(with_script_text(typed), version_of);
  if (!found) {
    throw InputError({fmt::format("'{}' starts no ranks", shortened(join(typed, " "))),
                      "none of its words is a launcher with a program behind it",
                      "put the launcher first: hockney where -- mpirun -n 4 ./app"});
  }
  if (const auto launcher = launcher_at(found->words, 0, version_of)) {
    found->kind = launcher->kind;
    found->options = launcher->words;
  }
  const auto first = std::ranges::find_if_not(found->before, is_assignment);
  found->wrappers_before = wrappers_in(
      found->before, static_cast<std::size_t>(first - found->before.begin()), found->before.size());
  return std::move(*found);
}

void unfold_shell(PlacedCommand& command) {
  if (std::ranges::count(command.words, ":") > 0) return;
  const std::size_t shell =
      end_of_options(command.words, command.options, command.words.size(), command.kind);
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
  bool is_begun = false;  // a leading `exec` belongs to the shell
  for (const ShellWord& word : commands.front()) {
    const bool is_exec = word.text == "exec" && !is_begun;
    if (!is_exec) words.push_back(word.text);
    is_begun = is_begun || !is_assignment(word.text);
  }
  command.words = std::move(words);
}

void unfold_file(PlacedCommand& command) {
  const auto family = family_of(command.kind);
  const std::size_t end =
      end_of_options(command.words, command.options, command.words.size(), command.kind);
  for (std::size_t i = command.options; family && i + 1 < end; ++i) {
    if (!is_any(command.words[i], {"--app", "-app", "-configfile", "--configfile"})) continue;
    std::error_code none;
    if (!std::filesystem::is_regular_file(command.words[i + 1], none)) return;
    Words words;
    for (const std::string& line : split(read_file(command.words[i + 1]), '\n')) {
      for (const std::vector<ShellWord>& part : simple_commands(line)) {
        if (!words.empty()) words.emplace_back(":");
        campaign::append(words, strings_of(part, &ShellWord::text));
      }
    }
    const auto option = command.words.begin() + static_cast<std::ptrdiff_t>(i);
    words.insert(words.end(), option + 2, command.words.end());
    command.words.erase(option, command.words.end());
    campaign::append(command.words, words);
    return;
  }
}

std::vector<WordRange> parts_of(const PlacedCommand& command) {
  std::vector<WordRange> parts{{.begin = command.options, .end = command.words.size()}};
  for (std::size_t i = command.options; i < command.words.size(); ++i) {
    if (command.words[i] != ":") continue;
    parts.back().end = i;
    parts.push_back({.begin = i + 1, .end = command.words.size()});
  }
  return parts;
}

void name_current_folder(PlacedCommand& command) {
  if (command.kind != LauncherKind::openmpi4 && command.kind != LauncherKind::openmpi5) return;
  for (const WordRange& part : parts_of(command)) {
    const std::size_t place = end_of_options(command.words, part.begin, part.end, command.kind);
    if (place == part.end) continue;
    std::string& word = command.words[place];
    const std::string here = "./" + word;
    const bool is_path = word.find('/') != std::string::npos;
    if (!is_path && !program_file(word) && campaign::find_executable(here, {})) word = here;
  }
}

std::optional<std::size_t> program_in(const PlacedCommand& command, const WordRange& part) {
  const Words& words = command.words;
  for (std::size_t i = part.begin; i < part.end; ++i) {
    if (is_program_with_mpi(words[i])) return i;
  }
  const std::size_t launched = end_of_options(words, part.begin, part.end, command.kind);
  const std::vector<std::size_t> files = places_of_files(words, launched, part.end);
  for (std::size_t i = 0; i < files.size(); ++i) {
    // A script of a shell before another program starts that.
    const std::size_t place = files[i];
    const bool is_of_shell = is_shell(words[place]);
    const bool is_script = is_of_shell || is_script_of_shell(words[place]);
    if (is_of_shell && i + 1 < files.size() && files[i + 1] == place + 1) ++i;  // bash ./run.sh
    if (!is_script || i + 1 == files.size()) return place;
  }
  return std::nullopt;
}

std::optional<std::string> missing_program(const Words& typed,
                                           const campaign::VersionProbe& version_of) {
  const auto found = launch_of_known(typed, version_of);
  if (!found) return std::nullopt;
  const PlacedCommand command = find_launcher_in(typed, version_of);
  for (const WordRange& part : parts_of(command)) {
    const std::size_t place = end_of_options(command.words, part.begin, part.end, command.kind);
    if (place >= part.end || program_file(command.words[place])) continue;
    const std::string& word = command.words[place];
    const bool is_path = word.find('/') != std::string::npos;
    if (is_path || !program_in(command, part)) return word;
  }
  return std::nullopt;
}

void place_programs(PlacedCommand& command, const std::vector<std::size_t>& programs) {
  const std::vector<WordRange> parts = parts_of(command);
  command.programs.clear();
  for (std::size_t i = 0; i < parts.size() && i < programs.size(); ++i) {
    PlacedProgram program{.begin = parts[i].begin, .place = programs[i], .end = parts[i].end};
    program.launched = end_of_options(command.words, program.begin, program.place, command.kind);
    if (command.kind == LauncherKind::other) {  // "./launch.sh 4 taskset -c 0 ./app"
      while (program.launched < program.place && !program_file(command.words[program.launched])) {
        ++program.launched;
      }
    }
    program.wrappers = wrappers_in(command.words, program.launched, program.place);
    command.programs.push_back(std::move(program));
  }
}

bool is_script_of_shell(const std::string& word) {
  const auto file = program_file(word);
  return is_shell(word) || (file && !shell_of_script(*file).empty());
}

std::optional<RankScript> rank_script(const PlacedCommand& command, const PlacedProgram& program) {
  const Words all(command.words.begin() + static_cast<std::ptrdiff_t>(program.place),
                  command.words.begin() + static_cast<std::ptrdiff_t>(program.end));
  if (!is_script_of_shell(all.front())) return std::nullopt;
  const Words words = place_of_script(all) ? all : with_script_text(all);
  const auto place = place_of_script(words);
  if (!place) return std::nullopt;
  const auto script = words.begin() + static_cast<std::ptrdiff_t>(*place);
  for (const std::vector<ShellWord>& simple : simple_commands(*script)) {
    for (const ShellWord& word : simple) {
      if (!word.is_exact || !is_program_with_mpi(word.text)) continue;
      if (ends_a_block(script->substr(simple.back().end))) return std::nullopt;
      return RankScript{.shell = Words(words.begin(), script),
                        .head = script->substr(0, word.begin),
                        .program = word.text,
                        .arguments = Words(script + 1, words.end())};
    }
  }
  return std::nullopt;
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
  return shell_words(words_of(words, wrapper));
}

Words without_binders(const Words& words, const std::vector<Wrapper>& wrappers,
                      std::size_t& program) {
  Words kept = words;
  for (std::size_t left = wrappers.size(); left > 0; --left) {  // backwards: indices stay valid
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
