// What the library counts, against what programs know that they do.

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/profile/library/program_profile.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney::profile {

namespace {

/// The profile of a program whose ranks keep ledgers, whose counts it has.
Profile counted_as_ledgers(const std::string& program, int ranks) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/profile.json";
  const CommandResult run = run_profiled(file, ranks, {program, folder.path()});
  INFO(run.out << run.err);
  REQUIRE(run.exit_code == 0);
  Profile profile = load_profile(file);
  const auto [calls, messages] = ledgers(folder.path(), ranks);
  CHECK(calls_of(profile) == calls);
  CHECK(messages_of(profile) == messages);
  CHECK(profile.world_ranks == ranks);
  return profile;
}

}  // namespace

TEST_CASE("threads of all ranks send and receive at once, and every message is counted") {
  const Profile profile = counted_as_ledgers(HOCKNEY_THREADS, 2);
  REQUIRE(profile.notes.size() == 1);
  CHECK(profile.notes[0].find("MPI_THREAD_MULTIPLE") != std::string::npos);
}

TEST_CASE("the traps are counted, and touch no other memory, under the sanitizers") {
  CHECK(counted_as_ledgers(HOCKNEY_SANITIZED_TRAPS, 2).notes.empty());
}

TEST_CASE("every trap of counting is counted as the program itself counts it") {
  for (const int ranks : {2, 3}) {
    const Profile profile = counted_as_ledgers(tried("HOCKNEY_TRIED_TRAPS", HOCKNEY_TRAPS), ranks);
    CHECK(profile.notes.empty());
    for (const Rank& rank : profile.ranks) {
      CHECK(rank.end == End::finalized);
      CHECK(rank.mpi_seconds <= rank.seconds);
    }
  }
}

TEST_CASE(
    "libraries that bind at once find the functions, and the loader has nothing to say of it") {
  const TemporaryFolder folder;
  std::vector<std::string> words{"env", "LD_BIND_NOW=1"};
  const std::vector<std::string> command =
      profiled(folder.path() + "/profile.json", 2, {HOCKNEY_TRAPS, folder.path()});
  words.insert(words.end(), command.begin(), command.end());
  const CommandResult run = run_in_mpi_environment(words, std::chrono::seconds(100));
  INFO(run.out << run.err);
  CHECK(run.exit_code == 0);
  CHECK(run.err.find("Relink") == std::string::npos);
}

TEST_CASE("calls that come through a binding of MPI stand where the program calls the binding") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/profile.json";
  const CommandResult run = run_profiled(file, 2, {HOCKNEY_BOUND});
  INFO(run.out << run.err);
  REQUIRE(run.exit_code == 0);
  const Profile profile = load_profile(file);
  std::map<std::string, std::int64_t> from;
  for (const Calls& calls : profile.calls) {
    REQUIRE(calls.site);
    const Site& site = profile.sites[static_cast<std::size_t>(*calls.site)];
    from[calls.call + " from " + site.function] += calls.count;
    CHECK(site.module.find("profile_bound") != std::string::npos);
  }
  CHECK(from == std::map<std::string, std::int64_t>{{"MPI_Allreduce from first_place", 2},
                                                    {"MPI_Allreduce from third_place", 10},
                                                    {"MPI_Barrier from first_place", 2},
                                                    {"MPI_Barrier from second_place", 40}});
}

TEST_CASE("regions hold the calls inside of them, and a pause holds none") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/profile.json";
  const CommandResult run = run_profiled(file, 2, {HOCKNEY_ENDINGS, "regions"});
  INFO(run.out << run.err);
  CHECK(run.exit_code == 3);  // the program's own
  const Profile profile = load_profile(file);
  REQUIRE(profile.regions.size() == 2);
  CHECK(profile.regions[0].name == "solve");
  CHECK(profile.regions[0].entered == 2);
  CHECK(profile.regions[1].name == "inner");
  std::map<std::string, std::int64_t> inside;
  for (const Calls& calls : profile.calls) {
    if (calls.call != "MPI_Sendrecv_replace") continue;
    inside[calls.region ? profile.regions[static_cast<std::size_t>(*calls.region)].name : ""] +=
        calls.count;
  }
  CHECK(inside == std::map<std::string, std::int64_t>{{"", 20}, {"inner", 4}, {"solve", 6}});
}

TEST_CASE("when the memory is full calls are counted by their name, and it is said") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/profile.json";
  const CommandResult run = run_profiled(file, 2, {HOCKNEY_ENDINGS, "rows"}, {"--memory", "1"});
  INFO(run.out << run.err);
  CHECK(run.exit_code == 3);
  const Profile profile = load_profile(file);
  CHECK(calls_of(profile).at("MPI_Sendrecv_replace").first == 2 * (10 + 400 * 16));
  std::int64_t messages = 0;
  for (const Messages& row : profile.messages) messages += row.messages;
  CHECK(messages == 2 * (10 + 400 * 16));
  CHECK(profile.ranks.at(0).folded_calls > 0);
  CHECK(std::ranges::any_of(profile.notes, [](const std::string& note) {
    return note.find("counted by their name alone") != std::string::npos;
  }));
}

#ifdef HOCKNEY_OTHER_LIBRARY
TEST_CASE("a library for another MPI is refused by name, and the program runs as without it") {
  const TemporaryFolder folder;
  std::vector<std::string> words = launcher(2);
  words.insert(words.end(), {"env", std::string("LD_PRELOAD=") + HOCKNEY_OTHER_LIBRARY,
                             "HOCKNEY_PROFILE_OUT=" + folder.path() + "/profile.json",
                             HOCKNEY_ENDINGS, "finalize"});
  const CommandResult run = run_in_mpi_environment(words, std::chrono::seconds(60));
  INFO(run.out << run.err);
  CHECK(run.exit_code == 3);
  CHECK(run.err.find("hockney-profile: nothing is recorded") != std::string::npos);
  CHECK(run.err.find("Open MPI") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(folder.path() + "/profile.json"));
}
#endif

}  // namespace hockney::profile
