#include "driver/imports/log_lines.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <initializer_list>
#include <iterator>
#include <map>
#include <regex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/text.hpp"
#include "driver/imports/table_text.hpp"

namespace hockney::imports {
namespace {

constexpr std::array<std::string_view, 12> launchers{
    "mpirun", "mpiexec", "mpiexec.hydra", "orterun", "prun",  "prterun",
    "srun",   "aprun",   "jsrun",         "lrun",    "ibrun", "mpirun_rsh"};

bool has_one_of(std::string_view line, std::initializer_list<std::string_view> signs) {
  return std::ranges::any_of(signs,
                             [&](auto sign) { return line.find(sign) != std::string_view::npos; });
}

std::string_view last_part(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

bool is_launcher(const std::string& word) {
  return std::ranges::find(launchers, last_part(word)) != launchers.end();
}

/// Without quotes and punctuation at its ends.
std::string_view bare_word(std::string_view word) {
  constexpr std::string_view marks = "\"'`,;:()";
  const std::size_t begin = word.find_first_not_of(marks);
  if (begin == std::string_view::npos) return {};
  return word.substr(begin, word.find_last_not_of(marks) - begin + 1);
}

bool is_benchmark(std::string_view word) {
  const std::string_view name = last_part(bare_word(word));
  const bool is_plain = std::ranges::all_of(name, [](unsigned char letter) {
    return std::isalnum(letter) != 0 || letter == '_' || letter == '-';
  });
  if (!is_plain) return false;
  constexpr std::string_view osu = "osu_";
  constexpr std::string_view imb = "IMB-";
  return (name.starts_with(osu) && name.size() > osu.size()) ||
         (name.starts_with(imb) && name.size() > imb.size()) || name.ends_with("_perf") ||
         name.ends_with("_perf_mpi");
}

/// The value of an option "-n 4", "-n4", "--ntasks=4" at a position.
std::optional<int> value_at(const std::vector<std::string>& words, std::size_t at,
                            std::string_view option) {
  const std::string_view word = words[at];
  if (!word.starts_with(option)) return std::nullopt;
  std::string_view value = word.substr(option.size());
  if (value.empty()) return at + 1 < words.size() ? ranks_in(words[at + 1]) : std::nullopt;
  if (value.starts_with('=')) value.remove_prefix(1);
  return ranks_in(std::string(value));
}

/// The value of the first of these options before the program.
std::optional<int> option_value(const LogCommand& command, std::size_t begin,
                                const std::vector<std::string_view>& options) {
  for (std::size_t at = begin; at < command.program_at; ++at) {
    for (const std::string_view option : options) {
      if (const auto value = value_at(command.words, at, option)) return value;
    }
  }
  return std::nullopt;
}

/// The ranks of a command with its launcher at `begin`; nullopt for several programs in one job.
std::optional<int> ranks_of(const LogCommand& command, std::size_t begin) {
  if (std::ranges::find(command.words, ":") != command.words.end()) return std::nullopt;
  if (const auto all =
          option_value(command, begin + 1, {"-np", "--np", "--ntasks", "-nprocs", "--n", "-n"})) {
    return all;
  }
  if (last_part(command.words[begin]) != "srun") return std::nullopt;
  const auto nodes = option_value(command, begin + 1, {"--nodes", "-N"});
  const auto each = option_value(command, begin + 1, {"--ntasks-per-node", "--tasks-per-node"});
  return nodes && each ? ranks_in(std::to_string(std::int64_t{*nodes} * *each)) : std::nullopt;
}

constexpr std::string_view of_command = "command";

/// The names of variables that a line sets: "NCCL_ALGO NCCL_PROTO ".
std::string variables_in(const std::vector<std::string>& words) {
  std::string names;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    const std::string name = std::string(bare_word(word.substr(0, equals)));
    const bool is_name = equals != std::string::npos && !name.empty() &&
                         std::isalpha(static_cast<unsigned char>(name[0])) != 0;
    if (is_name) names += name + " ";
  }
  return names;
}

/// What a line describes. Lines of equal kind replace each other.
std::string kind_of(const std::string& text) {
  if (command_in(text)) return std::string(of_command);
  const std::string_view line = trimmed(text);
  const bool is_trace = line.starts_with('+');
  const std::vector<std::string> all = words(without_prompt(line));
  if (all.empty()) return {};
  if (const std::string names = variables_in(all); !names.empty()) return "set " + names;
  if (is_trace) return "+ " + all.front();
  const std::size_t colon = line.find(": ");
  if (colon != std::string_view::npos) return "key " + std::string(line.substr(0, colon));
  const std::size_t letters =
      std::min(static_cast<std::size_t>(std::ranges::find_if(line,
                                                             [](unsigned char letter) {
                                                               return std::isalnum(letter) != 0 ||
                                                                      letter > 127;
                                                             }) -
                                        line.begin()),
               line.size());
  const std::string_view before = trimmed(line.substr(0, letters));
  if (!before.empty()) return "mark " + std::string(before);
  return "words " + std::to_string(all.size());
}

}  // namespace

std::string_view without_prompt(std::string_view line) {
  line = trimmed(line.substr(0, 1000));
  static const std::regex prompt(
      R"(^(?:\++ |\$ |% |(?:\[[^\]]*\]\s*)*(?:[A-Za-z0-9_.-]+@[A-Za-z0-9_.-]+[^$#%>]{0,80}|\[[^\]]*@[^\]]*\])\s*[$#%>]\s+|\[[A-Za-z0-9_.-]+:[0-9]+\]\s*))");
  std::cmatch found;
  if (std::regex_search(line.begin(), line.end(), found, prompt)) {
    line.remove_prefix(static_cast<std::size_t>(found.length()));
  }
  return trimmed(line);
}

std::optional<LogCommand> command_in(std::string_view line) {
  constexpr std::array<std::string_view, 6> signs{"osu_", "IMB-", "_perf", "run", "mpiexec", "IMB"};
  if (std::ranges::none_of(signs,
                           [&](auto sign) { return line.find(sign) != std::string_view::npos; })) {
    return std::nullopt;
  }
  LogCommand command{.words = words(without_prompt(line)), .program = {}, .ranks = {}};
  auto& all = command.words;
  command.program_at =
      static_cast<std::size_t>(std::ranges::find_if(all, is_benchmark) - all.begin());
  if (command.program_at < all.size()) {
    command.program = last_part(bare_word(all[command.program_at]));
  }
  const auto launcher = std::ranges::find_if(all, is_launcher);
  const bool is_launched = launcher != all.end() && std::next(launcher) != all.end() &&
                           (std::next(launcher)->starts_with('-') || launcher == all.begin() ||
                            command.program_at < all.size());
  if (is_launched) {
    command.ranks = ranks_of(command, static_cast<std::size_t>(launcher - all.begin()));
  } else if (command.program_at == all.size()) {
    return std::nullopt;
  }
  return command;
}

std::optional<int> ranks_in_heading(std::string_view line) {
  static const std::regex before(
      R"(^(?:.*[^0-9A-Za-z.])?([0-9]+) (?:MPI )?(?:ranks|processes|procs|tasks)\b.*$)",
      std::regex::icase);
  static const std::regex behind(
      R"(^(?:.*[^A-Za-z_-])?(?:np|nprocs|ranks|ntasks|processes|procs)\s*[:=]\s*([0-9]+)\b.*$)",
      std::regex::icase);
  constexpr std::size_t longest = 120;
  const bool may_be = has_one_of(
      line, {"rank", "proc", "task", "np", "Rank", "Proc", "Task", "NP", "RANK", "PROC", "TASK"});
  if (line.size() > longest || !may_be || has_one_of(line, {"per"})) return std::nullopt;
  std::cmatch found;
  for (const std::regex& pattern : {before, behind}) {
    if (std::regex_match(line.begin(), line.end(), found, pattern)) return ranks_in(found[1]);
  }
  return std::nullopt;
}

bool is_message(std::string_view line) {
  static const std::regex messages(
      R"(\bwarning\b|\b(?:UCX|NCCL) +(?:WARN|INFO|DEBUG|DIAG|TRACE|REQ)\b|^srun: |^slurmstepd|^libfabric:|PMIX |\bORTE\b|^(?:real|user|sys)\s+[0-9]|(?:elapsed|pagefaults)|\b(?:took|duration|wall ?time)\b|MPI startup\(\): +[0-9]|[0-9]\.[0-9]+ ?(?:[KMGT]i?B/s|[KMGT]b(?:it/s|ps)|us|usec|[GT]flops?)\b)",
      std::regex::icase);
  static const std::regex kept("NCCL version|RCCL version|set by environment to");
  return std::regex_search(line.begin(), line.end(), messages) &&
         !std::regex_search(line.begin(), line.end(), kept);
}

std::optional<std::size_t> LinesInForce::replaced(const std::string& kind,
                                                  std::size_t following) const {
  std::optional<std::size_t> found;
  for (std::size_t at = entries_.size(); at-- > 0;) {
    if (entries_[at].kind != kind) continue;
    found = at;
    if (following-- == 0) break;
  }
  return found;
}

std::vector<LinesInForce::Entry> LinesInForce::entries_of(
    const std::vector<std::string>& lines) const {
  std::vector<Entry> found;
  const std::size_t skipped = lines.size() > most ? lines.size() - most : 0;
  for (std::size_t at = skipped; at < lines.size(); ++at) {
    Entry entry{.kind = kind_of(lines[at]), .text = lines[at], .gap = gaps_};
    if (entry.kind.empty()) continue;
    // Of several commands the last one printed the table.
    if (entry.kind == of_command)
      std::erase_if(found, [&](const Entry& other) { return other.kind == of_command; });
    found.push_back(std::move(entry));
  }
  return found;
}

void LinesInForce::enter(const std::vector<std::string>& lines) {
  ++gaps_;
  std::vector<Entry> added = entries_of(lines);
  std::map<std::string, std::size_t> following;
  for (const Entry& entry : added) ++following[entry.kind];
  std::vector<bool> is_replaced(entries_.size(), false);
  for (const Entry& entry : added) {
    if (const auto at = replaced(entry.kind, --following[entry.kind])) is_replaced[*at] = true;
  }
  const auto first =
      static_cast<std::size_t>(std::ranges::find(is_replaced, true) - is_replaced.begin());
  std::vector<Entry> kept;
  for (std::size_t at = 0; at < entries_.size(); ++at) {
    const bool is_below = at > first && entries_[at].gap > entries_[first].gap;
    if (!is_replaced[at] && !is_below) kept.push_back(std::move(entries_[at]));
  }
  std::ranges::move(added, std::back_inserter(kept));
  if (kept.size() > most) kept.erase(kept.begin(), kept.end() - static_cast<std::ptrdiff_t>(most));
  entries_ = std::move(kept);
}

std::vector<std::string> LinesInForce::texts() const {
  return strings_of(entries_, [](const Entry& entry) { return entry.text; });
}

}  // namespace hockney::imports
