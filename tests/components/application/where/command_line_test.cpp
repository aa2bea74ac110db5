#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

#include "components/application/where/command_line.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney::where {
namespace {

std::string no_version(const std::string&) { return {}; }

/// "taskset -c 0|./bind.sh": the wrappers, as typed.
std::string wrappers_text(const Words& words, const std::vector<Wrapper>& wrappers) {
  return join(
      strings_of(wrappers, [&](const Wrapper& wrapper) { return wrapper_text(words, wrapper); }),
      "|");
}

/// A command whose launcher is srun and whose program is ./app.
PlacedCommand placed(const Words& typed) {
  PlacedCommand command = find_launcher_in(typed, no_version);
  unfold_shell(command);
  const auto program = std::ranges::find(command.words, "./app");
  REQUIRE(program != command.words.end());
  place_programs(command, {static_cast<std::size_t>(program - command.words.begin())});
  return command;
}

Words words_of(const std::string& text) {
  Words words = split(text, ' ');
  std::erase(words, "");
  return words;
}

}  // namespace

TEST_CASE("a launcher is found behind the words that people put before it") {
  struct Case {
    Words typed;
    std::string before;
    std::string launch;
    std::string runnable;  ///< with "srun PROBE" in the launch's place
  };
  const std::vector<Case> cases{
      {words_of("srun -n 2 ./app x"), "", "srun -n 2 ./app x", "srun PROBE"},
      {words_of("time srun -n 2 ./app"), "time", "srun -n 2 ./app", "srun PROBE"},
      {words_of("time -v -o t.txt srun ./app"), "time -v -o t.txt", "srun ./app", "srun PROBE"},
      {words_of("/usr/bin/time -f %e srun ./app"), "/usr/bin/time -f %e", "srun ./app",
       "srun PROBE"},
      {words_of("env X=1 srun ./app"), "env X=1", "srun ./app", "env X=1 srun PROBE"},
      {words_of("X=1 Y=2 srun ./app"), "X=1 Y=2", "srun ./app", "env X=1 Y=2 srun PROBE"},
      {words_of("nice -n 5 srun ./app"), "nice -n 5", "srun ./app", "nice -n 5 srun PROBE"},
      {words_of("timeout 60 srun ./app"), "timeout 60", "srun ./app", "timeout 60 srun PROBE"},
      {words_of("time nice timeout -s INT 60 srun ./app"), "time nice timeout -s INT 60",
       "srun ./app", "nice timeout -s INT 60 srun PROBE"},
      {words_of("taskset -c 0-3 srun ./app"), "taskset -c 0-3", "srun ./app",
       "taskset -c 0-3 srun PROBE"}};
  for (const Case& tried : cases) {
    CAPTURE(join(tried.typed, " "));
    const PlacedCommand command = placed(tried.typed);
    CHECK(join(command.before, " ") == tried.before);
    CHECK(join(command.words, " ") == tried.launch);
    CHECK(typed_words(command) == tried.typed);
    CHECK(join(runnable_words(command, {"srun", "PROBE"}), " ") == tried.runnable);
  }
}

TEST_CASE("a launcher is found in the script of a shell, whose other words stay") {
  struct Case {
    std::string script;
    std::string runnable;
    std::string typed;  ///< with -c 2 given to the launcher
  };
  const std::vector<Case> cases{
      {"srun -n 2 ./app", "srun PROBE", "srun -c 2 -n 2 ./app"},
      {"cd run && srun ./app x > log 2>&1; ./post", "cd run && srun PROBE",
       "cd run && srun -c 2 ./app x > log 2>&1; ./post"},
      {"export A=\"b c\"; exec srun ./app 'two words'", "export A=\"b c\"; exec srun PROBE",
       "export A=\"b c\"; exec srun -c 2 ./app 'two words'"},
      {"srun -n $N ./app \"$@\" # all", "srun PROBE", "srun -c 2 -n $N ./app \"$@\" # all"},
      {"A=1 srun ./app | tee log", "A=1 srun PROBE", "A=1 srun -c 2 ./app | tee log"},
      {"# the job\nmodule load x\nsrun ./app\n", "# the job\nmodule load x\nsrun PROBE",
       "# the job\nmodule load x\nsrun -c 2 ./app\n"}};
  for (const Case& tried : cases) {
    CAPTURE(tried.script);
    PlacedCommand command = placed({"time", "bash", "-lc", tried.script, "name"});
    CHECK(command.before == Words{"time", "bash", "-lc"});
    CHECK(runnable_words(command, {"srun", "PROBE"}) ==
          Words{"bash", "-lc", tried.runnable, "name"});
    command.words.insert(command.words.begin() + 1, {"-c", "2"});
    CHECK(typed_words(command) == Words{"time", "bash", "-lc", tried.typed, "name"});
  }
}

TEST_CASE("a launcher of a site is known by its name, any other by the program behind it") {
  const TemporaryFolder folder;
  const std::string launch = folder.write_program("launch", "#!/bin/sh\nexec srun \"$@\"\n");
  const std::string bind = folder.write_program("bind", "#!/bin/bash\nexec \"$@\"\n");
  const std::string app = folder.write_program("app.py", "#!/usr/bin/python3\n");
  const std::string job = folder.write("job.sh", "cd /tmp\nsrun -n $1 ./app > log\n");
  struct Case {
    std::string typed;
    LauncherKind kind;
    std::size_t options;
    std::string program;
    std::string wrappers;
  };
  const std::vector<Case> cases{
      {"flux run -n 2 " + app, LauncherKind::flux, 2, app, ""},
      {"time flux mini run -n 2 " + bind + " " + app, LauncherKind::flux, 3, app, bind},
      {"aprun -n 2 -N 1 " + app + " /bin/true", LauncherKind::aprun, 1, app, ""},
      {"/opt/ccc_mprun -n2 taskset -c 0 " + app, LauncherKind::ccc_mprun, 1, app, "taskset -c 0"},
      {"ibrun -n 2 nice -n 5 " + bind, LauncherKind::other, 1, bind, "nice -n 5"},
      {launch + " -n 2 " + app, LauncherKind::other, 1, app, ""},
      {"X=1 nice " + launch + " 2 taskset -c 0 " + app, LauncherKind::other, 1, app,
       "taskset -c 0"},
      {"bash " + launch + " -n 2 " + app, LauncherKind::other, 2, app, ""},
      {"srun -n 2 perf stat -e cycles " + app, LauncherKind::slurm, 1, app, "perf stat -e cycles"}};
  for (const Case& tried : cases) {
    CAPTURE(tried.typed);
    PlacedCommand command = find_launcher_in(words_of(tried.typed), no_version);
    CHECK(command.kind == tried.kind);
    CHECK(command.options == tried.options);
    const auto program = program_in(command, parts_of(command).front());
    REQUIRE(program);
    CHECK(command.words.at(*program) == tried.program);
    place_programs(command, {*program});
    CHECK(wrappers_text(command.words, command.programs.front().wrappers) == tried.wrappers);
  }
  const PlacedCommand script = find_launcher_in({"bash", job, "2"}, no_version);
  CHECK(script.words == Words{"srun", "-n", "$1", "./app"});
  CHECK(runnable_words(script, {"srun", "PROBE"}) ==
        Words{"bash", "-c", "cd /tmp\nsrun PROBE", job, "2"});
  CHECK_THROWS_AS(find_launcher_in({bind, "-n", "2"}, no_version), InputError);
}

TEST_CASE("programs in a file of the launcher are those of its lines") {
  const TemporaryFolder folder;
  const std::string file = folder.write("app", "# two\n-n 1 ./a 'b c'\n\n-n 2 ./b\n");
  PlacedCommand command{.words = words_of("mpirun --oversubscribe --app " + file),
                        .kind = LauncherKind::openmpi4};
  unfold_file(command);
  CHECK(command.words ==
        Words{"mpirun", "--oversubscribe", "-n", "1", "./a", "b c", ":", "-n", "2", "./b"});
  command = {.words = words_of("mpiexec -configfile missing"), .kind = LauncherKind::mpich};
  unfold_file(command);
  CHECK(command.words.size() == 3);
}

TEST_CASE("programs between colons have options and wrappers each") {
  PlacedCommand command =
      find_launcher_in(words_of("srun -n 1 ./a x : -n 2 taskset -c 1 ./b"), no_version);
  CHECK(parts_of(command).size() == 2);
  place_programs(command, {3, 11});
  CHECK(command.programs[0].launched == 3);
  CHECK(command.programs[0].end == 5);
  CHECK(command.programs[1].begin == 6);
  CHECK(command.programs[1].launched == 8);
  CHECK(wrappers_text(command.words, command.programs[1].wrappers) == "taskset -c 1");
}

TEST_CASE("a command without a launcher, and a script with two, are refused") {
  CHECK_THROWS_WITH(find_launcher_in({"ls", "-l"}, no_version),
                    Catch::StartsWith("'ls -l' starts no ranks"));
  CHECK_THROWS_WITH(find_launcher_in({"bash", "-c", "srun ./a; srun ./b"}, no_version),
                    Catch::Contains("several launches"));
  CHECK_THROWS_AS(find_launcher_in({"bash", "-c", "'srun -n 2 ./app'"}, no_version), InputError);
  CHECK_THROWS_AS(find_launcher_in({"bash", "-c"}, no_version), InputError);
}

TEST_CASE("what a launcher starts begins behind its own options") {
  struct Case {
    LauncherKind kind;
    std::string words;
    std::size_t place;
  };
  const std::vector<Case> cases{
      {LauncherKind::openmpi4, "mpirun -np 4 --oversubscribe taskset -c 0 ./app", 4},
      {LauncherKind::openmpi4, "mpirun --mca plm_rsh_agent ssh -x A=b -n 2 ./app", 8},
      {LauncherKind::openmpi4, "mpirun --map-by=slot --report-bindings ./app -n 3", 3},
      {LauncherKind::openmpi5, "mpirun --prtemca a b --display map -n 2 ./app", 8},
      {LauncherKind::mpich, "mpiexec -n 2 -genv A b -l -bind-to core:2 ./app", 9},
      {LauncherKind::mpich, "mpiexec -genv A=b -env C d -print-all-exitcodes ./app", 7},
      {LauncherKind::intel, "mpiexec.hydra -ppn 2 -hosts a,b -genvall ./app", 6},
      {LauncherKind::slurm, "srun -n4 -c2 --exclusive -w n1 ./app", 6},
      {LauncherKind::slurm, "srun --ntasks 4 --mem-bind=local -u ./app -c 5", 5},
      {LauncherKind::openmpi4, "mpirun --do-not-resolve --show-progress python3 x.py", 3},
      {LauncherKind::flux, "flux run -n2 -ocpu-affinity=off -x --env A=b ./app", 7},
      {LauncherKind::pals, "mpiexec -n 2 --cpu-bind=none -l --envall ./app", 6},
      {LauncherKind::aprun, "aprun -n2 -d 4 -cc depth -ss -e A=b ./app", 9},
      {LauncherKind::ccc_mprun, "ccc_mprun -n 2 -c2 -x -p part ./app", 7},
      {LauncherKind::other, "ibrun -v -n 2 --fast -o 4 ./app", 7},
      {LauncherKind::slurm, "srun -n 2", 3},
      {LauncherKind::slurm, "srun -n", 2}};
  for (const Case& tried : cases) {
    CAPTURE(tried.words);
    const Words words = words_of(tried.words);
    CHECK(end_of_options(words, tried.kind == LauncherKind::flux ? 2 : 1, words.size(),
                         tried.kind) == tried.place);
  }
}

TEST_CASE("a launch without a program names the word in its place") {
  const auto missing = [](const std::string& text) {
    const auto open_mpi = [](const std::string&) { return std::string("mpirun (Open MPI) 4.1.4"); };
    return missing_program(words_of(text), open_mpi).value_or("-");
  };
  CHECK(missing("mpirun -n 2 ./missing /bin/true") == "./missing");
  CHECK(missing("time srun -n 2 misspelt_program x") == "misspelt_program");
  CHECK(missing("mpirun -n 1 /bin/true : -n 2 ./missing") == "./missing");
  CHECK(missing("mpirun -n 2 /bin/true ./missing") == "-");
  CHECK(missing("mpirun -n 2") == "-");
  CHECK(missing("./missing") == "-");
}

TEST_CASE("wrappers between launcher and program are told apart") {
  const TemporaryFolder folder;
  const std::string script = folder.write_program("bind.sh", "#!/bin/sh\nexec \"$@\"\n");
  const auto wrappers = [](const std::string& text) {
    const PlacedCommand command = placed(words_of(text));
    return wrappers_text(command.words, command.programs.front().wrappers);
  };
  CHECK(wrappers("srun -n 2 ./app taskset -c 0").empty());
  CHECK(wrappers("srun -n 2 taskset -c 0 ./app") == "taskset -c 0");
  CHECK(wrappers("srun env A=b numactl -C 0 -m 0 ./app") == "env A=b|numactl -C 0 -m 0");
  CHECK(wrappers("srun -n 2 " + script + " --fast timeout 9 ./app") ==
        script + " --fast|timeout 9");
  CHECK(wrappers("srun hwloc-bind core:1 -- " + script + " ./app") ==
        "hwloc-bind core:1 --|" + script);
  const PlacedCommand before = placed(words_of("A=b time taskset 1 srun ./app"));
  CHECK(wrappers_text(before.before, before.wrappers_before) == "time|taskset 1");
}

TEST_CASE("a script that starts a rank by one command is that command") {
  const auto words = [](const Words& typed) {
    PlacedCommand command = find_launcher_in(typed, no_version);
    unfold_shell(command);
    return command.words;
  };
  CHECK(words({"srun", "bash", "-c", "taskset -c 0 ./app 'a b'"}) ==
        Words{"srun", "taskset", "-c", "0", "./app", "a b"});
  CHECK(words({"srun", "-n", "2", "sh", "-c", "A=1 exec ./app"}) ==
        Words{"srun", "-n", "2", "env", "A=1", "./app"});
  CHECK(words({"srun", "sh", "-c", "exec ./app"}) == Words{"srun", "./app"});
  for (const std::string script : {"taskset -c $SLURM_LOCALID ./app", "cd x && ./app", "./app > y",
                                   "./app; ./more", "(./app)", ""}) {
    CAPTURE(script);
    const Words typed{"srun", "bash", "-c", script};
    CHECK(words(typed) == typed);
  }
}

TEST_CASE("wrappers that bind are left out, of numactl what it does to CPUs") {
  struct Case {
    std::string command;
    std::string without;
    bool by_name = true;
  };
  const std::vector<Case> cases{
      {"srun taskset -c 0 ./app x", "srun ./app x"},
      {"srun hwloc-bind core:0 ./app", "srun ./app"},
      {"srun numactl -C 0 ./app", "srun ./app"},
      {"srun numactl -C0 --interleave=all ./app", "srun numactl --interleave=all ./app"},
      {"srun numactl --physcpubind=0 -m 0 ./app", "srun numactl -m 0 ./app"},
      {"srun numactl --cpunodebind 0 --membind 0 ./app", "srun numactl --membind 0 ./app"},
      {"srun numactl -m 0 ./app", "srun numactl -m 0 ./app", false},
      {"srun env A=b ./app", "srun ./app", false}};
  for (const Case& tried : cases) {
    CAPTURE(tried.command);
    PlacedCommand command = placed(words_of(tried.command));
    REQUIRE(command.programs.front().wrappers.size() == 1);
    CHECK(is_binder_by_name(command.words, command.programs.front().wrappers.front()) ==
          tried.by_name);
    command.programs.front().wrappers.front().binds = true;
    std::size_t program = command.programs.front().place;
    const Words kept = without_binders(command.words, command.programs.front().wrappers, program);
    CHECK(join(kept, " ") == tried.without);
    CHECK(kept.at(program) == "./app");
  }
}

TEST_CASE("words of a script are what a shell makes of them") {
  const auto commands = simple_commands("a 'b c'd\\ e \"f$g\" 2>x h; i|j && k # l\nm <n");
  std::vector<std::string> texts;
  for (const auto& command : commands) {
    texts.push_back(join(strings_of(command, &ShellWord::text), "+"));
  }
  CHECK(texts == std::vector<std::string>{"a+b cd e+\"f$g\"", "i", "j", "k", "m"});
  CHECK(commands.front()[1].is_exact);
  CHECK_FALSE(commands.front()[2].is_exact);
  CHECK(simple_commands("").empty());
  CHECK(simple_commands("'open").size() == 1);
  CHECK(simple_commands("\"open\\").size() == 1);
  CHECK(simple_commands("a\\").size() == 1);
}

TEST_CASE("Open MPI's mpirun finds a program in the current folder, after PATH") {
  const TemporaryFolder folder;
  const std::filesystem::path before = std::filesystem::current_path();
  for (const char* const name : {"hyb", "sh"}) {
    std::filesystem::permissions(folder.write(name, "#!/bin/true\n"),
                                 std::filesystem::perms::owner_all);
  }
  folder.write("text", "no program");
  std::filesystem::current_path(folder.path());
  const auto named = [](LauncherKind kind, const std::string& text) {
    PlacedCommand command;
    command.words = words_of(text);
    command.kind = kind;
    command.options = 1;
    name_current_folder(command);
    return join(command.words, " ");
  };
  for (const LauncherKind kind : {LauncherKind::openmpi4, LauncherKind::openmpi5}) {
    CHECK(named(kind, "mpirun -n 2 hyb x") == "mpirun -n 2 ./hyb x");
    CHECK(named(kind, "mpirun -n 1 hyb : -n 1 hyb") == "mpirun -n 1 ./hyb : -n 1 ./hyb");
    CHECK(named(kind, "mpirun -n 2 sh hyb") == "mpirun -n 2 sh hyb");
    CHECK(named(kind, "mpirun -n 2 text") == "mpirun -n 2 text");
    CHECK(named(kind, "mpirun -n 2") == "mpirun -n 2");
  }
  CHECK(named(LauncherKind::slurm, "srun -n 2 hyb") == "srun -n 2 hyb");
  std::filesystem::current_path(before);
}

}  // namespace hockney::where
