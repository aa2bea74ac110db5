#include "core/cli/options.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>

#include "core/cli/cli11.hpp"
#include "core/cli/command_line.hpp"
#include "core/text.hpp"

namespace hockney {

CommandOption CommandOption::default_str(const std::string& text) const {
  return CommandOption(*option_->default_str(text));
}

CommandOption CommandOption::capture_default_str() const {
  return CommandOption(*option_->capture_default_str());
}

CommandOption CommandOption::type_name(const std::string& type) const {
  return CommandOption(*option_->type_name(type));
}

CommandOption CommandOption::required() const { return CommandOption(*option_->required()); }

CommandOption CommandOption::needs(CommandOption other) const {
  return CommandOption(*option_->needs(other.option_));
}

CommandOption CommandOption::excludes(CommandOption other) const {
  return CommandOption(*option_->excludes(other.option_));
}

CommandOption CommandOption::one_at_a_time() const {
  return CommandOption(*option_->allow_extra_args(false));
}

CommandOption CommandOption::delimiter(char separator) const {
  return CommandOption(*option_->delimiter(separator));
}

CommandOption CommandOption::expected(int least, int most) const {
  return CommandOption(*option_->expected(least, most));
}

CommandOption CommandOption::trigger_on_parse() const {
  return CommandOption(*option_->trigger_on_parse());
}

CommandOption CommandOption::hidden() const { return CommandOption(*option_->group("")); }

CommandOption CommandOption::take_last() const { return CommandOption(*option_->take_last()); }

template <class Number>
CommandOption CommandOption::in_range(Number least, Number most) const {
  return CommandOption(*option_->check(CLI::Range(least, most)));
}
template CommandOption CommandOption::in_range(int, int) const;
template CommandOption CommandOption::in_range(double, double) const;
template CommandOption CommandOption::in_range(std::size_t, std::size_t) const;

CommandOption CommandOption::positive() const {
  return CommandOption(*option_->check(CLI::PositiveNumber));
}

CommandOption CommandOption::each(const std::function<void(const std::string&)>& check) const {
  return CommandOption(*option_->each(check));
}

bool CommandOption::is_given() const { return option_->count() > 0; }

std::string CommandOption::name() const { return option_->get_name(); }

CommandLine::CommandLine(const std::string& description, const std::string& name)
    : app_(std::make_shared<CLI::App>(description, name)) {}

CommandLine::CommandLine(CLI::App& subcommand)
    : app_(std::shared_ptr<CLI::App>(nullptr), &subcommand) {}

template <class Place>
CommandOption CommandLine::add_option(const std::string& names, Place& place,
                                      const std::string& help) {
  return CommandOption(*app_->add_option(names, place, help));
}

template CommandOption CommandLine::add_option(const std::string&, std::string&,
                                               const std::string&);
template CommandOption CommandLine::add_option(const std::string&, int&, const std::string&);
template CommandOption CommandLine::add_option(const std::string&, double&, const std::string&);
template CommandOption CommandLine::add_option(const std::string&, std::size_t&,
                                               const std::string&);
template CommandOption CommandLine::add_option(const std::string&, std::int64_t&,
                                               const std::string&);
template CommandOption CommandLine::add_option(const std::string&, std::optional<std::string>&,
                                               const std::string&);
template CommandOption CommandLine::add_option(const std::string&, std::optional<int>&,
                                               const std::string&);
template CommandOption CommandLine::add_option(const std::string&, std::optional<double>&,
                                               const std::string&);
template CommandOption CommandLine::add_option(const std::string&, std::vector<std::string>&,
                                               const std::string&);
template CommandOption CommandLine::add_option(const std::string&, std::vector<int>&,
                                               const std::string&);

CommandOption CommandLine::add_flag(const std::string& names, bool& place,
                                    const std::string& help) {
  return CommandOption(*app_->add_flag(names, place, help));
}

CommandOption CommandLine::add_text(const std::string& names,
                                    const std::function<void(const std::string&)>& take,
                                    const std::string& help) {
  return CommandOption(*app_->add_option_function<std::string>(names, take, help));
}

CommandOption CommandLine::add_texts(
    const std::string& names, const std::function<void(const std::vector<std::string>&)>& take,
    const std::string& help) {
  return CommandOption(*app_->add_option_function<std::vector<std::string>>(names, take, help));
}

CommandOption CommandLine::option(const std::string& name) const {
  return CommandOption(*app_->get_option(name));
}

bool CommandLine::has_option(const std::string& name) const {
  return app_->get_option_no_throw(name) != nullptr;
}

CommandLine CommandLine::add_subcommand(const std::string& name, const std::string& summary,
                                        const std::string& heading) {
  return CommandLine(*app_->add_subcommand(name, summary)->group(heading));
}

void CommandLine::require_subcommands(int least, int most) {
  app_->require_subcommand(static_cast<std::size_t>(least), static_cast<std::size_t>(most));
}

bool CommandLine::has_chosen_subcommand() const { return !app_->get_subcommands().empty(); }

void CommandLine::leave_words() {
  app_->set_help_flag();
  app_->prefix_command();
}

std::vector<std::string> CommandLine::remaining() const { return app_->remaining(); }

namespace {

/// An option with its values, as a command line has them.
std::vector<std::string> words_of(const CLI::Option& option) {
  const std::string name = option.get_name();
  const std::vector<std::string>& values = option.results();
  if (option.get_positional()) return values;
  if (option.get_items_expected_max() == 0 || values.empty()) return {name};
  if (option.get_delimiter() != '\0') {
    return {name, join(values, std::string(1, option.get_delimiter()))};
  }
  std::vector<std::string> words;
  for (const std::string& value : values) words.insert(words.end(), {name, value});
  return words;
}

}  // namespace

std::vector<std::string> CommandLine::given(const std::vector<std::string>& without) const {
  std::vector<std::string> words;
  for (const CLI::App* app = app_.get(); app != nullptr; app = app->get_parent()) {
    words.insert(words.begin(), app->get_name());
  }
  std::vector<std::string> options;
  std::vector<std::string> command;
  for (const CLI::Option* option : app_->get_options()) {
    const std::string name = option->get_name();
    if (option->count() == 0 || std::ranges::count(without, name) > 0) continue;
    const bool is_argument = option->get_positional();
    auto& place = name == command_words ? command : is_argument ? words : options;
    std::ranges::copy(words_of(*option), std::back_inserter(place));
  }
  words.insert(words.end(), options.begin(), options.end());
  if (!command.empty()) words.emplace_back("--");
  words.insert(words.end(), command.begin(), command.end());
  return words;
}

void CommandLine::callback(std::function<void()> run) { app_->callback(std::move(run)); }

void CommandLine::set_name(const std::string& name) { app_->name(name); }

void CommandLine::set_description(const std::string& description) {
  app_->description(description);
}

void CommandLine::set_version(const std::string& version) {
  app_->set_version_flag("--version", version);
}

void CommandLine::let_last_value_win() {
  for (CLI::Option* option : app_->get_options()) {
    if (!option->get_positional()) option->take_last();
  }
}

}  // namespace hockney
