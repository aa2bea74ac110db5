#include "core/cli/standard_output.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "core/cli/colors.hpp"
#include "core/text.hpp"

namespace hockney {
namespace {

void hold_places() {
  for (const int place : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    const bool is_closed = ::fcntl(place, F_GETFD) < 0 && errno == EBADF;
    // Open to read alone, so that writing to it fails as it does on a closed one.
    if (is_closed) ::open("/dev/null", place == STDERR_FILENO ? O_WRONLY : O_RDONLY);
  }
}

/// Lets the system call fail instead of ending the program; whether it would have ended it. Unlike
/// an ignored signal a handled one is as before in the programs that this one starts.
bool survive(int signal) {
  struct sigaction action {};
  if (::sigaction(signal, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) return false;
  action.sa_handler = [](int) {};
  action.sa_flags = SA_RESTART;
  return ::sigaction(signal, &action, nullptr) == 0;
}

}  // namespace

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
  std::string now = inert(pending, Breaks::kept);
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
