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

/// An option or argument of a command line, which lives as long as that. Each of the functions that
/// return one adds to what is known of it. CLI11 does the work: a compiler takes four seconds to
/// read its headers (g++ 12, -O0), so that only the sources of core/cli do.
class CommandOption {
 public:
  explicit CommandOption(CLI::Option& option) : option_(&option) {}

  /// What --help says holds where the option is not given; or the value of its place, as text.
  CommandOption default_str(const std::string& text) const;
  CommandOption capture_default_str() const;
  /// The word for a value: "one|other" and "one|other,..." are completed.
  CommandOption type_name(const std::string& type) const;
  CommandOption required() const;
  /// An older name of another option: neither help nor completion show it.
  CommandOption hidden() const;
  CommandOption needs(CommandOption other) const;
  CommandOption excludes(CommandOption other) const;
  /// Given once, a list takes one value, not all words that follow.
  CommandOption one_at_a_time() const;
  CommandOption delimiter(char separator) const;
  CommandOption expected(int least, int most) const;
  /// Its function runs when it is read, not after the whole line: options before it are known.
  CommandOption trigger_on_parse() const;
  /// Of several values the last one counts.
  CommandOption take_last() const;
  /// Other values are refused: for int, double and std::size_t.
  template <class Number>
  CommandOption in_range(Number least, Number most) const;
  CommandOption positive() const;
  /// `check` sees each value when the line is read, and may throw an Error.
  CommandOption each(const std::function<void(const std::string&)>& check) const;

  [[nodiscard]] bool is_given() const;
  [[nodiscard]] std::string name() const;  ///< "--out"

 private:
  CLI::Option* option_;
};

/// A command line, or that of a subcommand, which lives as long as its driver.
class CommandLine {
 public:
  explicit CommandLine(const std::string& description = "", const std::string& name = "");

  /// `names` are "-o,--output", or a word for an argument. The places are texts, numbers (int,
  /// double, std::size_t, std::int64_t), optional ones of them, and lists of texts and int.
  template <class Place>
  CommandOption add_option(const std::string& names, Place& place, const std::string& help);
  CommandOption add_flag(const std::string& names, bool& place, const std::string& help);
  /// The values go to `take`, which may throw an Error.
  CommandOption add_text(const std::string& names,
                         const std::function<void(const std::string&)>& take,
                         const std::string& help);
  CommandOption add_texts(const std::string& names,
                          const std::function<void(const std::vector<std::string>&)>& take,
                          const std::string& help);

  /// The option of that name, which there is: a std::exception of CLI11 otherwise.
  [[nodiscard]] CommandOption option(const std::string& name) const;
  [[nodiscard]] bool has_option(const std::string& name) const;

  /// `heading` is that of the help.
  CommandLine add_subcommand(const std::string& name, const std::string& summary,
                             const std::string& heading = "Subcommands");
  void require_subcommands(int least, int most);
  [[nodiscard]] bool has_chosen_subcommand() const;
  /// Leaves all words behind the name of this command alone, --help too: they are remaining().
  void leave_words();
  [[nodiscard]] std::vector<std::string> remaining() const;
  /// Runs when the line is read and names this command.
  void callback(std::function<void()> run);

  void set_name(const std::string& name);
  void set_description(const std::string& description);
  void set_version(const std::string& version);  ///< which --version prints
  /// Of any option but arguments that is given twice the last value holds.
  void let_last_value_win();

  [[nodiscard]] CLI::App& app() const { return *app_; }

 private:
  explicit CommandLine(CLI::App& subcommand);

  std::shared_ptr<CLI::App> app_;  ///< a subcommand's belongs to its driver
};

}  // namespace hockney
