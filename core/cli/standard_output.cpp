#include "core/cli/standard_output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "core/text.hpp"

namespace hockney {
namespace {

constexpr std::string_view red = "\033[31m";
constexpr std::string_view green = "\033[32m";
constexpr std::string_view yellow = "\033[33m";
constexpr std::string_view no_color = "\033[39m";
constexpr std::string_view bold_begins = "\033[1m";
constexpr std::string_view bold_ends = "\033[22m";

struct ColoredWord {
  std::string_view word;
  std::string_view color;
};

constexpr std::array<ColoredWord, 14> colored_words{{{"slower", red},
                                                     {"violated", red},
                                                     {"regressed", red},
                                                     {"REGRESSED", red},
                                                     {"WRONG", red},
                                                     {"poor", red},
                                                     {"faster", green},
                                                     {"satisfied", green},
                                                     {"improved", green},
                                                     {"OK", green},
                                                     {"good", green},
                                                     {"undecided", yellow},
                                                     {"LEARNING", yellow},
                                                     {"fair", yellow}}};

bool is_letter(char letter) { return std::isalnum(static_cast<unsigned char>(letter)) != 0; }

std::string with_words(std::string_view line) {
  std::string text;
  for (const auto* at = line.begin(); at != line.end();) {
    const auto* const end = std::find_if_not(at, line.end(), is_letter);
    const std::string_view word(at, end);
    const auto* const found = std::ranges::find(colored_words, word, &ColoredWord::word);
    if (found == colored_words.end()) {
      text += word;
    } else {
      text.append(found->color).append(word).append(no_color);
    }
    const auto* const next = std::find_if(end, line.end(), is_letter);
    text.append(end, next);
    at = next;
  }
  return text;
}

void hold_places() {
  for (const int place : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    const bool is_closed = ::fcntl(place, F_GETFD) < 0 && errno == EBADF;
    // Opened for reading only: writing fails as on a closed descriptor.
    if (is_closed) ::open("/dev/null", place == STDERR_FILENO ? O_WRONLY : O_RDONLY);
  }
}

/// Installs an empty handler, so that the system call fails and the program continues. Returns
/// whether the signal would have ended it. Unlike an ignored signal, a handled one is reset in
/// child programs.
bool survive(int signal) {
  struct sigaction action {};
  if (::sigaction(signal, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) return false;
  action.sa_handler = [](int) {};
  action.sa_flags = SA_RESTART;
  return ::sigaction(signal, &action, nullptr) == 0;
}

}  // namespace

bool may_color(int descriptor) {
  const auto value_of = [](const char* name) {
    const char* const value = std::getenv(name);
    return std::string_view(value == nullptr ? "" : value);
  };
  const std::string_view terminal = value_of("TERM");
  return ::isatty(descriptor) != 0 && value_of("NO_COLOR").empty() && !terminal.empty() &&
         terminal != "dumb";
}

std::string colored(std::string_view text) {
  static const std::string below_label(13, ' ');  // as driver/screens/screen.cpp has commands
  std::vector<std::string> lines = split(text, '\n');
  for (std::string& line : lines) {
    const std::string label = line.substr(0, line.find(' '));
    const std::string rest = line.substr(label.size());
    if (label == "reliability") {
      line = fmt::format("{}{}{}{}", bold_begins, label, bold_ends, with_words(rest));
    } else if (label == "next") {
      line = fmt::format("{}{}{}{}", bold_begins, label, bold_ends, rest);
    } else if (!line.starts_with(below_label)) {
      line = with_words(line);
    }
  }
  return join(lines, "\n");
}

StandardOutput::StandardOutput(StdoutOwner owner, OutputColors colors)
    : DescriptorBuffer(STDOUT_FILENO),
      before_(owner == StdoutOwner::program ? std::cout.rdbuf() : nullptr),
      ends_by_pipe_(survive(SIGPIPE)),
      has_colors_(colors == OutputColors::terminal && may_color(STDOUT_FILENO)) {
  if (before_ == nullptr) return;
  hold_places();
  survive(SIGXFSZ);
  std::cout.rdbuf(this);
  if (::isatty(STDOUT_FILENO) != 0) std::cout << std::unitbuf;
}

StandardOutput::~StandardOutput() {
  if (before_ == nullptr) return;
  failure();
  std::cout << std::nounitbuf;
  std::cout.rdbuf(before_);
}

std::string StandardOutput::take(std::string& pending) {
  const std::size_t begun = has_colors_ ? pending.size() - (pending.rfind('\n') + 1) : 0;
  const std::size_t later = is_last_ ? 0 : has_colors_ ? begun : unfinished_bytes(pending);
  const std::string rest = pending.substr(pending.size() - later);
  pending.erase(pending.size() - later);
  std::string now = escaped(pending, Breaks::kept);
  pending = rest;
  return has_colors_ ? colored(now) : now;
}

std::optional<std::string> StandardOutput::failure() {
  if (before_ == nullptr && !std::cout.flush()) return "its stream failed";
  is_last_ = true;
  pubsync();
  if (error() == 0 || (error() == EPIPE && ends_by_pipe_)) return std::nullopt;
  return std::strerror(error());
}

int StandardOutput::finish(ExitCode code, const std::string& kept) {
  if (const auto why = failure()) {
    std::cerr << to_line({"cannot write to standard output", *why,
                          kept.empty() ? "what was printed is not whole: repeat with room for it"
                                       : kept})
              << '\n';
    const bool was_well = code == ExitCode::good || code == ExitCode::verdict_failed;
    return static_cast<int>(was_well ? ExitCode::run_failed : code);
  }
  if (code == ExitCode::good && error() == EPIPE) {
    std::signal(SIGPIPE, SIG_DFL);
    std::raise(SIGPIPE);
  }
  return static_cast<int>(code);
}

std::optional<std::size_t> output_columns(int descriptor) {
  const char* const variable = std::getenv("COLUMNS");
  const auto named = as_number<std::size_t>(variable == nullptr ? "" : variable);
  if (named && *named > 0) return named;
  winsize size{};
  const bool is_terminal = ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return is_terminal ? std::optional<std::size_t>(size.ws_col) : std::nullopt;
}

}  // namespace hockney
