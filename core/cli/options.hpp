#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace hockney {

/// An option or argument of a command line; lives as long as that. Functions that return a
/// CommandOption change this one and return it. Only the sources of core/cli include CLI11: a
/// compiler takes four seconds to read its headers (g++ 12, -O0).
class CommandOption {
 public:
  explicit CommandOption(CLI::Option& option) : option_(&option) {}

  /// The default that --help shows; without a text, the value of the option's place.
  CommandOption default_str(const std::string& text) const;
  CommandOption capture_default_str() const;
  /// The word for a value in the help. "one|other" and "one|other,..." are also completed.
  CommandOption type_name(const std::string& type) const;
  CommandOption required() const;
  /// An older name of another option: neither help nor completion show it.
  CommandOption hidden() const;
  CommandOption needs(CommandOption other) const;
  CommandOption excludes(CommandOption other) const;
  /// A list takes one value each time the option is given, not all words that follow.
  CommandOption one_at_a_time() const;
  CommandOption delimiter(char separator) const;
  CommandOption expected(int least, int most) const;
  /// Runs the option's function as soon as it is parsed, after the options before it.
  CommandOption trigger_on_parse() const;
  /// If the option is repeated, the last value counts.
  CommandOption take_last() const;
  /// Refuses values outside of the range; for int, double and std::size_t.
  template <class Number>
  CommandOption in_range(Number least, Number most) const;
  CommandOption positive() const;
  /// Calls `check`, which may throw an Error, with each value during parsing.
  CommandOption each(const std::function<void(const std::string&)>& check) const;

  [[nodiscard]] bool is_given() const;
  [[nodiscard]] std::string name() const;  ///< "--out"

 private:
  CLI::Option* option_;
};

/// A command line or that of a subcommand. A subcommand lives as long as its driver.
class CommandLine {
 public:
  explicit CommandLine(const std::string& description = "", const std::string& name = "");

  /// `names` are "-o,--output", or one word for an argument. Types of `place`: text, numbers (int,
  /// double, std::size_t, std::int64_t), std::optional of these, and lists of texts or int.
  template <class Place>
  CommandOption add_option(const std::string& names, Place& place, const std::string& help);
  CommandOption add_flag(const std::string& names, bool& place, const std::string& help);
  /// Passes the values to `take`, which may throw an Error.
  CommandOption add_text(const std::string& names,
                         const std::function<void(const std::string&)>& take,
                         const std::string& help);
  CommandOption add_texts(const std::string& names,
                          const std::function<void(const std::vector<std::string>&)>& take,
                          const std::string& help);

  /// The option of that name; a std::exception of CLI11 if it does not exist.
  [[nodiscard]] CommandOption option(const std::string& name) const;
  [[nodiscard]] bool has_option(const std::string& name) const;

  /// `heading` is the heading in the help.
  CommandLine add_subcommand(const std::string& name, const std::string& summary,
                             const std::string& heading = "Subcommands");
  void require_subcommands(int least, int most);
  [[nodiscard]] bool has_chosen_subcommand() const;
  /// Does not parse the words after this command's name, not even --help; remaining() returns them.
  void leave_words();
  [[nodiscard]] std::vector<std::string> remaining() const;
  /// The words given for this command: its name, arguments, options with their values, a command
  /// after --. Leaves out the options in `without`, by their long names.
  [[nodiscard]] std::vector<std::string> given(const std::vector<std::string>& without) const;
  /// Runs after a command line that names this command is parsed.
  void callback(std::function<void()> run);

  void set_name(const std::string& name);
  void set_description(const std::string& description);
  void set_version(const std::string& version);  ///< printed by --version
  /// If an option (not an argument) is given twice, the last value counts.
  void let_last_value_win();

  [[nodiscard]] CLI::App& app() const { return *app_; }

 private:
  explicit CommandLine(CLI::App& subcommand);

  std::shared_ptr<CLI::App> app_;  ///< the driver owns that of a subcommand
};

}  // namespace hockney
