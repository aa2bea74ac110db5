#include "core/cli/command_line.hpp"

#include <fmt/format.h>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <ios>
#include <iostream>
#include <new>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "core/atomic_file.hpp"
#include "core/called_name.hpp"
#include "core/cli/cli11.hpp"
#include "core/cli/standard_output.hpp"
#include "core/environment.hpp"
#include "core/json_values.hpp"
#include "core/other_tools.hpp"
#include "core/shell.hpp"
#include "core/text.hpp"

namespace hockney {

CommandOption tried_first(CommandOption option) {
  return option.each([](const std::string& file) {
    if (!file.empty()) check_writable(file);
  });
}

CommandOption add_parsed_option(CommandLine& app, const std::string& names,
                                std::function<void(const std::string&)> take,
                                const std::string& help, const std::string& type) {
  const auto take_some = [take = std::move(take)](const std::string& text) {
    if (!text.empty()) take(text);
  };
  return app.add_text(names, take_some, help).take_last().type_name(type);
}

std::string type_of_choice(const std::vector<std::string>& all) { return join(all, "|"); }

std::string type_of_list(const std::vector<std::string>& all) {
  return fmt::format("all|{},...", type_of_choice(all));
}

namespace {

namespace fs = std::filesystem;

/// The app of the last options: the deepest subcommand on the line.
const CLI::App& deepest(const CLI::App& app) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  return chosen.empty() ? app : deepest(*chosen.front());
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::vector<std::string> subcommand_names(const CLI::App& app) {
  return strings_of(subcommands_of(app), [](const CLI::App* sub) { return sub->get_name(); });
}

/// Whether it is the driver of all commands.
bool has_run(const CLI::App& app) {
  const std::vector<std::string> names = subcommand_names(app);
  return app.get_parent() == nullptr && std::ranges::find(names, "run") != names.end();
}

Message unknown_command(const CLI::App& app, const std::string& word) {
  const std::vector<std::string> names = subcommand_names(app);
  const bool may_be_operation = has_run(app) && did_you_mean(word, names).empty();
  return {fmt::format("unknown command '{}'", word), "it is none of " + app.get_display_name(),
          may_be_operation
              ? fmt::format("to measure an operation: {0} run {1}; commands: {0} --help",
                            app.get_display_name(), word)
              : suggest(word, names)};
}

Message unexpected(const CLI::App& root) {
  const CLI::App& app = deepest(root);
  const std::vector<std::string> extras = root.remaining(true);
  const auto is_option = [](const std::string& word) { return word.starts_with("-"); };
  const std::string front = extras.empty() ? "" : extras.front();
  // Words after a misspelt command are its own.
  if (!is_option(front) && !subcommand_names(app).empty()) return unknown_command(app, front);
  const auto first = std::ranges::find_if(extras, is_option);
  const std::string word = first != extras.end() ? *first : front;
  if (is_option(word)) {
    return {fmt::format("unknown option '{}'", word), "it is none of " + app.get_display_name(),
            suggest(word.substr(0, word.find('=')), option_names(app), "--help-all")};
  }
  return {fmt::format("unexpected argument '{}'", word),
          app.get_display_name() + " takes no more of them", "see --help"};
}

/// Refuses empty values. If a script leaves a value empty, the option would seem not to be given.
void reject_empty_values(const CLI::App& app) {
  for (const CLI::Option* option :
       app.get_options([](const CLI::Option* any) { return !any->get_positional(); })) {
    if (std::ranges::find(option->results(), "") == option->results().end()) continue;
    throw InputError({"empty value for " + option->get_name(), "it was given without a text",
                      "give a value or leave the option out"});
  }
  for (const CLI::App* sub : app.get_subcommands()) reject_empty_values(*sub);
}

/// The help that a faulty command line requests, if any.
std::optional<CLI::AppFormatMode> requested_help(const std::vector<std::string>& words) {
  std::optional<CLI::AppFormatMode> mode;
  for (const std::string& word : words) {
    if (word == "--") break;
    if (word == "--help-all") return CLI::AppFormatMode::All;
    if (word == "--help" || word == "-h") mode = CLI::AppFormatMode::Normal;
  }
  return mode;
}

/// nullptr if there is no subcommand of that name.
const CLI::App* subcommand_of(const CLI::App& app, const std::string& name) {
  const std::vector<const CLI::App*> subcommands = subcommands_of(app);
  const auto named = std::ranges::find(subcommands, name, &CLI::App::get_name);
  return named == subcommands.end() ? nullptr : *named;
}

/// Whether the word is an option of the app with a value that may be left out.
bool may_lack_value(const CLI::App& app, const std::string& word) {
  const CLI::Option* const option = app.get_option_no_throw(word.substr(0, word.find('=')));
  return option != nullptr && takes_value(*option) && option->get_items_expected_min() == 0;
}

/// Whether the word is an option of the app and the next word its value. A value that may be left
/// out does not begin with '-'.
bool takes_next_word(const CLI::App& app, const std::string& word, const std::string& next) {
  const CLI::Option* const option = app.get_option_no_throw(word);
  if (option == nullptr || !takes_value(*option)) return false;
  return !may_lack_value(app, word) || !next.starts_with("-");
}

/// Whether the option's values are the words of a command that follows it.
bool takes_command(const CLI::App& app, const std::string& word) {
  const CLI::Option* const option = app.get_option_no_throw(word);
  return option != nullptr && option->get_type_name() == command_type;
}

/// Turns the words from `option` on, followed by "--" and a command, into values of the option.
void make_values(std::vector<std::string>& words, std::vector<std::string>::iterator option) {
  const std::string prefix = *option + "=";
  for (option = words.erase(option, option + 2); option != words.end(); ++option) {
    option->insert(0, prefix);
  }
}

/// Moves the words at these places, ascending, behind the first "--".
std::vector<std::string> moved_behind(std::vector<std::string> words,
                                      std::span<const std::ptrdiff_t> places) {
  std::vector<std::string> moved;
  for (const std::ptrdiff_t place : places) moved.push_back(words[static_cast<std::size_t>(place)]);
  for (const std::ptrdiff_t place : std::views::reverse(places)) words.erase(words.begin() + place);
  words.insert(std::ranges::find(words, "--") + 1, moved.begin(), moved.end());
  return words;
}

using Word = std::vector<std::string>::iterator;

/// Steps from an option to the value that it takes. Returns whether it takes the command behind
/// "--"; then the words are complete.
bool step_over_option(const CLI::App& app, std::vector<std::string>& words, Word& word) {
  const auto left = words.end() - word;
  if (left > 2 && word[1] == "--" && takes_command(app, *word)) {
    make_values(words, word);
    return true;
  }
  if (left > 1 && takes_next_word(app, *word, word[1])) ++word;
  return false;
}

/// Completes a line with "--" at `end`. Moves further words (further_words) behind it. After an
/// option whose list of values may be empty, inserts a second "--".
void complete(const CLI::App& app, std::vector<std::string>& words, Word end,
              std::span<const std::ptrdiff_t> positional, bool is_after_list) {
  if (end == words.end()) return;
  if (positional.size() > 1 && app.get_option_no_throw(further_words) != nullptr) {
    words = moved_behind(words, positional.subspan(1));
  } else if (is_after_list) {
    words.insert(end, "--");
  }
}

/// Inserts "--" before the command of an app that runs one (command_words), unless the line has it.
/// After an option whose value may be left out CLI11 takes one "--" as the end of its values:
/// inserts a second one. Inserts untouched_words for an app whose remaining words must not be
/// parsed. Moves further words (further_words) behind "--", where the line has it: CLI11 2.1 takes
/// no list of words before and behind it.
std::vector<std::string> with_command_apart(const CLI::App& root, std::vector<std::string> words) {
  const CLI::App* app = &root;
  bool is_after_list = false;  // of values that may be none
  std::vector<std::ptrdiff_t> positional;
  auto word = words.begin();
  for (; word != words.end() && *word != "--"; ++word) {
    if (word->starts_with("-")) {
      is_after_list = may_lack_value(*app, *word);
      if (step_over_option(*app, words, word)) return words;
    } else if (const CLI::App* const sub = subcommand_of(*app, *word); sub != nullptr) {
      app = sub;
      if (app->get_prefix_command()) {
        words.insert(word + 1, untouched_words);
        return words;
      }
    } else if (app->get_option_no_throw(command_words) != nullptr) {
      word = words.insert(word, "--");
      break;
    } else {
      positional.push_back(word - words.begin());
    }
  }
  complete(*app, words, word, positional, is_after_list);
  return words;
}

/// Where an unknown word of this command line may come from another tool.
std::optional<WordPlace> place_of_words(const CLI::App& app) {
  const std::string& name = app.get_name();
  if (has_run(app)) return WordPlace::command;
  if (name == "run") return WordPlace::run_option;
  if (name == "profile" || name == "where") return WordPlace::program_option;
  return std::nullopt;
}

/// The first word before "--" that other tools have and hockney has not, with its advice.
std::optional<Message> word_of_other_tool(const CLI::App& root,
                                          const std::vector<std::string>& words) {
  const CLI::App* app = &root;
  for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    const bool is_option = words[i].starts_with("-");
    const std::string name = words[i].substr(0, is_option ? words[i].find('=') : words[i].size());
    const CLI::App* const sub = is_option ? nullptr : subcommand_of(*app, name);
    if (sub != nullptr) app = sub;
    const auto place = place_of_words(*app);
    const bool is_argument = !is_option && place != WordPlace::command;
    if (sub != nullptr || is_argument || !place) continue;
    if (is_option && app->get_option_no_throw(name) != nullptr) {
      if (i + 1 < words.size() && takes_next_word(*app, words[i], words[i + 1])) ++i;
      continue;
    }
    if (const auto found = other_tool_advice(*place, name)) {
      return Message{fmt::format("unknown {} '{}'", is_option ? "option" : "command", name),
                     found->why, found->advice};
    }
    if (!is_option) return std::nullopt;  // the words after an unknown command are its own
  }
  return std::nullopt;
}

/// std::filesystem_error does not always contain the folder's name.
Message words_for_files(const fs::filesystem_error& error) {
  std::error_code trouble;
  static_cast<void>(fs::current_path(trouble));
  if (trouble) {
    return {"the working folder is gone", trouble.message(), "change to one that is there"};
  }
  const std::string path = error.path1().string();
  if (!path.empty()) {
    return {fmt::format("cannot use '{}'", path), error.code().message(),
            "check the name and the permissions"};
  }
  static_cast<void>(fs::temp_directory_path(trouble));
  if (trouble) {
    return {"there is no folder for temporary files", trouble.message(),
            "set TMPDIR to one that is there"};
  }
  return {"the file system refused", error.what(), "check the folders and their permissions"};
}

/// Handles a query of a shell or the build (question_variable) instead of parsing. Returns whether
/// there was one.
bool answer_question(const CommandLine& app, int argc, const char* const* argv) {
  const char* const requested = std::getenv(question_variable);
  const std::string_view question = requested == nullptr ? "" : requested;
  if (question == "man") {
    const CLI::App* const named = argc > 1 ? subcommand_of(app.app(), argv[1]) : nullptr;
    if (named != nullptr && named->get_prefix_command()) return false;  // its program has the page
    write_man_page(std::cout, app, named == nullptr ? "" : named->get_name());
    return true;
  }
  if (question != "complete") return false;
  const auto words = completions(app, std::vector<std::string>(argv + 1, argv + argc));
  if (words && !words->empty()) std::cout << join(*words, "\n") << '\n';
  return words.has_value();
}

/// Mutes std::cout and std::cerr on all ranks but the launcher's first while a command line, which
/// is the same on all ranks, is parsed.
class FirstRankAlone {
 public:
  FirstRankAlone() { set(is_first_rank() ? std::ios::goodbit : std::ios::failbit); }
  FirstRankAlone(const FirstRankAlone&) = delete;
  FirstRankAlone& operator=(const FirstRankAlone&) = delete;
  FirstRankAlone(FirstRankAlone&&) = delete;
  FirstRankAlone& operator=(FirstRankAlone&&) = delete;
  ~FirstRankAlone() { set(std::ios::goodbit); }

 private:
  static void set(std::ios::iostate state) {
    std::cout.clear(state);
    std::cerr.clear(state);
  }
};

/// The folder of the last campaign in ./results; "results/x" without any.
std::string newest_results() {
  std::string newest = "results/x";
  std::optional<fs::file_time_type> time;
  std::error_code unreachable;
  for (const auto& entry : fs::directory_iterator("results", unreachable)) {
    const auto written = fs::last_write_time(entry.path() / "manifest.json", unreachable);
    if (unreachable || (time && *time > written)) continue;
    time = written;
    newest = entry.path().string();
  }
  return newest;
}

/// The first example in the help of a command, with the newest results.
std::string example_of(const CLI::App& app) {
  constexpr std::string_view some_results = "results/x";
  const std::vector<std::string> lines = split(app.get_footer(), '\n');
  if (lines.size() < 2) return "see --help";
  std::string example = lines[1].substr(0, lines[1].find("  #", 2));
  example.erase(0, example.find_first_not_of(' '));
  example.erase(example.find_last_not_of(' ') + 1);
  const std::size_t at = example.find(some_results);
  if (at != std::string::npos) {
    example.replace(at, some_results.size(), shell_word(newest_results()));
  }
  return "such as " + example;
}

/// What is missing, and an example.
Message missing(const CLI::App& app, const std::string& name) {
  const CLI::Option* const option = app.get_option_no_throw(name);
  std::string what = option == nullptr ? name : option->get_description();
  if (what.size() > 1 && std::islower(static_cast<unsigned char>(what[1])) != 0) {
    what[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(what[0])));
  }
  return {fmt::format("no {} given", name), fmt::format("{}: {}", name, what), example_of(app)};
}

/// The error of a line without a misspelt word. For a missing value it does not list all possible
/// values, which --help does.
Message words_of(const CLI::ParseError& error, const CLI::App& root) {
  const std::string words = error.what();
  const CLI::App& app = deepest(root);
  const bool is_required = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  if (is_required && app.get_require_subcommand_min() > 0 && app.get_subcommands().empty()) {
    return {"no command", app.get_display_name() + " needs one",
            "name one of " + join(subcommand_names(app))};
  }
  constexpr std::string_view required = " is required";
  if (is_required && words.ends_with(required)) {
    return missing(app, words.substr(0, words.size() - required.size()));
  }
  constexpr std::string_view not_converted = "Could not convert: ";
  const std::string name = words.substr(std::min(not_converted.size(), words.size()));
  const CLI::Option* const option = app.get_option_no_throw(name.substr(0, name.find(' ')));
  if (words.starts_with(not_converted) && option != nullptr && !takes_value(*option)) {
    return {fmt::format("a value for {}", option->get_name()), "it takes none",
            fmt::format("leave the value out, or write the output to a file: {} > x",
                        option->get_name())};
  }
  const bool is_missing =
      dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr && words.ends_with(" missing");
  return {"bad command line",
          is_missing ? words.substr(0, words.find(':')) + " needs a value" : words, "see --help"};
}

/// "hockney help profile show" as "hockney profile show --help". InputError for an unknown command.
std::vector<const char*> with_help_option(const CLI::App& driver, int argc, char** argv) {
  std::vector<const char*> words(argv, argv + argc);
  if (argc < 2 || std::string_view(words[1]) != "help") return words;
  words.erase(words.begin() + 1);
  const bool is_name = words.size() > 1 && *words[1] != '-';
  if (is_name && subcommand_of(driver, words[1]) == nullptr) {
    throw InputError(unknown_command(driver, words[1]));
  }
  words.push_back("--help");
  return words;
}

/// If a launcher started several ranks of hockney with these words, the refusal.
std::optional<Message> refusal_of_ranks(const std::vector<std::string>& words) {
  for (const LauncherVariables& launcher : launcher_variables) {
    if (std::getenv(launcher.rank) == nullptr) continue;
    const int ranks = number_in_variable(launcher.size).value_or(1);
    if (ranks < 2) return std::nullopt;
    std::string problem = fmt::format("{} ranks started hockney", ranks);
    const bool is_run = !words.empty() && words.front() == "run";
    if (is_run && std::ranges::find(words, "--") == words.end()) {
      return Message{std::move(problem), "hockney starts ranks itself",
                     fmt::format("leave the launcher out: hockney {} --ranks {}",
                                 escaped(shell_words(words)), ranks)};
    }
    return Message{std::move(problem), "hockney starts ranks itself",
                   fmt::format("put hockney before {0}, as in hockney profile -- {0} -n {1} ./app",
                               launcher.owner == slurm_ranks ? "srun" : "mpirun", ranks)};
  }
  return std::nullopt;
}

}  // namespace

Message words_for(const std::exception& error) {
  if (dynamic_cast<const Error*>(&error) != nullptr) return {error.what(), "", ""};
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) {
    return {"out of memory", "more is needed than this process may have",
            "give it more, or name fewer records"};
  }
  if (const auto* files = dynamic_cast<const fs::filesystem_error*>(&error)) {
    return words_for_files(*files);
  }
  if (const auto* system = dynamic_cast<const std::system_error*>(&error)) {
    return {"the system refused", system->what(), "check the limits of the shell (ulimit -a)"};
  }
  return {"unexpected failure", error.what(), "please report it"};
}

ExitCode guarded(const Action& action) {
  try {
    return action();
  } catch (const std::exception& error) {
    std::cerr << runnable(to_line(words_for(error))) << '\n';
    const auto* known = dynamic_cast<const Error*>(&error);
    return known != nullptr ? known->code() : ExitCode::run_failed;
  }
}

bool must_complete() {
  const char* const question = std::getenv(question_variable);
  return question != nullptr && std::string_view(question) == "complete";
}

std::optional<ExitCode> parse_command_line(CommandLine& line, int argc, const char* const* argv) {
  if (answer_question(line, argc, argv)) return ExitCode::good;
  CLI::App& app = line.app();
  const std::vector<std::string> words = with_command_apart(app, {argv + 1, argv + argc});
  std::string refusal;
  ExitCode code = ExitCode::bad_input;
  try {
    const auto other = requested_help(words) ? std::nullopt : word_of_other_tool(app, words);
    if (other) throw InputError(*other);
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
    reject_empty_values(app);
    return std::nullopt;
  } catch (const CLI::Success& request) {
    app.exit(request);
    return ExitCode::good;
  } catch (const CLI::ParseError& error) {
    // A misspelt word often leaves a required option missing, and CLI11 reports only that.
    const bool misspelt = app.remaining_size(true) > 0;
    refusal = to_line(misspelt ? unexpected(app) : words_of(error, app));
  } catch (const Error& error) {
    refusal = error.what();
    code = error.code();
  }
  if (const auto help = requested_help(words)) {
    std::cout << app.help("", *help);
    return ExitCode::good;
  }
  std::cerr << runnable(refusal) << '\n';
  return code;
}

int drive(int argc, char** argv, std::span<const AddSubcommand> subcommands, const char* version,
          const CommandHelp& help) {
  StandardOutput output(StdoutOwner::program, OutputColors::terminal);
  return output.finish(guarded([&] {
    CommandLine driver("Measures how an MPI system communicates and fits models to it", "hockney");
    driver.set_version(version);
    driver.require_subcommands(1, 1);
    Action chosen;
    for (const AddSubcommand add : subcommands) add(driver, chosen);
    describe(driver, help);
    {
      const FirstRankAlone alone;
      const bool is_bare =
          argc == 1 && !help.first.empty() && std::getenv(question_variable) == nullptr;
      if (is_bare) {
        print_first_steps(std::cout, driver, help);
        return ExitCode::bad_input;
      }
      const std::vector<const char*> words = with_help_option(driver.app(), argc, argv);
      const auto finished =
          parse_command_line(driver, static_cast<int>(words.size()), words.data());
      if (finished) return *finished;
      if (const auto refusal = refusal_of_ranks({argv + 1, argv + argc})) {
        std::cerr << runnable(to_line(*refusal)) << '\n';
        return ExitCode::bad_input;
      }
    }
    return chosen();
  }));
}

}  // namespace hockney
