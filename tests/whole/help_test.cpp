#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "core/called_name.hpp"
#include "tests/driver/bad_input.hpp"
#include "tests/support/temporary_folder.hpp"

// --help of every program exits 0, shows the default of every option and ends with examples; its
// manual page has every option. That the examples are true is a test of tests/docs.
namespace hockney::driver {
namespace {

/// The left columns of the entries of a help text: "-b,--sizes TEXT=0:4M".
std::vector<std::string> entries(const std::string& help) {
  std::vector<std::string> found;
  std::istringstream in(help);
  bool positionals = false;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line.front() != ' ') positionals = line == "Positionals:";
    const bool entry = line.starts_with("  -") ||
                       (positionals && line.starts_with("  ") && !line.starts_with("   "));
    if (!entry) continue;
    const std::string text = line.substr(2);
    // An entry and its description are at least two spaces apart, or the latter is below.
    found.push_back(text.substr(0, text.find("  ")));
  }
  return found;
}

/// Flags are off; whatever takes a value must say what it is without one.
bool says_its_default(const std::string& text) {
  const std::string entry = text.substr(0, std::min(text.find(" Excludes:"), text.find(" Needs:")));
  const bool takes_value = entry.find(' ') != std::string::npos;
  return !takes_value || entry.find('=') != std::string::npos || entry.ends_with("REQUIRED");
}

/// What a program prints with one more word; it must be good.
std::string printed(Arguments command, const std::string& word) {
  command.push_back(word);
  const CommandResult result = run_command(command);
  INFO(result.out << result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
  return result.out;
}

/// Three, each with what it is for.
void check_examples(const std::string& help) {
  const std::size_t heading = help.rfind("\nExamples:\n");
  REQUIRE(heading != std::string::npos);
  std::istringstream lines(help.substr(heading + std::string("\nExamples:\n").size()));
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    CHECK(line.starts_with("  "));
    CHECK(line.find("hockney") < line.find("  # "));
    CHECK(line.find("  # ") != std::string::npos);
  }
  CHECK(count == 3);
}

void check_help(const Arguments& program) {
  for (const char* word : {"--help", "--help-all"}) {
    const std::string help = printed(program, word);
    INFO(help);
    const std::vector<std::string> found = entries(help);
    CHECK_FALSE(found.empty());
    for (const std::string& entry : found) {
      INFO(entry);
      CHECK(says_its_default(entry));
    }
    check_examples(help);
    std::istringstream lines(help);
    for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 100);
  }
  CHECK(entries(printed(program, "--help")).size() <= 18);
}

/// The manual page of a program, or of a command.
std::string page_of(const Arguments& command) {
  Arguments words{"/usr/bin/env", "HOCKNEY_ANSWER=man"};
  words.insert(words.end(), command.begin(), std::prev(command.end()));
  return printed(words, command.back());
}

/// A name as it stands in a page.
std::string roff_name(const std::string& name) {
  std::string written;
  for (const char letter : name) written += letter == '-' ? "\\-" : std::string(1, letter);
  return written;
}

/// Every option and argument that --help-all names stands in the page.
void check_page(const std::string& page, const Arguments& command) {
  for (const std::string& entry : entries(printed(command, "--help-all"))) {
    std::string name = entry.substr(0, entry.find_first_of(" =["));
    name = name.substr(name.rfind(',') + 1);
    const std::string written = roff_name(name);
    INFO(written);
    const bool is_option = name.starts_with('-');
    CHECK(page.find((is_option ? "\\fB" : "\\fI") + written + "\\fR") != std::string::npos);
  }
}

/// What the formatter of manual pages has to say, where there is one.
std::string complaints_about(const std::string& page) {
  if (!std::filesystem::exists("/usr/bin/groff")) return "";
  const TemporaryFolder folder;
  folder.write("page.1", page);
  return run_command({"/usr/bin/groff", "-man", "-ww", "-z", folder.path() + "/page.1"}).err;
}

/// The names below "Subcommands:" in a help text; what is further to the right describes them.
std::vector<std::string> subcommands(Arguments command) {
  std::istringstream in(printed(std::move(command), "--help"));
  std::vector<std::string> names;
  bool listed = false;
  for (std::string line; std::getline(in, line);) {
    const bool is_name = listed && line.starts_with("  ") && !line.starts_with("   ");
    if (is_name) names.push_back(line.substr(2, line.find(' ', 2) - 2));
    listed = line == "Subcommands:" || (listed && !line.empty());
  }
  return names;
}

}  // namespace

TEST_CASE("help of the driver and of every subcommand is whole") {
  const std::vector<std::string> names = subcommands({built("hockney")});
  CHECK(names.size() >= 4);
  CHECK(subcommands({built("hockney"), "health"}).size() >= 4);
  check_help({built("hockney")});
  for (const std::string& name : names) {
    check_help({built("hockney"), name});
    for (const std::string& below : subcommands({built("hockney"), name})) {
      check_help({built("hockney"), name, below});
    }
  }
}

TEST_CASE("help wins over whatever else is wrong with a command line") {
  for (const Arguments& wrong :
       std::vector<Arguments>{{built("hockney"), "fit", "x", "--max-segments", "many", "--help"},
                              {built("hockney"), "compare", "--help", "--at-least"},
                              {built("hockney"), "tune", "--jsn", "--sizes", "-h"},
                              {built("hockney"), "health", "list", "--series", "", "--help"}}) {
    CHECK(printed(wrong, "--help").find("Examples:") != std::string::npos);
  }
}

TEST_CASE("every command has a manual page, with every option, as man wants it") {
  const std::string list = page_of({built("hockney")});
  CHECK(complaints_about(list).empty());
  for (const std::string& name : subcommands({built("hockney")})) {
    INFO(name);
    CHECK(std::ranges::find(hockney_commands, name) != hockney_commands.end());
    CHECK(list.find("hockney\\-" + roff_name(name) + "\\fR(1)") != std::string::npos);
    CHECK(std::filesystem::exists(HOCKNEY_BINARY_DIR "/share/man/man1/hockney-" + name + ".1"));
    const Arguments command{built("hockney"), name};
    const std::string page = page_of(command);
    CHECK(complaints_about(page).empty());
    CHECK(page.find(".SH EXAMPLES") != std::string::npos);
    check_page(page, command);
    for (const std::string& below : subcommands(command)) {
      check_page(page, {built("hockney"), name, below});
    }
  }
}

TEST_CASE("hockney help prints the help of a command") {
  CHECK(printed({built("hockney")}, "help") == printed({built("hockney")}, "--help"));
  for (const Arguments& names : std::vector<Arguments>{{"fit"}, {"profile", "show"}, {"health"}}) {
    Arguments requested{built("hockney"), "help"};
    Arguments command{built("hockney")};
    requested.insert(requested.end(), names.begin(), std::prev(names.end()));
    command.insert(command.end(), names.begin(), names.end());
    CHECK(printed(requested, names.back()) == printed(command, "--help"));
  }
  check_refusals({built("hockney")},
                 {{{"help", "profil"},
                   "unknown command 'profil' (it is none of hockney) did you "
                   "mean 'profile'?"},
                  {{"profil", "--", "mpirun", "./x"}, "did you mean 'profile'?"},
                  {{"osu_allreduce"}, "operation: " + built("hockney") + " run osu_allreduce"},
                  {{"health"}, "no command (health needs one) name one of ingest, "}});
}

TEST_CASE("ranks of hockney refuse to start ranks, once for all") {
  const auto tried = [](const char* rank, const char* ranks) {
    return run_command({"/usr/bin/env", rank, ranks, built("hockney"), "profile", "true"});
  };
  const CommandResult first = tried("OMPI_COMM_WORLD_RANK=0", "OMPI_COMM_WORLD_SIZE=2");
  CHECK(first.exit_code == bad_input);
  CHECK(first.err ==
        "2 ranks started hockney (hockney starts ranks itself) put hockney before "
        "mpirun, as in " +
            built("hockney") + " profile -- mpirun -n 2 ./app\n");
  const CommandResult second = tried("OMPI_COMM_WORLD_RANK=1", "OMPI_COMM_WORLD_SIZE=2");
  CHECK(second.exit_code == bad_input);
  CHECK((second.out + second.err).empty());
  CHECK(tried("SLURM_PROCID=0", "SLURM_STEP_NUM_TASKS=1").err.find("put hockney") ==
        std::string::npos);
}

TEST_CASE("the driver alone prints what to type first, within 60 columns") {
  const CommandResult result =
      run_command({"/usr/bin/env", "PATH=" HOCKNEY_BINARY_DIR "/bin", "hockney"});
  CHECK(result.exit_code == bad_input);
  CHECK(result.err.empty());
  const std::string path = built("hockney");
  CHECK_THAT(run_command({path}).out,
             Catch::Contains("  " + path + " run quick\n") && Catch::EndsWith(path + " --help\n"));
  std::istringstream lines(result.out);
  int commands = 0;
  for (std::string line; std::getline(lines, line);) {
    CHECK(line.size() <= 62);
    commands += line.starts_with("  hockney ") ? 1 : 0;
  }
  CHECK(commands >= 3);
  CHECK(result.out.find("hockney run quick\n") != std::string::npos);
}

TEST_CASE("of the ranks of a launcher the first alone prints help and refusals") {
  std::vector<Arguments> programs{{built("hockney")}, {built("hockney"), "health"}};
#ifdef HOCKNEY_MPIEXEC
  programs.push_back({built("hockney-mpi")});
  programs.push_back({built("hockney-pingpong")});
  programs.push_back({built("hockney-settings")});
#endif
  for (const Arguments& program : programs) {
    for (const char* const word : {"--help", "--nonsense"}) {
      for (const char* const variable : {"OMPI_COMM_WORLD_RANK=", "PMI_RANK=", "SLURM_PROCID="}) {
        for (const bool is_first : {true, false}) {
          Arguments command =
              with({"/usr/bin/env", variable + std::string(is_first ? "0" : "1")}, program);
          command.emplace_back(word);
          const CommandResult result = run_command(command);
          INFO(program.back() << ' ' << word << ' ' << command[1]);
          CHECK((result.out + result.err).empty() == !is_first);
        }
      }
    }
  }
}

#ifdef HOCKNEY_MPIEXEC
TEST_CASE("help and manual page of an MPI executable are whole") {
  for (const char* name :
       {"hockney-mpi", "hockney-pingpong", "hockney-collectives", "hockney-paths",
        "hockney-protocol", "hockney-self-test", "hockney-settings", "hockney-guidelines",
        "hockney-algorithms", "hockney-halo", "hockney-cannon", "hockney-rma", "hockney-startup",
        "hockney-io", "hockney-threads", "hockney-noise"}) {
    check_help({built(name)});
    const std::string page = page_of({built(name)});
    check_page(page, {built(name)});
    CHECK(complaints_about(page).empty());
  }
  CHECK(printed({built("hockney-pingpong"), "--operations", "foo"}, "--help").find("Examples:") !=
        std::string::npos);
}

TEST_CASE("hockney-pingpong shows what concerns it, and the rest on request") {
  const Arguments program{built("hockney-pingpong")};
  CHECK(printed(program, "--help").find("--communicator") == std::string::npos);
  CHECK(printed(program, "--help-all").find("--communicator") != std::string::npos);
}
#endif

TEST_CASE("an entry without a default is noticed") {
  CHECK(entries("Options:\n  --a TEXT   What\n  --b TEXT=3\n      more\n  -c,--cc  Flag\n") ==
        std::vector<std::string>{"--a TEXT", "--b TEXT=3", "-c,--cc"});
  CHECK(entries("Positionals:\n  path TEXT REQUIRED  Where\n\nOptions:\n") ==
        std::vector<std::string>{"path TEXT REQUIRED"});
  CHECK_FALSE(says_its_default("--a TEXT"));
  CHECK(says_its_default("--b TEXT=3"));
  CHECK(says_its_default("-c,--cc"));
}

}  // namespace hockney::driver
