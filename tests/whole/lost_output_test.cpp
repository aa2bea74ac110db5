#include <algorithm>
#include <csignal>
#include <filesystem>

#include "core/text.hpp"
#include "tests/driver/launched.hpp"
#include "tests/support/study.hpp"
#include "tests/whole/every_command.hpp"

// What cannot be written to stdout is never lost in silence, whatever the program.
namespace hockney::driver {
namespace {

constexpr const char* full = ">/dev/full";
constexpr const char* closed = ">&-";

/// The program with its stdout redirected by a shell that it takes the place of.
Arguments redirected(const Arguments& command, const std::string& redirection) {
  return with({"/bin/sh", "-c", "exec \"$@\" " + redirection, "sh"}, command);
}

/// The same into a pipe whose reader has gone already.
Arguments unread(const Arguments& command, const TemporaryFolder& folder) {
  const std::string pipe = folder.path() + "/pipe";
  Arguments words{"/bin/sh", "-c",
                  "rm -f '" + pipe + "'; mkfifo '" + pipe + "'; exec 3<>'" + pipe + "' 4>'" + pipe +
                      "' 3<&-; exec \"$@\" >&4",
                  "sh"};
  words.insert(words.end(), command.begin(), command.end());
  return words;
}

std::string shown(const Arguments& command, const CommandResult& result) {
  return join(command, " ") + "\nstdout: " + result.out + "\nstderr: " + result.err;
}

void check_lost(const Arguments& command, const std::string& redirection, const std::string& why) {
  const CommandResult result = run_command(redirected(command, redirection));
  INFO(shown(command, result));
  CHECK(result.exit_code == run_failed);
  const std::size_t line = result.err.find("cannot write to standard output (" + why + ") ");
  REQUIRE(line != std::string::npos);
  CHECK(result.err.find('\n', line) == result.err.size() - 1);
}

/// All that the program prints is found lost, and a reader that went away is no trouble.
void check_output(const Arguments& command) {
  const CommandResult whole = run_command(command);
  INFO(shown(command, whole));
  REQUIRE((whole.exit_code == 0 || whole.exit_code == verdict_failed));
  REQUIRE_FALSE(whole.out.empty());
  check_lost(command, full, "No space left on device");
  check_lost(command, closed, "Bad file descriptor");
  const TemporaryFolder folder;
  const CommandResult result = run_command(unread(command, folder));
  CHECK(result.exit_code == (whole.exit_code == 0 ? -SIGPIPE : whole.exit_code));
  CHECK(result.err == whole.err);
}

}  // namespace

TEST_CASE("what cannot be written is found out before any work") {
  const TemporaryFolder folder;
  const std::string nowhere = folder.path() + "/none/file";
  const std::string under_file = folder.write("file", "") + "/folder";
  const std::string ran = folder.path() + "/ran";
  const Arguments program{"--", "/usr/bin/touch", ran};
  for (const Arguments& words :
       std::vector<Arguments>{{"report", "x", "-o", nowhere + ".html"},
                              {"compare", "x", "y", "-o", nowhere},
                              {"fit", "x", "-o", nowhere},
                              {"guidelines", "x", "--junit", nowhere},
                              {"export", "csv", "x", "-o", nowhere},
                              {"tune", "x", "-o", nowhere},
                              {"tune", "x", "--verify", "y", "-o", nowhere},
                              {"self-test", "-o", nowhere},
                              {"predict", "x", "--profile", "y", "--page", nowhere + ".html"},
                              {"profile", "show", "x", "--page", nowhere + ".html"},
                              {"profile", "compare", "x", "y", "-o", nowhere},
                              {"health", "check", "-o", nowhere},
                              {"run", "quick", "--out", under_file}}) {
    Arguments command = with({built("hockney")}, words);
    if (words.front() == "run") {
      const Arguments launcher = mock_launcher();
      command.insert(command.end(), launcher.begin(), launcher.end());
    }
    const CommandResult result = run_command(command);
    INFO(shown(command, result));
    CHECK(result.exit_code == run_failed);
    CHECK_THAT(result.err, Catch::StartsWith("cannot write '"));
    CHECK(std::ranges::count(result.err, '\n') == 1);
  }
  Arguments command = with({built("hockney"), "profile", "-o", nowhere}, program);
  const CommandResult result = run_command(command);
  CHECK(result.exit_code == bad_input);
  CHECK_THAT(result.err, Catch::StartsWith("cannot write '"));
  CHECK_FALSE(std::filesystem::exists(ran));
}

TEST_CASE("every subcommand says that its output is lost") {
  const EveryCommand every;
  for (const Arguments& command : every.commands()) check_output(command);
  check_output({built("hockney"), "--help"});
  check_output({built("hockney"), "health", "check", "--help"});
  check_output({built("hockney"), "tune", "--help"});
  check_output({built("hockney"), "--version"});
}

TEST_CASE("a reader that went away is an error where the caller asked for one") {
  const EveryCommand every;
  const TemporaryFolder folder;
  Arguments command = unread({built("hockney"), "report", every.path("sides")}, folder);
  command[2] = "trap '' PIPE; " + command[2];
  const CommandResult result = run_command(command);
  CHECK(result.exit_code == run_failed);
  CHECK_THAT(result.err, Catch::StartsWith("cannot write to standard output (Broken pipe) "));
}

TEST_CASE("output that is lost does not hide that the input was bad") {
  const Arguments command{built("hockney"), "report", "/no/such/folder"};
  CHECK(run_command(redirected(command, full)).exit_code == bad_input);
}

TEST_CASE("nothing is lost of a program that prints nothing") {
  const EveryCommand every;
  const Arguments command{built("hockney"), "health", "note", "x", "--history", every.history()};
  CHECK(run_command(redirected(command, full)).exit_code == 0);
  CHECK(run_command(redirected(command, closed)).exit_code == 0);
}

TEST_CASE("a file that may grow no further is a failed run of one line") {
  const EveryCommand every;
  const std::string file = every.path("limited.json");
  const Arguments command{"/bin/sh",
                          "-c",
                          "ulimit -f 1; exec \"$@\"",
                          "sh",
                          built("hockney"),
                          "fit",
                          every.path("sides"),
                          "-o",
                          file};
  const CommandResult result = run_command(command);
  INFO(result.err);
  CHECK(result.exit_code == run_failed);
  CHECK(result.err ==
        "cannot write '" + file +
            "' (File too large) check the folder, its permissions and the free space\n");
  CHECK_FALSE(std::filesystem::exists(file));
}

#ifdef HOCKNEY_MPIEXEC
namespace {

const std::vector<std::string> mpi_programs{"algorithms", "cannon",  "collectives", "halo",
                                            "guidelines", "paths",   "pingpong",    "protocol",
                                            "self-test",  "settings"};

/// Of two ranks in the folder, each with its own stdout redirected behind the launcher's back.
Arguments launch_command(const TemporaryFolder& folder, const std::string& redirection,
                         const Arguments& program) {
  return with(launcher(2, {"-C", folder.path()}), redirected(program, redirection));
}

CommandResult launch(const TemporaryFolder& folder, const std::string& redirection,
                     const Arguments& program) {
  return run_command(launch_command(folder, redirection, program), std::chrono::seconds(120));
}

/// The only record that a launch left in the folder; fails the test when there is another number.
std::string only_record(const TemporaryFolder& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    names.push_back(entry.path().filename().string());
  }
  INFO(join(names));
  REQUIRE(names.size() == 1);
  return names.front();
}

}  // namespace

TEST_CASE("help of every MPI executable says that it is lost") {
  for (const std::string& name : mpi_programs) check_output({built("hockney-" + name), "--help"});
}

namespace {

void check_that_records_are_named(const char* redirection) {
  // In the gate one program for each way to print a result.
  const std::vector<Arguments> programs = first_of<Arguments>(
      4, {{built("hockney-pingpong"), "-b", "8", "--epochs", "1", "--json"},
          {built("hockney-collectives"), "-b", "8", "--epochs", "1", "--operations", "bcast"},
          {built("hockney-halo"), "--points", "8x8", "--epochs", "1", "--ways", "immediate"},
          {built("hockney-protocol"), "--most", "64", "--searches", "1", "--calls", "isend",
           "--layouts", "bytes", "--flood-messages", "0"},
          {built("hockney-pingpong"), "-b", "8", "--epochs", "1"},
          {built("hockney-paths"), "-b", "8", "--epochs", "1"},
          {built("hockney-self-test"), "-b", "8", "--epochs", "1", "--operations", "pingpong"},
          {built("hockney-guidelines"), "-b", "8", "--epochs", "1", "--operations", "bcast"}});
  std::vector<TemporaryFolder> folders(programs.size());
  std::vector<Arguments> commands;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    commands.push_back(launch_command(folders[i], redirection, programs[i]));
  }
  const std::vector<CommandResult> results = run_together(commands, launches_at_a_time);
  for (std::size_t i = 0; i < programs.size(); ++i) {
    INFO(shown(programs[i], results[i]));
    CHECK(results[i].exit_code == run_failed);
    const std::string name = only_record(folders[i]);
    CHECK_THAT(results[i].err, Catch::Contains("cannot write to standard output (") &&
                                   Catch::Contains(") the record is in '" + name + "'\n"));
    CHECK(load_record(folders[i].path() + "/" + name).status == LaunchStatus::complete);
  }
}

}  // namespace

TEST_CASE("a launch whose output meets a full device says where its record is", "[study]") {
  check_that_records_are_named(full);
}

TEST_CASE("a launch whose output is closed says where its record is", "[study]") {
  check_that_records_are_named(closed);
}

TEST_CASE("a launch that saved its record names it when its output is lost") {
  const TemporaryFolder folder;
  const CommandResult result =
      launch(folder, full, {built("hockney-pingpong"), "-b", "8", "--epochs", "1", "-o", "r.json"});
  INFO(result.err);
  CHECK(result.exit_code == run_failed);
  CHECK_THAT(result.err, Catch::Contains(") the record is in 'r.json'\n"));
  CHECK(only_record(folder) == "r.json");
}

TEST_CASE("a record that its file does not take is kept in another") {
  const TemporaryFolder devices;
  const std::string device = devices.full_device();
  for (const Arguments& program : std::vector<Arguments>{
           {built("hockney-pingpong"), "-b", "8", "--epochs", "1", "-o", device},
           {built("hockney-protocol"), "--most", "64", "--searches", "1", "--calls", "isend",
            "--layouts", "bytes", "--flood-messages", "0", "-o", device}}) {
    const TemporaryFolder folder;
    const CommandResult result = launch(folder, ">/dev/null", program);
    INFO(shown(program, result));
    CHECK(result.exit_code == run_failed);
    const std::string name = only_record(folder);
    CHECK_THAT(result.err,
               Catch::Contains("cannot write '" + device + "' (No space left on device) ") &&
                   Catch::Contains("; the record is in '" + name + "'"));
    CHECK_FALSE(load_record(folder.path() + "/" + name).ranks.empty());
  }
}

TEST_CASE("what a witness or a library tells is not lost in silence") {
  const TemporaryFolder folder;
  std::vector<Arguments> commands;
  for (const Arguments& program :
       std::vector<Arguments>{{built("hockney-algorithms"), "--operations", "bcast", "-b", "8"},
                              {built("hockney-settings")}}) {
    for (const char* redirection : {full, closed}) {
      commands.push_back(launch_command(folder, redirection, program));
    }
  }
  for (const CommandResult& result : run_together(commands, launches_at_a_time)) {
    INFO(result.out << result.err);
    CHECK(result.exit_code == run_failed);
    CHECK_THAT(result.err, Catch::Contains("cannot write to standard output ("));
  }
}
#endif

}  // namespace hockney::driver
