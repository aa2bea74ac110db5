#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <iostream>
#include <new>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "core/cli/command_line.hpp"
#include "core/text.hpp"

namespace hockney {
namespace {

/// Sends a stream to a string for as long as it lives.
class Capture {
 public:
  explicit Capture(std::ostream& stream) : stream_(stream), before_(stream.rdbuf(text_.rdbuf())) {}
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;
  Capture(Capture&&) = delete;
  Capture& operator=(Capture&&) = delete;
  ~Capture() { stream_.rdbuf(before_); }
  [[nodiscard]] std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_;
  std::ostream& stream_;
  std::streambuf* before_;
};

struct Outcome {
  std::optional<ExitCode> code;
  std::string out;
  std::string err;
};

/// A driver like ours: subcommands, options, a required positional.
Outcome parse(std::vector<const char*> arguments) {
  CommandLine driver("Measures", "hockney");
  driver.set_version("1.2.3");
  driver.require_subcommands(1, 1);
  CommandLine fit = driver.add_subcommand("fit", "Fits models");
  std::vector<std::string> paths;
  int segments = 10;
  bool json = false;
  fit.add_option("paths", paths, "Records").required();
  fit.add_option("--max-segments", segments, "Most segments").capture_default_str();
  fit.add_flag("--json", json, "Machine output");
  driver.add_subcommand("topo", "Shows hop classes");
  arguments.insert(arguments.begin(), "hockney");
  const Capture out(std::cout);
  const Capture err(std::cerr);
  const auto code =
      parse_command_line(driver, static_cast<int>(arguments.size()), arguments.data());
  return {code, out.text(), err.text()};
}

/// The one line of a refused command line.
std::string refusal(const std::vector<const char*>& arguments) {
  const Outcome outcome = parse(arguments);
  CHECK(outcome.code == ExitCode::bad_input);
  CHECK(outcome.out.empty());
  CHECK(std::ranges::count(outcome.err, '\n') == 1);
  CHECK(outcome.err.ends_with('\n'));
  return outcome.err;
}

}  // namespace

TEST_CASE("a good command line goes on in silence") {
  for (const std::vector<const char*>& arguments : {std::vector<const char*>{"topo"},
                                                    {"fit", "a.json"},
                                                    {"fit", "--json", "a", "b"},
                                                    {"fit", "a", "--max-segments", "3"},
                                                    {"fit", "a", "--max-segments=3"}}) {
    const Outcome outcome = parse(arguments);
    CHECK_FALSE(outcome.code);
    CHECK(outcome.out.empty());
    CHECK(outcome.err.empty());
  }
}

TEST_CASE("an unknown option names the nearest valid one of its subcommand") {
  CHECK(refusal({"fit", "a", "--jsn"}) ==
        "unknown option '--jsn' (it is none of fit) did you mean '--json'? Valid: --help, "
        "--max-segments, --json\n");
  CHECK(
      refusal({"fit", "a", "--max-segment=3"}) ==
      "unknown option '--max-segment=3' (it is none of fit) did you mean '--max-segments'? Valid: "
      "--help, --max-segments, --json\n");
  CHECK(refusal({"--versoin"})
            .starts_with(
                "unknown option '--versoin' (it is none of hockney) did you mean '--version'?"));
}

TEST_CASE("an unknown option is named although something required is missing too") {
  CHECK(refusal({"fit", "--jsn"}).starts_with("unknown option '--jsn'"));
}

TEST_CASE("an unknown subcommand names the nearest valid one") {
  CHECK(refusal({"fitt"}) ==
        "unknown command 'fitt' (it is none of hockney) did you mean 'fit'? Valid: fit, topo\n");
  CHECK(refusal({"tpoo", "a"}).starts_with("unknown command 'tpoo'"));
  CHECK(refusal({"fitt", "--", "mpirun"}).starts_with("unknown command 'fitt'"));
  CHECK(refusal({"fitt", "--json"}).starts_with("unknown command 'fitt'"));
}

TEST_CASE("missing and malformed values are refused") {
  CHECK(refusal({"fit", "a", "--max-segments"}).find("--max-segments") != std::string::npos);
  CHECK(refusal({"fit", "a", "--max-segments", "many"}).find("many") != std::string::npos);
  CHECK(refusal({"fit"}).find("paths") != std::string::npos);
  CHECK(refusal({}) == "no command (hockney needs one) name one of fit, topo\n");
}

TEST_CASE("an extra positional argument is refused") {
  CHECK(refusal({"topo", "extra"}) ==
        "unexpected argument 'extra' (topo takes no more of them) see --help\n");
}

TEST_CASE("a word with a line break does not break the line") {
  CHECK(refusal({"fit", "a", "--max-segments", "1\n2"}).find("1") != std::string::npos);
  CHECK(refusal({"fi\nt"}).starts_with("unknown command 'fi t'"));
}

TEST_CASE("help and version are good, on stdout") {
  const Outcome help = parse({"--help"});
  CHECK(help.code == ExitCode::good);
  CHECK(help.out.find("fit") != std::string::npos);
  CHECK(help.err.empty());
  const Outcome fit = parse({"fit", "--help"});
  CHECK(fit.code == ExitCode::good);
  CHECK(fit.out.find("INT=10") != std::string::npos);  // the real default
  const Outcome version = parse({"--version"});
  CHECK(version.code == ExitCode::good);
  CHECK(version.out == "1.2.3\n");
}

TEST_CASE("help wins over whatever is wrong with the line") {
  const std::vector<std::vector<const char*>> wrong{{"fit", "--max-segments", "many", "--help"},
                                                    {"fit", "--help", "--max-segments", "many"},
                                                    {"fit", "-h", "--jsn"},
                                                    {"fit", "--max-segments", "--help"},
                                                    {"fit", "a", "--max-segments", "x", "-h"}};
  for (const auto& arguments : wrong) {
    const Outcome outcome = parse(arguments);
    CHECK(outcome.code == ExitCode::good);
    CHECK(outcome.out.find("Usage: hockney fit") != std::string::npos);
    CHECK(outcome.err.empty());
  }
  CHECK(refusal({"fit", "a", "--max-segments", "many", "--", "--help"}).find("many") !=
        std::string::npos);
}

TEST_CASE("a value that is missing is said without all there might be") {
  CHECK(refusal({"fit", "a", "--max-segments"}) ==
        "bad command line (--max-segments needs a value) see --help\n");
}

namespace {

Outcome run(const Action& action) {
  const Capture err(std::cerr);
  const ExitCode code = guarded(action);
  return {code, "", err.text()};
}

}  // namespace

TEST_CASE("an action's errors become a line and an exit code") {
  const Outcome good = run([] { return ExitCode::verdict_failed; });
  CHECK(good.code == ExitCode::verdict_failed);
  CHECK(good.err.empty());
  const Outcome input = run([]() -> ExitCode { throw InputError({"a", "b", "c"}); });
  CHECK(input.code == ExitCode::bad_input);
  CHECK(input.err == "a (b) c\n");
  const Outcome failed = run([]() -> ExitCode { throw RunError({"a", "b", ""}); });
  CHECK(failed.code == ExitCode::run_failed);
  CHECK(failed.err == "a (b)\n");
  const Outcome bug = run([]() -> ExitCode { throw std::logic_error("two\nlines"); });
  CHECK(bug.code == ExitCode::run_failed);
  CHECK(bug.err == "unexpected failure (two lines) please report it\n");
}

TEST_CASE("the troubles of the system are told in words of their own") {
  const Outcome memory = run([]() -> ExitCode { throw std::bad_alloc(); });
  CHECK(memory.code == ExitCode::run_failed);
  CHECK(memory.err ==
        "out of memory (more is needed than this process may have) give it more, or name fewer "
        "records\n");
  const Outcome folder = run([]() -> ExitCode {
    throw std::filesystem::filesystem_error("what", "a/b",
                                            std::make_error_code(std::errc::permission_denied));
  });
  CHECK(folder.code == ExitCode::run_failed);
  CHECK(folder.err == "cannot use 'a/b' (Permission denied) check the name and the permissions\n");
  const Outcome threads = run([]() -> ExitCode {
    throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
  });
  CHECK(threads.err ==
        "the system refused (Resource temporarily unavailable) check the limits of the shell "
        "(ulimit -a)\n");
}

TEST_CASE("an empty value is not taken for an option that was not given") {
  CHECK(refusal({"fit", "a", "--max-segments", ""}).starts_with("empty value for --max-segments"));
  CHECK_FALSE(parse({"fit", "a", "--max-segments", "3"}).code);
}

TEST_CASE("a value that may be left out takes neither options nor the command") {
  using Words = std::vector<std::string>;
  struct Tried {
    Words words;
    Words rates;  ///< values of the option
  };
  const std::vector<Tried> all{{{"--rate", "--", "run", "-n", "2"}, {"100"}},
                               {{"--rate", "-o", "f", "--", "run", "-n", "2"}, {"100"}},
                               {{"--rate", "-o", "f", "run", "-n", "2"}, {"100"}},
                               {{"--rate", "5", "--", "run", "-n", "2"}, {"5"}},
                               {{"--rate=5", "--", "run", "-n", "2"}, {"5"}},
                               {{"--rate", "5", "-o", "f", "run", "-n", "2"}, {"5"}}};
  for (const Tried& tried : all) {
    CommandLine app("", "profile");
    Words command;
    std::string file;
    std::optional<Words> rates;
    app.add_option(command_words, command, "The command");
    app.add_option("-o", file, "A file");
    app.add_texts(
           "--rate", [&](const Words& words) { rates = words; }, "A rate")
        .expected(0, 1)
        .default_str("100");
    std::vector<const char*> words{"profile"};
    for (const std::string& word : tried.words) words.push_back(word.c_str());
    CAPTURE(tried.words);
    CHECK_FALSE(parse_command_line(app, static_cast<int>(words.size()), words.data()));
    CHECK(command == Words{"run", "-n", "2"});
    CHECK(rates.value_or(Words()) == tried.rates);
  }
}

TEST_CASE("the words that were given are told without those of output") {
  CommandLine driver("", "hockney");
  CommandLine app = driver.add_subcommand("scale", "");
  std::string file;
  std::string output;
  std::vector<int> ranks;
  std::vector<std::string> others;
  std::vector<std::string> command;
  bool weak = false;
  bool json = false;
  CommandLine map = driver.add_subcommand("map", "");
  map.add_option("FILE", file, "A file");
  map.add_option("--other", others, "Others");
  app.add_option(command_words, command, "The command");
  app.add_option("--ranks", ranks, "Numbers").delimiter(',').one_at_a_time();
  app.add_option("--other", others, "Others").one_at_a_time();
  app.add_option("-o,--out", output, "A file");
  app.add_flag("--weak", weak, "");
  app.add_flag("--json", json, "");
  const auto read = [&](const std::vector<const char*>& words) {
    CHECK_FALSE(parse_command_line(driver, static_cast<int>(words.size()), words.data()));
  };
  read({"hockney", "scale", "-o", "x", "--other", "a", "--json", "--other", "b", "--ranks", "2,4",
        "--weak", "--", "mpirun", "-n", "{}", "./app"});
  CHECK(join(app.given({"--json", "--out"}), " ") ==
        "hockney scale --ranks 2,4 --other a --other b --weak -- mpirun -n {} ./app");
  read({"hockney", "map", "--other", "a", "--", "f.json"});
  CHECK(join(map.given({}), " ") == "hockney map f.json --other a");
}

}  // namespace hockney
