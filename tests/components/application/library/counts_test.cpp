#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/components/application/library/program_profile.hpp"
#include "tests/support/temporary_folder.hpp"

// What the library counts, against what programs know that they do.
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

TEST_CASE(
    "what MPI_Pcontrol is given reaches the next tool, and names regions while recording is on") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/profile.json";
  const CommandResult run = run_profiled(file, 1, {HOCKNEY_CONTROLS});
  INFO(run.out << run.err);
  REQUIRE(run.exit_code == 0);
  CHECK(run.out == "1 named\n-1 named\n7 1 2 three 4.5 6.5\n0\n1 not a name\n");
  const Profile profile = load_profile(file);
  REQUIRE(profile.regions.size() == 1);
  CHECK(profile.regions[0].name == "named");
  CHECK(profile.regions[0].entered == 1);
  CHECK(calls_of(profile).at("MPI_Barrier").first == 2);  // and one while it was off
}

TEST_CASE("names of regions are kept whole, or cut at a character, whatever they are") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/profile.json";
  const CommandResult run = run_profiled(file, 1, {HOCKNEY_ENDINGS, "names"});
  INFO(run.out << run.err);
  CHECK(run.exit_code == 3);
  std::vector<std::string> names;
  for (const Region& region : load_profile(file).regions) names.push_back(region.name);
  std::string long_name = "xy";
  for (int i = 0; i < 126; ++i) long_name += "\xc3\xa9";
  CHECK(names == std::vector<std::string>{"two\nlines", "odd \xef\xbf\xbd byte", long_name,
                                          std::string(255, 'z')});
}

TEST_CASE("when the memory is full regions lose their names, whole ones, and it is said") {
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{"--memory", "1"}, {"--memory", "1", "--log"}}) {
    const TemporaryFolder folder;
    const std::string file = folder.path() + "/profile.json";
    const CommandResult run = run_profiled(file, 2, {HOCKNEY_ENDINGS, "many-regions"}, options);
    INFO(run.out << run.err);
    CHECK(run.exit_code == 3);
    const Profile profile = load_profile(file);
    CHECK(calls_of(profile).at("MPI_Sendrecv_replace").first == 2 * (10 + 10000));
    std::int64_t entered = 0;
    for (std::size_t i = 0; i < profile.regions.size(); ++i) {
      CHECK(profile.regions[i].name == "region " + std::to_string(i) + " of many");
      entered += profile.regions[i].entered;
    }
    CHECK(entered > 0);
    CHECK(entered < 2 * 10000);
    const std::string times = std::to_string(2 * 10000 - entered) + " times a region";
    CHECK(std::ranges::any_of(profile.notes,
                              [&](const std::string& note) { return note.find(times) == 0; }));
  }
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
    return note.find("counted by name alone") != std::string::npos;
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
