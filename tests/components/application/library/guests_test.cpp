#include <algorithm>
#include <catch2/catch.hpp>
#include <csignal>

#include "tests/components/application/library/program_profile.hpp"
#include "tests/support/study.hpp"
#include "tests/support/temporary_folder.hpp"

// Programs under the library: their signals, stacks and code stay their own.
namespace hockney::profile {
namespace {

struct Guest {
  CommandResult run;
  std::string file;

  [[nodiscard]] bool is_fine() const { return run.exit_code == 0 && run.out.find("fine\n") == 0; }
};

/// Runs tests/components/application/library/guests.cpp on one rank.
Guest guest(const TemporaryFolder& folder, const std::vector<std::string>& how,
            const std::vector<std::string>& options = {}) {
  std::vector<std::string> program{HOCKNEY_GUESTS};
  program.insert(program.end(), how.begin(), how.end());
  const std::string file = folder.path() + "/" + how.front() + ".json";
  return {run_profiled(file, 1, program, options), file};
}

bool has_note(const Profile& profile, const std::string& part) {
  return std::ranges::any_of(
      profile.notes, [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

/// Calls by the name of their site's function.
std::int64_t calls_from(const Profile& profile, const std::string& function) {
  std::int64_t count = 0;
  for (const Calls& calls : profile.calls) {
    const bool is_there =
        calls.site && profile.sites.at(static_cast<std::size_t>(*calls.site)).function == function;
    if (is_there) count += calls.count;
  }
  return count;
}

/// Samples in modules whose path ends so.
std::int64_t samples_in(const Profile& profile, const std::string& module) {
  std::int64_t count = 0;
  for (const Stack& stack : profile.samples.value().stacks) {
    if (stack.frames.empty() || !stack.call.empty()) continue;
    const Frame& frame = profile.samples->frames.at(static_cast<std::size_t>(stack.frames.front()));
    if (!frame.module) continue;
    if (!profile.samples->modules.at(static_cast<std::size_t>(*frame.module))
             .path.ends_with(module)) {
      continue;
    }
    for (const std::int64_t one : stack.counts) count += one;
  }
  return count;
}

}  // namespace

TEST_CASE("a fault that the program handles is not the end of its profile") {
  const TemporaryFolder folder;
  const Guest found = guest(folder, {"faults"});
  INFO(found.run.out << found.run.err);
  CHECK(found.is_fine());
  const Profile profile = load_profile(found.file);
  REQUIRE(profile.ranks.size() == 1);
  CHECK(profile.ranks.front().end == End::finalized);
  CHECK(calls_of(profile).at("MPI_Barrier").first == 6);
}

TEST_CASE("a signal that ends the program, by its handler or later, is its end", "[study]") {
  for (const auto& [how, signal] :
       first_of<std::pair<std::string, int>>(2, {{"exits", SIGSEGV},
                                                 {"terminates", SIGTERM},
                                                 {"raises", SIGSEGV},
                                                 {"aborts", SIGABRT}})) {
    CAPTURE(how);
    const TemporaryFolder folder;
    const Guest found = guest(folder, {how});
    INFO(found.run.out << found.run.err);
    CHECK(found.run.exit_code == (how == "exits" ? 9 : 128 + signal));
    const Profile profile = load_profile(found.file);
    REQUIRE(profile.ranks.size() == 1);
    CHECK(profile.ranks.front().end == End::signalled);
    CHECK(profile.ranks.front().signal == signal);
  }
}

TEST_CASE("a sampled program meets no signals but its own, nor does one that follows it") {
  const TemporaryFolder folder;
  const Guest waits = guest(folder, {"waits"}, {"--sample=1000"});
  INFO(waits.run.out << waits.run.err);
  CHECK(waits.is_fine());
  CHECK(has_note(load_profile(waits.file), "of the CPU time: threads are not sampled"));
  const Guest becomes = guest(folder, {"becomes"}, {"--sample=1000"});
  INFO(becomes.run.out << becomes.run.err);
  CHECK_THAT(becomes.run.out, Catch::StartsWith("fine\n"));
}

TEST_CASE("a sampled program keeps the data below its small alternate stack") {
  const TemporaryFolder folder;
  for (const char* how : {"stack", "thread-stack"}) {
    const Guest found = guest(folder, {how}, {"--sample=1000"});
    INFO(found.run.out << found.run.err);
    CHECK(found.is_fine());
    CHECK(load_profile(found.file).samples);
  }
}

TEST_CASE("calls and samples belong to the code that was there at their time") {
  const TemporaryFolder folder;
  const Guest found = guest(folder, {"plugins", HOCKNEY_PLUGINS}, {"--sample=1000"});
  INFO(found.run.out << found.run.err);
  CHECK(found.run.exit_code == 0);
  CHECK_THAT(found.run.out, Catch::StartsWith("same addresses"));
  const Profile profile = load_profile(found.file);
  CHECK(calls_from(profile, "calls_a") == 3);
  CHECK(calls_from(profile, "calls_b") == 40);
  CHECK(samples_in(profile, "libplugin_b.so") > samples_in(profile, "libplugin_a.so"));
  CHECK(samples_in(profile, "libplugin_a.so") > 0);
}

TEST_CASE("a wrong unwind entry costs its own samples their callers, and no later ones") {
  const TemporaryFolder folder;
  const Guest found = guest(folder, {"wrong-entry"}, {"--sample=1000"});
  INFO(found.run.out << found.run.err);
  CHECK(found.is_fine());
  std::int64_t with_callers = 0;
  for (const Stack& stack : load_profile(found.file).samples.value().stacks) {
    if (stack.frames.size() > 3) with_callers += stack.counts.front();
  }
  CHECK(with_callers > 20);  // of 200 after the wrong one
}

TEST_CASE("threads that are there before MPI_Init are sampled") {
  const TemporaryFolder folder;
  const Guest found = guest(folder, {"early-thread"}, {"--sample=1000"});
  INFO(found.run.out << found.run.err);
  CHECK(found.is_fine());
  const Profile profile = load_profile(found.file);
  CHECK(profile.samples.value().threads == 2);
  CHECK_FALSE(has_note(profile, "of the CPU time"));
}

TEST_CASE("a program that takes MPI's functions by dlsym is told why nothing is recorded") {
  const TemporaryFolder folder;
  const CommandResult run =
      run_profiled(folder.path() + "/p.json", 1, {HOCKNEY_BINDINGS, HOCKNEY_MPI_LIBRARY});
  INFO(run.out << run.err);
  CHECK(run.exit_code == 3);
  CHECK_THAT(run.err, Catch::Contains("takes MPI's functions from its library by dlsym"));
}

TEST_CASE("a user's own LD_PRELOAD stays, in options, env and scripts") {
  const TemporaryFolder folder;
  const std::string own = "LD_PRELOAD=" HOCKNEY_OWN_PRELOAD;
  std::vector<std::string> by_option = profiled(folder.path() + "/o.json", 1, {});
  by_option.insert(by_option.end(), {"-x", own, "printenv", "LD_PRELOAD"});
  const std::vector<std::vector<std::string>> commands{
      by_option, profiled(folder.path() + "/e.json", 1, {"env", own, "printenv", "LD_PRELOAD"}),
      profiled(folder.path() + "/s.json", 1, {"sh", "-c", own + " printenv LD_PRELOAD"})};
  for (const std::vector<std::string>& command : commands) {
    const CommandResult run = run_in_mpi_environment(command, std::chrono::seconds(100));
    INFO(run.out << run.err);
    CHECK_THAT(run.out, Catch::Contains("libhockney-profile-openmpi.so:" HOCKNEY_OWN_PRELOAD "\n"));
  }
}

TEST_CASE("programs of Open MPI's --app are recorded") {
  const TemporaryFolder folder;
  const std::string list = folder.path() + "/app";
  std::ofstream(list) << "# two programs\n-n 1 " HOCKNEY_GUESTS " none # the first\n\n-np 1 "
                      << HOCKNEY_GUESTS " none\n";
  std::vector<std::string> command = profiled(folder.path() + "/p.json", 1, {});
  std::erase(command, "-n");
  std::erase(command, "1");
  command.insert(command.end(), {"--app", list});
  const CommandResult run = run_in_mpi_environment(command, std::chrono::seconds(100));
  INFO(run.out << run.err);
  CHECK(run.exit_code == 0);
  CHECK(load_profile(folder.path() + "/p.json").ranks.size() == 2);
}

}  // namespace hockney::profile
