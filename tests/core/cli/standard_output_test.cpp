#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <sstream>

#include "core/cli/standard_output.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney {

TEST_CASE("words of verdicts have colours, and no part of another word") {
  CHECK(colored("tcp is slower at 2 of 3 sizes, faster at 1\n") ==
        "tcp is \033[31mslower\033[39m at 2 of 3 sizes, \033[32mfaster\033[39m at 1\n");
  CHECK(colored("goodness, unfair and OK2") == "goodness, unfair and OK2");
  CHECK(colored("OK: undecided") == "\033[32mOK\033[39m: \033[33mundecided\033[39m");
}

TEST_CASE("labels are bold, and commands below next stay as they are") {
  CHECK(colored(
            "reliability  good: 1\nnext         hockney report slower\n             x faster\n") ==
        "\033[1mreliability\033[22m  \033[32mgood\033[39m: 1\n"
        "\033[1mnext\033[22m         hockney report slower\n             x faster\n");
  CHECK(colored("").empty());
}

namespace {

/// Gives stdout to a file, and std::cerr to a text, for as long as it lives.
class Redirected {
 public:
  explicit Redirected(const std::string& file) : before_(::dup(STDOUT_FILENO)) {
    std::cout.flush();
    const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    ::dup2(descriptor, STDOUT_FILENO);
    ::close(descriptor);
  }
  Redirected(const Redirected&) = delete;
  Redirected& operator=(const Redirected&) = delete;
  Redirected(Redirected&&) = delete;
  Redirected& operator=(Redirected&&) = delete;
  ~Redirected() {
    std::cerr.rdbuf(errors_before_);
    std::cout.clear();
    ::dup2(before_, STDOUT_FILENO);
    ::close(before_);
  }
  [[nodiscard]] std::string said() const { return said_.str(); }

 private:
  int before_;
  std::ostringstream said_;
  std::streambuf* errors_before_ = std::cerr.rdbuf(said_.rdbuf());
};

constexpr const char* lost =
    "cannot write to standard output (No space left on device) what was printed is not whole: "
    "repeat with room for it\n";

/// What a program says and returns that prints to a full device and would end with `code`.
std::pair<int, std::string> end_on_full_device(ExitCode code, const std::string& kept = "") {
  const Redirected full("/dev/full");
  StandardOutput output;
  std::cout << "a table\n";
  const int end = output.finish(code, kept);
  return {end, full.said()};
}

}  // namespace

TEST_CASE("what is printed is inert, wherever it is flushed") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/out";
  {
    const Redirected redirected(file);
    StandardOutput output;
    std::cout << "\x1b[31m \xC3" << std::flush << "\xBC \xE2\x80" << std::flush
              << "\xAE\n\tcut \xE2";
    CHECK(output.finish(ExitCode::verdict_failed) == 1);
    CHECK(redirected.said().empty());
  }
  CHECK(read_file(file) == "\\u001b[31m \xC3\xBC \\u202e\n\tcut \\xe2");
}

TEST_CASE("what is not written makes a success or a verdict a failed run") {
  using End = std::pair<int, std::string>;
  CHECK(end_on_full_device(ExitCode::good) == End{3, lost});
  CHECK(end_on_full_device(ExitCode::verdict_failed) == End{3, lost});
  CHECK(end_on_full_device(ExitCode::bad_input) == End{2, lost});
  CHECK(end_on_full_device(ExitCode::good, "the record is in 'a'") ==
        End{3, "cannot write to standard output (No space left on device) the record is in 'a'\n"});
}

TEST_CASE("a full device is noticed early, and what follows costs nothing") {
  const Redirected full("/dev/full");
  StandardOutput output;
  const std::string block(1 << 16, 'x');
  std::cout << block << block;
  CHECK_FALSE(std::cout);
  CHECK(output.failure() == "No space left on device");
}

TEST_CASE("nothing printed is nothing lost") {
  const Redirected full("/dev/full");
  StandardOutput output;
  CHECK_FALSE(output.failure());
  CHECK(output.finish(ExitCode::good) == 0);
}

TEST_CASE("programs that are started have the signals of before") {
  const StandardOutput output;
  struct sigaction action {};
  REQUIRE(::sigaction(SIGPIPE, nullptr, &action) == 0);
  CHECK(action.sa_handler != SIG_IGN);  // which exec would hand on; handlers it does not
}

}  // namespace hockney
