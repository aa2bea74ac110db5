#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "core/cli/cli11.hpp"
#include "core/cli/help.hpp"
#include "core/text.hpp"

namespace hockney {
namespace {

/// Text that is no request: minus signs can be searched for, and no line begins one.
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

std::string bold(const std::string& text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + roff(text) + "\\fR"; }

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
  return join(names) + (takes_value(option) ? " " + italic(shown_type(option)) : "");
}

void write_option(std::ostream& out, const CLI::Option& option) {
  out << ".TP\n" << title_of(option) << '\n' << roff(option.get_description()) << ".\n";
  if (takes_value(option) && !option.get_default_str().empty()) {
    out << "Default: " << roff(option.get_default_str()) << ".\n";
  }
  if (option.get_required()) out << "Required.\n";
}

/// Arguments, then options below their headings, which are of the kind `request`.
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
  std::string line = bold(name) + " [" + italic("options") + "]";
  for (const CLI::Option* option :
       app.get_options([](const CLI::Option* one) { return one->get_positional(); })) {
    const std::string argument =
        option->get_name() + (option->get_items_expected_max() > 1 ? " ..." : "");
    line += " " + (option->get_required() ? italic(argument) : "[" + italic(argument) + "]");
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
  const std::string name = driver + " " + app.get_name();
  out << ".SH \"" << roff(name) << "\"\n" << roff(app.get_description()) << ".\n";
  if (app.get_prefix_command()) {
    out << "See " << bold(driver + "-" + app.get_name()) << "(1).\n";
    return;
  }
  out << ".PP\n" << synopsis(app, name) << '\n';
  write_options(out, app, ".SS");
  write_examples(out, app, ".SS Examples");
  for (const CLI::App* below : subcommands_of(app)) write_command(out, *below, name);
}

constexpr const char* exit_status =
    ".SH EXIT STATUS\n"
    ".TP\n0\nGood.\n"
    ".TP\n1\nA verdict failed: something is slower, violated or regressed.\n"
    ".TP\n2\nBad usage or input.\n"
    ".TP\n3\nThe run itself failed, or not all of its output could be written.\n"
    ".TP\n4\nNothing can be judged yet (\\fBhockney health check \\-\\-strict\\fR).\n";

}  // namespace

void write_man_page(std::ostream& out, const CLI::App& program) {
  const auto all = subcommands_of(program);
  const bool is_sole = all.size() == 1;
  const CLI::App& subject = is_sole ? *all.front() : program;
  const std::string called =
      is_sole ? program.get_name() + " " + subject.get_name() : program.get_name();
  std::string title = called;
  std::ranges::replace(title, ' ', '-');
  out << ".TH " << roff(in_capitals(title)) << R"( 1 "" "hockney )" << program.version() << "\"\n"
      << ".nh\n.ad l\n.SH NAME\n"
      << roff(title) << " \\- " << roff(subject.get_description()) << '\n'
      << ".SH SYNOPSIS\n"
      << synopsis(subject, called) << '\n';
  write_options(out, subject, ".SH");
  for (const CLI::App* command : subcommands_of(subject)) write_command(out, *command, called);
  write_examples(out, subject, ".SH EXAMPLES");
  out << exit_status << ".SH SEE ALSO\n\\fBhockney\\fR(1), \\fBhockney\\-tune\\fR(1), "
      << "\\fBhockney\\-health\\fR(1), \\fBhockney\\-pingpong\\fR(1)\n";
}

}  // namespace hockney
