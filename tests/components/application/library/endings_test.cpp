#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

#include "components/application/analysis/trace.hpp"
#include "components/application/profile/merge.hpp"
#include "core/atomic_file.hpp"
#include "tests/components/application/library/program_profile.hpp"
#include "tests/support/study.hpp"
#include "tests/support/temporary_folder.hpp"

// Programs that end otherwise than by MPI_Finalize leave a profile that can be read.
namespace hockney::profile {
namespace {

bool says(const Profile& profile, const std::string& words) {
  return std::ranges::any_of(profile.notes, [&](const std::string& note) {
    return note.find(words) != std::string::npos;
  });
}

/// The profile of a program that ends so, with no part left beside it.
Profile profile_of(const std::string& how, int expected_code) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/profile.json";
  const CommandResult run = run_profiled(file, 2, {HOCKNEY_ENDINGS, how});
  INFO(run.out << run.err);
  CHECK(run.exit_code == expected_code);
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    CHECK(entry.path().filename() == "profile.json");
  }
  return load_profile(file);
}

}  // namespace

TEST_CASE("after MPI_Abort ranks are there, with the call that the others were in") {
  const Profile profile = profile_of("abort", 7);
  REQUIRE_FALSE(profile.ranks.empty());
  const auto aborted = std::ranges::find(profile.ranks, 1, &Rank::rank);
  REQUIRE(aborted != profile.ranks.end());
  CHECK(aborted->end == End::aborted);
  CHECK(says(profile, "rank 1 aborted"));
  CHECK(calls_of(profile).at("MPI_Sendrecv_replace").first ==
        10 * static_cast<std::int64_t>(profile.ranks.size()));
}

TEST_CASE("without MPI_Finalize every rank is there") {
  const Profile profile = profile_of("exit", 5);
  // The launcher may kill the others once one has ended so.
  REQUIRE_FALSE(profile.ranks.empty());
  CHECK(std::ranges::all_of(profile.ranks,
                            [](const Rank& rank) { return rank.end != End::finalized; }));
}

TEST_CASE("a rank that crashes is there, and its signal is") {
  const Profile profile = profile_of("crash", 139);
  const auto crashed = std::ranges::find(profile.ranks, 1, &Rank::rank);
  REQUIRE(crashed != profile.ranks.end());
  CHECK(crashed->signal == SIGSEGV);
  CHECK(says(profile, "rank 1 ended by signal 11"));
}

TEST_CASE("a program that has limited its memory keeps its profile, and its end") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/profile.json";
  const CommandResult run = run_profiled(file, 2, {HOCKNEY_ENDINGS, "memory"}, {"--log"});
  INFO(run.out << run.err);
  CHECK(run.exit_code == 3);
  const Profile profile = load_profile(file);
  CHECK(applications::load_trace(profile, file).is_whole());
  REQUIRE(profile.ranks.size() == 2);
  for (const Rank& rank : profile.ranks) CHECK(rank.end == End::finalized);
  CHECK(calls_of(profile).at("MPI_Sendrecv_replace").first == 20);
}

TEST_CASE("a rank that is killed is said to be missing") {
  const Profile profile = profile_of("kill", 137);
  CHECK(profile.world_ranks == 2);
  CHECK(std::ranges::find(profile.ranks, 1, &Rank::rank) == profile.ranks.end());
  CHECK(says(profile, "nothing is known of 1 of 2 ranks (1)"));
}

TEST_CASE("a rank that is killed while it writes its log is there without it") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/profile.json";
  const CommandResult run = run_profiled(file, 2, {HOCKNEY_ENDINGS, "cut"}, {"--log"});
  INFO(run.out << run.err);
  const Profile profile = load_profile(file);
  const auto cut = std::ranges::find(profile.ranks, 1, &Rank::rank);
  REQUIRE(cut != profile.ranks.end());
  CHECK(cut->end == End::exited);
  CHECK(cut->calls == 100010);
  CHECK(says(profile, "the log of events is lost of 1 of 2 ranks (1)"));
  const applications::Trace trace = applications::load_trace(events_file(file));
  CHECK(std::ranges::find(trace.ranks, 1, &applications::RankTrace::rank) == trace.ranks.end());
  CHECK_FALSE(trace.is_whole());
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    CHECK_FALSE(entry.path().filename().string().starts_with("profile.json."));
  }
}

TEST_CASE("a profile that cannot be written is said to be lost, and the program goes on",
          "[study]") {
  // The limit of file sizes is 0; the signal of a write beyond it would end the program, and so
  // would that of a message that nobody reads.
  using Options = std::vector<std::string>;
  for (const auto& [how, options] : first_of<std::pair<std::string, Options>>(
           2, {{"refused", {}}, {"unheard", {"--log"}}, {"refused", {"--log"}}, {"unheard", {}}})) {
    const TemporaryFolder folder;
    const std::string file = folder.path() + "/profile.json";
    const CommandResult run = run_profiled(file, 2, {HOCKNEY_ENDINGS, how}, options);
    INFO(how << run.out << run.err);
    CHECK(run.exit_code == 3);
    const bool is_said = run.err.find("the profile is lost: cannot write '" + file +
                                      "' (File too large)") != std::string::npos;
    CHECK(is_said == (how == "refused"));
    CHECK(std::filesystem::is_empty(folder.path()));
  }
}

TEST_CASE("a part that cannot be written is said to be lost") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/profile.json";
  const CommandResult run = run_profiled(file, 2, {HOCKNEY_ENDINGS, "full"});
  INFO(run.out << run.err);
  CHECK(run.exit_code == 5);
  CHECK(run.err.find("what this rank recorded is lost: cannot write '" + file +
                     ".rank1.part' (File too large)") != std::string::npos);
}

TEST_CASE(
    "threads meet in the recorder without a race, and the call of one that is stuck is named") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/profile.json";
  const std::string out = "HOCKNEY_PROFILE_OUT=" + file;
  const CommandResult run = run_command({"env", out, HOCKNEY_RACES});
  INFO(run.out << run.err);
  CHECK(run.exit_code == 0);
  const Profile profile = load_profile(file);
  const Sums calls = calls_of(profile);
  for (const char* name : {"MPI_Irecv", "MPI_Wait", "MPI_Recv"}) {
    CHECK(calls.at(name).first == 4000);
  }
  CHECK(calls.at("MPI_Send").first >= 4000);  // and what was sent while recording was on
  CHECK(profile.regions.size() == 4);
  std::filesystem::remove(file);
  const CommandResult stuck = run_command({"env", out, HOCKNEY_RACES, "stuck"});
  INFO(stuck.out << stuck.err);
  CHECK(stuck.exit_code == 3);
  const std::string part = file + ".rank0.part";
  const std::string bytes = read_file(part);
  CHECK(says(merge(read_parts(bytes, part)), " in MPI_Recv"));
}

TEST_CASE("a signal that is sent to all processes of a group reaches the launcher once") {
  const TemporaryFolder folder;
  const CommandResult run =
      run_command({HOCKNEY_DRIVER, "profile", "--mpi", "openmpi", "-o", folder.path() + "/p.json",
                   "--", HOCKNEY_ENDINGS, "signals", "group"});
  INFO(run.out << run.err);
  CHECK(run.exit_code == 10);
}

TEST_CASE("Ctrl-C at a terminal reaches the launcher once") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/p.json";
  int terminal = -1;
  const pid_t driver = ::forkpty(&terminal, nullptr, nullptr, nullptr);
  REQUIRE(driver >= 0);
  if (driver == 0) {
    ::execl(HOCKNEY_DRIVER, "hockney", "profile", "--mpi", "openmpi", "-o", file.c_str(), "--",
            HOCKNEY_ENDINGS, "signals", "terminal", nullptr);
    ::_exit(127);
  }
  std::string text;
  bool is_pressed = false;
  while (detail::drain(terminal, text)) {
    if (is_pressed || text.find("ready") == std::string::npos) continue;
    is_pressed = ::write(terminal, "\x03", 1) == 1;
  }
  ::close(terminal);
  int status = 0;
  ::waitpid(driver, &status, 0);
  INFO(text);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 1);
}

}  // namespace hockney::profile
