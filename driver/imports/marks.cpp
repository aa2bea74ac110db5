#include "driver/imports/marks.hpp"

#include <algorithm>
#include <cctype>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/text.hpp"
#include "driver/imports/log_lines.hpp"
#include "driver/imports/table_text.hpp"

namespace hockney::imports {
namespace {

using Words = std::vector<std::string>;

std::string lower_letters(std::string_view text) {
  std::string letters;
  for (const char letter : text) {
    const auto plain = static_cast<unsigned char>(letter);
    if (std::isalpha(plain) != 0) letters += static_cast<char>(std::tolower(plain));
  }
  return letters;
}

bool is_whole(std::string_view word) {
  constexpr std::size_t longest = 18;
  return !word.empty() && word.size() <= longest &&
         word.find_first_not_of("0123456789") == std::string_view::npos;
}

bool begins_with_digit(std::string_view word) {
  return !word.empty() && std::isdigit(static_cast<unsigned char>(word.front())) != 0;
}

/// "4.1", "4.0.5"
bool is_version(std::string_view word) {
  return begins_with_digit(word) && word.find('.') != std::string_view::npos &&
         word.find_first_not_of("0123456789.") == std::string_view::npos;
}

/// Words that give a number a meaning: "16 ranks", "np 16".
bool is_quantity_word(std::string_view word) {
  static const std::set<std::string, std::less<>> all{
      "np",        "n",       "nodes",   "node",   "nnodes",  "ranks",    "rank", "procs", "proc",
      "tasks",     "task",    "ntasks",  "ppn",    "threads", "thread",   "nt",   "cores", "core",
      "gpus",      "gpu",     "ngpus",   "p",      "t",       "c",        "g",    "bytes", "window",
      "w",         "pairs",   "sockets", "socket", "numa",    "rails",    "rail", "hca",   "nprocs",
      "processes", "process", "host",    "hosts",  "mpi",     "ranksper", "tpn",  "nic",   "nics"};
  return all.contains(lower_letters(word)) && word.size() <= 12;
}

/// Names of benchmarks and general words, after which a number of a file is a counter.
bool is_general_word(std::string_view word) {
  static const std::set<std::string, std::less<>> all{
      "osu",    "imb",      "nccl",      "rccl",  "out",      "output",    "log",
      "result", "results",  "res",       "lat",   "latency",  "bw",        "bandwidth",
      "bibw",   "pingpong", "allreduce", "bcast", "alltoall", "allgather", "barrier",
      "reduce", "gather",   "scatter",   "perf",  "bench",    "benchmark", "data",
      "file",   "txt",      "copy",      "kopie", "copie",    "o",         "e",
      "stdout", "stderr",   "a",         "b",     "r",        "s",         "x",
      "y",      "l",        "i",         "j",     "k",        "m",         "mbwmr"};
  return all.contains(lower_letters(word));
}

/// A counter with its number: "run3", "job.12345".
bool is_counted(std::string_view word) {
  return is_counter_word(word) && word.find_first_of("0123456789") != std::string_view::npos;
}

/// Only letters, then only digits: "run3", "np16".
std::size_t digits_behind_letters(std::string_view word) {
  const std::size_t digits = word.find_first_of("0123456789");
  const bool is_pair = digits != std::string_view::npos && digits > 0 &&
                       word.find_first_not_of("0123456789", digits) == std::string_view::npos;
  return is_pair ? digits : 0;
}

/// Text that changes with each run: addresses, durations, long numbers.
bool is_passing(const std::string& word) {
  static const std::regex passing(
      R"(^(?:0x[0-9a-fA-F]{5,}|[0-9]{10,}|[0-9]+h?[0-9]*m[0-9.]+s|[0-9]+(?:\.[0-9]+)?(?:s|sec|secs|seconds|ms|us|usec|min)|tmp\.\w+|[0-9]+(?:st|nd|rd|th)|[0-9]+/[0-9]+)$)");
  return std::regex_match(word, passing);
}

/// Whether a variable's value describes the job, not the measurement.
bool is_of_job(std::string_view name) {
  static const std::regex job(
      "(?:^|_|-)(?:job|jobid|pid|ppid|tmp|tmpdir|temp|pwd|oldpwd|session|time|date|start|end|port|"
      "hostname|cookie|seed|uid|user|step|stepid|log|output|logfile|outfile|out)(?:_|-|$)|jobid",
      std::regex::icase);
  // Other nodes are another place.
  if (lower_letters(name).find("nodelist") != std::string::npos) return false;
  return std::regex_search(name.begin(), name.end(), job) || is_counter_word(name);
}

/// The parts of a path that are neither hidden nor counters.
Words parts_of_path(std::string_view path) {
  Words parts = split(path, '/');
  std::erase_if(parts, [](const std::string& part) {
    return part.empty() || part.starts_with('.') || is_whole(part) || is_counted(part);
  });
  return parts;
}

/// Builds marks from words, one after the other.
class MarkList {
 public:
  explicit MarkList(std::string family) : family_(std::move(family)) {}

  /// The words of a text; `is_name` for the name of a file.
  void add(const Words& words, bool is_name) {
    for (at_ = 0; at_ < words.size(); ++at_) add_word(words, is_name);
  }
  void add_text(std::string text) { marks_.push_back({.text = std::move(text)}); }
  std::vector<Mark> take() { return std::move(marks_); }

 private:
  void add_word(const Words& words, bool is_name) {
    const std::string& word = words[at_];
    if (is_passing(word)) return;
    const std::string next = at_ + 1 < words.size() ? words[at_ + 1] : std::string();
    if (is_whole(word)) {
      add_number(words, next, is_name);
    } else if (is_version(word) && !last_word_.empty()) {
      join_last(word);
    } else if (const std::size_t equals = word.find('='); equals != std::string::npos) {
      const std::string_view name = std::string_view(word).substr(0, equals);
      if (!is_of_job(name)) add_text(word);
      last_word_.clear();
    } else {
      add_plain(word, is_name);
    }
  }

  void add_plain(const std::string& word, bool is_name) {
    const bool is_path = word.starts_with('/') || std::ranges::count(word, '/') > 2;
    if (is_path && !is_name) return add_text(join(parts_of_path(word), "/"));
    const std::size_t letters = digits_behind_letters(word);
    const std::string_view before = std::string_view(word).substr(0, letters);
    const bool has_counter =
        is_counted(word) ||
        (is_name && letters > 0 && is_general_word(before) && !is_quantity_word(before));
    const bool is_general = is_name && letters == 0 && !begins_with_digit(word) &&
                            (is_counter_word(word) || is_general_word(word));
    last_word_ = has_counter ? lower_letters(word) : word;
    has_last_mark_ = !has_counter && !is_general;
    if (has_last_mark_) add_text(word);
  }

  void join_last(const std::string& word) {
    if (has_last_mark_) marks_.pop_back();
    add_text(last_word_ + "-" + word);
    has_last_mark_ = true;
    last_word_.clear();
  }

  void add_number(const Words& words, const std::string& next, bool is_name) {
    const std::string& word = words[at_];
    if (next == "of" && at_ + 2 < words.size() && is_whole(words[at_ + 2])) {
      at_ += 2;  // "3 of 10"
      return;
    }
    if (is_counter_word(last_word_)) {
      if (!is_name && has_last_mark_) marks_.pop_back();
      has_last_mark_ = false;
      return;
    }
    if (is_quantity_word(next) && next.size() > 1) {
      add_text(word + "-" + next);
      last_word_.clear();
      ++at_;
      return;
    }
    const bool has_meaning = !last_word_.empty() && (!is_name || is_quantity_word(last_word_));
    if (has_meaning) return join_last(word);
    const bool is_general = is_name && is_general_word(last_word_);
    const std::string text = last_word_.empty() ? word : last_word_ + "-" + word;
    marks_.push_back({.text = text,
                      .family = family_ + " " + last_word_,
                      .number = as_number<std::int64_t>(word).value_or(0),
                      .counts_from_one = !is_name || (!last_word_.empty() && !is_general)});
  }

  std::string family_;
  std::vector<Mark> marks_;
  std::string last_word_;  ///< before a number
  bool has_last_mark_ = false;
  std::size_t at_ = 0;
};

/// The word without punctuation at its ends; a sign before an option remains.
std::string clean(std::string_view word) {
  constexpr std::string_view ends = "\"'`()[]{}<>,;:*#!|=~_.?-+@%$&\\";
  const std::size_t begin = word.find_first_not_of(ends);
  if (begin == std::string_view::npos) return {};
  const std::size_t end = word.find_last_not_of(ends);
  const bool is_option = begin > 0 && word[begin - 1] == '-' && word.find("==") != 0;
  const std::string plain(word.substr(begin, end - begin + 1));
  return is_option && begin <= 2 && std::isalpha(static_cast<unsigned char>(plain[0])) != 0
             ? std::string(word.substr(0, begin)) + plain
             : plain;
}

/// The words of a line: "openmpi@4.0.5%gcc@10.2.0" are two.
Words clean_words(std::string_view line) {
  std::string text(line);
  std::ranges::replace(text, '%', ' ');
  std::ranges::replace(text, '|', ' ');
  Words cleaned;
  for (const std::string& word : words(text)) {
    std::string plain = clean(word);
    if (!plain.empty()) cleaned.push_back(std::move(plain));
  }
  return cleaned;
}

bool is_program_word(const std::string& word) {
  const auto command = command_in(word);
  return command && command->program_at == 0;
}

/// Options whose values name jobs and files, or only change the output.
bool is_silent_option(const std::string& option) {
  static const std::set<std::string, std::less<>> all{"--jobid",
                                                      "-J",
                                                      "--job-name",
                                                      "-o",
                                                      "--output",
                                                      "-e",
                                                      "--error",
                                                      "--time",
                                                      "-A",
                                                      "--account",
                                                      "-l",
                                                      "--label",
                                                      "-t",
                                                      "--export",
                                                      "--reservation",
                                                      "--output-filename",
                                                      "-outfile",
                                                      "-W",
                                                      "--comment",
                                                      "--mail-user",
                                                      "--timestamp-output",
                                                      "--tag-output",
                                                      "--allow-run-as-root"};
  return all.contains(option);
}

/// Options of benchmarks for sizes, durations and columns.
bool is_of_extent(const std::string& option, const std::string& program) {
  static const std::set<std::string, std::less<>> osu{"-m", "--message-size", "-i", "--iterations",
                                                      "-x", "--warmup",       "-f", "--full",
                                                      "-z", "--tail-lat",     "-G", "--graph"};
  static const std::set<std::string, std::less<>> imb{
      "-msglog", "-msglen", "-msgsize", "-iter",    "-iter_policy", "-time",    "-mem",
      "-npmin",  "-input",  "-include", "-exclude", "-msgsz",       "-warm_up", "-zero_size"};
  static const std::set<std::string, std::less<>> nccl{
      "-b",         "-e",           "-f",           "-i",          "-n",      "-w",
      "--minbytes", "--maxbytes",   "--stepfactor", "--stepbytes", "--iters", "--warmup_iters",
      "-N",         "--run_cycles", "-J",           "-I"};
  if (program.starts_with("osu_")) return osu.contains(option);
  if (program.starts_with("IMB-")) return imb.contains(option);
  return nccl.contains(option);
}

/// The marks in the folders of a program.
void add_path(MarkList& list, const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash != std::string::npos) list.add(parts_of_path(path.substr(0, slash)), false);
}

/// Reads the options of a launcher, then those of a benchmark.
class CommandMarks {
 public:
  CommandMarks(const Words& words, std::string program)
      : words_(words), program_(std::move(program)) {}

  std::vector<Mark> read() {
    for (; at_ < words_.size() && !ends(words_[at_]); ++at_) add_word();
    if (!arguments_.empty()) list_.add_text(arguments_);
    return list_.take();
  }

 private:
  static bool ends(const std::string& word) {
    static const std::set<std::string, std::less<>> all{"|", ">", ">>", "2>&1", "&>", "&&",
                                                        ";", "&", "\\", "||",   "<"};
    return all.contains(word) || word.starts_with(">") || word.starts_with("2>");
  }

  [[nodiscard]] bool has_value() const {
    return at_ + 1 < words_.size() && !words_[at_ + 1].starts_with('-') && !ends(words_[at_ + 1]) &&
           !is_program_word(words_[at_ + 1]);
  }

  void add_word() {
    const std::string& word = words_[at_];
    if (!is_behind_ && is_program_word(word)) {
      is_behind_ = true;
      add_path(list_, word);
    } else if (word.starts_with('-')) {
      add_option(word);
    } else if (word.find('=') != std::string::npos) {
      list_.add({word}, false);
    } else if (is_behind_) {
      // Other words of IMB are its benchmarks.
      if (!program_.starts_with("IMB-")) arguments_ += (arguments_.empty() ? "" : " ") + word;
    } else {
      add_path(list_, word);
    }
  }

  void add_option(const std::string& option) {
    const std::string name = option.substr(0, option.find('='));
    const bool is_silent =
        is_behind_ ? is_of_extent(name, program_) : (is_silent_option(name) || is_of_count(name));
    const bool has_pair = option.size() == name.size() && has_value();
    if (is_silent) {
      at_ += has_pair ? 1 : 0;
    } else if (!has_pair) {
      list_.add_text(option);
    } else if (is_pair_of_names(name) && at_ + 2 < words_.size()) {
      list_.add_text(words_[at_ + 1] + "=" + words_[at_ + 2]);  // "--mca btl tcp,self"
      at_ += 2;
    } else if (words_[++at_].find('=') != std::string::npos) {
      list_.add({words_[at_]}, false);  // "-x UCX_TLS=rc"
    } else {
      list_.add_text(option.substr(option.find_first_not_of('-')) + "-" + words_[at_]);
    }
  }

  static bool is_of_count(const std::string& option) { return is_counter_word(option); }

  static bool is_pair_of_names(const std::string& option) {
    return option == "--mca" || option == "-mca" || option == "--gmca" || option == "-gmca" ||
           option == "--prtemca" || option == "--pmixmca" || option == "-genv" ||
           option == "-env" || option == "--genv" || option == "--env";
  }

  const Words& words_;
  std::string program_;
  MarkList list_{"command"};
  std::string arguments_;  ///< of the benchmark, without options: "D H"
  bool is_behind_ = false;
  std::size_t at_ = 0;
};

}  // namespace

bool is_counter_word(std::string_view word) {
  static const std::set<std::string, std::less<>> all{
      "run",        "runs",     "launch", "rep",    "repeat",  "repetition", "trial",
      "iter",       "round",    "try",    "night",  "nightly", "attempt",    "day",
      "job",        "rfmjob",   "sample", "week",   "slurm",   "series",     "iteration",
      "rerun",      "jobid",    "pid",    "loop",   "test",    "pass",       "measurement",
      "nr",         "no",       "number", "id",     "sbatch",  "pbs",        "lsf",
      "copy",       "step",     "array",  "taskid", "batch",   "session",    "build",
      "slurmjobid", "slurmjob", "lauf",   "start",  "seed",    "repetitions"};
  return all.contains(lower_letters(word)) && word.size() <= 16;
}

std::string without_dates(std::string_view text) {
  static const std::string months =
      "\\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|mai|june?|july?|aug(?:ust)?|"
      "sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?)\\b";
  static const std::string clock =
      R"((?:[0-9]{1,2}:[0-9]{2}:[0-9]{2}|[0-9]{2}:[0-9]{2})(?:[.,][0-9]+)?(?: ?[ap]m\b)?)";
  static const std::string zone =
      "(?: ?(?:utc|gmt|ce?s?t|[ewpm][sd]?t|jst|z\\b|[+-][0-9]{2}:?[0-9]{2}))";
  static const std::regex dates(
      "(?:^|(?=[^0-9a-z.:])|\\b)(?:"
      "(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? +)?(?:[0-9]{1,2}\\.? +)?" +
          months + "\\.? +[0-9]{1,2},?(?: +" + clock + ")?" + zone +
          "?(?: +(?:19|20)[0-9]{2})?\\b"
          "|(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? +)?[0-9]{1,2}\\.?[ -]" +
          months +
          "[ -]?(?:(?:19|20)[0-9]{2})?\\b"
          "|(?:19|20)[0-9]{2}([-/._])[0-9]{2}\\1[0-9]{2}(?:[t_ -]?[0-9]{2}[:.-]?[0-9]{2}"
          "(?:[:.-]?[0-9]{2}(?:\\.[0-9]+)?)?)?" +
          zone +
          "?(?![0-9.])"
          "|(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])"
          "(?:[t_-]?[0-9]{4,6}z?)?(?![0-9])"
          "|[0-9]{1,2}([-/.])[0-9]{1,2}\\2(?:19|20)[0-9]{2}\\b"
          "|" +
          clock + zone +
          "?(?![0-9:])"
          "|\\b(?:mon|tue|wed|thu|fri|sat|sun)(?:day|sday|nesday|rsday|urday)?\\b"
          ")",
      std::regex::icase);
  return std::regex_replace(std::string(text), dates, std::string(" "));
}

std::vector<Mark> marks_of_line(std::string_view line) {
  const std::string text = without_dates(without_prompt(line));
  if (const auto command = command_in(text)) {
    const bool is_launched =
        command->program_at == 0 || command->ranks || text.find(" -") != std::string::npos;
    if (is_launched) return CommandMarks(command->words, command->program).read();
  }
  static const std::regex origin(R"(^.*NCCL INFO )");
  Words all = clean_words(std::regex_replace(text, origin, std::string()));
  std::erase_if(all, is_program_word);
  MarkList list("line");
  list.add(all, false);
  return list.take();
}

std::vector<Mark> marks_of_command(const std::vector<std::string>& words) {
  const auto command = command_in(join(words, " "));
  return command ? CommandMarks(command->words, command->program).read() : std::vector<Mark>{};
}

std::vector<Mark> marks_of_file(std::string_view name) {
  static const std::regex kinds(R"((?:\.(?:txt|out|log|md|dat|err|res|csv|stdout|[oe][0-9]+))+$)",
                                std::regex::icase);
  static const std::regex copies(R"(\s*\([0-9]+\)|[-_. ](?:copy|kopie)(?:[-_ ]?[0-9]+)?$)",
                                 std::regex::icase);
  static const std::regex digest("[-_.][0-9a-f]{8,40}(?=$|[-_.])");
  std::string text = std::regex_replace(std::string(name), kinds, std::string());
  text = std::regex_replace(text, copies, std::string());
  text = without_dates(text);
  if (text.starts_with("rfm_")) text = std::regex_replace(text, digest, std::string());
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool is_in_version = text[at] == '.' && at > 0 && at + 1 < text.size() &&
                               std::isdigit(static_cast<unsigned char>(text[at - 1])) != 0 &&
                               std::isdigit(static_cast<unsigned char>(text[at + 1])) != 0;
    const bool is_separator =
        std::string_view("-_ (),+=@.[]{}").find(text[at]) != std::string_view::npos;
    if (is_separator && !is_in_version) text[at] = ' ';
  }
  MarkList list("file");
  list.add(words(text), true);
  return list.take();
}

bool are_counters(const std::vector<std::int64_t>& sorted, bool counts_from_one) {
  constexpr std::int64_t of_jobs = 1000;
  if (sorted.size() < 2) return true;
  if (counts_from_one && sorted.front() > 1 && sorted.front() < of_jobs) return false;
  if (sorted.front() == 0 ||
      sorted.back() - sorted.front() < static_cast<std::int64_t>(sorted.size())) {
    return true;
  }
  // Powers and other scales are sizes or numbers of ranks.
  const std::int64_t ratio = sorted[1] / sorted[0];
  for (std::size_t at = 1; at < sorted.size(); ++at) {
    if (sorted[at] != sorted[at - 1] * ratio) return true;
  }
  return ratio < 2;
}

}  // namespace hockney::imports
