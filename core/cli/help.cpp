#include "core/cli/help.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cctype>
#include <iterator>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/called_name.hpp"
#include "core/cli/cli11.hpp"
#include "core/environment.hpp"
#include "core/text.hpp"

namespace hockney {
namespace {

constexpr std::size_t help_columns = 98;        // two blanks precede commands below a driver
constexpr std::size_t description_column = 30;  // where CLI11 starts them

std::string in_lines(const std::string& text, std::size_t width) {
  return join(wrapped(text, width), "\n");
}

/// "Examples:" and a line for each, with the purpose as a shell comment.
std::string example_lines(const std::vector<Example>& examples) {
  constexpr std::size_t purpose_column = 46;  // except after longer commands
  std::string lines = "Examples:";
  for (const Example& example : examples) {
    lines += fmt::format("\n  {:{}}  # {}", example.command, purpose_column, example.purpose);
  }
  return lines;
}

/// CLI11's formatter with the changes that describe() lists.
class HelpFormatter : public CLI::Formatter {
 public:
  explicit HelpFormatter(std::vector<const CLI::Option*> common) : common_(std::move(common)) {}

  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    if (mode == CLI::AppFormatMode::Sub) return make_expanded(app);
    return make_description(app) + make_usage(app, std::move(name)) + make_positionals(app) +
           groups_of(*app, mode) + make_subcommands(app, mode) + '\n' + make_footer(app);
  }

  std::string make_description(const CLI::App* app) const override {
    const std::string text = Formatter::make_description(app);
    return in_lines(text.substr(0, text.rfind('\n')), help_columns) + (text.empty() ? "" : "\n");
  }

  std::string make_option_desc(const CLI::Option* option) const override {
    return in_lines(option->get_description(), help_columns - description_column);
  }

  std::string make_subcommand(const CLI::App* command) const override {
    std::stringstream out;
    CLI::detail::format_help(
        out, command->get_display_name(true),
        in_lines(command->get_description(), help_columns - description_column),
        description_column);
    return out.str();
  }

  std::string make_option_opts(const CLI::Option* option) const override {
    std::string text = Formatter::make_option_opts(option);
    const std::string type = option->get_type_name();
    const std::size_t at = text.find(type);
    return at == std::string::npos ? text : text.replace(at, type.size(), shown_type(*option));
  }

 private:
  [[nodiscard]] std::string groups_of(const CLI::App& app, CLI::AppFormatMode mode) const {
    const bool is_part = mode == CLI::AppFormatMode::Normal && !common_.empty();
    const auto is_shown = [&](const CLI::Option* option) {
      return !is_part || option == app.get_help_ptr() || option == app.get_help_all_ptr() ||
             option == app.get_version_ptr() || std::ranges::find(common_, option) != common_.end();
    };
    std::string text;
    for (const std::string& group : app.get_groups()) {
      const auto options = app.get_options([&](const CLI::Option* option) {
        return !group.empty() && option->get_group() == group && option->nonpositional() &&
               is_shown(option);
      });
      if (!options.empty()) text += make_group(group, false, options);
    }
    return is_part ? text + "\nAll options: --help-all\n" : text;
  }

  std::vector<const CLI::Option*> common_;
};

constexpr std::string_view list_mark = ",...";

/// Place of the next word on a command line.
struct LinePlace {
  const CLI::App* app = nullptr;
  const CLI::Option* option = nullptr;  ///< whose value it is; null: none
  std::size_t arguments = 0;            ///< number of arguments before it
  bool is_literal = false;              ///< after "--"
};

const CLI::Option* option_named(const CLI::App& app, const std::string& word) {
  return app.get_option_no_throw(word.substr(0, word.find('=')));
}

/// Advances over a complete word.
void step(LinePlace& place, const std::string& word) {
  if (place.is_literal || word == "=") return;  // bash splits --by=hop into three words
  if (place.option != nullptr) {
    place.option = nullptr;
  } else if (word == "--") {
    place.is_literal = true;
  } else if (word.starts_with('-')) {
    const CLI::Option* const option = option_named(*place.app, word);
    const bool has_value = word.find('=') != std::string::npos;
    if (option != nullptr && takes_value(*option) && !has_value) place.option = option;
  } else {
    const auto subcommands = subcommands_of(*place.app);
    const auto named = std::ranges::find(subcommands, word, &CLI::App::get_name);
    if (named == subcommands.end()) {
      ++place.arguments;
    } else {
      place = {.app = *named};
    }
  }
}

/// The values of an option that begin with `begun`, or with its last part if values form a list.
std::vector<std::string> values_of(const CLI::Option& option, const std::string& begun) {
  std::string type = option.get_type_name();
  const bool is_kind = type.empty() || std::islower(static_cast<unsigned char>(type[0])) == 0;
  if (is_kind) return {};  // TEXT, INT, FILE
  std::string before;
  if (type.ends_with(list_mark)) {
    type.resize(type.size() - list_mark.size());
    before = begun.substr(0, begun.rfind(',') + 1);
  }
  const std::vector<std::string> given = split(before, ',');
  std::vector<std::string> values;
  for (const std::string& value : split(type, '|')) {
    const bool is_new = before.empty() || std::ranges::find(given, value) == given.end();
    if (is_new && (before + value).starts_with(begun)) values.push_back(before + value);
  }
  return values;
}

std::vector<std::string> names_of_options(const CLI::App& app, const std::string& begun) {
  const std::size_t equals = begun.find('=');
  if (equals != std::string::npos) {
    const CLI::Option* const option = option_named(app, begun);
    if (option == nullptr || !takes_value(*option)) return {};
    std::vector<std::string> words = values_of(*option, begun.substr(equals + 1));
    for (std::string& word : words) word.insert(0, begun, 0, equals + 1);
    return words;
  }
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      if (("--" + name).starts_with(begun)) names.push_back("--" + name);
    }
  }
  return names;
}

/// Subcommands, and values of the next argument, or of the last one if it is repeatable.
std::vector<std::string> arguments_at(const LinePlace& place, const std::string& begun) {
  std::vector<std::string> words;
  for (const CLI::App* sub : subcommands_of(*place.app)) {
    if (sub->get_name().starts_with(begun)) words.push_back(sub->get_name());
  }
  const auto positionals =
      place.app->get_options([](const CLI::Option* option) { return option->get_positional(); });
  if (positionals.empty()) return words;
  const CLI::Option& next = *positionals[std::min(place.arguments, positionals.size() - 1)];
  const bool is_free = place.arguments < positionals.size() || next.get_items_expected_max() > 1;
  if (is_free) std::ranges::copy(values_of(next, begun), std::back_inserter(words));
  return words;
}

/// Escapes text for roff: minus signs stay searchable, and no line starts a request.
std::string roff(const std::string& text) {
  std::string safe;
  for (const char letter : text) {
    const bool is_first = safe.empty() || safe.back() == '\n';
    if (is_first && (letter == '.' || letter == '\'')) safe += "\\&";
    if (letter == '\\') {
      safe += "\\e";
    } else if (letter == '-') {
      safe += "\\-";
    } else {
      safe += letter;
    }
  }
  return safe;
}

std::string bold(const std::string& text) { return fmt::format("\\fB{}\\fR", roff(text)); }
std::string italic(const std::string& text) { return fmt::format("\\fI{}\\fR", roff(text)); }

std::string in_capitals(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char letter) {
    return static_cast<char>(std::toupper(letter));
  });
  return text;
}

/// "-o, --output TEXT", or the name of an argument.
std::string title_of(const CLI::Option& option) {
  if (option.get_positional()) return italic(option.get_name());
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back(bold("-" + name));
  for (const std::string& name : option.get_lnames()) names.push_back(bold("--" + name));
  if (!takes_value(option)) return join(names);
  return fmt::format("{} {}", join(names), italic(shown_type(option)));
}

void write_option(std::ostream& out, const CLI::Option& option) {
  out << fmt::format(".TP\n{}\n{}.\n", title_of(option), roff(option.get_description()));
  if (takes_value(option) && !option.get_default_str().empty()) {
    out << "Default: " << roff(option.get_default_str()) << ".\n";
  }
  if (option.get_required()) out << "Required.\n";
}

/// Arguments, then options below their headings, which are requests of the kind `request`.
void write_options(std::ostream& out, const CLI::App& app, const char* request) {
  const auto write = [&](const std::string& heading, const auto& options) {
    if (options.empty()) return;
    const bool is_section = std::string_view(request) == ".SH";
    out << request << ' ' << roff(is_section ? in_capitals(heading) : heading) << '\n';
    for (const CLI::Option* option : options) write_option(out, *option);
  };
  write("Arguments",
        app.get_options([](const CLI::Option* option) { return option->get_positional(); }));
  for (const std::string& group : app.get_groups()) {
    write(group, app.get_options([&](const CLI::Option* option) {
      return option->nonpositional() && option->get_group() == group;
    }));
  }
}

std::string synopsis(const CLI::App& app, const std::string& name) {
  std::string line = fmt::format("{} [{}]", bold(name), italic("options"));
  for (const CLI::Option* option :
       app.get_options([](const CLI::Option* one) { return one->get_positional(); })) {
    const std::string argument =
        option->get_name() + (option->get_items_expected_max() > 1 ? " ..." : "");
    line +=
        option->get_required() ? " " + italic(argument) : fmt::format(" [{}]", italic(argument));
  }
  return line;
}

void write_examples(std::ostream& out, const CLI::App& app, const char* heading) {
  const std::vector<std::string> lines = split(app.get_footer(), '\n');
  if (lines.size() < 2) return;
  out << heading << "\n.nf\n";
  for (const std::string& line : std::vector<std::string>(lines.begin() + 1, lines.end())) {
    out << roff(line) << '\n';
  }
  out << ".fi\n";
}

void write_command(std::ostream& out, const CLI::App& app, const std::string& driver) {
  const std::string name = fmt::format("{} {}", driver, app.get_name());
  out << fmt::format(".SH \"{}\"\n{}.\n", roff(name), roff(app.get_description()));
  out << ".PP\n" << synopsis(app, name) << '\n';
  write_options(out, app, ".SS");
  write_examples(out, app, ".SS Examples");
  for (const CLI::App* below : subcommands_of(app)) write_command(out, *below, name);
}

/// A list of subcommands that have pages of their own.
void write_list(std::ostream& out, const CLI::App& driver) {
  out << ".SH COMMANDS\n";
  for (const CLI::App* command : subcommands_of(driver)) {
    out << fmt::format(".TP\n{}(1)\n{}.\n",
                       bold(fmt::format("{}-{}", driver.get_name(), command->get_name())),
                       roff(command->get_description()));
  }
}

constexpr const char* exit_status =
    ".SH EXIT STATUS\n"
    ".TP\n0\nGood.\n"
    ".TP\n1\nA verdict failed: something is slower, violated or regressed.\n"
    ".TP\n2\nBad usage or input.\n"
    ".TP\n3\nThe run itself failed, or not all of its output could be written.\n"
    ".TP\n4\nNothing can be judged yet (\\fBhockney health check \\-\\-strict\\fR).\n";

}  // namespace

std::vector<const CLI::App*> subcommands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* sub) { return !sub->get_name().empty(); });
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

std::string shown_type(const CLI::Option& option) {
  constexpr std::size_t longest = 50;
  std::string type = option.get_type_name();
  if (type.size() <= longest) return type;
  return type.ends_with(",...") ? "NAME,..." : "NAME";
}

void describe(CommandLine& line, const CommandHelp& help) {
  CLI::App& app = line.app();
  std::vector<const CLI::Option*> common;
  for (const std::string& name : help.common) {
    const CLI::Option* const option = app.get_option_no_throw(name);
    if (option == nullptr) {
      throw std::logic_error(fmt::format("{} has no option {}", app.get_name(), name));
    }
    common.push_back(option);
  }
  app.set_help_all_flag("--help-all", "Print this help message with all options and exit");
  app.formatter(std::make_shared<HelpFormatter>(std::move(common)));
  app.footer(example_lines(help.examples));
}

void print_first_steps(std::ostream& out, const CommandLine& driver, const CommandHelp& help) {
  const CLI::App& app = driver.app();
  out << app.get_description() << "\n\n";
  for (const Example& step : help.first)
    out << fmt::format("  {}\n      {}\n", runnable(step.command), step.purpose);
  out << "\nAll commands: " << called_name(command_line()) << " --help\n";
}

void add_under(CommandLine& line, const std::string& heading, const std::function<void()>& add) {
  CLI::OptionDefaults& defaults = *line.app().option_defaults();
  const std::string before = defaults.get_group();
  defaults.group(heading);
  add();
  defaults.group(before);
}

std::optional<std::vector<std::string>> completions(const CommandLine& line,
                                                    std::span<const std::string> words) {
  LinePlace place{.app = &line.app()};
  if (words.empty()) return std::vector<std::string>{};
  for (const std::string& word : words.first(words.size() - 1)) {
    step(place, word);
    if (place.app->get_prefix_command()) return std::nullopt;
  }
  const std::string begun = words.back() == "=" ? "" : words.back();
  if (place.is_literal) return std::vector<std::string>{};
  if (place.option != nullptr) return values_of(*place.option, begun);
  return begun.starts_with('-') ? names_of_options(*place.app, begun) : arguments_at(place, begun);
}

void write_man_page(std::ostream& out, const CommandLine& line, const std::string& command) {
  const CLI::App& program = line.app();
  const auto all = subcommands_of(program);
  const auto named = std::ranges::find(all, command, &CLI::App::get_name);
  const bool is_sole = all.size() == 1;
  const bool is_of_command = is_sole || named != all.end();
  const CLI::App& subject = named != all.end() ? **named : is_sole ? *all.front() : program;
  const std::string called = is_of_command
                                 ? fmt::format("{} {}", program.get_name(), subject.get_name())
                                 : program.get_name();
  std::string title = called;
  std::ranges::replace(title, ' ', '-');
  out << fmt::format(
      ".TH {} 1 \"\" \"hockney {}\"\n.nh\n.ad l\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n{}\n",
      roff(in_capitals(title)), program.version(), roff(title), roff(subject.get_description()),
      synopsis(subject, called));
  write_options(out, subject, ".SH");
  if (is_of_command) {
    for (const CLI::App* below : subcommands_of(subject)) write_command(out, *below, called);
  } else if (!all.empty()) {
    write_list(out, subject);
  }
  write_examples(out, subject, ".SH EXAMPLES");
  out << exit_status << ".SH SEE ALSO\n\\fBhockney\\fR(1), \\fBhockney\\-tune\\fR(1), "
      << "\\fBhockney\\-health\\fR(1), \\fBhockney\\-pingpong\\fR(1)\n";
}

}  // namespace hockney
