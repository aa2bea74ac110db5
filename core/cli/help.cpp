#include "core/cli/help.hpp"

#include <algorithm>
#include <memory>
#include <sstream>
#include <stdexcept>

#include "core/cli/cli11.hpp"
#include "core/text.hpp"

namespace hockney {
namespace {

constexpr std::size_t help_columns = 98;        // and two blanks before commands below a driver
constexpr std::size_t description_column = 30;  // where CLI11 begins them

std::string in_lines(const std::string& text, std::size_t width) {
  return join(wrapped(text, width), "\n");
}

/// "Examples:" and a line for each, whose purpose is a comment to a shell.
std::string example_lines(const std::vector<Example>& examples) {
  constexpr std::size_t purpose_column = 46;  // but for longer commands
  std::string lines = "Examples:";
  for (const Example& example : examples) {
    std::string command = example.command;
    command.resize(std::max(command.size(), purpose_column), ' ');
    lines += "\n  " + command + "  # " + example.purpose;
  }
  return lines;
}

/// CLI11's own, but for what describe() says.
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

void describe(CLI::App& app, const CommandHelp& help) {
  std::vector<const CLI::Option*> common;
  for (const std::string& name : help.common) {
    const CLI::Option* const option = app.get_option_no_throw(name);
    if (option == nullptr) throw std::logic_error(app.get_name() + " has no option " + name);
    common.push_back(option);
  }
  app.set_help_all_flag("--help-all", "Print this help message with all options and exit");
  app.formatter(std::make_shared<HelpFormatter>(std::move(common)));
  app.footer(example_lines(help.examples));
}

void print_first_steps(std::ostream& out, const CLI::App& driver, const CommandHelp& help) {
  out << driver.get_description() << "\n\n";
  for (const Example& step : help.first)
    out << "  " << step.command << "\n      " << step.purpose << '\n';
  out << "\nAll commands: " << driver.get_name() << " --help\n";
}

void add_under(CLI::App& app, const std::string& heading, const std::function<void()>& add) {
  const std::string before = app.option_defaults()->get_group();
  app.option_defaults()->group(heading);
  add();
  app.option_defaults()->group(before);
}

}  // namespace hockney
