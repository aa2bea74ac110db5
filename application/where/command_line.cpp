#include "application/where/command_line.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "campaign/launch_command.hpp"
#include "campaign/preload.hpp"
#include "core/error.hpp"
#include "core/site_file.hpp"
#include "core/text.hpp"

namespace hockney::where {
namespace {

using campaign::Dialect;

/// Options for placement; those in `alone` take no value. Open MPI and Hydra accept one or two
/// dashes.
struct PlacementOptions {
  std::vector<std::string_view> with_value;
  std::vector<std::string_view> alone;
};

const PlacementOptions& placement_options(Dialect dialect) {
  static const PlacementOptions open_mpi{
      {"map-by", "bind-to", "rank-by", "rankfile", "rf", "cpu-set", "cpu-list", "cpus-per-proc",
       "cpus-per-rank", "npernode", "npersocket", "N", "ppr"},
      {"bind-to-core", "bind-to-socket", "bind-to-none", "bycore", "bysocket", "byslot", "bynode",
       "bind-to-numa", "pernode"}};
  static const PlacementOptions hydra{{"bind-to", "map-by", "binding", "ppn", "perhost"}, {"rr"}};
  static const PlacementOptions slurm{
      {"cpu-bind", "cpu_bind", "cpus-per-task", "c", "distribution", "m", "ntasks-per-node",
       "ntasks-per-core", "ntasks-per-socket", "hint", "threads-per-core", "mem-bind"},
      {}};
  static const PlacementOptions none;
  switch (dialect) {
    case Dialect::openmpi:
      return open_mpi;
    case Dialect::hydra:
      return hydra;
    case Dialect::srun:
      return slurm;
    case Dialect::smpirun:
      break;
  }
  return none;
}

/// Other options without a value or with two; all others take one.
struct OptionArity {
  std::vector<std::string> alone;
  std::vector<std::string> with_two;
};

const OptionArity& options_of_open_mpi() {
  static const OptionArity options{
      split("V version v verbose q quiet d tv debug debug-daemons debug-daemons-file debug-devel "
            "leave-session-attached nolocal no-local nooversubscribe no-oversubscribe "
            "oversubscribe noprefix report-bindings display-map display-devel-map display-topo "
            "display-allocation display-devel-allocation display-diffable-map do-not-launch do- "
            "not-resolve enable-recovery disable-recovery index-argv-by-rank tag-output "
            "timestamp-output allow-run-as-root use-hwthread-cpus use-regexp novm loadbalance "
            "continuous merge-stderr-to-stdout preload-binary s xml report-child-jobs-separately "
            "get-stack-traces staged display-vm no-ready-msg set-sid daemonize persistent",
            ' '),
      split("mca gmca omca gomca prtemca gprtemca pmixmca gpmixmca", ' ')};
  return options;
}

const OptionArity& options_of_hydra() {
  static const OptionArity options{
      split("verbose v V version info print-all-exitcodes print-rank-map profile prepend-rank l "
            "disable-auto-cleanup disable-hostname-propagation genvnone genvall envnone envall "
            "enable-x disable-x skip-launch-node local check-mpi aps ilp64 nolocal",
            ' '),
      split("genv env", ' ')};
  return options;
}

const OptionArity& options_of_slurm() {
  static const OptionArity options{
      split("label l unbuffered u verbose v vv vvv quiet Q overcommit O oversubscribe s exclusive "
            "exact overlap multi-prog pty kill-on-bad-exit disable-status X preserve-env E hold H "
            "no-allocate Z no-kill k immediate I contiguous spread-job use-min-nodes propagate "
            "compress whole share no-rotate reboot test-only",
            ' '),
      {}};
  return options;
}

const OptionArity& other_options(Dialect dialect) {
  static const OptionArity none;
  switch (dialect) {
    case Dialect::openmpi:
      return options_of_open_mpi();
    case Dialect::hydra:
      return options_of_hydra();
    case Dialect::srun:
      return options_of_slurm();
    case Dialect::smpirun:
      break;
  }
  return none;
}

/// Name of an option: "map-by" of "--map-by", "-map-by" and "--map-by=slot"; empty for other words.
std::string_view option_name(std::string_view word) {
  if (!word.starts_with('-')) return {};
  word.remove_prefix(word.starts_with("--") ? 2 : 1);
  return word.substr(0, word.find('='));
}

bool has_value_inside(const std::string& word) { return word.find('=') != std::string::npos; }

/// srun accepts "-n4" for "-n 4".
bool has_value_attached(const std::string& word, Dialect dialect) {
  return dialect == Dialect::srun && word.size() > 2 && word[1] != '-';
}

template <class Names>
bool contains(const Names& names, std::string_view name) {
  return !name.empty() && std::ranges::find(names, name) != names.end();
}

/// The same for a dialect: "c" of srun's "-c2".
std::string_view option_name(std::string_view word, Dialect dialect) {
  const bool is_attached = word.starts_with('-') && has_value_attached(std::string(word), dialect);
  return is_attached ? word.substr(1, 1) : option_name(word);
}

/// Number of words after an option that are its values.
std::size_t values_after(const Words& words, std::size_t place, Dialect dialect) {
  const std::string& word = words[place];
  const std::string_view name = option_name(word, dialect);
  const OptionArity& others = other_options(dialect);
  const bool is_alone =
      contains(others.alone, name) || contains(placement_options(dialect).alone, name);
  if (is_alone || has_value_inside(word) || has_value_attached(word, dialect)) return 0;
  // Hydra accepts "-genv NAME=VALUE", too.
  const bool is_pair = place + 1 < words.size() && has_value_inside(words[place + 1]);
  return contains(others.with_two, name) && !is_pair ? 2 : 1;
}

/// Values of the options with one of these names.
Words values_of(const Words& words, const std::vector<std::string_view>& names) {
  Words values;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (!contains(names, option_name(words[i]))) continue;
    if (has_value_inside(words[i])) {
      values.push_back(words[i].substr(words[i].find('=') + 1));
    } else if (i + 1 < words.size()) {
      values.push_back(words[i + 1]);
    }
  }
  return values;
}

/// "node1" of "node1:4", "node1 slots=4" and "node1 # the first".
std::string host_of(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_first_of(" \t:#", begin) - begin);
}

void add_file(const std::string& file, Words& hosts) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) hosts.push_back(host_of(line));
}

/// Adds the hosts of a list in Slurm's format, or in that of launchers: "node1:2,node2".
void add_list(const std::string& list, Words& hosts) {
  try {
    for (const std::string& host : expand_hosts(list)) hosts.push_back(host_of(host));
  } catch (const HostListError&) {
    for (const std::string& host : split(list, ',')) hosts.push_back(host_of(host));
  }
}

bool is_name(const std::string& host) {
  const bool is_address = host.find_first_not_of("0123456789.") == std::string::npos;
  return !is_address && host != "localhost";
}

}  // namespace

std::size_t end_of_options(const Words& words, campaign::LauncherKind kind) {
  std::size_t i = 1;
  while (i < words.size() && words[i].starts_with('-')) {
    i += 1 + values_after(words, i, campaign::dialect_of(kind));
  }
  return std::min(i, words.size());
}

bool has_option(const Words& words, const std::vector<std::string_view>& names) {
  return std::ranges::any_of(
      words, [&](const std::string& word) { return contains(names, option_name(word)); });
}

std::vector<std::string> hosts_asked_for(const Words& words, campaign::LauncherKind kind) {
  Words all;
  const bool is_slurm = kind == campaign::LauncherKind::slurm;
  const Words files =
      is_slurm ? Words{}
               : values_of(words, {"hostfile", "machinefile", "machine", "f", "default-hostfile"});
  for (const std::string& file : files) add_file(file, all);
  const Words lists =
      is_slurm ? values_of(words, {"nodelist", "w"}) : values_of(words, {"host", "H", "hosts"});
  for (const std::string& list : lists) add_list(list, all);
  if (const char* nodes = std::getenv("SLURM_JOB_NODELIST"); all.empty() && nodes != nullptr) {
    add_list(nodes, all);
  }
  Words hosts;
  for (const std::string& host : all) {
    if (is_name(host) && std::ranges::find(hosts, host) == hosts.end()) hosts.push_back(host);
  }
  return hosts;
}

Words without_placement(const Words& words, campaign::LauncherKind kind, Words& left_out) {
  const Dialect dialect = campaign::dialect_of(kind);
  const PlacementOptions& options = placement_options(dialect);
  Words kept;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view name = option_name(words[i], dialect);
    const bool takes_value = contains(options.with_value, name);
    if (!takes_value && !contains(options.alone, name)) {
      kept.push_back(words[i]);
      continue;
    }
    left_out.push_back(words[i]);
    const bool is_whole = has_value_inside(words[i]) || has_value_attached(words[i], dialect);
    if (takes_value && !is_whole && i + 1 < words.size()) {
      left_out.push_back(words[++i]);
    }
  }
  return kept;
}

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

}  // namespace

std::vector<std::vector<ShellWord>> simple_commands(const std::string& script) {
  return ShellLexer(script).commands();
}

namespace {

std::string base_name(const std::string& word) { return word.substr(word.rfind('/') + 1); }

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

/// The wrappers among some words; each extends to the next one.
std::vector<Wrapper> wrappers_in(const Words& words, std::size_t begin, std::size_t end) {
  std::vector<Wrapper> wrappers;
  for (std::size_t i = begin; i < end; ++i) {
    if (i > begin && !is_wrapper(words[i])) continue;
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
    const auto launcher = std::ranges::find_if(command, [&](const ShellWord& word) {
      return word.is_exact && campaign::launcher_named(word.text, version_of).has_value();
    });
    if (launcher == command.end()) continue;
    if (found) {
      throw InputError({"several launches in one command", "a probe replaces one program",
                        "give the part of each separately"});
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

/// InputError if no script of a shell in the command starts a launcher.
PlacedCommand launch_of_script(const Words& typed, const campaign::VersionProbe& version_of) {
  if (const auto place = place_of_script(typed)) {
    if (const auto launch = launch_in(typed[*place], version_of)) {
      return of_script(typed, *place, *launch);
    }
  }
  throw InputError(
      {fmt::format("'{}' has no launcher that hockney knows", shortened(join(typed, " "))),
       "ranks are where their launcher puts them",
       "give it as it is run: hockney where -- mpirun -n 4 ./app"});
}

/// The words quoted for a shell, except those that the shell must expand.
std::string script_text(const ShellScript& script, const Words& words) {
  return join(strings_of(words,
                         [&](const std::string& word) {
                           return script.verbatim.contains(word) ? word
                                                                 : campaign::shell_word(word);
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
  bool is_begun = false;  // a leading `exec` belongs to the shell
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
